"""``crossbank report``: verify a finished report."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import INPUT

EXAMPLES = (
    "crossbank report --verify results/NAME/report/index.html",
    "crossbank report --verify study.yaml",
)


@command(
    "report",
    EXAMPLES,
    group="study",
    help="verify the statements of a finished report from the counts of its study",
    position=200,
)
@click.argument(
    "page", type=INPUT, help="a report's page, its study file, or the folder of the study's results"
)
@click.option(
    "--verify", is_flag=True, required=True, help="recompute every number of every statement from the counts"
)
def run(page: str, verify: bool) -> int:
    """Print what was recomputed, each number that is wrong and each file that was changed.

    Returns 1 if there is one.
    """
    from crossbank.treebanks.extras import require
    from crossbank.treebanks.quantities import quantity
    from crossbank.workflow.steps.manifest import differing_files
    from crossbank.workflow.verification import verify as verification

    require("pyarrow", "crossbank report")
    path = Path(page)
    folder = verification.study_folder(path)
    statements, scores, wrong = verification.verify(folder, path if path.suffix == ".html" else None)
    wrong += [f"{changed}: the file is not what the study wrote" for changed in differing_files(folder)]
    for line in wrong:
        print(line, file=sys.stderr)
    state = f"{len(wrong):,} wrong" if wrong else "all as recomputed from the counts"
    print(f"{folder}: {quantity(statements, 'statement')}, {quantity(scores, 'score')}: {state}")
    return 1 if wrong else 0
