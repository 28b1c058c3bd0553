"""Results of a study: the input of every table, picture and page.

The workflow loads it from the files of a study (``load``); tests and the command line may build it from
counts. It holds no treebanks: they are read again when trees are drawn.
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
from crossbank.metrics.pairing.pair import Pair, Problem, Status
from crossbank.reports.results.counts_in_files import read_scored
from crossbank.reports.results.failures import WITHOUT_FILE, WITHOUT_GOLD, Failure
from crossbank.reports.results.matched_lengths import matched_by_length, only
from crossbank.reports.results.measured_conversions import Measured, read_measured
from crossbank.reports.results.sentence_facts import SentenceFacts, facts_of_shards
from crossbank.reports.results.study_files import StudyFiles
from crossbank.reports.results.summary import Score, scores_of
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

LARGE = 20
"""A study with more candidates, in all treebanks together, is large: its report compares them, and leaves out
what it would say of single ones."""

MOST_TESTS = 10_000
"""Where more tests were needed, candidates are compared under main measures alone."""

LOOKED_AT = 50_000
"""The trees of so many sentences of a treebank, its first ones, are looked at again for the report.

Errors are typed, configurations mined and sentences drawn from these: that takes far longer than scoring.
"""


Scored: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Counts]]]
"""Counts by treebank, candidate and metric."""


class PairOf(Protocol):
    """Gives gold and candidate as a metric saw them, from the names of treebank, candidate and metric."""

    def __call__(
        self, treebank: str, candidate: str, metric: str, /, rows: Sequence[int] | None = None
    ) -> Pair:
        """Return the sentences in these rows, in the order given; else the first ``LOOKED_AT``."""


@dataclass(frozen=True)
class Conversion:
    """One kind of event in the conversion of gold or a candidate to a view, and how often it happened.

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
    attributes  what the study says about the candidate (training size, parser)
    warnings    faults of the comparison with gold that were noticed
    measured    what the plug-in that made the candidate has measured, by name
    fragments   how many sentences the parser has in fragments; None where the study has not parsed itself
    constructed whether its errors were put in by hand, so that chance has no part in its differences
    system      the candidate of the study file: one curve, or one system with several seeds
    matched     a mask of the sentences that are matched by length; None where the study does not match them
    """

    name: str
    counts: Mapping[str, Counts]
    problems: Sequence[Problem] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    measured: Mapping[str, Any] = field(default_factory=dict)
    fragments: int | None = None
    constructed: bool = False
    system: str = ""
    matched: BoolArray | None = None

    def has(self, metric: str, measure: Measure) -> bool:
        """True if the candidate has a score under a measure."""
        return metric in self.counts and measure.name in {m.name for m in self.counts[metric].measures}


@dataclass(frozen=True)
class TreebankResults(TreebankSettings):
    """A treebank of the study: its scheme, its sizes, and the candidates scored against it.

    ratios       gold's sizes ``as read`` and in each view that metrics see
    conversions  what conversions did to gold and to the candidates
    sentences    what is known of gold's sentences as read
    reliability  how far the conversion to dependencies can be trusted, if it was measured
    failures     the candidates that could not be read or scored
    """

    scheme: str = ""
    ratios: Mapping[str, Ratios] = field(default_factory=dict)
    candidates: Sequence[CandidateResults] = ()
    conversions: Sequence[Conversion] = ()
    sentences: SentenceFacts | None = None
    reliability: Measured | None = None
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
    """

    treebanks: Sequence[TreebankResults]
    scores: Sequence[Score] = ()
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    pair_of: PairOf | None = None
    provenance: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    without_gold: Mapping[str, Sequence[Failure]] = field(default_factory=dict)
    whole: StudyResults | None = None

    @property
    def single(self) -> bool:
        """True if these are one candidate's results."""
        return self.whole is not None

    @property
    def population(self) -> str:
        """A sentence for captions on the sentences that tables are about; empty where these are all."""
        return "Of the sentences that are matched by length. " * (self.match == "length")

    @property
    def explored(self) -> bool:
        """True if there is a page of all sentences, to which others lead."""
        return not (self.whole or self).very_large

    @property
    def failures(self) -> list[tuple[str, Failure]]:
        """Every candidate without scores, with its treebank."""
        listed = [(treebank.name, failed) for treebank in self.treebanks for failed in treebank.failures]
        return listed + [(name, failed) for name, found in self.without_gold.items() for failed in found]

    @property
    def problems(self) -> list[tuple[str, str, Problem]]:
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
        return replace(self, treebanks=treebanks, scores=scores, without_gold={}, pages="none", whole=self)

    def counted(self) -> Iterator[tuple[TreebankResults, CandidateResults, str, Counts]]:
        """All counts, each with its treebank, candidate and the metric's name, in the study's order."""
        for treebank in self.treebanks:
            for candidate in treebank.candidates:
                for name, counts in candidate.counts.items():
                    yield treebank, candidate, name, counts

    def measures(self) -> dict[str, tuple[Measure, ...]]:
        """Return the measures of every metric that was counted, by the metric's name."""
        found: dict[str, dict[str, Measure]] = {}
        for _, _, name, counts in self.counted():
            for measure in counts.measures:
                found.setdefault(name, {}).setdefault(measure.name, measure)
        return {name: tuple(measures.values()) for name, measures in found.items()}

    @cached_property
    def headlines(self) -> Mapping[str, Measure]:
        """Main measure of every metric that was counted, of those that all its counts share."""
        return {name: headline(every[0], shared(every)) for name, every in self.by_metric.items()}

    @cached_property
    def by_metric(self) -> dict[str, list[Counts]]:
        """All counts of each metric, by its name."""
        found: dict[str, list[Counts]] = {}
        for _, _, name, counts in self.counted():
            found.setdefault(name, []).append(counts)
        return found

    @cached_property
    def scores_by_place(self) -> Mapping[tuple[str, str, str, str], Score]:
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
        """Counts of the candidates whose differences are tested: those that nobody constructed."""
        return {
            treebank.name: {c.name: c.counts for c in treebank.candidates if not c.constructed}
            for treebank in self.treebanks
        }

    @cached_property
    def large(self) -> bool:
        """True if there are so many candidates that the report leaves out what concerns single ones."""
        return not self.single and sum(len(treebank.candidates) for treebank in self.treebanks) > LARGE

    @cached_property
    def very_large(self) -> bool:
        """True if there are so many candidates that their errors and labels are left out, too."""
        return sum(len(treebank.candidates) for treebank in self.treebanks) > VERY_LARGE

    @cached_property
    def every_measure(self) -> bool:
        """True if every two candidates are compared under all measures; if not, under main ones alone."""
        measures = {name: len(of) for name, of in self.measures().items()}
        tests = sum(
            comb(len(treebank.candidates), 2) * sum(measures[name] for name in treebank.candidates[0].counts)
            for treebank in self.treebanks
            if treebank.candidates
        )
        return tests <= MOST_TESTS

    @cached_property
    def every_candidate_between(self) -> bool:
        """True if candidates are compared across treebanks; there may be too many treebanks for that."""
        candidates = max((len(treebank.candidates) for treebank in self.treebanks), default=0)
        return comb(len(self.treebanks), 2) * candidates * len(self.metrics) <= MOST_TESTS // 10

    def alike(self, one: str, other: str) -> bool:
        """True if two treebanks annotate the same sentences."""
        return self._digests[one] != "" and self._digests[one] == self._digests[other]

    @cached_property
    def _digests(self) -> dict[str, str]:
        return {t.name: t.sentences.digest if t.sentences else "" for t in self.treebanks}


