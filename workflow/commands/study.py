"""``crossbank study``: a whole study, run with Snakemake."""

from __future__ import annotations

import argparse

from crossbank.workflow.commands.workflow import SNAKEFILE


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("study", metavar="STUDY.yaml", help="the study file: see config/README.md")
    parser.add_argument("snakemake", nargs=argparse.REMAINDER, help="further arguments for snakemake")


def run(given: argparse.Namespace) -> int:
    """Run the study. Returns Snakemake's exit code."""
    import subprocess
    import sys

    from crossbank.workflow.study import load_study

    load_study(given.study)
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(SNAKEFILE), "--configfile", given.study]
    return subprocess.call([*command, *given.snakemake])
