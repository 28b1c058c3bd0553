"""Agreement of measures, on cases small enough to be worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from crossbank.metrics.counting.counts import Counts, Measure, Signature, ratio
from crossbank.metrics.statistics.agreement_of_measures import (
    Correlation,
    correlate,
    correlation_intervals,
    decile_table,
    deciles,
    disagreements,
    merits,
    scored_by_both,
    standing,
)
from crossbank.metrics.statistics.bootstrap import yield_draws
from tests.assumptions import assume


def test_coefficients_worked_out_by_hand() -> None:
    # One pair of neighbours is exchanged: 5 pairs alike, 1 otherwise, squared rank differences 1 + 1.
    correlation = correlate(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 4.0, 3.0]))
    assert correlation.n == 4
    assert correlation.kendall == pytest.approx((5 - 1) / 6)
    assert correlation.spearman == pytest.approx(1 - 6 * 2 / (4 * 15))
    assert correlation.pearson == pytest.approx(0.8)
    # Equal ranks, not on a line: means 2 and 5; products 8, squares 2 and 38.
    curved = correlate(np.array([1.0, 2.0, 3.0]), np.array([1.0, 4.0, 10.0]))
    assert curved.spearman == curved.kendall == pytest.approx(1)
    assert curved.pearson == pytest.approx(9 / np.sqrt(2 * 42))


def test_ties_are_neither_alike_nor_otherwise() -> None:
    # Three pairs, one of them tied in the first measure: tau-b is 2 / sqrt(2 * 3).
    assert correlate(np.array([1.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0])).kendall == pytest.approx(
        2 / np.sqrt(6)
    )


NUMBERS = st.lists(st.tuples(*[st.integers(0, 12).map(float)] * 2), min_size=2, max_size=60)


@given(NUMBERS)
def test_coefficients_are_those_of_scipy(pairs: list[tuple[float, float]]) -> None:
    one, other = np.array(pairs).T
    assume(np.ptp(one) > 0 and np.ptp(other) > 0)
    correlation = correlate(one, other)
    assert correlation.pearson == pytest.approx(stats.pearsonr(one, other).statistic, abs=1e-12)
    assert correlation.spearman == pytest.approx(stats.spearmanr(one, other).statistic, abs=1e-12)
    assert correlation.kendall == pytest.approx(stats.kendalltau(one, other).statistic, abs=1e-12)


@pytest.mark.parametrize(
    ("one", "expected"), [([1.0, 1.0, 1.0], Correlation(3)), ([0.5], Correlation(1)), ([], Correlation(0))]
)
def test_constant_measures_and_too_few_sentences_have_no_coefficient(
    one: list[float], expected: Correlation
) -> None:
    assert correlate(np.array(one), np.arange(float(len(one)))) == expected
    assert correlate(np.arange(float(len(one))), np.array(one)) == expected


def test_deciles_as_in_sampson_and_babarczy() -> None:
    # 500 sentences: the second decile is the set of sentences ranked 51 to 100.
    values = np.random.default_rng(1).permutation(500).astype(float)
    ranks = 500 - values
    assert sorted(ranks[deciles(values) == 2]) == list(range(51, 101))
    # The four begin at 1, 3.5, 6 and 8.5; the two best are equal, and have the mean of 1 and 3.5.
    assert deciles(np.array([0.2, 0.9, 0.9, 0.5])).tolist() == [8, 2, 2, 6]
    assert deciles(np.zeros(0)).tolist() == []


def test_a_decile_table_worked_out_by_hand() -> None:
    one = np.arange(20.0)[::-1]  # sentences 0 and 1 are the best two, and so on
    other = one.copy()
    other[[0, 19]] = other[[19, 0]]  # the best and the worst are exchanged
    expected = 2 * np.eye(10, dtype=int)
    expected[0, 0] = expected[9, 9] = 1
    expected[0, 9] = expected[9, 0] = 1
    assert decile_table(one, other).tolist() == expected.tolist()
    assert decile_table(one[:0], other[:0]).sum() == 0


def test_equal_scores_do_not_lie_on_the_diagonal() -> None:
    constant, falling = np.ones(20), np.arange(20.0)[::-1]
    assert decile_table(constant, falling) == pytest.approx(np.full((10, 10), 0.2))
    assert decile_table(constant, constant) == pytest.approx(np.full((10, 10), 0.2))
    # The four best are equal under one measure: two of them are in each of the first two deciles.
    tied = falling.copy()
    tied[:4] = 100
    expected = 2 * np.eye(10)
    expected[:2, :2] = 1
    assert decile_table(tied, falling) == pytest.approx(expected)
    assert decile_table(tied, falling)[::-1].sum(axis=0) == pytest.approx(np.full(10, 2))


def test_standing_and_the_greatest_disagreements_both_ways() -> None:
    one, other = np.array([0.9, 0.5, 0.5, 0.1, 0.3]), np.array([0.1, 0.5, 0.6, 0.2, 0.9])
    assert standing(one).tolist() == [1.0, 0.625, 0.625, 0.0, 0.25]
    assert standing(other).tolist() == [0.0, 0.5, 0.75, 0.25, 1.0]
    assert disagreements(one, other, 5) == [0, 1]
    assert disagreements(other, one, 5) == [4, 3, 2]
    assert disagreements(other, one, 1) == [4]
    assert disagreements(one, one, 5) == []
    assert standing(np.array([0.5])).tolist() == [0.0]


def test_a_measure_of_which_less_is_better_is_turned() -> None:
    counts = Counts(
        Signature("toy", "1.0"),
        (Measure("crossing", lambda s: ratio(s["crossing"], s["rows"]), "", False, "less"),),
        ("a", "b"),
        np.array([0, 1], np.int8),
        {"crossing": np.array([3.0, 0.0])},
    )
    assert merits(counts, "crossing").tolist() == [-3, 0]
    assert scored_by_both(counts, counts).tolist() == [True, False]


def test_intervals_of_correlations_are_those_of_resampled_sentences() -> None:
    random = np.random.default_rng(1)
    one = random.integers(0, 6, 30) / 5
    other = one + random.integers(0, 4, 30) / 3
    intervals = correlation_intervals(one, other, samples=50, seed=3, level=0.9)
    assert intervals is not None
    drawn = np.concatenate(list(yield_draws(30, 50, 3, 90)))
    resampled = [correlate(np.repeat(one, times), np.repeat(other, times)) for times in drawn]
    for interval, name in zip(intervals, ("pearson", "spearman"), strict=True):
        values = [getattr(correlation, name) for correlation in resampled]
        assert (interval.low, interval.high) == pytest.approx(np.quantile(values, [0.05, 0.95]))
        assert interval.value == getattr(correlate(one, other), name)


def test_correlations_that_are_not_defined_have_no_interval() -> None:
    same, other = np.ones(3), np.arange(3.0)
    assert correlation_intervals(same, other, samples=9, seed=0, level=0.95) is None
    assert correlation_intervals(other, other, samples=0, seed=0, level=0.95) is None
