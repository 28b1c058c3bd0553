"""Results of a study: the input of every table, picture and page.

The workflow loads them from the files of a study (``load_results``); tests and the command line may build
them from counts. They hold no treebanks: these are read again when trees are drawn.
"""

from __future__ import annotations

import json
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache, partial
from itertools import accumulate
from math import comb
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np

from crossbank.converters.crossing.attach_punctuation import with_punctuation_attached
from crossbank.converters.scheme_files import load_scheme
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.schemes.views import OF_DEPENDENCIES
from crossbank.metrics.counting.counts import Counts, Measure
from crossbank.metrics.counting.metric import Metric, metric, metric_class
from crossbank.metrics.counting.presentation import headline, shared
from crossbank.metrics.pairing.pair import Pair, Status, UnscoredSentence
from crossbank.reports.results.convention_counts import FILE as CONVENTIONS
from crossbank.reports.results.convention_counts import ConventionCounts, read_convention_counts
from crossbank.reports.results.counts_in_files import read_scored
from crossbank.reports.results.gold_floors import FILE as FLOOR
from crossbank.reports.results.gold_floors import GoldFloor, read_floors
from crossbank.reports.results.matched_lengths import match_lengths, restrict_counts
from crossbank.reports.results.measured_conversions import ConversionMeasurements, read_measurements
from crossbank.reports.results.sentence_facts import SentenceFacts, collect_facts_of_shards
from crossbank.reports.results.study_files import StudyFiles
from crossbank.reports.results.summary import WITHOUT_FILE, WITHOUT_GOLD, Failure, Score, compute_scores
from crossbank.reports.study.model import (
    GOLD,
    VERY_LARGE,
    Settings,
    Source,
    StudiedTreebank,
    Study,
    TreebankSettings,
)
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.formats.in_place import IN_PLACE
from crossbank.treebanks.formats.parquet import load as load_treebank
from crossbank.treebanks.formats.parquet import load_sentences, load_shards, shard_sizes
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.ratios import Ratios, describe, joined
from crossbank.treebanks.stored_sources import source_in

MAX_SMALL_STUDY = 20
"""A study with more candidates, in all treebanks together, is large: its report compares them, and omits
what it would say of single ones."""

MAX_TESTS = 10_000
"""Where more tests were needed, candidates are compared under main measures alone."""

MAX_EXAMINED_SENTENCES = 50_000
"""The trees of this many sentences of a treebank, its first ones, are read again for the report.

Errors are typed, configurations mined and sentences drawn from these: that takes far longer than scoring.
"""


Scored: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Counts]]]
"""Counts by treebank, candidate and metric."""


class PairOf(Protocol):
    """Returns gold and candidate as a metric compared them, by treebank, candidate and metric."""

    def __call__(
        self, treebank: str, candidate: str, metric: str, /, rows: Sequence[int] | None = None
    ) -> Pair:
        """Return the sentences of ``rows``, in their order; by default the first ones."""


@dataclass(frozen=True)
class Conversion:
    """An event in the conversion of gold or a candidate to a view, with its count.

    examples  identifiers of the first sentences in which it happened
    """

    treebank: str
    name: str
    view: str
    step: str
    event: str
    count: int
    sentences: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class CandidateResults:
    """A parser's output, scored.

    counts      by the name that the study gives a metric
    problems    the sentences without a score
    attributes  the study's attributes of the candidate (training size, parser)
    warnings    warnings on the comparison with gold
    measured    measurements of the plug-in that made the candidate, by name
    fragments   the number of sentences parsed in fragments; None if the study did not parse them
    constructed whether its errors were constructed, so that its differences are not tested
    system      the candidate of the study file: one curve, or one system with several seeds
    matched     a mask of the sentences that are matched by length; None if the study does not match them
    """

    name: str
    counts: Mapping[str, Counts]
    problems: Sequence[UnscoredSentence] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    measured: Mapping[str, Any] = field(default_factory=dict)
    fragments: int | None = None
    constructed: bool = False
    system: str = ""
    matched: BoolArray | None = None

    def has(self, metric: str, measure: Measure) -> bool:
        """Return whether the candidate has a score under a measure."""
        return metric in self.counts and measure.name in {m.name for m in self.counts[metric].measures}


