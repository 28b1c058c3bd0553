"""Tests of differences: against SciPy on the same counts, and against what can be counted by hand."""

import time
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from crossbank.metrics.counting.counts import Counts, Measure, Status, precision_recall_f1, ratio
from crossbank.metrics.counting.signature import Signature
from crossbank.metrics.statistics.significance import holm, paired, randomisation, rank_groups, unpaired

SIZE = 60


def counts(gold: np.ndarray, candidate: np.ndarray, matched: np.ndarray) -> Counts:
    return Counts(
        Signature("toy", "1.0"),
        (
            *precision_recall_f1("gold", "candidate", "matched", "brackets"),
            Measure("wrong", lambda s: ratio(s["gold"] - s["matched"], s["rows"]), "", False, "less"),
        ),
        [str(sentence) for sentence in range(len(gold))],
        np.full(len(gold), Status.SCORED, np.int8),
        {"gold": gold * 1.0, "candidate": candidate * 1.0, "matched": matched * 1.0},
    )


def parsed(seed: int, right: float, size: int = SIZE, *, gold_seed: int = 0) -> Counts:
    gold = np.random.default_rng(gold_seed).integers(1, 20, size)
    random = np.random.default_rng(seed)
    return counts(gold, gold + random.integers(0, 3, size), random.binomial(gold, right))


def scipy_f1(gold: np.ndarray, candidate: np.ndarray, matched: np.ndarray, axis: int = -1) -> np.ndarray:
    return 2 * matched.sum(axis) / (gold.sum(axis) + candidate.sum(axis))


def difference(*columns: np.ndarray, axis: int = -1) -> np.ndarray:
    return scipy_f1(*columns[:3], axis) - scipy_f1(*columns[3:], axis)


def test_paired_bootstrap_agrees_with_scipy() -> None:
    one, other = parsed(1, 0.8), parsed(2, 0.76)
    found = paired(one, other, samples=8000, trials=100, seed=1)["f1"]
    columns = (*one.columns.values(), *other.columns.values())
    scipys = stats.bootstrap(
        columns, difference, n_resamples=8000, paired=True, method="percentile", rng=7, batch=500
    )
    low, high = scipys.confidence_interval
    assert found.value == one.value("f1") - other.value("f1")
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.003)
    moved = scipys.bootstrap_distribution - found.value
    assert found.bootstrap == pytest.approx((np.abs(moved) >= found.value).mean(), abs=0.02)


def test_unpaired_bootstrap_agrees_with_scipy() -> None:
    one, other = parsed(1, 0.8), parsed(2, 0.76, 90, gold_seed=5)
    found = unpaired(one, other, samples=8000, seed=1)["f1"]
    drawn = [
        stats.bootstrap(
            tuple(side.columns.values()), scipy_f1,
            n_resamples=8000, paired=True, method="percentile", rng=seed, batch=500,
        ).bootstrap_distribution
        for seed, side in enumerate((one, other))
    ]  # fmt: skip
    low, high = np.quantile(drawn[0] - drawn[1], [0.025, 0.975])
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.003)
    assert found.randomisation is None
    assert found.p == found.bootstrap


@pytest.mark.parametrize("measure", ["f1", "wrong"])
def test_randomisation_agrees_with_scipys_permutation_test(measure: str) -> None:
    one, other = parsed(1, 0.8), parsed(2, 0.76)
    rows = np.stack([np.stack([*side.columns.values()], axis=1) for side in (one, other)])
    score = one.measure(measure).score

    def statistic(choice: np.ndarray, axis: int = -1) -> np.ndarray:
        """The difference when side ``choice`` of each sentence is the first candidate's."""
        sums = [
            dict(zip(("gold", "candidate", "matched"), np.moveaxis(side, -1, 0).sum(-1), strict=True))
            for side in (
                np.where(choice[..., None] == 0, rows[0], rows[1]),
                np.where(choice[..., None] == 0, rows[1], rows[0]),
            )
        ]
        return np.subtract(*(score({"rows": np.full_like(s["gold"], SIZE), **s}) for s in sums))

    scipys = stats.permutation_test(
        (np.zeros(SIZE, int), np.ones(SIZE, int)),
        lambda x, y, axis: statistic(x),
        permutation_type="samples", vectorized=True, n_resamples=8000, rng=3, batch=500,
    )  # fmt: skip
    found = randomisation(one, other, trials=8000, seed=1)[measure]
    assert found == pytest.approx(scipys.pvalue, abs=0.025)


