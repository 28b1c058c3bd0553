"""``crossbank workflow``: where the Snakefile is, for ``snakemake --snakefile "$(crossbank workflow)"``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

SNAKEFILE = Path(__file__).resolve().parents[1] / "Snakefile"

EXAMPLES = ("crossbank workflow",)


def arguments(parser: ArgumentParser) -> None:
    """The command takes no arguments."""


def run(given: Namespace) -> int:
    """Print the path."""
    print(SNAKEFILE)
    return 0