def load(
    results: str | Path,
    study: Study,
    pair_of: PairOf | None = None,
    provenance: Mapping[str, Mapping[str, str]] | None = None,
) -> StudyResults:
    """A study's results from the files under ``results``; ``pair_of`` and ``provenance`` are theirs.

    Raises FormatError for a file that is not what its name says.
    """
    files = StudyFiles(Path(results))
    metrics = {}
    for found in study.metrics:  # options that all metrics have, such as which tokens count, are left out
        own = {field.name for field in fields(metric_class(found.metric))}
        metrics[found.name] = metric(found.metric, {n: v for n, v in found.options.items() if n in own})
    facts = {treebank.name: _facts(files, treebank.name) for treebank in study.treebanks}
    matched: Mapping[str, BoolArray] = {}
    if study.match == "length":
        lengths = {name: of.lengths for name, of in facts.items() if of is not None}
        matched = matched_by_length(lengths, study.seed)
        pair_of = None if pair_of is None else partial(_matched_pair, matched, pair_of)
    treebanks = tuple(
        _treebank(
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
            for score in scores_of(counts, study, treebank.name, candidate.name, name)
        ],
        metrics=metrics,
        pair_of=pair_of,
        provenance=provenance or {},
        without_gold={
            treebank: [Failure(name, WITHOUT_GOLD) for name in candidates]
            for treebank, candidates in study.without_gold.items()
        },
    )