@dataclass(frozen=True)
class TreebankResults(TreebankSettings):
    """A treebank of the study: its scheme, its sizes, and the candidates scored against it.

    ratios       gold's sizes ``as read`` and in each view that metrics see
    conversions  the events of conversions of gold and candidates
    sentences    what is known of gold's sentences as read
    reliability  the reliability of the conversion to dependencies, if it was measured
    failures     the candidates that could not be read or scored
    """

    scheme: str = ""
    ratios: Mapping[str, Ratios] = field(default_factory=dict)
    candidates: Sequence[CandidateResults] = ()
    conversions: Sequence[Conversion] = ()
    sentences: SentenceFacts | None = None
    reliability: ConversionMeasurements | None = None
    failures: Sequence[Failure] = ()


@dataclass(frozen=True, eq=False)
class StudyResults(Settings):
    """A study's results, with the settings of the study.

    scores      every measure with its interval, treebank by treebank
    metrics     the metrics by the names that the study gives them
    pair_of     gives gold and candidate for pictures; without it none are drawn
    provenance  what the results depend on: names and values as text, under headings
    without_gold  the candidates that a pattern finds for treebanks without gold, by treebank
    whole       the study of which these are one candidate's results, for its own page
    floors      the scores of gold against gold in another scheme, for the same words
    conventions counts under each convention of dependencies that such treebanks share
    """

    treebanks: Sequence[TreebankResults]
    scores: Sequence[Score] = ()
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    pair_of: PairOf | None = None
    provenance: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    without_gold: Mapping[str, Sequence[Failure]] = field(default_factory=dict)
    whole: StudyResults | None = None
    floors: Sequence[GoldFloor] = ()
    conventions: Sequence[ConventionCounts] = ()

    @property
    def is_single_candidate(self) -> bool:
        """Return whether these are one candidate's results."""
        return self.whole is not None

    @property
    def population(self) -> str:
        """A sentence for captions on the sentences that tables are about; empty if these are all."""
        return "Of the sentences that are matched by length. " * (self.match == "length")

    @property
    def has_sentence_page(self) -> bool:
        """Return whether there is a page of all sentences, to which others lead."""
        return not (self.whole or self).is_very_large

    @property
    def failures(self) -> list[tuple[str, Failure]]:
        """Every candidate without scores, with its treebank."""
        failures = [(treebank.name, failure) for treebank in self.treebanks for failure in treebank.failures]
        without_gold = [(name, one) for name, listed in self.without_gold.items() for one in listed]
        return failures + without_gold

    @property
    def problems(self) -> list[tuple[str, str, UnscoredSentence]]:
        """Every sentence without a score, with its treebank and candidate."""
        return [
            (t.name, c.name, problem) for t in self.treebanks for c in t.candidates for problem in c.problems
        ]

    @property
    def own_pages(self) -> list[str]:
        """Candidates that have a page of their own."""
        names = dict.fromkeys(c.name for treebank in self.treebanks for c in treebank.candidates)
        return [name for name in names if self.pages == "all" or name in self.pages]

    def of_candidate(self, name: str) -> StudyResults:
        """Return the results of one candidate in all its treebanks."""
        treebanks = [
            replace(treebank, candidates=own, failures=())
            for treebank in self.treebanks
            if (own := [candidate for candidate in treebank.candidates if candidate.name == name])
        ]
        scores = [score for score in self.scores if score.candidate == name]
        return replace(
            self,
            treebanks=treebanks,
            scores=scores,
            without_gold={},
            floors=(),
            conventions=(),
            pages="none",
            whole=self,
        )

    def counted(self) -> Iterator[tuple[TreebankResults, CandidateResults, str, Counts]]:
        """Yield all counts, each with its treebank, candidate and the metric's name, in the study's order."""
        for treebank in self.treebanks:
            for candidate in treebank.candidates:
                for name, counts in candidate.counts.items():
                    yield treebank, candidate, name, counts

    def measures(self) -> dict[str, tuple[Measure, ...]]:
        """Return the measures of every metric that was counted, by the metric's name."""
        by_metric: dict[str, dict[str, Measure]] = {}
        for _, _, name, counts in self.counted():
            for measure in counts.measures:
                by_metric.setdefault(name, {}).setdefault(measure.name, measure)
        return {name: tuple(measures.values()) for name, measures in by_metric.items()}

    @cached_property
    def headlines(self) -> Mapping[str, Measure]:
        """Main measure of every metric that was counted, of those that all its counts share."""
        return {name: headline(every[0], shared(every)) for name, every in self.by_metric.items()}

    @cached_property
    def by_metric(self) -> dict[str, list[Counts]]:
        """All counts of each metric, by its name."""
        counts_by_metric: dict[str, list[Counts]] = {}
        for _, _, name, counts in self.counted():
            counts_by_metric.setdefault(name, []).append(counts)
        return counts_by_metric

    @cached_property
    def scores_by_names(self) -> Mapping[tuple[str, str, str, str], Score]:
        """Scores by treebank, candidate, metric and measure."""
        return {(s.treebank, s.candidate, s.metric, s.measure): s for s in self.scores}

    @property
    def scored(self) -> Scored:
        """Counts by treebank, candidate and metric."""
        return {
            treebank.name: {candidate.name: candidate.counts for candidate in treebank.candidates}
            for treebank in self.treebanks
        }

    @property
    def tested(self) -> Scored:
        """Counts of the candidates whose differences are tested: those that are not constructed."""
        return {
            treebank.name: {c.name: c.counts for c in treebank.candidates if not c.constructed}
            for treebank in self.treebanks
        }

    @cached_property
    def is_large(self) -> bool:
        """Return whether there are so many candidates that the report omits what concerns single ones."""
        return not self.is_single_candidate and self._candidate_count > MAX_SMALL_STUDY

    @cached_property
    def is_very_large(self) -> bool:
        """Return whether there are so many candidates that their errors and labels are omitted, too."""
        return self._candidate_count > VERY_LARGE

    @property
    def _candidate_count(self) -> int:
        return sum(len(treebank.candidates) for treebank in self.treebanks)

    @cached_property
    def tests_every_measure(self) -> bool:
        """True if every two candidates are compared under all measures; if not, under main ones alone."""
        measures = {name: len(of) for name, of in self.measures().items()}
        tests = sum(
            comb(len(treebank.candidates), 2) * sum(measures[name] for name in treebank.candidates[0].counts)
            for treebank in self.treebanks
            if treebank.candidates
        )
        return tests <= MAX_TESTS

    @cached_property
    def tests_across_treebanks(self) -> bool:
        """True if candidates are compared across treebanks; there may be too many treebanks for that."""
        candidates = max((len(treebank.candidates) for treebank in self.treebanks), default=0)
        return comb(len(self.treebanks), 2) * candidates * len(self.metrics) <= MAX_TESTS // 10

    def has_same_sentences(self, one: str, other: str) -> bool:
        """Return whether two treebanks annotate the same sentences."""
        return self._digests[one] != "" and self._digests[one] == self._digests[other]

    @cached_property
    def _digests(self) -> dict[str, str]:
        return {t.name: t.sentences.digest if t.sentences else "" for t in self.treebanks}


