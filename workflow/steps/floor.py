"""Step: what gold itself scores where treebanks annotate the same sentences in several schemes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

from crossbank.converters import scheme_of
from crossbank.metrics.analyses.gold_against_gold import comparable_metric
from crossbank.metrics.counting.scoring import scoring_of
from crossbank.metrics.engine import Evaluation, evaluate
from crossbank.reports.results.counts_in_files import CandidateCounts, CountsByChunk, write_counts
from crossbank.reports.results.gold_floors import floor_name
from crossbank.reports.results.sentence_facts import collect_facts_of_shards
from crossbank.reports.study.model import GOLD
from crossbank.treebanks.chunks import Chunk, ChunkedSource
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.formats.parquet import load_shards
from crossbank.workflow.settings import ScoreSettings
from crossbank.workflow.steps.step import run

Views = Mapping[tuple[str, str], tuple[Path, Path]]
"""By treebank and metric: gold in the view of gold, and in that of candidates."""


def measure(
    as_read: Mapping[str, Path],
    views: Views,
    settings: Mapping[tuple[str, str], ScoreSettings],
    output: Path,
    size: int,
) -> None:
    """Compare gold with the gold of every other treebank that has the same words and another scheme."""
    digests = {name: _digest(path) for name, path in as_read.items()}
    floors: dict[str, CandidateCounts | CrossbankError] = {}
    for treebank, other in permutations(as_read, 2):
        if digests[treebank] == digests[other] != "":
            for (name, metric), own in settings.items():
                beside = settings.get((other, metric))
                if name != treebank or beside is None or own.scheme == beside.scheme:
                    continue
                paths = views[treebank, metric][0], views[other, metric][1]
                counts = CountsByChunk(output.with_name(f"{output.name}.{treebank}.{other}.{metric}"))
                try:
                    floor = _compare(paths, own, counts, size)
                except CrossbankError as error:
                    counts.remove()
                    floors[floor_name(treebank, other, metric)] = error
                    print(f"{treebank}, {other}, {metric}: {error}", file=sys.stderr)
                    continue
                floors[floor_name(treebank, other, metric)] = floor
    write_counts(floors, output)
    print(f"{len(floors)} comparisons of gold with gold", file=sys.stderr)


def _digest(path: Path) -> str:
    return collect_facts_of_shards(load_shards(path), str).digest


def _compare(
    paths: tuple[Path, Path], settings: ScoreSettings, counts: CountsByChunk, size: int
) -> CandidateCounts:
    scoring = scoring_of([settings.metric], settings.options, settings.unscored)
    metric = comparable_metric(scoring.metrics[0], *(load_shards(path) for path in paths))
    scoring = replace(scoring, metrics=(metric,))
    evaluation = Evaluation(scoring, scheme_of(settings.scheme), outputs=[counts])
    gold, candidate = (ChunkedSource([""], _chunks(path, size), is_of_files=True) for path in paths)
    evaluate(evaluation, gold, candidate, view=metric.view)
    (evaluated,) = evaluation.result().metrics
    # Checks are of candidates: other labels, heads and roots are what is measured here.
    return counts.finish(evaluated.counts, [], is_reduced=evaluated.metric is not metric)


def _chunks(path: Path, size: int) -> Iterator[Chunk]:
    return (Chunk(0, bank) for bank in load_shards(path, size, GOLD))


def job(arguments: argparse.Namespace) -> None:
    """Compare the golds of a study, whose views come in the order of the settings."""
    entries: Sequence[tuple[str, str, dict[str, object]]] = json.loads(arguments.settings[0])
    settings = {(name, metric): ScoreSettings(**values) for name, metric, values in entries}  # type: ignore[arg-type]
    names = dict.fromkeys(name for name, _ in settings)
    views = zip(map(Path, arguments.gold), map(Path, arguments.candidates), strict=True)
    measure(
        dict(zip(names, map(Path, arguments.as_read), strict=True)),
        dict(zip(settings, views, strict=True)),
        settings,
        Path(arguments.output[0]),
        int(arguments.shard_sentences[0]),
    )


if __name__ == "__main__":
    run(job, "as_read", "gold", "candidates", "output", "settings", "shard_sentences")