def _matched_pair(
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


def _matched(candidate: CandidateResults, chosen: BoolArray) -> CandidateResults:
    """Return a candidate's results for the sentences that are matched by length.

    What was noticed while all sentences were scored says so.
    """
    first = next(iter(candidate.counts.values()), None)
    ids = set() if first is None else {first.sentences[row] for row in np.flatnonzero(chosen).tolist()}
    of_all = f"of all {quantity(len(chosen), 'sentence')}, before they are matched by length"
    return replace(
        candidate,
        counts={name: only(of, chosen) for name, of in candidate.counts.items()},
        problems=[problem for problem in candidate.problems if problem.sentence in ids],
        warnings=[f"{of_all}: {warning}" for warning in candidate.warnings],
        matched=chosen,
    )


def _facts(files: StudyFiles, treebank: str) -> SentenceFacts | None:
    gold = files.as_read(treebank, GOLD)
    if gold is None:
        return None
    return facts_of_shards(load_shards(gold), lambda sentence: _text(gold, sentence))


def _treebank(
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
        ratios["as read"] = _ratios(gold, scheme, matched)
    conversions: list[Conversion] = []
    candidates = []
    failures = [Failure(missing, WITHOUT_FILE) for missing in studied.missing]
    for source in (studied.gold, *studied.candidates):
        if source.name != GOLD and (failure := _failure(files, name, source.name, metrics)):
            failures.append(failure)
            continue
        for view, path in files.views(name, source.name).items():
            if IN_PLACE in source_in(path, source.name).about:
                continue  # nothing was converted
            bank = load_treebank(path, only_sentences=True, source=source.name)
            conversions += conversions_of(bank, name, source.name, view, matched)
            if source.name == GOLD:
                ratios[view] = _ratios(path, scheme, matched)
        if source.name != GOLD:
            candidate = _candidate(files, name, source, metrics)
            candidates.append(candidate if matched is None else _matched(candidate, matched))
    reliability = files.folder / "reliability" / f"{name}.json"
    wanted = any(metric.view in OF_DEPENDENCIES for metric in metrics.values())
    measured = read_measured(reliability) if wanted and reliability.is_file() else None
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


def _ratios(path: Path, scheme: Scheme | None, matched: BoolArray | None) -> Ratios:
    found, first = [], 0
    for shard in load_shards(path):
        bank = shard if matched is None else shard.select(matched[first : first + len(shard)])
        found.append(describe(bank, with_punctuation_attached(bank, scheme)))
        first += len(shard)
    return joined(found)


def _text(path: Path, sentence: int) -> str:
    bounds = _bounds(path)
    shard = bisect(bounds, sentence) - 1
    return " ".join(_shard(path, shard).words(sentence - bounds[shard]))


@lru_cache(maxsize=8)
def _bounds(path: Path) -> list[int]:
    return [0, *accumulate(shard_sizes(path))][:-1]


@lru_cache(maxsize=1)
def _shard(path: Path, shard: int) -> Treebank:
    """A shard, kept in memory until another is read: texts are asked for one by one."""
    first = _bounds(path)[shard]
    return load_sentences(path, range(first, first + shard_sizes(path)[shard]))


def _failure(
    files: StudyFiles, treebank: str, candidate: str, metrics: Mapping[str, Metric]
) -> Failure | None:
    """Return the reason why a candidate has no scores, by the first of its files that has one."""
    paths = [
        files.as_read(treebank, candidate),
        *(files.counts(treebank, candidate, name) for name in metrics),
    ]
    messages = (source_in(path, candidate).failure for path in paths if path is not None)
    return next((Failure(candidate, message) for message in messages if message), None)


def _candidate(
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
    counts = {name: found for name, (found, _, _) in scored.items()}
    problems = dict.fromkeys(problem for _, listed, _ in scored.values() for problem in listed)
    attributes = dict(source.attributes)
    trained = files.folder / "parsed" / treebank / f"{source.name}.json"
    fragments: int | None = None
    measured: Mapping[str, Any] = {}
    if trained.is_file():
        found = json.loads(trained.read_text(encoding="utf-8"))
        fragments = found.pop("fragments", None)
        measured = found.pop("measured", {})
        attributes |= found
    warnings = tuple(dict.fromkeys(warning for _, _, told in scored.values() for warning in told))
    system = source.system or str(attributes.get("system", source.name))
    of_parser = attributes, warnings, measured, fragments, source.constructed, system
    return CandidateResults(source.name, counts, tuple(problems), *of_parser)


def conversions_of(
    bank: Treebank, treebank: str, name: str, view: str, matched: BoolArray | None = None
) -> list[Conversion]:
    """Return the findings of a treebank's diagnosis, each with up to three example sentences.

    Of all sentences, or of those in a mask. In the order of the transformations, and of one transformation in
    the alphabet's.
    """
    steps = ["read", *(step.partition(":")[0] for step in bank.history)]
    places = {step: place for place, step in reversed([*enumerate(steps)])}
    found = []
    in_order = sorted(bank.diagnosis, key=lambda one: (places.get(one.step, len(steps)), one.step, one.event))
    for one in in_order:
        counts = one.counts if matched is None or len(matched) != len(bank) else one.counts * matched
        if not counts.any():
            continue
        where, event = np.flatnonzero(counts), (one.step, one.event, int(counts.sum()))
        examples = tuple(map(bank.sentence_id, where[:3].tolist()))
        found.append(Conversion(treebank, name, view, *event, len(where), examples))
    return found
