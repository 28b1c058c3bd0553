"""Agreement of two measures over sentences: correlations, deciles, and the largest disagreements.

Sampson, Geoffrey and Anna Babarczy (2003): A Test of the Leaf-Ancestor Metric for Parse Accuracy.
Natural Language Engineering 9, sections 5 and 6: two metrics are compared by the deciles of their ranks and
by the sentences whose ranks differ most.

The values of a measure are arrays of shape ``(sentences,)``, for the sentences that both measures scored.
Where less of a measure is better, ``merits`` negates its values, so that more is better.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.loops.statistics import inversions
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics.bootstrap import (
    MAX_DRAWN_AT_ONCE,
    Interval,
    percentile_interval,
    yield_draws,
)
from crossbank.treebanks.arrays import BoolArray

Values: TypeAlias = NDArray[np.float64]

DECILES = 10


@dataclass(frozen=True)
class Correlation:
    """Correlations of two measures of the same sentences.

    n         the number of sentences
    pearson   the linear correlation of the values
    spearman  the linear correlation of the ranks
    kendall   tau-b: pairs of sentences ordered alike minus pairs ordered otherwise, ties omitted

    The coefficients are None if there are fewer than two sentences or a measure is constant.
    """

    n: int
    pearson: float | None = None
    spearman: float | None = None
    kendall: float | None = None


def scored_by_both(one: Counts, other: Counts) -> BoolArray:
    """Return a mask of the sentences that both metrics scored.

    A missing parse is no evidence on a measure.
    """
    return np.asarray((one.status == Status.SCORED) & (other.status == Status.SCORED))


def merits(counts: Counts, measure: str) -> Values:
    """Return the score of each sentence, negated where less is better."""
    values = counts.by_sentence(measure)
    return values if counts.measure(measure).better == "more" else -values


def correlate(one: Values, other: Values) -> Correlation:
    """Return the three coefficients."""
    if len(one) < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return Correlation(len(one))
    first, second = _Ties.of(one), _Ties.of(other)
    pearson, spearman = (
        float(np.corrcoef(*columns)[0, 1]) for columns in ((one, other), (first.ranks(), second.ranks()))
    )
    return Correlation(len(one), pearson, spearman, _kendall(first, second))


def correlation_intervals(
    one: Values, other: Values, *, samples: int, seed: int, level: float
) -> tuple[Interval, Interval] | None:
    """Return Pearson's and Spearman's coefficients with their intervals, by resampling sentences.

    Ranks are those in each resample; resamples in which a measure is constant are omitted. None without
    samples, and where a coefficient is not defined.
    """
    correlation = correlate(one, other)
    if not samples or correlation.pearson is None or correlation.spearman is None:
        return None
    sides = _Ties.of(one), _Ties.of(other)
    drawn: list[NDArray[np.float64]] = []
    for times in yield_draws(len(one), samples, seed, MAX_DRAWN_AT_ONCE):
        weight = times.astype(np.float64)
        ranks = (ties.resampled_ranks(weight) for ties in sides)
        drawn.append(np.stack([_weighted_pearson(weight, one, other), _weighted_pearson(weight, *ranks)]))
    pearson, spearman = np.concatenate(drawn, 1)
    return (
        percentile_interval(correlation.pearson, pearson, level),
        percentile_interval(correlation.spearman, spearman, level),
    )


def _weighted_pearson(weight: Values, one: Values, other: Values) -> Values:
    """Return the linear correlation in each resample, from ``weight`` of shape ``(resamples, sentences)``."""
    total = weight.sum(1, keepdims=True)
    left, right = (values - (weight * values).sum(1, keepdims=True) / total for values in (one, other))
    spread = (weight * left**2).sum(1) * (weight * right**2).sum(1)
    product: Values = (weight * left * right).sum(1) / np.sqrt(np.where(spread > 0, spread, np.nan))
    return product


class _Ties(NamedTuple):
    """Values in groups of equal ones, from the lowest to the highest.

    group  the group of each value
    sizes  the number of values in each group
    """

    group: NDArray[np.intp]
    sizes: NDArray[np.intp]

    @classmethod
    def of(cls, values: Values) -> _Ties:
        _, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
        return cls(group, sizes)

    def ranks(self) -> Values:
        """Return the rank of each value from 1 on; equal ones have their mean rank."""
        ranks: Values = (np.cumsum(self.sizes) - (self.sizes - 1) / 2)[self.group]
        return ranks

    def resampled_ranks(self, weight: Values) -> Values:
        """Return the ranks in each resample, of the shape of ``weight``: how often each value is drawn."""
        order = np.argsort(self.group, kind="stable")
        first = np.cumsum(self.sizes) - self.sizes
        sizes = np.add.reduceat(weight[:, order], first, axis=1)
        ranks: Values = (np.cumsum(sizes, 1) - (sizes - 1) / 2)[:, self.group]
        return ranks


def _kendall(one: _Ties, other: _Ties) -> float:
    """Return Tau-b (Kendall 1945, The Treatment of Ties in Ranking Problems).

    In the order of one measure, and where it has ties in that of the other, a pair is ordered differently
    where the other measure goes down (Knight 1966, A Computer Method for Calculating Kendall's Tau).
    """
    groups = len(other.sizes)
    both = np.sort(one.group * groups + other.group)
    differently = inversions((both % groups).astype(np.int32), groups - 1)
    first_of_both = np.flatnonzero(np.diff(both, prepend=-1))
    sizes = (one.sizes, other.sizes, np.diff(first_of_both, append=len(both)))
    tied, others_tied, both_tied = (int((counts * (counts - 1) // 2).sum()) for counts in sizes)
    pairs = len(both) * (len(both) - 1) // 2
    surplus = pairs - tied - others_tied + both_tied - 2 * differently
    # Rounding must not take it beyond 1.
    return float(np.clip(surplus / np.sqrt(pairs - tied) / np.sqrt(pairs - others_tied), -1, 1))


def deciles(values: Values) -> NDArray[np.int64]:
    """Return the decile of each sentence, from 1 (the best) to 10 (the worst), shape ``(sentences,)``.

    The first tenth of the sentences, from best to worst, is the first decile, and so on. Sentences with the
    same score have the decile of their mean rank.
    """
    return (DECILES * (len(values) - _Ties.of(values).ranks()) // max(len(values), 1)).astype(np.int64) + 1


def decile_table(one: Values, other: Values) -> Values:
    """Number of sentences by decile of one measure (row) and of the other (column), shape ``(10, 10)``.

    Some order of sentences with the same score is needed (section 5). An order that both measures share, such
    as the treebank's, would put these sentences on the diagonal, as if the measures agreed. So the numbers
    are means over all orders, drawn for each measure by itself: whole numbers where no scores are equal.
    """
    table: Values = _decile_shares(one).T @ _decile_shares(other)
    return table


def _decile_shares(values: Values) -> Values:
    """Return the probability of each decile for each sentence, shape ``(sentences, 10)``."""
    ties = _Ties.of(-values)
    decile = DECILES * np.arange(len(values)) // max(len(values), 1)
    cells = np.repeat(np.arange(len(ties.sizes)), ties.sizes) * DECILES + decile
    by_group = np.bincount(cells, minlength=DECILES * len(ties.sizes)).reshape(-1, DECILES)
    shares: Values = (by_group / ties.sizes[:, None])[ties.group]
    return shares


def standing(values: Values) -> Values:
    """Return the proportion of the other sentences that are worse, from 0 to 1. Equal ones count half."""
    return (_Ties.of(values).ranks() - 1) / max(len(values) - 1, 1)


def disagreements(one: Values, other: Values, limit: int) -> list[int]:
    """Return the sentences that one measure ranks higher than the other does, the largest difference first.

    Ranks are compared as proportions (``standing``), so that measures of different spread are comparable. Of
    equal differences the earlier sentence comes first. For the opposite: ``disagreements(other, one,
    limit)``.
    """
    gap = standing(one) - standing(other)
    order = np.argsort(-gap, kind="stable")[:limit]
    return [int(sentence) for sentence in order if gap[sentence] > 0]