def test_few_sentences_are_swapped_in_every_way() -> None:
    gold = np.array([4, 4, 4, 9])
    one, other = counts(gold, gold, np.array([4, 3, 4, 9])), counts(gold, gold, np.array([1, 2, 3, 9]))
    gains = np.array([3, 1, 1])
    sums = [abs(np.dot(gains, signs)) for signs in product((1, -1), repeat=3)]
    assert randomisation(one, other, trials=10, seed=1)["recall"] == np.mean(np.array(sums) >= 5) == 0.25


def test_identical_candidates_and_single_sentences_do_not_differ() -> None:
    one = parsed(1, 0.8)
    same = paired(one, one, samples=200, trials=200, seed=1)["f1"]
    assert (same.value, same.low, same.high, same.bootstrap, same.randomisation) == (0, 0, 0, 1, 1)
    first, second = parsed(1, 0.9, 1), parsed(2, 0.1, 1)
    single = paired(first, second, samples=200, trials=200, seed=1)["f1"]
    assert single.value != 0
    assert (single.low, single.high, single.bootstrap, single.randomisation) == (None, None, 1, 1)


def test_sentences_that_do_not_enter_count_for_nothing() -> None:
    one, other = parsed(1, 0.8), parsed(2, 0.6)
    unscored = np.where(np.arange(SIZE) < 5, Status.NO_PARSE, Status.SCORED).astype(np.int8)
    skipping = Counts(one.signature, one.measures, one.sentences, unscored, one.columns, policy="skip")
    found = paired(skipping, other, samples=300, trials=300, seed=1)["f1"]
    assert found.value == skipping.value("f1") - other.value("f1")
    assert found.low is not None
    assert found.low <= found.value


def test_the_same_seed_gives_the_same_probabilities() -> None:
    one, other = parsed(1, 0.8), parsed(2, 0.78)
    found = [paired(one, other, samples=300, trials=300, seed=seed) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]


def test_other_sentences_cannot_be_paired() -> None:
    with pytest.raises(ValueError, match="different sentences"):
        paired(parsed(1, 0.8), parsed(1, 0.8, 20), samples=1, trials=1, seed=1)


def test_ten_thousand_trials_on_ten_thousand_sentences_take_seconds() -> None:
    one, other = parsed(1, 0.8, 10_000), parsed(2, 0.8, 10_000)
    randomisation(one, other, trials=1, seed=1)  # compiles
    begin = time.process_time()
    randomisation(one, other, trials=10_000, seed=1)
    assert time.process_time() - begin < 10


def test_holm_against_its_definition() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.floats(0.001, 0.5))
def test_holm_rejects_step_by_step(probabilities: list[float], alpha: float) -> None:
    rejected = set()
    for rank, place in enumerate(sorted(range(len(probabilities)), key=probabilities.__getitem__)):
        if (len(probabilities) - rank) * probabilities[place] > alpha:
            break
        rejected.add(place)
    assert {place for place, p in enumerate(holm(probabilities)) if p <= alpha} == rejected


def test_candidates_that_cannot_be_told_apart_share_a_rank() -> None:
    values = [0.70, 0.90, 0.80, 0.71]
    assert rank_groups(values, set()) == [1, 1, 1, 1]
    everything = {(a, b) for b in range(4) for a in range(b)}
    assert rank_groups(values, everything) == [4, 1, 2, 3]
    assert rank_groups(values, everything - {(0, 3)}) == [3, 1, 2, 3]
    # 0.90 and 0.80 differ from all others but not from each other
    assert rank_groups(values, everything - {(1, 2)}) == [4, 1, 1, 3]
    # 0.90 is like 0.80, and 0.80 like 0.71: one group, though 0.90 and 0.71 differ
    assert rank_groups(values, everything - {(1, 2), (2, 3)}) == [4, 1, 1, 1]
    assert rank_groups(values, everything, less_is_better=True) == [1, 4, 3, 2]
    assert rank_groups([], set()) == []
