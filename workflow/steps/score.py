"""Step: the counts of one candidate under every metric."""

from __future__ import annotations

import argparse
import json
import sys
from functools import lru_cache, partial
from itertools import cycle
from pathlib import Path

from crossbank.converters import scheme_of
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.scoring import counted, scored_pair, scoring_of
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.traps import told_traps
from crossbank.reports.results.counts_in_files import write_shards
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.formats.parquet import load, load_sentences, load_shards, shard_sizes
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.shards import SHARD
from crossbank.workflow.settings import ScoreSettings
from crossbank.workflow.steps.product import Product
from crossbank.workflow.steps.step import run

FIRST = 50_000
"""The number of a treebank's first sentences in which faults of the comparison are looked for."""


def score(gold: Path, candidate: Path, output: Path, settings: ScoreSettings, size: int = SHARD) -> None:
    """Pair gold and candidate, which are in the metric's view, and write the counts.

    In shards of ``size`` sentences where the metric compares sentence by sentence; the counts are the same.
    Where that cannot be done, since the sides are cut differently or a shard lacks what the whole treebank
    has, all sentences are compared at once.
    Faults of the comparison are looked for in the first sentences of a large treebank.
    """
    scheme = scheme_of(settings.scheme)
    scoring = scoring_of([settings.metric], settings.options, settings.unscored)
    (metric,) = scoring.metrics

    def compared(gold_bank: Treebank, candidate_bank: Treebank) -> tuple[Counts, Pair]:
        both = scored_pair(metric, gold_bank, candidate_bank, scoring, scheme)
        return counted(metric, both, scoring, scheme)

    def warned(found: tuple[Counts, Pair], sides: tuple[Treebank, Treebank]) -> list[str]:
        return told_traps([found], sides[0], sides[1], scoring, scheme, raw=settings.raw)

    # Where there are more than the first ones, warnings are of these, whatever the size.
    smaller = min(size, FIRST)
    sizes = shard_sizes(gold, smaller)
    statuses = None
    if metric.word_by_word and len(sizes) > 1 and shard_sizes(candidate, smaller) == sizes:
        first = range(min(FIRST, sum(sizes)))
        try:
            sides = load_sentences(gold, first), load_sentences(candidate, first)
            where = f"in the first {quantity(FIRST, 'sentence')} " if sum(sizes) > FIRST else ""
            warnings = [where + warning for warning in warned(compared(*sides), sides)]
            pairs = zip(load_shards(gold, size), load_shards(candidate, size), strict=True)
            statuses = write_shards((compared(*both) for both in pairs), output, warnings)
        except CrossbankError as error:
            print(f"{settings.metric}: not scored by shards: {error}", file=sys.stderr)
    if statuses is None:
        sides = _read(gold, gold.stat().st_mtime_ns), _read(candidate, candidate.stat().st_mtime_ns)
        found = compared(*sides)
        warnings = warned(found, sides)
        statuses = write_shards([found], output, warnings)
    if settings.strict and warnings:
        raise CrossbankError("\n".join(f"{candidate}: {warning}" for warning in warnings))
    for warning in warnings:
        print(f"{settings.metric}: warning: {warning}", file=sys.stderr)
    for status, number in statuses.items():
        print(f"{settings.metric}: {status}: {number}", file=sys.stderr)


@lru_cache(maxsize=2)
def _read(path: Path, changed: int) -> Treebank:
    """Gold or the candidate; ``changed`` is when the file was last changed."""
    return load(path)


def job(given: argparse.Namespace) -> None:
    """Make the counts of one candidate or several: an output and a candidate's file for each metric.

    Gold, settings and digests are those of one candidate where all have the same.
    """
    forgiven, size = given.on_error == ["report"], int(given.shard_sentences[0])
    shared = zip(*map(cycle, (given.gold, given.settings, given.digests)), strict=False)
    made = zip(given.candidate, given.outputs, strict=True)
    for (candidate, output), (gold, values, digest) in zip(made, shared, strict=False):
        sides, settings = (Path(gold), Path(candidate)), ScoreSettings(**json.loads(values))
        write = partial(score, *sides, settings=settings, size=size)
        Product(Path(output), sides, digest, forgiven).make_or_tell(write)


if __name__ == "__main__":
    run(job, "gold", "candidate", "outputs", "settings", "digests", "on_error", "shard_sentences")
