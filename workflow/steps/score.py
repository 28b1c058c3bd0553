"""Step: counts of the candidates of a batch under one metric."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from crossbank.converters import scheme_of
from crossbank.metrics.counting.scoring import scoring_of
from crossbank.metrics.engine import Evaluation, evaluate
from crossbank.reports.results.counts_in_files import CandidateCounts, CountsByChunk, write_counts
from crossbank.reports.study.model import GOLD
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.chunks import Chunk, ChunkedSource
from crossbank.treebanks.errors import OutputError
from crossbank.treebanks.formats.parquet import load, load_shards, shard_sizes
from crossbank.treebanks.shards import SHARD
from crossbank.treebanks.stored_sources import stored_sources
from crossbank.workflow.settings import ScoreSettings
from crossbank.workflow.steps.batch import refuse_failed
from crossbank.workflow.steps.step import run


def score(
    gold: Path,
    candidates: Path,
    output: Path,
    settings: Mapping[str, ScoreSettings],
    size: int = SHARD,
    *,
    as_read: Mapping[str, Path] | None = None,
    forgiven: bool = False,
) -> None:
    """Compare candidates with gold, all in the metric's view, and write their counts.

    as_read  the files with sources before their conversion, as checks see them; the view for those without
    """
    scored: dict[str, CandidateCounts | CrossbankError] = {}
    for name, own in settings.items():
        sources = {GOLD: gold, name: candidates}
        before = {of: _as_read_from((as_read or {}).get(of, path), path) for of, path in sources.items()}
        counts = CountsByChunk(output.with_name(f"{output.name}.{name}"))
        try:
            refuse_failed(candidates, name)
            scored[name] = _score(sources, before, counts, name, own, size)
        except CrossbankError as error:
            counts.remove()
            if not forgiven or isinstance(error, OutputError):
                raise
            scored[name] = error
            print(f"{name}: {error}", file=sys.stderr)
    write_counts(scored, output)


def _as_read_from(as_read: Path, view: Path) -> Path:
    """Return the file with a source as it was read: the view's, of which both may be names."""
    return view if as_read.exists() and view.exists() and as_read.samefile(view) else as_read


def _score(
    sources: Mapping[str, Path],
    before: Mapping[str, Path],
    counts: CountsByChunk,
    name: str,
    settings: ScoreSettings,
    size: int,
) -> CandidateCounts:
    """Return a candidate's counts.

    In chunks of ``size`` sentences, unless the metric decides by the whole text; the counts are the same.
    """
    scoring = scoring_of([settings.metric], settings.options, settings.unscored)
    (metric,) = scoring.metrics
    scheme = scheme_of(settings.scheme)
    evaluation = Evaluation(scoring, scheme, breakdowns=(), is_raw=settings.raw, outputs=[counts])
    gold, candidate = (_chunks(path, of, size) for of, path in sources.items())
    one, other = (_chunks(path, of, size) for of, path in before.items())
    as_read = None if before == sources else (one, other)
    evaluate(evaluation, gold, candidate, view=metric.view, as_read=as_read)
    evaluated = evaluation.result()
    (of_metric,) = evaluated.metrics
    warnings = list(map(str, evaluated.diagnostics))
    if settings.strict and warnings:
        raise CrossbankError("\n".join(f"{name}: {warning}" for warning in warnings))
    for warning in warnings:
        print(f"{name}: warning: {warning}", file=sys.stderr)
    for status, number in of_metric.counts.status_counts().items():
        print(f"{name}: {status}: {number}", file=sys.stderr)
    return counts.finish(of_metric.counts, warnings, is_reduced=of_metric.metric is not metric)


def _chunks(path: Path, name: str, size: int) -> ChunkedSource:
    """Return a source of a file in chunks of ``size`` sentences."""
    is_small = sum(shard_sizes(path, source=name)) <= size
    if is_small:
        read = _gold if name == GOLD else _candidate
        banks = iter([read(path, name, path.stat().st_mtime_ns)])
    else:
        banks = load_shards(path, size, name)
    return ChunkedSource([""], (Chunk(0, bank) for bank in banks), is_of_files=True)


@lru_cache(maxsize=2)
def _gold(path: Path, name: str, changed: int) -> Treebank:
    """Return gold, as read or in a view, which all candidates are compared with.

    ``changed`` is when the file was last changed.
    """
    return load(path, source=name)


@lru_cache(maxsize=1)
def _candidate(path: Path, name: str, changed: int) -> Treebank:
    """Return a candidate, whose view and whose file as read may be the same."""
    return load(path, source=name)


def job(arguments: argparse.Namespace) -> None:
    """Score the candidates of a batch under one metric."""
    settings = {name: ScoreSettings(**values) for name, values in json.loads(arguments.settings[0])}
    size, forgiven = int(arguments.shard_sentences[0]), arguments.on_error == ["report"]
    gold, candidates, output = (
        Path(one) for (one,) in (arguments.gold, arguments.candidates, arguments.output)
    )
    as_read = {name: path for path in map(Path, arguments.as_read) for name in stored_sources(path)}
    for name in arguments.transformed:
        del as_read[name]
    score(gold, candidates, output, settings, size, as_read=as_read, forgiven=forgiven)


if __name__ == "__main__":
    names = ("gold", "candidates", "as_read", "transformed", "output", "settings", "on_error")
    run(job, *names, "shard_sentences")
