"""``crossbank check``: what a study would do, what does not fit, and how long it will take."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import nullcontext

from crossbank.workflow.commands.cli import Parser

EXAMPLES = ("crossbank check study.yaml", "crossbank check study.yaml --config data=FOLDER")


def arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.value("study", "STUDY.yaml", "the study file: see crossbank help study")
    parser.value(
        "--config",
        "KEY=VALUE",
        "keys of the study in place of those in the file, as for snakemake: data=FOLDER",
        nargs="+",
        default=[],
    )
    parser.flag("--trust", "load the study's own code: module:name")


def run(given: Namespace) -> int:
    """Print what is found. Returns 1 where something does not fit."""
    from crossbank.reports.study.reading import changed_keys, load_study
    from crossbank.reports.texts.colours import coloured
    from crossbank.treebanks.registry import no_code_of_others
    from crossbank.workflow.foreign_code import code_of_study
    from crossbank.workflow.study_check import checked

    if not given.trust and (code := code_of_study(given.study)):
        print(f"{given.study}: the study would load its own code: {', '.join(code)}")
        print("Nothing of it is loaded, and so nothing more is checked: --trust loads it.")
        return 1
    faults = 0
    with nullcontext() if given.trust else no_code_of_others():
        for line, fits in checked(load_study(given.study, changed=changed_keys(given.config))):
            print(line if fits else coloured(line, "bad", sys.stdout))
            faults += not fits
    if faults:
        print(f"\n{faults} {'thing does' if faults == 1 else 'things do'} not fit.")
    return int(faults > 0)
