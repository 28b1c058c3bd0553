"""Step: the counts of one candidate under every metric."""

from __future__ import annotations

import argparse
import json
import sys
from functools import lru_cache, partial
from itertools import cycle
from pathlib import Path

from crossbank.converters import scheme_of
from crossbank.metrics.counting.scoring import scoring_of
from crossbank.metrics.engine import Evaluation, evaluate
from crossbank.reports.results.counts_in_files import CountsWriter
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.chunks import Chunk, ChunkedSource
from crossbank.treebanks.formats.parquet import load, load_shards, shard_sizes
from crossbank.treebanks.shards import SHARD
from crossbank.workflow.settings import ScoreSettings
from crossbank.workflow.steps.product import Product
from crossbank.workflow.steps.step import run


def score(
    gold: Path,
    candidate: Path,
    output: Path,
    settings: ScoreSettings,
    size: int = SHARD,
    as_read: tuple[Path, Path] | None = None,
) -> None:
    """Compare gold and candidate, which are in the metric's view, and write the counts.

    In chunks of ``size`` sentences, unless the metric decides by the whole text; the counts are the same, and
    are written as chunks come. ``as_read`` are both before their conversion, as checks of sources see them.
    """
    scheme = scheme_of(settings.scheme)
    scoring = scoring_of([settings.metric], settings.options, settings.unscored)
    (metric,) = scoring.metrics
    with CountsWriter(output) as writer:
        evaluation = Evaluation(scoring, scheme, breakdowns=(), is_raw=settings.raw, outputs=[writer])
        sources = _chunks(gold, size), _chunks(candidate, size)
        before = None if as_read is None else (_chunks(as_read[0], size), _chunks(as_read[1], size))
        evaluate(evaluation, *sources, view=metric.view, as_read=before)
        evaluated = evaluation.result()
        (of_metric,) = evaluated.metrics
        warnings = list(map(str, evaluated.diagnostics))
        writer.finish(of_metric.counts, warnings, is_reduced=of_metric.metric is not metric)
    if settings.strict and warnings:
        raise CrossbankError("\n".join(f"{candidate}: {warning}" for warning in warnings))
    for warning in warnings:
        print(f"{settings.metric}: warning: {warning}", file=sys.stderr)
    for status, number in of_metric.counts.status_counts().items():
        print(f"{settings.metric}: {status}: {number}", file=sys.stderr)


def _chunks(path: Path, size: int) -> ChunkedSource:
    """Return a treebank in Parquet, in chunks of ``size`` sentences."""
    is_small = sum(shard_sizes(path)) <= size
    banks = iter([_read(path, path.stat().st_mtime_ns)]) if is_small else load_shards(path, size)
    return ChunkedSource([""], (Chunk(0, bank) for bank in banks), is_of_files=True)


@lru_cache(maxsize=4)
def _read(path: Path, changed: int) -> Treebank:
    """Gold or the candidate, as read or in a view; ``changed`` is when the file was last changed."""
    return load(path)


def job(given: argparse.Namespace) -> None:
    """Make the counts of one candidate or several: an output and a candidate's file for each metric.

    Gold, settings and digests are those of one candidate where all have the same.
    """
    forgiven, size = given.on_error == ["report"], int(given.shard_sentences[0])
    shared = zip(*map(cycle, (given.gold, given.gold_as_read, given.settings, given.digests)), strict=False)
    made = zip(given.candidate, given.candidate_as_read, given.outputs, strict=True)
    for (*of_candidate, output), (*of_gold, values, digest) in zip(made, shared, strict=False):
        (gold, gold_as_read), (candidate, candidate_as_read) = map(Path, of_gold), map(Path, of_candidate)
        as_read = gold_as_read, candidate_as_read
        settings = ScoreSettings(**json.loads(values))
        write = partial(score, gold, candidate, settings=settings, size=size, as_read=as_read)
        Product(Path(output), (gold, candidate, *as_read), digest, forgiven).make_or_tell(write)


if __name__ == "__main__":
    run(
        job,
        *("gold", "candidate", "gold_as_read", "candidate_as_read"),
        *("outputs", "settings", "digests", "on_error", "shard_sentences"),
    )
