"""``crossbank check``: what a study would do, what does not fit, and how long it will take."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

EXAMPLES = ("crossbank check study.yaml",)


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("study", metavar="STUDY.yaml", help="the study file: see crossbank help study")


def run(given: Namespace) -> int:
    """Print what is found. Returns 1 where something does not fit."""
    import sys

    from crossbank.reports.texts.colours import coloured
    from crossbank.workflow.check import checked
    from crossbank.workflow.study import load_study

    faults = 0
    for line, fits in checked(load_study(given.study)):
        print(line if fits else coloured(line, "bad", sys.stdout))
        faults += not fits
    if faults:
        print(f"\n{faults} {'thing does' if faults == 1 else 'things do'} not fit.")
    return int(faults > 0)
