"""Step: the counts of one candidate under every metric."""

from __future__ import annotations

import argparse
import json
import sys
from functools import lru_cache
from pathlib import Path

from crossbank.metrics.counting.scoring import counted, scored_pair, scoring_of
from crossbank.metrics.traps.traps import told_traps
from crossbank.reports.results.counts import write_counts
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.formats import read
from crossbank.workflow.settings import ScoreSettings, scheme_of
from crossbank.workflow.steps.product import Product
from crossbank.workflow.steps.step import run


def score(gold: Path, candidate: Path, output: Path, settings: ScoreSettings) -> None:
    """Pair gold and candidate, which are in the metric's view, and write the counts."""
    scheme = scheme_of(settings.scheme)
    scoring = scoring_of([settings.metric], settings.options, settings.unscored)
    (metric,) = scoring.metrics
    gold_bank, candidate_bank = (_read(path, path.stat().st_mtime_ns) for path in (gold, candidate))
    both = scored_pair(metric, gold_bank, candidate_bank, scoring, scheme)
    counts, both = counted(metric, both, scoring, scheme)
    warnings = told_traps([(counts, both)], gold_bank, candidate_bank, scoring, scheme, raw=settings.raw)
    if settings.strict and warnings:
        raise CrossbankError("\n".join(f"{candidate}: {warning}" for warning in warnings))
    for warning in warnings:
        print(f"{settings.metric}: warning: {warning}", file=sys.stderr)
    write_counts(counts, output, both, warnings)
    for status, number in counts.status_counts().items():
        print(f"{settings.metric}: {status}: {number}", file=sys.stderr)


@lru_cache(maxsize=2)
def _read(path: Path, changed: int) -> Treebank:
    """Gold or the candidate; ``changed`` is when the file was last changed."""
    return read(path, "parquet")


def job(given: argparse.Namespace) -> None:
    """Make the counts of one candidate: an output, gold, candidate, settings and digest for each metric."""
    forgiven = given.on_error == ["report"]
    for gold, candidate, output, values, digest in zip(
        given.gold, given.candidate, given.outputs, given.settings, given.digests, strict=True
    ):
        product = Product(Path(output), [Path(gold), Path(candidate)], digest, forgiven)
        _make(product, ScoreSettings(**json.loads(values)))


def _make(product: Product, settings: ScoreSettings) -> None:
    gold, candidate = product.inputs
    if not product.make(lambda part: score(gold, candidate, part, settings)):
        print(f"{product.path.name}: as before", file=sys.stderr)


if __name__ == "__main__":
    run(job, "gold", "candidate", "outputs", "settings", "digests", "on_error")
