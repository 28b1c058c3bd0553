"""Ranks of candidates over treebanks, and the test of whether they differ.

Demšar, Janez (2006): Statistical Comparisons of Classifiers over Multiple Data Sets. Journal of Machine
Learning Research 7, section 3.2. Each treebank ranks the candidates, the best first. Friedman's test (1937,
1940), in the form of Iman and Davenport (1980), asks whether chance explains the differences of their
average ranks. By Nemenyi's test (1963), two average ranks differ significantly by the critical difference
or more. The unit is the treebank: neither test asks how certain the score in one treebank is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf, sqrt

import numpy as np

from crossbank.metrics.statistics.agreement_of_measures import Values


@dataclass(frozen=True)
class AverageRanks:
    """Candidates ranked by several treebanks.

    averages   the average rank of each candidate, shape ``(candidates,)``
    treebanks  the number of treebanks
    chi2       Friedman's statistic, with ``candidates - 1`` degrees of freedom
    f          Iman and Davenport's statistic; infinite where all treebanks have the same order
    p          the probability of an ``f`` as large as this if the candidates do not differ
    critical   the smallest significant difference of two average ranks (Nemenyi)
    """

    averages: Values
    treebanks: int
    chi2: float
    f: float
    p: float
    critical: float

    def groups(self) -> list[list[int]]:
        """Return the largest groups of candidates without significant differences, the best first.

        In Demšar's diagrams each of them is a line that joins the candidates.
        """
        order = np.argsort(self.averages, kind="stable").tolist()
        groups: list[list[int]] = []
        last_joined = 0
        for first in range(len(order)):
            last = first + 1
            while last < len(order) and not self.is_significant(order[first], order[last]):
                last += 1
            if last - first > 1 and last > last_joined:
                groups.append(order[first:last])
                last_joined = last
        return groups

    def is_significant(self, one: int, other: int) -> bool:
        """Return whether the average ranks of two candidates are at least the critical difference apart."""
        return abs(float(self.averages[one] - self.averages[other])) >= self.critical


def ranked(values: Values, *, less_is_better: bool = False) -> Values:
    """Return the ranks of the candidates in each treebank, 1 for the best; equal ones have their mean rank.

    Values and ranks have the shape ``(treebanks, candidates)``.

    >>> ranked(np.array([[0.9, 0.7, 0.7], [0.5, 0.6, 0.8]])).tolist()
    [[1.0, 2.5, 2.5], [3.0, 2.0, 1.0]]
    """
    merit = -values if less_is_better else values
    better = (merit[:, None, :] > merit[:, :, None]).sum(axis=2)
    equal = (merit[:, None, :] == merit[:, :, None]).sum(axis=2)
    ranks: Values = 1 + better + (equal - 1) / 2
    return ranks


def average_ranks(ranks: Values, alpha: float) -> AverageRanks:
    """Return the average ranks of candidates, with the tests of Friedman and Nemenyi.

    ranks  shape ``(treebanks, candidates)``, two treebanks and two candidates or more

    Friedman's statistic is not corrected for ties, as in Demšar (2006).
    """
    from scipy.stats import f as f_distribution

    treebanks, candidates = ranks.shape
    averages: Values = ranks.mean(axis=0)
    spread = float((averages**2).sum()) - candidates * (candidates + 1) ** 2 / 4
    chi2 = 12 * treebanks / (candidates * (candidates + 1)) * spread
    unexplained = treebanks * (candidates - 1) - chi2
    f = (treebanks - 1) * chi2 / unexplained if unexplained > 1e-9 else inf
    p = float(f_distribution.sf(f, candidates - 1, (candidates - 1) * (treebanks - 1)))
    critical = critical_value(candidates, alpha) * sqrt(candidates * (candidates + 1) / (6 * treebanks))
    return AverageRanks(averages, treebanks, chi2, f, p, critical)


@lru_cache
def critical_value(candidates: int, alpha: float) -> float:
    """Return Nemenyi's critical value: the quantile of the studentised range, divided by the root of 2.

    >>> [round(critical_value(candidates, 0.05), 2) for candidates in (2, 4, 10)]
    [1.96, 2.57, 3.16]
    """
    from scipy.stats import studentized_range

    return float(studentized_range.ppf(1 - alpha, candidates, inf)) / sqrt(2)
