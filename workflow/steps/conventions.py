"""Step: candidates under every convention of dependencies that treebanks of the same sentences share."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from crossbank.converters import scheme_of
from crossbank.converters.dependencies.shared_conventions import (
    Convention,
    convention_name,
    conventions,
    follow_convention,
    is_shared,
    split_at_conversion,
)
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.transformations import transform
from crossbank.metrics.counting.scoring import scoring_of
from crossbank.metrics.engine import Evaluation, evaluate
from crossbank.reports.results.convention_counts import counted_name
from crossbank.reports.results.counts_in_files import CandidateCounts, CountsByChunk, write_counts
from crossbank.reports.results.sentence_facts import collect_facts_of_shards
from crossbank.reports.study.model import GOLD
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.chunks import Chunk, ChunkedSource
from crossbank.treebanks.errors import ConversionError
from crossbank.treebanks.formats.parquet import load_shards
from crossbank.treebanks.stored_sources import stored_sources
from crossbank.workflow.settings import ConventionSettings
from crossbank.workflow.steps.batch import refuse_failed
from crossbank.workflow.steps.step import run

Files = Mapping[tuple[str, str], Path]
"""The file with each source of each treebank, as it is read."""

Golds = Mapping[str, tuple[Treebank, ...]]
"""Shards of a gold under each convention, by the convention's name."""


def count_under_conventions(
    files: Files, settings: Mapping[tuple[str, str], ConventionSettings], output: Path, size: int
) -> None:
    """Score the candidates, and the golds against each other, under every convention that is shared.

    A source is read and prepared once; under each convention only its heads and relations are its own.
    """
    digests: dict[str, str] = {}
    scored: dict[str, CandidateCounts | CrossbankError] = {}
    for metric in dict.fromkeys(metric for _, metric in settings):
        of_metric = {name: own for (name, of), own in settings.items() if of == metric}
        for name in of_metric:
            if name not in digests:
                digests[name] = collect_facts_of_shards(load_shards(files[name, GOLD]), str).digest
        partners = _partners(of_metric, digests)
        names = {
            name: [one for one in conventions() if any(is_shared(one, both) for both in pairs)]
            for name, pairs in partners.items()
        }
        golds = {
            name: _convert(files[name, GOLD], GOLD, of_metric[name], names[name], size) for name in partners
        }
        for name in partners:
            _score_treebank(name, metric, files, of_metric, golds, names[name], output, size, scored)
    write_counts(scored, output)
    print(f"{len(scored)} comparisons under conventions", file=sys.stderr)


def _partners(
    settings: Mapping[str, ConventionSettings], digests: Mapping[str, str]
) -> dict[str, list[tuple[Scheme, Scheme]]]:
    """Return the treebanks with another one of the same words in another scheme, and the two schemes."""
    partners: dict[str, list[tuple[Scheme, Scheme]]] = {}
    for one, other in combinations(settings, 2):
        schemes = scheme_of(settings[one].scheme), scheme_of(settings[other].scheme)
        differ = settings[one].scheme != settings[other].scheme
        if digests[one] == digests[other] != "" and differ and schemes[0] and schemes[1]:
            for name in (one, other):
                partners.setdefault(name, []).append((schemes[0], schemes[1]))
    return partners


def _convert(
    path: Path, source: str, settings: ConventionSettings, shared: Sequence[Convention], size: int
) -> Golds:
    """Return a source under each convention. Raises ConversionError if no trees are converted."""
    refuse_failed(path, source)
    scheme = scheme_of(settings.scheme)
    steps = split_at_conversion(settings.converting(source).steps())
    if steps is None:
        raise ConversionError(f"{source}: no step dependencies, whose options are the conventions")
    before, conversion, after = steps
    converted: dict[str, list[Treebank]] = {convention_name(one): [] for one in shared}
    for shard in load_shards(path, size, source):
        if not shard.has_constituents:
            raise ConversionError(f"{source}: no trees, which conventions convert")
        prepared = transform(shard, before, scheme)
        for one in shared:
            steps_of_one = [*follow_convention(conversion, one), *after]
            converted[convention_name(one)].append(transform(prepared, steps_of_one, scheme))
    return {name: tuple(shards) for name, shards in converted.items()}


def _score_treebank(
    treebank: str,
    metric: str,
    files: Files,
    settings: Mapping[str, ConventionSettings],
    golds: Mapping[str, Golds],
    shared: Sequence[Convention],
    output: Path,
    size: int,
    scored: dict[str, CandidateCounts | CrossbankError],
) -> None:
    """Add the counts of a treebank's candidates, and of the other golds."""
    own = settings[treebank]

    def score(name: str, candidate: Golds, *, is_gold: bool) -> None:
        for convention in map(convention_name, shared):
            if convention in candidate:
                key = counted_name(treebank, name, metric, convention, is_gold=is_gold)
                counts = CountsByChunk(output.with_name(f"{output.name}.{key.replace(' ', '.')}"))
                scored[key] = _compare(golds[treebank][convention], candidate[convention], own, counts)

    for other, gold in golds.items():
        if other != treebank:
            score(other, gold, is_gold=True)
    for candidate in own.sources:
        if candidate != GOLD:
            try:
                converted = _convert(files[treebank, candidate], candidate, own, shared, size)
                score(candidate, converted, is_gold=False)
            except CrossbankError as error:
                print(f"{treebank}, {candidate}: {error}", file=sys.stderr)


def _compare(
    gold: Sequence[Treebank],
    candidate: Sequence[Treebank],
    settings: ConventionSettings,
    counts: CountsByChunk,
) -> CandidateCounts:
    scoring = scoring_of([settings.metric], settings.options, settings.unscored)
    (metric,) = scoring.metrics
    evaluation = Evaluation(scoring, scheme_of(settings.scheme), breakdowns=(), outputs=[counts])
    one, other = (ChunkedSource([""], _chunks(shards), is_of_files=True) for shards in (gold, candidate))
    evaluate(evaluation, one, other, view=metric.view)
    (evaluated,) = evaluation.result().metrics
    return counts.finish(evaluated.counts, [], is_reduced=evaluated.metric is not metric)


def _chunks(shards: Sequence[Treebank]) -> Iterator[Chunk]:
    return (Chunk(0, shard) for shard in shards)


def job(arguments: argparse.Namespace) -> None:
    """Score the candidates of a study under all conventions that its treebanks share."""
    entries: Sequence[tuple[str, str, dict[str, object]]] = json.loads(arguments.settings[0])
    settings = {(name, metric): ConventionSettings.of(values) for name, metric, values in entries}
    files = {
        (Path(path).parent.name, name): Path(path)
        for path in arguments.inputs
        for name in stored_sources(path)
    }
    size = int(arguments.shard_sentences[0])
    count_under_conventions(files, settings, Path(arguments.output[0]), size)


if __name__ == "__main__":
    run(job, "inputs", "output", "settings", "shard_sentences")
