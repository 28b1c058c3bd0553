"""Tests of the difference of two scores. They resample the counts of sentences and never score again.

Paired bootstrap: the same sentences are drawn with replacement for both candidates. The differences of the
resamples, shifted so that their centre is zero, show how large a difference is by chance. Efron, Bradley and
Robert Tibshirani (1993): An Introduction to the Bootstrap, chapter 16; Berg-Kirkpatrick, Taylor, David
Burkett and Dan Klein (2012): An Empirical Investigation of Statistical Significance in NLP. EMNLP. Where the
sentences differ the test is unpaired: each side is drawn by itself.

Approximate randomisation: if the candidates do not differ, chance decides which of them made which of the two
parses of a sentence. So the two parses are swapped at random. Noreen, Eric (1989): Computer-intensive
Methods for Testing Hypotheses; Yeh, Alexander (2000): More Accurate Tests for the Statistical
Significance of Result Differences. COLING.

Many comparisons: Holm, Sture (1979): A Simple Sequentially Rejective Multiple Test Procedure.
Scandinavian Journal of Statistics 6. Groups of ranks: Bojar et al. (2013): Findings of the 2013
Workshop on Statistical Machine Translation, section 3.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.loops.significance import sum_swapped
from crossbank.metrics.statistics.bootstrap import WORTH_A_THREAD, as_sums, entering_table, resampled_sums
from crossbank.treebanks.progress import each
from crossbank.treebanks.ranges import in_ranges

Resamples: TypeAlias = dict[str, NDArray[np.float64]]
"""The sums of each column in every resample, each of shape ``(samples,)``."""

EQUAL = 1e-12
"""Two differences that are closer than this are the same, since sums of fractions are rounded."""

BLOCK = 4096
"""The number of random swaps that are held at a time."""


@dataclass(frozen=True)
class Difference:
    """One score minus another.

    value          the difference
    low, high      the bounds of its 95 % interval; None where fewer than two sentences enter
    bootstrap      probability of a difference as large as this, either way, by the bootstrap
    randomisation  the same by approximate randomisation; None for unpaired sentences
    """

    value: float
    low: float | None
    high: float | None
    bootstrap: float
    randomisation: float | None = None

    def turned(self) -> Difference:
        """The second score minus the first."""
        low, high = (None if end is None else 0.0 - end for end in (self.high, self.low))
        return replace(self, value=0.0 - self.value, low=low, high=high)

    @property
    def p(self) -> float:
        """The probability that the level is compared with: randomisation's, else the bootstrap's."""
        return self.bootstrap if self.randomisation is None else self.randomisation


def same_sentences(one: Counts, other: Counts) -> bool:
    """True if two candidates were scored on the same sentences, by number and identifiers."""
    return len(one) == len(other) and list(one.sentences) == list(other.sentences)


def paired(one: Counts, other: Counts, *, samples: int, trials: int, seed: int) -> dict[str, Difference]:
    """The difference of two candidates on the same sentences by measure, with both tests.

    Raises ValueError where the sentences or the columns differ.
    """
    if not same_sentences(one, other):
        raise ValueError("paired differences of candidates on different sentences")
    resamples = [resampled_sums(counts, samples, seed, every=True) for counts in (one, other)]
    found = from_resamples(one, other, *resamples)
    swapped = randomisation(one, other, trials=trials, seed=seed)
    return {name: replace(difference, randomisation=swapped[name]) for name, difference in found.items()}


def unpaired(one: Counts, other: Counts, *, samples: int, seed: int) -> dict[str, Difference]:
    """The difference of two scores on different sentences by measure, with the bootstrap of each."""
    first = resampled_sums(one, samples, (seed, 1), every=True)
    second = resampled_sums(other, samples, (seed, 2), every=True)
    return from_resamples(one, other, first, second)


def from_resamples(
    one: Counts,
    other: Counts,
    resamples: Resamples,
    other_resamples: Resamples,
    *,
    level: float = 0.95,
) -> dict[str, Difference]:
    """The difference by measure, with its percentile interval and the bootstrap's probability.

    Paired candidates need resamples of the same sentences: ``resampled_sums`` with one seed and ``every``
    gives them. With fewer than two sentences on a side, or without resamples, only the difference is known,
    and the probability is 1.
    """
    tail = (1 - level) / 2
    few = min(int(one.rows.sum()), int(other.rows.sum())) < 2
    found = {}
    for measure in one.measures:
        value = one.value(measure.name) - other.value(measure.name)
        if few or not len(resamples["rows"]):
            found[measure.name] = Difference(value, None, None, 1.0)
            continue
        drawn = measure.score(resamples) - other.measure(measure.name).score(other_resamples)
        low, high = np.quantile(drawn, [tail, 1 - tail])
        found[measure.name] = Difference(value, float(low), float(high), _proportion(drawn - value, value))
    return found


def randomisation(one: Counts, other: Counts, *, trials: int, seed: int) -> dict[str, float]:
    """The probability by measure that swapping parses at random gives a difference as large as this.

    Swapping changes nothing in a sentence where the candidates have the same counts. Where the other
    sentences can be swapped in no more than ``trials`` ways, each way is taken once and the probability is
    exact.
    """
    if list(one.columns) != list(other.columns):
        raise ValueError(f"counts of {list(one.columns)} and of {list(other.columns)}")
    table, other_table = entering_table(one), entering_table(other)
    gained = table - other_table
    gained = np.ascontiguousarray(gained[(gained != 0).any(axis=1)])
    exact = len(gained) < 63 and 2 ** len(gained) <= trials
    if exact:
        moved = swapped_sums(gained, np.arange(2 ** len(gained), dtype=np.uint64)[:, None])
    else:
        random = np.random.default_rng(seed)
        words = (len(gained) + 63) // 64
        blocks = [
            swapped_sums(
                gained,
                random.integers(0, 2**64, (min(BLOCK, trials - first), words), np.uint64),
            )
            for first in each(range(0, trials, BLOCK), "swapping at random", "blocks")
        ]
        moved = np.concatenate(blocks) if blocks else np.zeros((0, table.shape[1]))
    swapped = as_sums(one, table.sum(axis=0) - moved)
    other_swapped = as_sums(other, other_table.sum(axis=0) + moved)
    found = {}
    for measure in one.measures:
        value = one.value(measure.name) - other.value(measure.name)
        found[measure.name] = _proportion(measure.score(swapped) - measure.score(other_swapped), value, exact)
    return found


def swapped_sums(gained: NDArray[np.float64], swaps: NDArray[np.uint64]) -> NDArray[np.float64]:
    """The sum of the rows of the swapped sentences, for every trial.

    gained  shape ``(sentences, columns)``
    swaps   shape ``(trials, words)``: bit ``i % 64`` of word ``i // 64`` swaps sentence ``i``

    Returns shape ``(trials, columns)``.
    """
    sums = np.zeros((len(swaps), gained.shape[1]))
    trials = WORTH_A_THREAD // max(gained.size // 8, 1)
    in_ranges(lambda first, last: sum_swapped(gained, swaps, sums, first, last), len(swaps), trials)
    return sums


def _proportion(found: NDArray[np.float64], value: float, exact: bool = False) -> float:
    """The proportion of differences that are as large as a value, counting the value itself (Noreen 1989)."""
    as_large = int((np.abs(found) >= abs(value) - EQUAL).sum())
    return as_large / len(found) if exact else (as_large + 1) / (len(found) + 1)


def holm(probabilities: Sequence[float], family: int = 0) -> list[float]:
    """The probabilities corrected for many tests: at most alpha where Holm's procedure rejects.

    family  the number of tests, if only some of them were made: the others count as if none rejected

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    >>> holm([0.01, 0.04], family=4)
    [0.04, 0.12]
    """
    tests = max(family, len(probabilities))
    corrected = [0.0] * len(probabilities)
    largest = 0.0
    order = sorted(range(len(probabilities)), key=lambda place: probabilities[place])
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (tests - rank) * probabilities[place]))
        corrected[place] = largest
    return corrected


def rank_groups(
    values: Sequence[float], different: Collection[tuple[int, int]], *, less_is_better: bool = False
) -> list[int]:
    """The rank of each candidate; those that cannot be told apart share one.

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
