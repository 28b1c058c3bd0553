"""Evaluation of a candidate against gold: the one way from two treebanks to counts and diagnostics.

    evaluation = Evaluation(scoring, scheme)
    evaluate(evaluation, gold, candidate)        # sources of any size, chunk by chunk
    evaluation.result().metrics[0].counts.value("f1")

Everything that is counted or checked is kept for a run of sentences, and two runs, one after the other, are
one run. So chunks may be added in any order, by several threads or processes, and the result is the same.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from itertools import islice, zip_longest
from operator import attrgetter
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from crossbank.converters.schemes.views import VIEWS
from crossbank.metrics.checks import CHECKS
from crossbank.metrics.checks.check import Check, ComparedChunk, Comparison, Diagnostic
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring, Views, compare_views, counted
from crossbank.metrics.pairing.pair import Pair, UnscoredSentence
from crossbank.treebanks import Treebank
from crossbank.treebanks.chunks import (
    ChunkBuffer,
    ChunkedSource,
    Facts,
    aligned_chunks,
    aligned_treebanks,
    decided_chunks,
    number_of_sentences,
)
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.ranges import side_by_side, threads

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme

Keep: TypeAlias = Literal["sums", "sentences", "trees"]
"""What is kept of each chunk.

``sums`` the sums of all sentences; ``sentences`` also the counts of each sentence; ``trees`` also the trees,
of which breakdowns and items are made when they are requested.
"""

MAX_UNSCORED = 200
"""The number of unscored sentences that are listed with sums."""

MAX_CHUNKS = 16
"""The number of chunks whose sums are kept before they are added up."""


@dataclass(eq=False)
class MetricRun:
    """What is known of a run of sentences under one metric.

    counts    of each chunk
    reduced   the counts under the metric that is used if something optional is lacking everywhere; empty if
              the run has all of it
    present   the optional contents that the run has
    lacking   the words that lack the others
    needs     what the comparison must have: None if the run has it, else the first error
    checks    the checks
    states    the state of each check
    chunk     the chunk that the run consists of, until it is observed
    unscored  the sentences without a score; with sums the first ones
    pairs     the trees of each chunk, if they are kept
    """

    counts: list[Counts]
    reduced: list[Counts]
    present: set[str]
    lacking: dict[str, int]
    needs: dict[str, CrossbankError | None]
    checks: tuple[type[Check], ...]
    states: list[Check]
    chunk: ComparedChunk | None
    unscored: list[UnscoredSentence]
    pairs: list[Pair]

    @property
    def undecided(self) -> dict[str, int]:
        """Return the words that lack what no sentence of the run has."""
        return {name: words for name, words in self.lacking.items() if name not in self.present}

    def observed(self) -> list[Check]:
        """Return the state of each check of all sentences."""
        if self.chunk is not None:
            self.states, self.chunk = [check.observed(self.chunk) for check in self.checks], None
        return self.states

    def reporting(self) -> list[Check]:
        """Return the states of those checks that may report something; those of gold alone are asked once."""
        if (chunk := self.chunk) is None:
            return self.states
        checks = chunk.gold.derived(
            (self.checks, chunk.scheme), lambda: _checks_beside_gold(chunk, self.checks)
        )
        return [check.observed(chunk) for check in checks if check.may_report(chunk)]

    def copy(self) -> MetricRun:
        """Return a copy to which other runs can be appended."""
        return MetricRun(*(copy(getattr(self, field.name)) for field in fields(self)))

    def append(self, other: MetricRun, distance: int, keep: Keep) -> None:
        """Append a later run."""
        self.counts += other.counts
        self.reduced += other.reduced
        self.present |= other.present
        for name, words in other.lacking.items():
            self.lacking[name] = self.lacking.get(name, 0) + words
        if not self.undecided:
            self.reduced = []
        for name, error in other.needs.items():
            self.needs[name] = None if error is None else self.needs.get(name, error)
        self.states = [
            one.followed_by(two, distance) for one, two in zip(self.observed(), other.observed(), strict=True)
        ]
        self.unscored += other.unscored
        self.pairs += other.pairs
        if keep == "sums":
            del self.unscored[MAX_UNSCORED:]
            for chunks in (self.counts, self.reduced):
                if len(chunks) > MAX_CHUNKS:
                    chunks[:] = [joined_counts(chunks)]


@dataclass(eq=False)
class ComparedRun:
    """A run of sentences that has been compared.

    first      the index of its first sentence
    sentences  their number
    """

    first: int
    sentences: int
    gold: Facts
    candidate: Facts
    metrics: list[MetricRun]

    def copy(self) -> ComparedRun:
        """Return a copy to which other runs can be appended."""
        return replace(self, metrics=[run.copy() for run in self.metrics])

    def append(self, other: ComparedRun, keep: Keep) -> None:
        """Append a later run."""
        for one, two in zip(self.metrics, other.metrics, strict=True):
            one.append(two, other.first - self.first, keep)
        self.gold |= other.gold
        self.candidate |= other.candidate
        self.sentences = other.first + other.sentences - self.first


class ChunkOutput(Protocol):
    """Receives the counts by sentence of each chunk, in any order, of which an evaluation keeps the sums.

    first     the index of the chunk's first sentence
    reduced   the counts under the metric that is used if something optional is lacking everywhere; None if
              the chunk has all of it
    unscored  all sentences of the chunk without a score
    """

    def add(
        self, first: int, counts: Counts, reduced: Counts | None, unscored: Sequence[UnscoredSentence]
    ) -> None:
        """Receive a chunk."""


@dataclass(frozen=True, eq=False)
class EvaluatedMetric:
    """The result of one metric.

    metric    with the options that it has for these sources
    counts    by sentence, or sums
    unscored  sentences without a score, in order
    pairs     the trees of each chunk, if they were kept
    """

    metric: Metric
    counts: Counts
    unscored: Sequence[UnscoredSentence]
    pairs: Sequence[Pair]


@dataclass(frozen=True, eq=False)
class Evaluated:
    """The result of an evaluation: that of each metric, and all diagnostics, each once."""

    metrics: Sequence[EvaluatedMetric]
    diagnostics: Sequence[Diagnostic]

    @property
    def counts(self) -> list[Counts]:
        """Counts of each metric."""
        return [one.counts for one in self.metrics]


class Evaluation:
    """Metrics with their options and a scheme, and what they have counted.

    keep        what is kept of each chunk: sums by default
    breakdowns  those that are requested of chunks whose trees are not kept; None for all
    is_raw      whether the candidate is declared to be parsed from raw text
    outputs     for each metric what receives the counts by sentence of each chunk; none by default

    Threads may share an evaluation.
    """

    def __init__(
        self,
        scoring: Scoring,
        scheme: Scheme | None = None,
        *,
        keep: Keep = "sums",
        breakdowns: Collection[str] | None = None,
        is_raw: bool = False,
        outputs: Sequence[ChunkOutput] = (),
    ) -> None:
        self.scoring, self.scheme = scoring, scheme
        self.keep, self.breakdowns, self.is_raw = keep, breakdowns, is_raw
        self._outputs = outputs
        self._checks = [
            tuple(
                check
                for check in CHECKS
                if (number == 0 or not check.is_of_sources)
                and check.applies(metric, scoring, scheme, is_raw=is_raw)
            )
            for number, metric in enumerate(scoring.metrics)
        ]
        self._runs: list[ComparedRun] = []
        self._lock = Lock()

    def empty(self) -> Evaluation:
        """Return an evaluation that counts as this one does, and has counted nothing."""
        empty = object.__new__(type(self))
        empty.__dict__.update(self.__dict__, _runs=[], _lock=Lock())
        return empty

    @property
    def needs_whole(self) -> bool:
        """Whether a metric or the words decide by the whole text, so that all sentences must be one chunk."""
        is_aligned = self.scoring.words != "same"
        return is_aligned or not all(metric.word_by_word for metric in self.scoring.metrics)

    @property
    def sentences(self) -> int:
        """Number of sentences that were added."""
        return sum(run.sentences for run in self._runs)

    def add(self, first: int, gold: Views, candidate: Views) -> None:
        """Compare one aligned chunk; nothing of it is counted if something is wrong with it.

        first  the index in the source of the chunk's first sentence
        """
        self._insert(self._compare(first, gold, candidate))

    def merge(self, other: Evaluation, first: int = 0) -> None:
        """Add what another evaluation has counted, whose index 0 is ``first`` here.

        Raises CrossbankError if it counts in another way.
        """
        if not self.counts_as(other):
            raise CrossbankError("merge: the evaluations have different metrics, options or schemes")
        with other._lock:
            runs = [replace(run.copy(), first=run.first + first) for run in other._runs]
        for run in runs:
            self._insert(run)

    def counts_as(self, other: Evaluation) -> bool:
        """Return whether another evaluation has the same metrics, options and scheme, and keeps the same."""
        return (self.scoring, self.keep) == (other.scoring, other.keep) and _is_same(
            self.scheme, other.scheme
        )

    def mapped(self, change: Callable[[Any], Any]) -> Evaluation:
        """Return a copy with other counts of each chunk, such as those that can be pickled."""
        mapped = copy(self)
        mapped._runs = [run.copy() for run in self._runs]
        for metric in (metric for run in mapped._runs for metric in run.metrics):
            metric.counts = [change(counts) for counts in metric.counts]
            metric.reduced = [change(counts) for counts in metric.reduced]
        return mapped

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=Lock())

    def result(self) -> Evaluated:
        """Return counts, unscored sentences and diagnostics of all sentences that were added.

        Raises CrossbankError if no sentence has what a metric needs, UnscoredError under ``unscored="fail"``.
        """
        whole = self._whole()
        for run in whole.metrics:
            for error in run.needs.values():
                if error is not None:
                    raise error
        every = zip(self.scoring.metrics, whole.metrics, strict=True)
        metrics = [self._evaluated(metric, run) for metric, run in every]
        diagnostics: dict[Diagnostic, None] = {}
        for metric, run, evaluated in zip(self.scoring.metrics, whole.metrics, metrics, strict=True):
            comparison = Comparison(
                metric,
                self.scoring,
                self.scheme,
                evaluated.counts,
                whole.gold,
                whole.candidate,
                self.is_raw,
            )
            for check in run.reporting():
                diagnostics |= dict.fromkeys(check.report(comparison))
        return Evaluated(metrics, list(diagnostics))

    def _compare(self, first: int, gold: Views, candidate: Views) -> ComparedRun:
        compared = compare_views(gold, candidate, self.scoring, self.scheme, first)
        every = zip_longest(self.scoring.metrics, compared, self._checks, self._outputs)
        metrics = [
            self._metric_run(metric, counts, pair, gold, candidate, checks, output)
            for metric, (counts, pair), checks, output in every
        ]
        return ComparedRun(first, len(compared[0][1]), gold.facts, candidate.facts, metrics)

    def _metric_run(
        self,
        metric: Metric,
        counts: Counts,
        pair: Pair,
        gold: Views,
        candidate: Views,
        checks: tuple[type[Check], ...],
        output: ChunkOutput | None,
    ) -> MetricRun:
        optional = metric.optional(pair) if pair.is_chunk else {}
        lacking = {name: words for name, words in optional.items() if words is not None}
        reduced: Counts | None = None
        if lacking:
            # Whether another chunk has it is not known yet: the metric without it is counted as well.
            without = metric.without(dict.fromkeys(lacking, 1))[0]
            reduced = counted(without, pair, self.scoring, self.scheme)[0]
        chunk = ComparedChunk(metric, self.scoring, self.scheme, pair, gold.bank, candidate.bank)
        most = MAX_UNSCORED if self.keep == "sums" and output is None else None
        problems = [] if pair.are_scored else list(islice(pair.problems(), most))
        if output is not None:
            output.add(pair.first, counts, reduced, problems)
        run = MetricRun(
            [self._kept(counts)],
            [] if reduced is None else [self._kept(reduced)],
            {name for name, words in optional.items() if words is None},
            lacking,
            _needs(metric, pair, gold, candidate) if pair.is_chunk else {},
            checks,
            [],
            chunk,
            problems[:MAX_UNSCORED] if self.keep == "sums" else problems,
            [pair] if self.keep == "trees" else [],
        )
        if self.keep != "trees":
            run.observed()  # the trees are not kept
        return run

    def _kept(self, counts: Counts) -> Counts:
        if self.keep == "trees":
            return counts
        return counts.summed(self.breakdowns) if self.keep == "sums" else counts.detached(self.breakdowns)

    def _evaluated(self, metric: Metric, run: MetricRun) -> EvaluatedMetric:
        used, notes = metric.without(run.undecided)
        counts = joined_counts(run.reduced if used is not metric else run.counts)
        if notes:
            counts = replace(counts, notes={**counts.notes, **notes})
        used.require_counts(counts)
        return EvaluatedMetric(used, counts.under(self.scoring.unscored), run.unscored, run.pairs)

    def _insert(self, run: ComparedRun) -> None:
        """Insert a run in the order of sentences, and join it with its neighbours."""
        with self._lock:
            index = bisect(self._runs, run.first, key=attrgetter("first"))
            self._runs.insert(index, run)
            for one in (index, index - 1):
                if 0 <= one < len(self._runs) - 1:
                    earlier, later = self._runs[one : one + 2]
                    if earlier.first + earlier.sentences == later.first:
                        earlier.append(later, self.keep)
                        del self._runs[one + 1]

    def _whole(self) -> ComparedRun:
        """Return all runs as one, even if sentences between them were not added."""
        with self._lock:
            if not self._runs:
                raise CrossbankError("no sentence was compared")
            if len(self._runs) == 1:
                return self._runs[0]
            whole = self._runs[0].copy()
            for run in self._runs[1:]:
                whole.append(run, self.keep)
            return whole


def evaluate(
    evaluation: Evaluation,
    gold: ChunkedSource,
    candidate: ChunkedSource,
    *,
    are_parses: tuple[bool, bool] = (False, False),
    view: str | None = None,
    as_read: tuple[ChunkedSource, ChunkedSource] | None = None,
) -> None:
    """Add all sentences of two sources, chunk by chunk.

    are_parses  whether words without an analysis, in gold and candidate, are parses without a constituent
    view        the view of gold, if both were converted before: candidates are in the view that belongs to it
    as_read     the same sentences as they were before that, for checks of the sources

    Raises LengthMismatchError if one source has more sentences, and the errors of reading and conversion.
    """
    scheme, sources = evaluation.scheme, as_read or (gold, candidate)
    views = (None, None) if view is None else (view, VIEWS[view].of_candidates)

    def add(first: int, chunk: Sequence[Treebank], facts: Sequence[Facts | None]) -> None:
        """Add a chunk of gold and candidate, and the same sentences as they were read, if they are others."""
        one, other = (
            Views(bank, scheme, parsed=is_parse, facts=of, view=own, as_read=before)
            for bank, before, is_parse, of, own in zip(
                chunk[:2], chunk[2:] or (None, None), are_parses, facts, views, strict=True
            )
        )
        evaluation.add(first, one, other)

    if evaluation.needs_whole or evaluation.keep == "trees" or candidate.is_unordered():
        before = aligned_treebanks(*as_read) if as_read else ()
        add(0, (*aligned_treebanks(gold, candidate), *before), (None, None))
        return
    facts = [source.facts() for source in sources]
    chunks = _numbered(aligned_chunks(gold, candidate), as_read)
    if not (gold.is_of_files and candidate.is_of_files):
        for first, chunk in chunks:
            add(first, chunk, facts)
        return
    reading, failed = Lock(), dict[int, BaseException]()

    def add_chunks() -> None:
        while not failed:
            with reading:
                first, chunk = next(chunks, (0, None))
            if chunk is None:
                return
            try:
                add(first, chunk, facts)
            except BaseException as error:
                failed[first] = error
            del chunk

    side_by_side([add_chunks] * threads())
    if failed:
        raise failed[min(failed)]


def _numbered(
    chunks: Iterator[tuple[Treebank, Treebank]], as_read: tuple[ChunkedSource, ChunkedSource] | None
) -> Iterator[tuple[int, Sequence[Treebank]]]:
    """Yield the index of each chunk's first sentence, and the chunk with the same sentences of others."""
    first = 0
    further = [ChunkBuffer("", one) for one in ((as_read[0], decided_chunks(*as_read)) if as_read else ())]
    for gold, candidate in chunks:
        size = number_of_sentences(gold)
        for other in further:
            other.fill_up(size)
        yield first, (gold, candidate, *(other.take(size) for other in further))
        del gold, candidate
        first += size


