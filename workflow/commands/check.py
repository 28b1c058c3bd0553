"""``crossbank check``: what a study would do, what does not fit, and how long it will take."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext

import click

from crossbank.workflow.commands.command import command
from crossbank.workflow.commands.parameters import INPUT, StudyKey

EXAMPLES = ("crossbank check study.yaml", "crossbank check study.yaml --config data=FOLDER")


@command(
    "check",
    EXAMPLES,
    group="study",
    help="read all files of a study, and report what would be done and what does not fit",
    position=180,
)
@click.argument("study", metavar="STUDY.yaml", type=INPUT, help="the study file: see crossbank help study")
@click.option(
    "--config",
    type=StudyKey(),
    multiple=True,
    help="a key of the study in place of that in the file, as for snakemake: data=FOLDER; repeatable",
)
@click.option("--trust", is_flag=True, help="load the study's own code: module:name")
def run(study: str, config: Sequence[str], trust: bool) -> int:
    """Print what is found. Returns 1 where something does not fit."""
    from crossbank.reports.study.reading import changed_keys, load_study
    from crossbank.reports.texts.colours import add_colour
    from crossbank.treebanks.registry import no_code_of_others
    from crossbank.workflow.foreign_code import code_of_study
    from crossbank.workflow.study_check import check_study

    if not trust and (code := code_of_study(study)):
        print(f"{study}: the study would load its own code: {', '.join(code)}")
        print("Its code was not loaded, so the study was not checked further; to load it: --trust")
        return 1
    faults = 0
    with nullcontext() if trust else no_code_of_others():
        for line, fits in check_study(load_study(study, changed=changed_keys(list(config)))):
            print(line if fits else add_colour(line, "bad", sys.stdout))
            faults += not fits
    if faults:
        print(f"\n{faults} {'thing does' if faults == 1 else 'things do'} not fit.")
    return int(faults > 0)