def load_results(
    results: str | Path,
    study: Study,
    pair_of: PairOf | None = None,
    provenance: Mapping[str, Mapping[str, str]] | None = None,
) -> StudyResults:
    """Return a study's results from the files under ``results``; ``pair_of`` and ``provenance`` are theirs.

    Raises FormatError for a file of another format.
    """
    files = StudyFiles(Path(results))
    metrics = {}
    for requested in study.metrics:
        # Options that all metrics have, such as which tokens count, are not fields of the metric.
        own = {field.name for field in fields(metric_class(requested.metric))}
        options = {name: value for name, value in requested.options.items() if name in own}
        metrics[requested.name] = metric(requested.metric, options)
    facts = {treebank.name: _load_facts(files, treebank.name) for treebank in study.treebanks}
    matched: Mapping[str, BoolArray] = {}
    if study.match == "length":
        lengths = {name: of.lengths for name, of in facts.items() if of is not None}
        matched = match_lengths(lengths, study.seed)
        pair_of = None if pair_of is None else partial(_restrict_pair, matched, pair_of)
    treebanks = tuple(
        _load_treebank_results(
            files,
            treebank,
            {m.name: metrics[m.name] for m in study.metrics_of(treebank.name)},
            facts[treebank.name],
            matched.get(treebank.name),
        )
        for treebank in study.treebanks
    )
    counted = StudyResults(treebanks=treebanks, **study.settings)
    return replace(
        counted,
        scores=[
            score
            for treebank, candidate, name, counts in counted.counted()
            for score in compute_scores(counts, study, treebank.name, candidate.name, name)
        ],
        metrics=metrics,
        pair_of=pair_of,
        provenance=provenance or {},
        without_gold={
            treebank: [Failure(name, WITHOUT_GOLD) for name in candidates]
            for treebank, candidates in study.without_gold.items()
        },
        floors=() if matched else tuple(read_floors(files.folder / FLOOR, metrics)),
        conventions=() if matched else tuple(read_convention_counts(files.folder / CONVENTIONS, metrics)),
    )


