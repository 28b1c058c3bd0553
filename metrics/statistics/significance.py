"""Tests of differences of scores. They draw from the counts of sentences and never score again.

All tests that a reader sees are one family. Each draw marks half of the sentences at random, the same ones
for all candidates of a treebank.

Swapping: if two candidates do not differ, chance decides which of them made which of the two parses of a
sentence. So the parses of the marked sentences are swapped (approximate randomisation). Noreen, Eric (1989):
Computer-intensive Methods for Testing Hypotheses; Yeh, Alexander (2000): More Accurate Tests for the
Statistical Significance of Result Differences. COLING.

Half-samples: parses in two schemes, or of other sentences, cannot be swapped. The scores of the marked
sentences scatter about the scores of all as those of bootstrap resamples do. McCarthy, Philip (1969):
Pseudo-Replication: Half Samples. Review of the International Statistical Institute 37. Their difference is
moved to where it would be if the scores were the same: marked sentences count double for one side, and the
others for the opposite one.

The family: each difference is divided by its standard deviation over the draws. Its corrected probability is
the proportion of draws in which the largest of all differences that are not yet told to be real is as large
(step-down maxima). Pairs of candidates take the same swaps, each in an order of its own, so that the largest
is that of pairs which do not depend on each other. The probability is no less than 1 / (draws + 1), however
many tests there are. Romano, Joseph, and Michael Wolf (2005): Stepwise Multiple Testing as Formalized Data
Snooping. Econometrica 73; Westfall, Peter, and Stanley Young (1993): Resampling-Based Multiple Testing.

Groups of ranks: Bojar et al. (2013): Findings of the 2013 Workshop on Statistical Machine Translation,
section 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, log2
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts, Measure
from crossbank.metrics.loops.statistics import sum_swapped
from crossbank.metrics.statistics.bootstrap import (
    WORTH_A_THREAD,
    entering_table,
    require_whole_numbers,
    resampled_sums,
)
from crossbank.metrics.statistics.defaults import LEVEL, SAMPLES, SEED, TRIALS
from crossbank.treebanks.ranges import each, in_ranges

Matrix: TypeAlias = NDArray[np.float64]

SideOf: TypeAlias = "Callable[[Side, Sequence[str]], _Sums]"
"""Gives the sums of a side, with the columns that some measures read."""

EQUAL = 1e-9
"""Two differences that differ by no more than this part of themselves are the same: sums are rounded."""

BLOCK = 1024
"""The number of draws for which the marked sentences are summed at a time."""

HELD = 1 << 16
"""The number of drawn differences that are held at a time: so few that they stay in the cache."""

KEPT = 20_000_000
"""Where tests times draws are no more than this, what is drawn is kept for the second time: some 300 MB."""

FEWEST = 2
"""With fewer sentences on a side there is no test."""


@dataclass(frozen=True)
class Difference:
    """One score minus another.

    value      the difference
    low, high  the bounds of its interval; None where fewer than two sentences enter, or without resamples
    p          probability of a difference as large as this, either way, if the scores did not differ
    corrected  the same for the largest difference of the family: step-down maxima over all of its tests
    level      of the interval
    """

    value: float
    low: float | None
    high: float | None
    p: float = 1.0
    corrected: float = 1.0
    level: float = LEVEL

    def turned(self) -> Difference:
        """Return the second score minus the first."""
        low, high = (None if end is None else 0.0 - end for end in (self.high, self.low))
        return replace(self, value=0.0 - self.value, low=low, high=high)


@dataclass(frozen=True, eq=False)
class Side:
    """Counts that are compared.

    sentences  a name: sides that share it have the same sentences, row by row, and are drawn together
    """

    counts: Counts
    sentences: Hashable


@dataclass(frozen=True, eq=False)
class Contrast:
    """Two sides that are compared under some measures of both.

    metric   a name: contrasts that share it have the same measures
    swapped  whether parses can be swapped: both sides count the same things in the same sentences
    among    the sides of which ``one`` was chosen as the best. All pairs of them then count as tests, since
             any other could have been the best. Contrasts of one choice share the same object.
    """

    one: Side
    other: Side
    measures: Sequence[str]
    metric: Hashable
    swapped: bool
    among: Sequence[Side] | None = None

    def __post_init__(self) -> None:
        columns = [list(side.counts.columns) for side in (self.one, self.other)]
        if self.swapped and columns[0] != columns[1]:
            raise ValueError(f"counts of {columns[0]} and of {columns[1]}")

    @property
    def tested(self) -> bool:
        """True if both sides have enough sentences."""
        return min(int(side.counts.rows.sum()) for side in (self.one, self.other)) >= FEWEST


def same_sentences(one: Counts, other: Counts) -> bool:
    """True if two candidates were scored on the same sentences, by number and identifiers."""
    if len(one) != len(other):
        return False
    return one.sentences == other.sentences or list(one.sentences) == list(other.sentences)


def fewest_sentences(alpha: float) -> int:
    """Return the number of sentences from which on swaps can make a difference significant.

    Where one candidate is better in each of n sentences, two of the 2^n ways of swapping give as much.

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


