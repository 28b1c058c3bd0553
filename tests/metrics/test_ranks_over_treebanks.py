"""Average ranks and critical differences: the worked example of Demšar (2006), and SciPy's Friedman test."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from crossbank.metrics.statistics.ranks_over_treebanks import (
    AverageRanks,
    average_ranks,
    critical_value,
    ranked,
)

# Demšar, Janez (2006): Statistical Comparisons of Classifiers over Multiple Data Sets. JMLR 7, Table 6: the
# AUC of C4.5 with m = 0 and cf = 0, with m tuned, with cf tuned, with both tuned, on 14 data sets, and the
# ranks that the paper prints beside them. Scores have three digits there, so two that look the same need not
# share a rank ("voting").
SCORES = np.array([
    [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.975, 0.975], [0.957, 0.978, 0.946, 0.970],
])  # fmt: skip
RANKS = np.array([
    [4, 3, 2, 1], [1, 2, 3, 4], [4, 1, 2, 3], [4, 1, 3, 2], [4, 2, 3, 1], [1, 2.5, 4, 2.5], [3, 2, 4, 1],
    [2.5, 2.5, 4, 1], [4, 3, 2, 1], [2.5, 2.5, 2.5, 2.5], [4, 2.5, 1, 2.5], [3, 2, 4, 1], [4, 1, 2, 3],
    [3, 1, 4, 2],
])  # fmt: skip
VOTING = 12


def test_the_ranks_of_demsars_table_6() -> None:
    ranking = ranked(SCORES)
    others = np.arange(len(SCORES)) != VOTING
    assert np.array_equal(ranking[others], RANKS[others])
    assert ranking[VOTING].tolist() == [4, 1, 2.5, 2.5]


def test_the_figures_of_demsars_example() -> None:
    # Section 3.2.2: average ranks below Table 6; chi² = 9.28, F = 3.69; CD = 1.25 at 0.05 and 1.12 at 0.10.
    ranks = average_ranks(RANKS, 0.05)
    assert [f"{rank:.3f}" for rank in ranks.averages] == ["3.143", "2.000", "2.893", "1.964"]
    assert f"{ranks.chi2:.2f}" == "9.28"
    assert f"{ranks.f:.2f}" == "3.69"
    assert f"{ranks.critical:.2f}" == "1.25"
    assert ranks.p < 0.05
    # "the post-hoc test is not powerful enough": 3.143 - 1.964 < 1.25 ...
    assert ranks.groups() == [[3, 1, 2, 0]]
    # ... and at 0.10 C4.5 is worse than the two that tune m; the one that tunes cf belongs to both groups.
    looser = average_ranks(RANKS, 0.10)
    assert f"{looser.critical:.2f}" == "1.12"
    assert looser.groups() == [[3, 1, 2], [2, 0]]


def test_the_critical_values_of_demsars_table_5() -> None:
    # Table 5 (a), for 2 to 10 classifiers; the last digit of the printed values is not always right.
    at_5 = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
    at_10 = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]
    for alpha, printed in ((0.05, at_5), (0.10, at_10)):
        actual = [critical_value(candidates, alpha) for candidates in range(2, 11)]
        assert actual == pytest.approx(printed, abs=0.0011)


@given(st.integers(0, 10_000), st.integers(3, 6), st.integers(2, 12))
def test_without_ties_it_is_scipys_test(seed: int, candidates: int, treebanks: int) -> None:
    values = np.random.default_rng(seed).random((treebanks, candidates))
    ranks = average_ranks(ranked(values), 0.05)
    assert ranks.chi2 == pytest.approx(stats.friedmanchisquare(*values.T).statistic)


def test_less_may_be_better_and_one_order_throughout_is_no_chance() -> None:
    values = np.array([[0.1, 0.2, 0.3]] * 10)
    assert ranked(values, less_is_better=True)[0].tolist() == [1, 2, 3]
    ranks = average_ranks(ranked(values), 0.05)
    assert ranks.averages.tolist() == [3, 2, 1]
    assert ranks.f == float("inf")
    assert ranks.p == 0


def test_ranks_that_are_the_critical_difference_apart_differ() -> None:
    ranks = AverageRanks(np.array([1.25, 2.0, 2.5]), 4, 1.0, 1.0, 1.0, critical=0.75)
    assert ranks.is_significant(0, 1)
    assert ranks.is_significant(2, 0)
    assert not ranks.is_significant(1, 2)
