"""Step: how far the conversion of one treebank to dependencies can be trusted."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from crossbank.converters.dependencies.conventions import conventions_of
from crossbank.converters.dependencies.through_dependencies import through_dependencies
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.analyses.conversion_reliability import (
    Resamples,
    against_gold,
    conversion_of,
    has_functions,
    without_functions,
)
from crossbank.reports.results.measured_conversions import (
    ConversionMeasurements,
    list_losses,
    write_measurements,
)
from crossbank.treebanks.formats import read
from crossbank.treebanks.formats.round_trip import round_trip
from crossbank.workflow.settings import ReliabilitySettings
from crossbank.workflow.steps.step import run

ROUND_TRIPS = ("discbracket", "export", "tigerxml", "conllu")
"""The formats that hold any tree, and the one of dependencies."""


def measure(trees: Path, independent: Path | None, output: Path, settings: ReliabilitySettings) -> None:
    """Compare gold's dependencies with those of its trees without functions, and with independent ones.

    What trees lose on the way through dependencies and through formats is counted as well. Gold that has
    dependencies and no trees has nothing that could be measured.
    """
    as_read = read(trees, "parquet")
    scheme = load_scheme(settings.scheme)
    steps = conversion_of(scheme, settings.conversion)
    conventions = conventions_of(steps, scheme)
    drawn = Resamples(settings.samples, settings.seed, level=settings.level)
    bank = transform(as_read, settings.transformations, scheme)
    measurements = ConversionMeasurements(conventions)
    if bank.has_constituents:
        measurements = ConversionMeasurements(
            conventions,
            without_functions(bank, scheme, steps, drawn) if has_functions(bank, scheme) else None,
            against_gold(bank, read(independent, "parquet"), scheme, steps, settings.independent or (), drawn)
            if independent is not None
            else None,
            through_dependencies(bank, scheme, steps),
            tuple(
                loss
                for format in ROUND_TRIPS
                for loss in list_losses(round_trip(as_read, format), as_read.sentence_id)
            ),
        )
    write_measurements(measurements, output)
    for measured in filter(None, (measurements.without_functions, measurements.against_gold)):
        left_out = len(measured.left_out)
        print(f"{measured.against}: {measured.compared} compared, {left_out} left out", file=sys.stderr)


def job(arguments: argparse.Namespace) -> None:
    """Measure one treebank: the first input holds its trees, a second one independent dependencies."""
    trees, *independent = [Path(path) for path in arguments.inputs]
    settings = ReliabilitySettings(**json.loads(arguments.settings[0]))
    measure(trees, independent[0] if independent else None, Path(arguments.output[0]), settings)


if __name__ == "__main__":
    run(job, "inputs", "output", "settings")
