"""``crossbank workflow``: where the Snakefile is, for ``snakemake --snakefile "$(crossbank workflow)"``."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from crossbank.workflow.commands.cli import Parser

SNAKEFILE = Path(__file__).resolve().parents[1] / "Snakefile"

EXAMPLES = ("crossbank workflow",)


def arguments(parser: Parser) -> None:
    """The command takes no arguments."""


def run(given: Namespace) -> None:
    """Print the path."""
    print(SNAKEFILE)
