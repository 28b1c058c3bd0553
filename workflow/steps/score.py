"""Step: one metric's counts for one candidate."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from crossbank.converters.schemes.files import load_scheme
from crossbank.metrics.counting.scoring import counted, scored_pair, scoring_of
from crossbank.reports.results.counts import write_counts
from crossbank.treebanks.formats import read
from crossbank.workflow.steps.step import run


def step(given: argparse.Namespace, settings: dict[str, Any]) -> None:
    """Pair gold and candidate, which are in the metric's view, and write the counts."""
    scheme = load_scheme(settings["scheme"]) if settings["scheme"] else None
    scoring = scoring_of([settings["metric"]], settings["options"], settings["unscored"])
    gold, candidate = read(given.gold, "parquet"), read(given.candidate, "parquet")
    both = scored_pair(scoring.metrics[0], gold, candidate, scoring, scheme)
    counts = counted(scoring.metrics[0], both, scoring, scheme)
    write_counts(counts, given.output, both)
    for name, value in counts.status_counts().items():
        print(f"{name}: {value}", file=sys.stderr)


if __name__ == "__main__":
    run(step, "gold", "candidate", "output")
