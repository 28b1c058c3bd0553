"""Step: bring one source into the view that a metric wants."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from crossbank.converters.schemes.files import load_scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.counting.scoring import in_view
from crossbank.treebanks.formats import read, write
from crossbank.workflow.steps.step import run


def step(given: argparse.Namespace, settings: dict[str, Any]) -> None:
    """Apply the study's own transformations, then the view's; what they did goes to the log."""
    (source,) = given.inputs
    scheme = load_scheme(settings["scheme"]) if settings["scheme"] else None
    bank = transform(read(source, "parquet"), settings["transformations"], scheme)
    bank = in_view(bank, settings["view"], scheme, settings["views"])
    write(bank, given.output, "parquet")
    for found in bank.diagnosis:
        where = len(found.sentences())
        print(f"{found.step}: {found.event}: {found.total} in {where} sentences", file=sys.stderr)


if __name__ == "__main__":
    run(step, "output", inputs=True)
