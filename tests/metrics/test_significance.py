"""Tests of differences: against SciPy on the same counts, and against what can be counted by hand."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from crossbank.metrics.counting.counts import Counts, Measure, Signature, precision_recall_f1, ratio
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics import significance
from crossbank.metrics.statistics.significance import (
    Contrast,
    Difference,
    Side,
    differences,
    number_of_tests,
    rank_groups,
)
from crossbank.treebanks.errors import OptionError

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


def apart(
    one: Counts, other: Counts, *, swapped: bool = True, same: bool = True, **numbers: int
) -> dict[str, Difference]:
    """Two candidates by themselves, under every measure of both."""
    sides = Side(one, "bank"), Side(other, "bank" if same else "other bank")
    contrast = Contrast(*sides, [m.name for m in one.measures], "toy", swapped)
    (found,) = differences([contrast], **{"samples": 0, "trials": 100, "seed": 1, **numbers})
    return found


def test_paired_intervals_agree_with_scipy() -> None:
    one, other = parsed(1, 0.8), parsed(2, 0.76)
    found = apart(one, other, samples=8000)["f1"]
    columns = (*one.columns.values(), *other.columns.values())
    scipys = stats.bootstrap(
        columns, difference, n_resamples=8000, paired=True, method="percentile", rng=7, batch=500
    )
    low, high = scipys.confidence_interval
    assert found.value == one.value("f1") - other.value("f1")
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.003)


@pytest.mark.parametrize("same", [True, False])
def test_half_samples_agree_with_scipys_bootstrap(same: bool) -> None:
    one, other = parsed(1, 0.8, 400), parsed(2, 0.775, 400, gold_seed=0 if same else 5)
    found = apart(one, other, swapped=False, same=same, samples=8000, trials=8000)["f1"]
    sides = [tuple(side.columns.values()) for side in (one, other)]
    options = {"n_resamples": 8000, "paired": True, "method": "percentile", "batch": 500}
    if same:
        drawn = stats.bootstrap((*sides[0], *sides[1]), difference, rng=3, **options).bootstrap_distribution
    else:
        drawn = np.subtract(
            *(
                stats.bootstrap(side, scipy_f1, rng=seed, **options).bootstrap_distribution
                for seed, side in enumerate(sides)
            )
        )
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.003)
    assert found.p == pytest.approx((np.abs(drawn - found.value) >= abs(found.value)).mean(), abs=0.02)
    assert 0.001 < found.p < 0.3


def test_half_samples_of_sentences_that_all_say_the_same_are_as_likely_as_coins() -> None:
    gold = np.full(6, 10)
    one, other = counts(gold, gold, gold - 1), counts(gold, gold, gold - 2)
    found = apart(one, other, swapped=False, trials=20_000)["recall"]
    assert found.p == pytest.approx(2 / 2**6, abs=0.005)


@pytest.mark.parametrize("measure", ["f1", "wrong"])
def test_randomisation_agrees_with_scipys_permutation_test(measure: str) -> None:
    one, other = parsed(1, 0.8), parsed(2, 0.76)
    rows = np.stack([np.stack([*side.columns.values()], axis=1) for side in (one, other)])
    score = one.measure(measure).score

    def statistic(choice: np.ndarray, axis: int = -1) -> np.ndarray:
        """Return the difference when side ``choice`` of each sentence is the first candidate's."""
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
    found = apart(one, other, trials=8000)[measure].p
    assert found == pytest.approx(scipys.pvalue, abs=0.025)


def test_few_sentences_are_swapped_in_every_way() -> None:
    gold = np.array([4, 4, 4, 9])
    one, other = counts(gold, gold, np.array([4, 3, 4, 9])), counts(gold, gold, np.array([1, 2, 3, 9]))
    gains = np.array([3, 1, 1])
    sums = [abs(np.dot(gains, signs)) for signs in product((1, -1), repeat=3)]
    assert apart(one, other, trials=10)["recall"].p == np.mean(np.array(sums) >= 5) == 0.25


def test_identical_candidates_and_single_sentences_do_not_differ() -> None:
    one = parsed(1, 0.8)
    assert apart(one, one, samples=200)["f1"] == Difference(0, 0, 0, 1, 1)
    single = apart(parsed(1, 0.9, 1), parsed(2, 0.1, 1), samples=200)["f1"]
    assert single.value != 0
    assert (single.low, single.high, single.p, single.corrected) == (None, None, 1, 1)


def test_sentences_that_do_not_enter_count_for_nothing() -> None:
    one, other = parsed(1, 0.8), parsed(2, 0.6)
    unscored = np.where(np.arange(SIZE) < 5, Status.NO_PARSE, Status.SCORED).astype(np.int8)
    skipping = Counts(one.signature, one.measures, one.sentences, unscored, one.columns, policy="skip")
    found = apart(skipping, other, samples=300)["f1"]
    assert found.value == skipping.value("f1") - other.value("f1")
    assert found.low is not None
    assert found.low <= found.value


def test_the_same_seed_gives_the_same_probabilities() -> None:
    one, other = parsed(1, 0.8), parsed(2, 0.78)
    found = [apart(one, other, samples=300, trials=300, seed=seed) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]