def _restrict_pair(
    matched: Mapping[str, BoolArray],
    pair_of: PairOf,
    treebank: str,
    candidate: str,
    metric: str,
    rows: Sequence[int] | None = None,
) -> Pair:
    """Return gold and candidate with all sentences skipped that are not matched by length."""
    pair = pair_of(treebank, candidate, metric, rows=rows)
    chosen = matched[treebank][: len(pair)] if rows is None else matched[treebank][list(rows)]
    return replace(pair, status=np.where(chosen, pair.status, Status.SKIPPED).astype(np.int8))


def _restrict_candidate(candidate: CandidateResults, chosen: BoolArray) -> CandidateResults:
    """Return a candidate's results for the sentences that are matched by length.

    What was noticed while all sentences were scored says so.
    """
    first = next(iter(candidate.counts.values()), None)
    ids = set() if first is None else {first.sentences[row] for row in np.flatnonzero(chosen).tolist()}
    of_all = f"of all {quantity(len(chosen), 'sentence')}, before they are matched by length"
    return replace(
        candidate,
        counts={name: restrict_counts(of, chosen) for name, of in candidate.counts.items()},
        problems=[problem for problem in candidate.problems if problem.sentence in ids],
        warnings=[f"{of_all}: {warning}" for warning in candidate.warnings],
        matched=chosen,
    )


def _load_facts(files: StudyFiles, treebank: str) -> SentenceFacts | None:
    gold = files.as_read(treebank, GOLD)
    if gold is None:
        return None
    return collect_facts_of_shards(load_shards(gold), lambda sentence: _read_text(gold, sentence))


def _load_treebank_results(
    files: StudyFiles,
    studied: StudiedTreebank,
    metrics: Mapping[str, Metric],
    facts: SentenceFacts | None,
    matched: BoolArray | None,
) -> TreebankResults:
    """Return a treebank's results, of the sentences that are ``matched`` by length if these are given."""
    name = studied.name
    gold = files.as_read(name, GOLD)
    scheme = load_scheme(studied.scheme) if studied.scheme else None
    ratios: dict[str, Ratios] = {}
    if gold is not None:
        ratios["as read"] = _load_ratios(gold, scheme, matched)
    conversions: list[Conversion] = []
    candidates = []
    failures = [Failure(missing, WITHOUT_FILE) for missing in studied.missing]
    for source in (studied.gold, *studied.candidates):
        if source.name != GOLD and (failure := _find_failure(files, name, source.name, metrics)):
            failures.append(failure)
            continue
        for view, path in files.views(name, source.name).items():
            if IN_PLACE in source_in(path, source.name).about:
                continue  # nothing was converted
            bank = load_treebank(path, only_sentences=True, source=source.name)
            conversions += list_conversions(bank, name, source.name, view, matched)
            if source.name == GOLD:
                ratios[view] = _load_ratios(path, scheme, matched)
        if source.name != GOLD:
            candidate = _load_candidate_results(files, name, source, metrics)
            candidates.append(candidate if matched is None else _restrict_candidate(candidate, matched))
    reliability = files.folder / "reliability" / f"{name}.json"
    has_dependencies = any(metric.view in OF_DEPENDENCIES for metric in metrics.values())
    measured = read_measurements(reliability) if has_dependencies and reliability.is_file() else None
    return TreebankResults(
        **studied.settings,
        scheme=studied.scheme or "",
        ratios=ratios,
        candidates=tuple(candidates),
        conversions=tuple(conversions),
        sentences=facts,
        reliability=measured,
        failures=tuple(failures),
    )