def number_of_tests(contrasts: Sequence[Contrast]) -> int:
    """Return the number of differences that are tested: the size of the family."""
    chosen = {id(c.among): len(c.among) for c in contrasts if c.among is not None}
    pairs = sum(size * (size - 1) // 2 for size in chosen.values())
    return pairs + sum(len(c.measures) for c in contrasts if c.among is None and c.tested)


def differences(
    contrasts: Sequence[Contrast],
    *,
    samples: int = SAMPLES,
    trials: int = TRIALS,
    seed: int = SEED,
    level: float = LEVEL,
) -> list[dict[str, Difference]]:
    """Return the difference under each measure of each contrast, tested as one family.

    samples  resamples for each interval; none without them
    trials   draws for each probability. Where all parses can be swapped and there are no more ways to do
             it, each way is taken once, and the probabilities are exact.

    Raises OptionError for ``trials`` below 1, and for negative ``samples`` or a negative ``seed``.
    """
    require_whole_numbers(samples=(samples, 0), trials=(trials, 1), seed=(seed, 0))
    keys: dict[Hashable, int] = {}
    for contrast in contrasts:
        for side in (contrast.one, contrast.other, *(contrast.among or ())):
            keys.setdefault(side.sentences, len(keys))
    found = _with_intervals(contrasts, keys, samples, seed, level)
    tested = [place for place, contrast in enumerate(contrasts) if contrast.tested]
    family = _Family([contrasts[place] for place in tested], keys, trials, seed)
    for (place, measure), p, corrected in zip(family.rows, *family.probabilities(), strict=True):
        of_contrast = found[tested[place]]
        of_contrast[measure] = replace(of_contrast[measure], p=float(p), corrected=float(corrected))
    return found


def _with_intervals(
    contrasts: Sequence[Contrast], keys: dict[Hashable, int], samples: int, seed: int, level: float
) -> list[dict[str, Difference]]:
    """Return the differences with their percentile intervals: the same sentences are drawn for both sides."""
    tail = (1 - level) / 2
    resampled: dict[int, dict[str, Matrix]] = {}
    uses = Counter(id(side) for contrast in contrasts for side in (contrast.one, contrast.other))

    def drawn(side: Side) -> dict[str, Matrix]:
        if id(side) not in resampled:
            number = keys[side.sentences]
            own_seed = (seed, number) if number else seed
            resampled[id(side)] = resampled_sums(side.counts, samples, own_seed, every=True)
        uses[id(side)] -= 1
        return resampled[id(side)] if uses[id(side)] else resampled.pop(id(side))

    found: list[dict[str, Difference]] = []
    for contrast in contrasts:
        one, other = contrast.one.counts, contrast.other.counts
        of_contrast = {
            name: Difference(one.value(name) - other.value(name), None, None) for name in contrast.measures
        }
        found.append(of_contrast)
        if samples and contrast.tested:
            first, second = drawn(contrast.one), drawn(contrast.other)
            for name, difference in of_contrast.items():
                apart = one.measure(name).score(first) - other.measure(name).score(second)
                low, high = np.quantile(apart, [tail, 1 - tail])
                of_contrast[name] = Difference(difference.value, float(low), float(high), level=level)
    return found


class _Sums:
    """A side's columns that its tests read: summed over all sentences, and over those that a draw marks."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.names: dict[str, None] = {}
        self.table = self.marked = np.zeros((0, 0))
        self._scores: dict[str, Matrix] = {}

    def tabulate(self) -> None:
        counts = self.side.counts
        read = replace(counts, columns={name: counts.columns[name] for name in self.names}, parts={})
        self.table = entering_table(read)
        self.total = self.table.sum(axis=0)
        self.entering = int(counts.rows.sum())

    def mark(self, marks: NDArray[np.uint64]) -> None:
        """Sum the sentences that each draw marks: bit ``i % 64`` of word ``i // 64`` marks sentence ``i``."""
        table, sums = self.table, np.zeros((len(marks), self.table.shape[1]))
        at_least = WORTH_A_THREAD // max(table.size // 8, 1)
        in_ranges(lambda first, last: sum_swapped(table, marks, sums, first, last), len(marks), at_least)
        self.marked = sums
        self._scores.clear()

    def value(self, measure: str) -> float:
        return self.side.counts.value(measure)

    def score(self, measure: str) -> Matrix:
        """Return the score of the marked sentences in each draw, which stand for two of each."""
        if measure not in self._scores:
            sums = dict(zip(("rows", *self.names), 2 * self.marked.T, strict=True))
            self._scores[measure] = _scores(self.side.counts.measure(measure), sums)
        return self._scores[measure]


class _Family:
    """Tests of a family, drawn block by block: the draws of all tests at once would fill the memory.

    rows  the place of each test's contrast, and its measure
    """

    def __init__(
        self, contrasts: Sequence[Contrast], keys: dict[Hashable, int], trials: int, seed: int
    ) -> None:
        self.keys, self.trials, self.seed = keys, trials, seed
        self.blocks: dict[int, list[Matrix]] = {}
        self.sides: dict[int, _Sums] = {}
        self.groups: list[_Swapped | _Halved] = []
        self.rows: list[tuple[int, str]] = []
        of_group: dict[tuple[type[_Swapped | _Halved], Hashable], list[int]] = {}
        for place, contrast in enumerate(contrasts):
            kind: type[_Swapped | _Halved] = _Halved
            key: Hashable = place
            if contrast.among is not None:
                kind, key = _Chosen, (id(contrast.among), *contrast.measures)
            elif contrast.swapped:
                columns = tuple(contrast.one.counts.columns)
                kind, key = _Swapped, (contrast.metric, contrast.one.sentences, columns, *contrast.measures)
            of_group.setdefault((kind, key), []).append(place)
        for (kind, _), places in of_group.items():
            self.groups.append(kind([contrasts[place] for place in places], self._side))
            measures = contrasts[places[0]].measures
            self.rows += [(place, measure) for measure in measures for place in places]
        for sums in self.sides.values():
            sums.tabulate()
        self.values = np.concatenate([group.values() for group in self.groups] or [np.zeros(0)])
        self._take_every_way()

    def _side(self, side: Side, measures: Sequence[str]) -> _Sums:
        sums = self.sides.setdefault(id(side), _Sums(side))
        for measure in measures:
            sums.names |= dict.fromkeys(side.counts.reading(measure).columns)
        return sums

    def _take_every_way(self) -> None:
        """See whether all swaps can be made; then drop the sentences in which swapping changes nothing."""
        swapped = [group for group in self.groups if isinstance(group, _Swapped)]
        all_swapped = len(swapped) == len(self.groups)
        kept: dict[Hashable, NDArray[np.bool_]] = {}
        for one, other in (pair for group in swapped for pair in group.pairs()) if all_swapped else ():
            differs = (one.table != other.table).any(axis=1)
            kept[one.side.sentences] = kept.get(one.side.sentences, False) | differs
        bits = sum(int(rows.sum()) for rows in kept.values())
        self.exact = all_swapped and bits < 63 and 2**bits <= self.trials
        if self.exact:
            self.trials = 2**bits
            for sums in self.sides.values():
                sums.table = np.ascontiguousarray(sums.table[kept[sums.side.sentences]])
        self.sizes = {sums.side.sentences: len(sums.table) for sums in self.sides.values()}

    def _blocks(self) -> Iterator[slice]:
        """Mark sentences for one block of draws after another; yield a few draws of the block at a time.

        All blocks are gone through twice. What groups have of them is kept where it is not too much.
        """
        kept = len(self.rows) * self.trials <= KEPT
        step = max(HELD // max(len(self.rows), 1), 8)
        for number in each(range(-(-self.trials // BLOCK)), "drawing sentences", "blocks"):
            draws = min(BLOCK, self.trials - number * BLOCK)
            if number not in self.blocks:
                self._mark(number, draws)
                if kept:
                    self.blocks[number] = [group.marked for group in self.groups]
            for group, marked in zip(self.groups, self.blocks.get(number, ()), strict=False):
                group.marked = marked
            for first in range(0, draws, step):
                yield slice(first, min(first + step, draws))

    def _mark(self, number: int, draws: int) -> None:
        marks: dict[Hashable, NDArray[np.uint64]] = {}
        shift = 0
        for key, size in self.sizes.items():
            if self.exact:
                ways = np.arange(number * BLOCK, number * BLOCK + draws, dtype=np.uint64)
                marks[key] = ((ways >> np.uint64(shift)) & np.uint64(2**size - 1))[:, None]
                shift += size
            else:
                random = np.random.default_rng((self.seed, self.keys[key], number))
                marks[key] = random.integers(0, 2**64, (draws, (size + 63) // 64), np.uint64)
        for sums in self.sides.values():
            sums.mark(marks[sums.side.sentences])
        for group in self.groups:
            group.mark()

    def probabilities(self) -> tuple[Matrix, Matrix]:
        """Return the probability of each test by itself, and corrected for all."""
        tests = len(self.rows)
        if not tests:
            return np.zeros(0), np.zeros(0)
        # Of all draws: with the deviations of some of them, the largest statistic would be one of the
        # differences whose deviation came out small.
        squares = np.zeros(tests)
        for part in self._blocks():
            squares += np.square(self._drawn(part)).sum(axis=1)
        scale = np.sqrt(squares / self.trials)
        scale[scale == 0] = np.inf
        statistic = np.abs(self.values) / scale
        ends = np.cumsum([group.size for group in self.groups])[:-1]
        for group, own in zip(self.groups, np.split(statistic, ends), strict=True):
            group.prepare(own)
        order = np.argsort(statistic, kind="stable")
        bound = (statistic * (1 - EQUAL))[:, None]
        alone, largest = np.zeros(tests), np.zeros(tests)
        for part in self._blocks():
            drawn = np.abs(self._drawn(part)) / scale[:, None]
            alone += (drawn >= bound).sum(axis=1)
            for group, own in zip(self.groups, np.split(drawn, ends), strict=True):
                group.widen(own, part)
            drawn = drawn[order]
            np.maximum.accumulate(drawn, axis=0, out=drawn)
            largest[order] += (drawn >= bound[order]).sum(axis=1)
        if not self.exact:
            alone, largest = alone + 1, largest + 1
        alone, largest = (found / (self.trials + (not self.exact)) for found in (alone, largest))
        # A test is told to be real only after all that have a larger statistic.
        largest[order[::-1]] = np.maximum.accumulate(largest[order[::-1]])
        return alone, largest

    def _drawn(self, part: slice) -> Matrix:
        """Each difference by chance in some draws, shape ``(tests, draws)``."""
        return np.concatenate([group.drawn(part) for group in self.groups])


class _Group:
    """Tests that are drawn together.

    size    their number
    marked  what they have of the block of draws at hand
    """

    size: int
    marked: Matrix

    def prepare(self, statistic: Matrix) -> None:
        """Take in the statistics of the tests: most groups need to know nothing of them."""

    def widen(self, drawn: Matrix, part: slice) -> None:
        """Let the tests stand for more than themselves: most do not."""


class _Swapped(_Group):
    """Pairs of candidates of one treebank under one metric, whose parses are swapped."""

    def __init__(self, contrasts: Sequence[Contrast], side_of: SideOf) -> None:
        names = contrasts[0].measures
        self.measures = [contrasts[0].one.counts.measure(name) for name in names]
        found: dict[int, _Sums] = {}
        for contrast in contrasts:
            for side in (contrast.one, contrast.other):
                found[id(side)] = side_of(side, names)
        place = {side: number for number, side in enumerate(found)}
        self.sides = list(found.values())
        self.columns = list(dict.fromkeys(name for sums in self.sides for name in sums.names))
        self.one = [place[id(contrast.one)] for contrast in contrasts]
        self.other = [place[id(contrast.other)] for contrast in contrasts]
        self.size = len(contrasts) * len(names)

    def pairs(self) -> Iterator[tuple[_Sums, _Sums]]:
        for one, other in zip(self.one, self.other, strict=True):
            yield self.sides[one], self.sides[other]

    def values(self) -> Matrix:
        """Return the differences, measure by measure."""
        return self._apart(self.totals[:, self.one], self.totals[:, self.other]).ravel()

    def mark(self) -> None:
        """Take the sums of a new block of draws, shape ``(columns, sides, draws)``."""
        self.marked = np.stack([sums.marked[:, places].T for sums, places in self._read()], axis=1)

    def drawn(self, part: slice) -> Matrix:
        """Return the differences after the swaps of some draws, each pair's in an order of its own.

        The same swaps for several pairs at once would suppose that the differences of all candidates in a
        sentence are symmetrical together. What makes no difference between two candidates is symmetrical for
        these two only. Draws in other orders are as good as independent, and then the largest of all is no
        smaller. Sidak, Zbynek (1967): Rectangular Confidence Regions for the Means of Multivariate Normal
        Distributions. Journal of the American Statistical Association 62.
        """
        draws = np.arange(part.start, part.stop) + np.arange(len(self.one))[:, None]
        draws %= self.marked.shape[2]
        one, other = np.array(self.one)[:, None], np.array(self.other)[:, None]
        moved = self.marked[:, one, draws] - self.marked[:, other, draws]
        return self._apart(self.totals[:, one] - moved, self.totals[:, other] + moved).reshape(self.size, -1)

    @cached_property
    def totals(self) -> Matrix:
        """Sums over all sentences, shape ``(columns, sides)``."""
        return np.stack([sums.total[places] for sums, places in self._read()], axis=1)

    def _read(self) -> Iterator[tuple[_Sums, list[int]]]:
        """Yield the sides with the places of the columns that are read."""
        for sums in self.sides:
            known = ["rows", *sums.names]
            yield sums, [known.index(name) for name in ("rows", *self.columns)]

    def _apart(self, one: Matrix, other: Matrix) -> Matrix:
        first, second = (dict(zip(("rows", *self.columns), sums, strict=True)) for sums in (one, other))
        return np.stack([_scores(m, first) - _scores(m, second) for m in self.measures])


class _Halved(_Group):
    """Pairs of sides whose parses are not swapped."""

    def __init__(self, contrasts: Sequence[Contrast], side_of: SideOf) -> None:
        self.tests = [
            (side_of(contrast.one, [name]), side_of(contrast.other, [name]), name)
            for name in contrasts[0].measures
            for contrast in contrasts
        ]
        self.size = len(self.tests)

    def values(self) -> Matrix:
        """Return the differences, measure by measure."""
        return np.array([one.value(name) - other.value(name) for one, other, name in self.tests])

    def mark(self) -> None:
        """Take the differences in a new block of half-samples."""
        self.marked = np.stack([_half_sampled(*test) for test in self.tests])

    def drawn(self, part: slice) -> Matrix:
        """Differences in half-samples, moved to where they would be if the scores were the same."""
        return self.marked[: self.size, part]


class _Chosen(_Halved):
    """Best of many sides with each of the others, where all pairs of them could have been the tests."""

    def mark(self) -> None:
        """Take the differences in a new block of half-samples, and each score's distance from that of all."""
        super().mark()
        one, _, name = self.tests[0]
        sides = [one, *(other for _, other, _ in self.tests)]
        self.marked = np.stack([*self.marked, *(sums.score(name) - sums.value(name) for sums in sides)])

    def prepare(self, statistic: Matrix) -> None:
        """Keep the order of the tests, and the standard deviations of all pairs, from the block at hand."""
        self.order = np.argsort(statistic, kind="stable")
        # Rows of the sides' distances: that of the best first, then from the one nearest to it.
        self.in_order = [self.size, *(self.size + 1 + self.order).tolist()]
        scattered = self.marked[self.in_order].astype(np.float32).astype(np.float64)
        spread = scattered @ scattered.T / scattered.shape[1]
        own = np.diag(spread)
        deviations = np.sqrt(np.maximum(own[:, None] + own[None] - 2 * spread, 0))
        with np.errstate(divide="ignore"):
            self.weights = np.where(deviations > 1e-12, 1 / deviations, 0).astype(np.float32)

    def widen(self, drawn: Matrix, part: slice) -> None:
        """Let each test stand for all pairs of the sides that are no further from the best."""
        scattered = self.marked[self.in_order, part].astype(np.float32)
        for number, place in enumerate(self.order.tolist(), 1):
            apart = np.abs(scattered[:number] - scattered[number])
            apart *= self.weights[number, :number, None]
            np.maximum(drawn[place], apart.max(axis=0), out=drawn[place])


def _half_sampled(one: _Sums, other: _Sums, measure: str) -> Matrix:
    """Return the difference in half-samples, moved to where it would be if both scores were the same.

    The difference of all sentences is taken from that of the marked ones. What it adds to each sentence's
    part turns its sign with the marks, so that sentences that all say the same are as likely as coins.
    """
    apart = one.value(measure) - other.value(measure)
    drawn = one.score(measure) - other.score(measure) - apart
    entering = one.entering + other.entering
    for sums, opposite in ((one, other), (other, one)):
        marked = sums.marked[:, 0]
        drawn = drawn + apart * opposite.entering / entering * (2 * marked / sums.entering - 1)
        drawn[marked == 0] = apart
    return drawn


def _scores(measure: Measure, sums: dict[str, Matrix]) -> Matrix:
    """Scores of sums, in the shape of the sums also where the measure reads none of them."""
    return np.broadcast_to(measure.score(sums), sums["rows"].shape)


def rank_groups(
    values: Sequence[float], different: Collection[tuple[int, int]], *, less_is_better: bool = False
) -> list[int]:
    """Return the rank of each candidate; those that cannot be told apart share one.

    ``different`` holds the pairs of places (the smaller first) that differ significantly. In the order of the
    values, a new group begins where every candidate above differs from every candidate below. So two
    candidates that do not differ are always in one group. A group's rank is one more than the number of
    candidates above it.

    >>> rank_groups([0.9, 0.7, 0.8], {(0, 1), (0, 2)})
    [1, 2, 2]
    """
    order = sorted(range(len(values)), key=lambda place: values[place], reverse=not less_is_better)
    ranks = [1] * len(values)
    begin = 0
    for cut in range(1, len(order)):
        if all((min(a, b), max(a, b)) in different for a in order[begin:cut] for b in order[cut:]):
            begin = cut
        ranks[order[cut]] = begin + 1
    return ranks