def joined_counts(chunks: Sequence[Counts]) -> Counts:
    """Return the counts of chunks, one after the other, with their breakdowns.

    Where words are joined (``align``), the signature says so if that was done in one of the chunks.
    """
    if len(chunks) == 1:
        return chunks[0]
    if len({counts.signature for counts in chunks}) > 1:
        from crossbank.metrics.pairing.word_alignment import STEP

        signature = max((counts.signature for counts in chunks), key=lambda signature: len(str(signature)))
        without_conversions = signature.with_values(conversions=None)
        if STEP in dict(signature.choices).get("conversions", ""):
            chunks = [
                replace(counts, signature=signature)
                if counts.signature.with_values(conversions=None) == without_conversions
                else counts
                for counts in chunks
            ]
    return Counts.joined(chunks, with_breakdowns=True)


def _needs(metric: Metric, pair: Pair, gold: Views, candidate: Views) -> dict[str, CrossbankError | None]:
    """Return what the comparison must have, of which a chunk may have nothing."""
    needs: dict[str, CrossbankError | None] = {}
    view = VIEWS[metric.view]
    content = view.both_have
    for role, views, name in (("gold", gold, view.name), ("candidate", candidate, view.of_candidates)):
        if (error := views.lacking.get(name)) is not None:
            needs[role] = error
        elif content is not None and getattr(views.view(name), f"has_{content}"):
            needs[role] = None
    return needs | metric.needs(pair)


def _checks_beside_gold(chunk: ComparedChunk, checks: Sequence[type[Check]]) -> list[type[Check]]:
    """Return the checks without those of gold alone that report nothing."""
    return [check for check in checks if not check.is_of_gold or check.may_report(chunk)]


def _is_same(one: Scheme | None, other: Scheme | None) -> bool:
    """Whether two schemes are the same, also if they were read from two paths."""
    if one is None or other is None or one is other:
        return one is other
    # Compiled patterns are equal only to themselves.
    names = (field.name for field in fields(one) if field.name not in ("bare", "files"))
    return all(getattr(one, name) == getattr(other, name) for name in names)