def _load_ratios(path: Path, scheme: Scheme | None, matched: BoolArray | None) -> Ratios:
    by_shard, first = [], 0
    for shard in load_shards(path):
        bank = shard if matched is None else shard.select(matched[first : first + len(shard)])
        by_shard.append(describe(bank, with_punctuation_attached(bank, scheme)))
        first += len(shard)
    return joined(by_shard)


def _read_text(path: Path, sentence: int) -> str:
    bounds = _first_sentences(path)
    shard = bisect(bounds, sentence) - 1
    return " ".join(_load_shard(path, shard).words(sentence - bounds[shard]))


@lru_cache(maxsize=8)
def _first_sentences(path: Path) -> list[int]:
    return [0, *accumulate(shard_sizes(path))][:-1]


@lru_cache(maxsize=1)
def _load_shard(path: Path, shard: int) -> Treebank:
    """Return a shard, kept in memory until another is read: texts are requested one by one."""
    first = _first_sentences(path)[shard]
    return load_sentences(path, range(first, first + shard_sizes(path)[shard]))


def _find_failure(
    files: StudyFiles, treebank: str, candidate: str, metrics: Mapping[str, Metric]
) -> Failure | None:
    """Return the reason why a candidate has no scores, by the first of its files that has one."""
    paths = [
        files.as_read(treebank, candidate),
        *(files.counts(treebank, candidate, name) for name in metrics),
    ]
    messages = (source_in(path, candidate).failure for path in paths if path is not None)
    return next((Failure(candidate, message) for message in messages if message), None)


def _load_candidate_results(
    files: StudyFiles, treebank: str, source: Source, metrics: Mapping[str, Metric]
) -> CandidateResults:
    scored = {}
    for name in metrics:
        path = files.counts(treebank, source.name, name)
        if path is None:
            where = files.folder / "scores" / treebank
            raise CrossbankError(
                f"{where}: no counts of {source.name} under {name}, which the same command makes"
            )
        scored[name] = read_scored(path, source.name)
    counts = {name: counted.counts for name, counted in scored.items()}
    problems = dict.fromkeys(problem for _, listed, _ in scored.values() for problem in listed)
    attributes = dict(source.attributes)
    trained = files.folder / "parsed" / treebank / f"{source.name}.json"
    fragments: int | None = None
    measured: Mapping[str, Any] = {}
    if trained.is_file():
        training = json.loads(trained.read_text(encoding="utf-8"))
        fragments = training.pop("fragments", None)
        measured = training.pop("measured", {})
        attributes |= training
    warnings = tuple(dict.fromkeys(warning for counted in scored.values() for warning in counted.warnings))
    system = source.system or str(attributes.get("system", source.name))
    of_parser = attributes, warnings, measured, fragments, source.constructed, system
    return CandidateResults(source.name, counts, tuple(problems), *of_parser)


def list_conversions(
    bank: Treebank, treebank: str, name: str, view: str, matched: BoolArray | None = None
) -> list[Conversion]:
    """Return the findings of a treebank's diagnosis, each with up to three example sentences.

    Of all sentences, or of those in a mask. In the order of the transformations, and of one transformation in
    the alphabet's.
    """
    steps = ["read", *(step.partition(":")[0] for step in bank.history)]
    order = {step: index for index, step in reversed([*enumerate(steps)])}
    conversions = []
    in_order = sorted(bank.diagnosis, key=lambda one: (order.get(one.step, len(steps)), one.step, one.event))
    for one in in_order:
        counts = one.counts if matched is None or len(matched) != len(bank) else one.counts * matched
        if not counts.any():
            continue
        where, event = np.flatnonzero(counts), (one.step, one.event, int(counts.sum()))
        examples = tuple(map(bank.sentence_id, where[:3].tolist()))
        conversions.append(Conversion(treebank, name, view, *event, len(where), examples))
    return conversions