def test_other_columns_cannot_be_swapped_and_no_trials_are_refused() -> None:
    one, other = parsed(1, 0.8), parsed(2, 0.8)
    fewer = Counts(
        other.signature, other.measures[:1], other.sentences, other.status, {"gold": np.ones(SIZE)}
    )
    with pytest.raises(ValueError, match="counts of"):
        apart(one, fewer)
    with pytest.raises(OptionError, match="trials: found 0, expected a whole number from 1"):
        apart(one, other, trials=0)


def family(*sides: Counts, chosen: bool = False) -> list[Contrast]:
    """All pairs under F1, or the best with every other."""
    bank = [Side(side, "bank") for side in sides]
    if not chosen:
        return [Contrast(one, other, ["f1"], "toy", True) for one, other in combinations(bank, 2)]
    best = max(bank, key=lambda side: side.counts.value("f1"))
    return [Contrast(best, other, ["f1"], "toy", True, bank) for other in bank if other is not best]


def test_step_down_maxima_against_their_definition() -> None:
    """Romano and Wolf (2005), with each test drawn by itself: pairs share draws, in different orders."""
    contrasts = family(parsed(1, 0.8), parsed(2, 0.76), parsed(3, 0.77), parsed(4, 0.6))
    draws = 400
    found = [of["f1"] for of in differences(contrasts, samples=0, trials=draws, seed=1)]
    marks = np.random.default_rng((1, 0, 0)).integers(0, 2**64, (draws, 1), np.uint64)
    bits = (marks >> np.arange(SIZE, dtype=np.uint64)) & np.uint64(1) == 1
    drawn = []
    for place, contrast in enumerate(contrasts):
        one, other = (
            np.stack([*side.counts.columns.values()]).astype(int) for side in (contrast.one, contrast.other)
        )
        swapped = np.where(bits[:, None], other, one), np.where(bits[:, None], one, other)
        first, second = (np.moveaxis(side, 1, 0) for side in swapped)
        drawn.append(np.roll(difference(*first, *second), -place))
    scale = np.sqrt(np.mean(np.square(drawn), axis=1))
    statistic = np.array([abs(one.value) for one in found]) / scale
    largest = 0.0
    for place in np.argsort(-statistic):
        rest = [other for other in range(len(found)) if statistic[other] <= statistic[place]]
        maxima = np.max(np.abs(np.array(drawn)[rest]) / scale[rest, None], axis=0)
        largest = max(largest, (1 + np.sum(maxima >= statistic[place] * (1 - 1e-9))) / (draws + 1))
        assert found[place].corrected == pytest.approx(largest)
        assert found[place].p <= found[place].corrected


@pytest.mark.parametrize("chosen", [False, True])
def test_the_smallest_probability_does_not_rise_with_the_number_of_tests(chosen: bool) -> None:
    """With Holm's procedure 780 pairs and 1,000 trials could not show any difference."""
    good = [parsed(number, 0.8) for number in range(1, 40)]
    found = differences(family(*good, parsed(99, 0.03), chosen=chosen), samples=0, trials=1000, seed=1)
    smallest = min(of["f1"].corrected for of in found)
    assert smallest == 1 / 1001


def test_the_best_of_many_equal_candidates_is_no_better_than_chance() -> None:
    """The best was chosen by the same sentences: by itself it seems to differ, in its family it does not."""
    few, alone = 0, 0
    for seed in range(12):
        equal = [parsed(1000 * seed + number, 0.8, gold_seed=seed) for number in range(1, 41)]
        found = differences(family(*equal, chosen=True), samples=0, trials=400, seed=seed)
        few += min(of["f1"].corrected for of in found) <= 0.05
        alone += min(of["f1"].p for of in found) <= 0.05
    assert few <= 2
    assert alone > 8


def test_the_family_counts_all_pairs_of_those_that_one_was_chosen_from() -> None:
    sides = [parsed(number, 0.8) for number in range(1, 11)]
    assert number_of_tests(family(*sides)) == number_of_tests(family(*sides, chosen=True)) == 45


def test_blocks_of_draws_do_not_change_the_probabilities(monkeypatch: pytest.MonkeyPatch) -> None:
    contrasts = family(*(parsed(number, 0.7 + number / 50) for number in range(1, 5)))
    whole = differences(contrasts, samples=0, trials=500, seed=1)
    monkeypatch.setattr(significance, "HELD", 64)
    assert differences(contrasts, samples=0, trials=500, seed=1) == whole


@pytest.mark.parametrize("chosen", [False, True])
def test_draws_that_are_kept_are_those_that_are_made_again(
    chosen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(significance, "BLOCK", 64)
    asked = family(*(parsed(seed, 0.6 + seed / 50) for seed in range(1, 5)), chosen=chosen)
    asked.append(Contrast(asked[0].one, Side(parsed(9, 0.6, 70), "other"), ["f1"], "between", False))
    found = []
    for kept in (20_000_000, 0):
        monkeypatch.setattr(significance, "KEPT", kept)
        found.append(significance.differences(asked, samples=50, trials=300))
    assert found[0] == found[1]
    assert len({one["f1"].corrected for one in found[0]}) > 1


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
