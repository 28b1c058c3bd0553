"""Differences of scores, their intervals and probabilities: one table of estimates, made by joint resampling.

An estimate is a weighted sum of scores: one score minus another, a mean over runs minus another mean, or a
difference at one point minus that at another point. It is computed from counts of sentences, never by scoring
again.

Draws: each draw gives every sentence a sign at random, the same one for all runs on these sentences, and
moves all scores a little in the direction of the signs. To first order the deviations are sums of what each
sentence adds to the difference, times its sign (multiplier bootstrap: Chernozhukov, Victor, Denis
Chetverikov, and Kengo Kato (2013): Gaussian Approximations and Multiplier Bootstrap for Maxima of Sums of
High-Dimensional Random Vectors. Annals of Statistics 41). They are those of no difference: for means of
sentences this is the test of paired differences by random signs (Noreen, Eric (1989): Computer-intensive
Methods for Testing Hypotheses).

Families: each deviation is divided by its standard deviation over the draws. The largest of a family in each
draw gives the corrected probability of all of its differences (single-step max-T), and its quantile the width
of their simultaneous intervals. So a corrected probability is at most alpha exactly where the interval of the
level 1 - alpha excludes 0. Westfall, Peter, and Stanley Young (1993): Resampling-Based Multiple Testing,
section 2.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from math import ceil, floor, log2
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts, Measure
from crossbank.metrics.loops.statistics import sum_swapped
from crossbank.metrics.statistics.bootstrap import WORTH_A_THREAD, entering_table, require_whole_numbers
from crossbank.metrics.statistics.defaults import ALPHA, SEED, TRIALS
from crossbank.treebanks.ranges import each, in_ranges

Draws: TypeAlias = NDArray[np.float64]
"""A number for each draw, shape ``(trials,)``."""

EQUAL = 1e-9
"""Two statistics that differ by no more than this part of themselves are equal: sums are rounded."""

BLOCK = 1024
"""The number of draws for which sentences with a positive sign are summed at a time."""

STEP = 2**-6
"""How far scores are moved, as a part of a whole sample: so little that they are as good as linear."""

MIN_SENTENCES = 2
"""With fewer sentences in a run there is no test."""

POWER = 0.8416212335729143
"""The quantile of the normal distribution at 0.8: the power for which ``detectable`` is computed."""

ALL = "all"
SCORED = "scored in both"
"""Populations: the sentences that enter a score, and those of them that are scored in both runs."""


@dataclass(frozen=True, eq=False)
class CandidateRun:
    """Counts of one candidate in one treebank.

    draws  a name: runs that share it have the same sentences, row by row, and the same signs
    """

    treebank: str
    candidate: str
    counts: Counts
    draws: str

    @property
    def n(self) -> int:
        """Number of sentences that enter a score."""
        return int(self.counts.rows.sum())


@dataclass(frozen=True, eq=False)
class Contrast:
    """A weighted sum of the scores of runs under one measure, and the names of what is compared.

    terms            weights and runs
    treebank, candidate       the first of the two that are compared
    other_treebank, other     the second
    population       the sentences
    key              the type of error, the label or the point of an axis; empty if there is none
    floor            what gold loses between two treebanks under the measure; None if it is not known
    """

    metric: str
    measure: Measure
    terms: Sequence[tuple[float, CandidateRun]]
    treebank: str
    candidate: str
    other_treebank: str
    other: str
    population: str = ALL
    key: str = ""
    floor: float | None = None

    @property
    def value(self) -> float:
        """Weighted sum of the scores of all sentences."""
        return sum(weight * run.counts.value(self.measure.name) for weight, run in self.terms)

    @property
    def is_paired(self) -> bool:
        """Return whether all runs are on the same sentences."""
        return len({run.draws for _, run in self.terms}) == 1

    @property
    def n(self) -> int:
        """Number of sentences that enter the score of some run, each counted once."""
        entering: dict[str, NDArray[np.bool_]] = {}
        for _, run in self.terms:
            rows = run.counts.rows
            entering[run.draws] = entering[run.draws] | rows if run.draws in entering else rows
        return sum(int(rows.sum()) for rows in entering.values())

    @property
    def is_testable(self) -> bool:
        """Return whether every run has enough sentences."""
        return min(run.n for _, run in self.terms) >= MIN_SENTENCES


@dataclass(frozen=True, eq=False)
class Family:
    """Contrasts that answer one question of a reader, corrected together.

    question  its name in ``reports.estimates.questions``
    name      the question about this treebank, candidate or axis
    """

    question: str
    name: str
    contrasts: Sequence[Contrast]


@dataclass(frozen=True, eq=False)
class Estimate:
    """A row of the table of estimates.

    low, high    bounds of the simultaneous interval of its family; None if it cannot be tested
    p            probability of a difference as large as this, either way, if there were none
    p_corrected  the same for the largest difference of the family
    level        level of the interval: 1 - alpha
    detectable   the smallest difference that would be significant in four of five samples of this size
    needed       about how many sentences would show the observed difference that often
    number       its number in the table
    """

    contrast: Contrast
    question: str
    family: str
    value: float
    n: int
    low: float | None = None
    high: float | None = None
    p: float = 1.0
    p_corrected: float = 1.0
    significant: bool = False
    level: float = 1 - ALPHA
    detectable: float | None = None
    needed: int | None = None
    number: int = -1

    @property
    def metric(self) -> str:
        """Name of the metric."""
        return self.contrast.metric

    @property
    def measure(self) -> Measure:
        """The measure."""
        return self.contrast.measure

    @property
    def treebank(self) -> str:
        """Treebank of the first candidate."""
        return self.contrast.treebank

    @property
    def candidate(self) -> str:
        """The first candidate."""
        return self.contrast.candidate

    @property
    def other_treebank(self) -> str:
        """Treebank of the second candidate."""
        return self.contrast.other_treebank

    @property
    def other(self) -> str:
        """The second candidate."""
        return self.contrast.other

    @property
    def population(self) -> str:
        """The sentences."""
        return self.contrast.population

    @property
    def key(self) -> str:
        """Type of error, label or point of an axis."""
        return self.contrast.key

    @property
    def floor(self) -> float | None:
        """What gold loses between the two treebanks under the measure."""
        return self.contrast.floor

    @property
    def is_above_floor(self) -> bool:
        """True unless the difference is known to be no larger than what gold loses."""
        return self.floor is None or abs(self.value) > self.floor

    @property
    def is_first_better(self) -> bool:
        """Return whether the first candidate has the better score."""
        return self.value > 0 if self.measure.better == "more" else self.value < 0

    def turned(self) -> Estimate:
        """Return the second candidate's score minus the first's."""
        one = self.contrast
        turned = replace(
            one,
            terms=[(-weight, run) for weight, run in one.terms],
            treebank=one.other_treebank,
            candidate=one.other,
            other_treebank=one.treebank,
            other=one.candidate,
        )
        low, high = (None if end is None else 0.0 - end for end in (self.high, self.low))
        return replace(self, contrast=turned, value=0.0 - self.value, low=low, high=high)

    def better_first(self) -> Estimate:
        """Return the estimate with the better candidate first."""
        return self.turned() if not self.is_first_better and self.value else self


def fewest_sentences(alpha: float) -> int:
    """Return the number of sentences from which on a paired difference can be significant.

    Where one candidate is better in each of n sentences, two of the 2^n ways of turning signs give as much.

    >>> fewest_sentences(0.05)
    6
    """
    return 1 + ceil(-log2(alpha))


def fewest_trials(alpha: float) -> int:
    """Return the number of draws from which on a probability can be as small as alpha.

    >>> fewest_trials(0.05)
    19
    """
    return ceil(round(1 / alpha, 9)) - 1


def estimates(
    families: Iterable[Family], *, trials: int = TRIALS, seed: int = SEED, alpha: float = ALPHA
) -> list[Estimate]:
    """Return an estimate for each contrast of each family, in their order.

    Raises OptionError for ``trials`` below 1 and for a negative ``seed``.
    """
    require_whole_numbers(trials=(trials, 1), seed=(seed, 0))
    rows: list[Estimate] = []
    for family in each(list(families), "drawing sentences", "families"):
        rows += _estimate_family(family, _DrawnScores(family.contrasts, trials, seed), alpha)
    return [replace(row, number=number) for number, row in enumerate(rows)]


def _estimate_family(family: Family, drawn: _DrawnScores, alpha: float) -> Iterator[Estimate]:
    tested: list[tuple[int, float, float, float]] = []
    rows = []
    largest = np.zeros(drawn.trials)
    for index, contrast in enumerate(family.contrasts):
        value = contrast.value
        rows.append(Estimate(contrast, family.question, family.name, value, contrast.n, level=1 - alpha))
        if not contrast.is_testable:
            continue
        deviations = np.abs(drawn.deviations(contrast))
        spread = float(np.sqrt(np.square(deviations).mean()))
        if spread > 0:
            as_large = int((deviations >= abs(value) * (1 - EQUAL)).sum())
            tested.append((index, value, spread, (1 + as_large) / (drawn.trials + 1)))
            deviations /= spread
            np.maximum(largest, deviations, out=largest)
    # As many draws as these may be as large as a difference that is significant, less one: the sample itself.
    allowed = floor(alpha * (drawn.trials + 1) + 1e-9)
    largest.sort()
    for index, value, spread, p in tested:
        statistic = abs(value) / spread
        as_large = len(largest) - int(np.searchsorted(largest, statistic * (1 - EQUAL)))
        significant = as_large < allowed
        low = high = detectable = needed = None
        if allowed:
            critical = float(largest[-allowed])
            low, high = value - critical * spread, value + critical * spread
            if not significant:  # equal up to rounding
                low, high = min(low, 0.0), max(high, 0.0)
            detectable = (critical + POWER) * spread
            needed = ceil(rows[index].n * (detectable / value) ** 2) if value else None
        rows[index] = replace(
            rows[index],
            p=p,
            p_corrected=(1 + as_large) / (drawn.trials + 1),
            low=low,
            high=high,
            significant=significant,
            detectable=detectable,
            needed=needed,
        )
    yield from rows


class _DrawnScores:
    """Deviations of scores in each draw, by run and measure."""

    def __init__(self, contrasts: Sequence[Contrast], trials: int, seed: int) -> None:
        self.trials, self.seed = trials, seed
        self._measures: dict[int, dict[str, Measure]] = {}
        for contrast in contrasts:
            for _, run in contrast.terms:
                measures = self._measures.setdefault(id(run), {})
                measures[contrast.measure.name] = run.counts.measure(contrast.measure.name)
        self._runs: dict[int, _DrawnRun] = {}

    def deviations(self, contrast: Contrast) -> Draws:
        """Return the deviations of a contrast that is 0 in each draw."""
        name = contrast.measure.name
        groups: dict[str, list[tuple[float, _DrawnRun]]] = {}
        deviations = np.zeros(self.trials)
        for weight, run in contrast.terms:
            drawn = self._drawn(run)
            deviations += weight * drawn.scores[name]
            groups.setdefault(run.draws, []).append((weight, drawn))
        unpaired, balance = 0.0, np.zeros(self.trials)
        total = sum(1 / runs[0][1].n for runs in groups.values() if not _is_balanced(runs))
        for runs in groups.values():
            part = sum(weight * drawn.values[name] for weight, drawn in runs)
            size = sum(abs(weight) for weight, _ in runs)
            signs = sum((abs(weight) / size * drawn.signs for weight, drawn in runs), np.zeros(self.trials))
            if _is_balanced(runs):
                deviations += part * signs
            else:
                unpaired += part
                balance += signs / (runs[0][1].n * total)
        deviations += unpaired * balance
        return deviations

    def _drawn(self, run: CandidateRun) -> _DrawnRun:
        if id(run) not in self._runs:
            self._runs[id(run)] = _DrawnRun(run, self._measures[id(run)], self.trials, self.seed)
        return self._runs[id(run)]


def _is_balanced(runs: Sequence[tuple[float, _DrawnRun]]) -> bool:
    """Return whether the weights of runs on the same sentences cancel: then their signs can be turned."""
    return abs(sum(weight for weight, _ in runs)) < EQUAL


class _DrawnRun:
    """One run in all draws.

    values  the scores of all sentences, by measure
    scores  the deviations of the scores in each draw
    signs   the mean sign of its sentences
    """

    def __init__(self, run: CandidateRun, measures: Mapping[str, Measure], trials: int, seed: int) -> None:
        counts, self.n = run.counts, run.n
        columns = {name: None for measure in measures for name in counts.reading(measure).columns}
        read = replace(counts, columns={name: counts.columns[name] for name in columns}, breakdowns={})
        table = entering_table(read)
        sums = np.zeros((trials, table.shape[1]))
        at_least = WORTH_A_THREAD // max(table.size // 8, 1)
        for first, marks in _marks(run.draws, len(table), trials, seed):
            part = sums[first : first + len(marks)]

            def add(begin: int, end: int, marks: NDArray[np.uint64] = marks, part: Draws = part) -> None:
                sum_swapped(table, marks, part, begin, end)

            in_ranges(add, len(marks), at_least)
        self.signs = 2 * sums[:, 0] / max(self.n, 1) - 1
        names = ("rows", *columns)
        total = table.sum(axis=0)
        moved = dict(zip(names, (total + STEP * (2 * sums - total)).T, strict=True))
        self.values = {name: counts.value(name) for name in measures}
        self.scores = {
            name: (np.broadcast_to(measure.score(moved), trials) - self.values[name]) / STEP
            for name, measure in measures.items()
        }


def _marks(name: str, sentences: int, trials: int, seed: int) -> Iterator[tuple[int, NDArray[np.uint64]]]:
    """Yield blocks of draws: bit ``i % 64`` of word ``i // 64`` is set if sentence ``i`` has a positive sign.

    The name of the sentences, not the order of what is tested, decides on the signs.
    """
    digest = np.frombuffer(sha256(name.encode()).digest()[:16], np.uint32)
    random = np.random.default_rng([seed, *digest.tolist()])
    words = (sentences + 63) // 64
    for first in range(0, trials, BLOCK):
        yield first, random.integers(0, 2**64, (min(BLOCK, trials - first), words), np.uint64)
