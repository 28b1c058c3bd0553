"""``crossbank workflow``: where the Snakefile is, for ``snakemake --snakefile "$(crossbank workflow)"``."""

from __future__ import annotations

from pathlib import Path

from crossbank.workflow.commands.command import command

SNAKEFILE = Path(__file__).resolve().parents[1] / "Snakefile"

EXAMPLES = ("crossbank workflow",)


@command(
    "workflow",
    EXAMPLES,
    group="study",
    help="print the path of the Snakefile that runs studies",
    position=210,
)
def run() -> None:
    """Print the path."""
    print(SNAKEFILE)
