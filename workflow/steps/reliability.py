"""Step: how far the conversion of one treebank to dependencies can be trusted."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from crossbank.converters.dependencies.conventions import conventions_of
from crossbank.converters.dependencies.through_dependencies import through_dependencies
from crossbank.converters.schemes.files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.analyses.reliability import (
    Resamples,
    against_gold,
    conversion_of,
    has_functions,
    without_functions,
)
from crossbank.reports.results.reliability import Measured, losses, write_measured
from crossbank.treebanks.formats import read
from crossbank.treebanks.round_trip import round_trip
from crossbank.workflow.steps.step import run

ROUND_TRIPS = ("discbracket", "export", "tigerxml", "conllu")
"""The formats that hold any tree, and the one of dependencies."""


def step(given: argparse.Namespace, settings: dict[str, Any]) -> None:
    """Compare gold's dependencies with those of its trees without functions, and with independent ones; see
    what trees lose on the way through dependencies and through formats.

    The first of ``given.inputs`` holds the trees, a second one the independent dependencies. Gold that has
    dependencies and no trees has nothing that could be measured.
    """
    as_read, *independent = (read(path, "parquet") for path in given.inputs)
    scheme = load_scheme(settings["scheme"])
    steps = conversion_of(scheme, settings["conversion"])
    conventions = conventions_of(steps, scheme)
    drawn = Resamples(settings["samples"], settings["seed"])
    trees = transform(as_read, settings["transformations"], scheme)
    found = Measured(conventions)
    if trees.has_constituents:
        found = Measured(
            conventions,
            without_functions(trees, scheme, steps, drawn) if has_functions(trees, scheme) else None,
            against_gold(trees, independent[0], scheme, steps, settings["independent"], drawn)
            if independent
            else None,
            through_dependencies(trees, scheme, steps),
            tuple(
                loss
                for format in ROUND_TRIPS
                for loss in losses(round_trip(as_read, format), as_read.sentence_id)
            ),
        )
    write_measured(found, Path(given.output))
    for measured in filter(None, (found.without_functions, found.against_gold)):
        left_out = len(measured.left_out)
        print(f"{measured.against}: {measured.compared} compared, {left_out} left out", file=sys.stderr)


if __name__ == "__main__":
    run(step, "output", inputs=True)
