"""Estimates: differences, simultaneous intervals and corrected probabilities from the same draws."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossbank.metrics.counting.counts import Counts, Measure, Signature, ratio
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics.estimates import CandidateRun, Contrast, Estimate, Family, estimates
from crossbank.reports.estimates.candidates import compare_candidates
from crossbank.treebanks.errors import OptionError
from tests.reports.counted import brackets

MEAN = Measure("mean", lambda sums: ratio(sums["mean"], sums["rows"]), "mean")


def run(
    values: Sequence[float], name: str = "a", draws: str = "bank", treebank: str = "bank"
) -> CandidateRun:
    """Return one candidate with a score for each sentence."""
    column = np.asarray(values, np.float64)
    status = np.full(len(column), Status.SCORED, np.int8)
    counts = Counts(Signature("mean", "1.0"), (MEAN,), range(len(column)), status, {"mean": column})  # type: ignore[arg-type]
    return CandidateRun(treebank, name, counts, draws)


def minus(one: CandidateRun, other: CandidateRun, measure: Measure = MEAN) -> Contrast:
    """Return one run minus another."""
    names = one.treebank, one.candidate, other.treebank, other.candidate
    return Contrast("mean", measure, ((1.0, one), (-1.0, other)), *names)


def estimate(*contrasts: Contrast, trials: int = 2000, alpha: float = 0.05, seed: int = 1) -> list[Estimate]:
    """Return one family."""
    return estimates([Family("candidates", "one", contrasts)], trials=trials, alpha=alpha, seed=seed)


def agrees(row: Estimate, alpha: float) -> bool:
    """Return whether p and interval of a row say the same."""
    if row.low is None or row.high is None:
        return not row.significant and row.low is row.high is None
    excludes_zero = row.low > 0 or row.high < 0
    return row.significant == (row.p_corrected <= alpha) == excludes_zero and row.p <= row.p_corrected


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    candidates=st.integers(2, 5),
    sentences=st.integers(2, 80),
    effect=st.floats(0, 0.4),
    alpha=st.sampled_from([0.01, 0.05, 0.1]),
    trials=st.sampled_from([5, 19, 20, 99, 199, 1000]),
)
def test_a_corrected_p_is_at_most_alpha_exactly_where_the_interval_excludes_zero(
    seed: int, candidates: int, sentences: int, effect: float, alpha: float, trials: int
) -> None:
    random = np.random.default_rng(seed)
    scored = {
        "one": {
            f"c{n}": {
                "brackets": brackets(
                    min(0.5 + effect * n / candidates, 1), int(random.integers(99)), size=sentences
                )
            }
            for n in range(candidates)
        }
    }
    rows = compare_candidates(scored, trials=trials, seed=seed % 1000, alpha=alpha)
    assert len(rows) == 3 * candidates * (candidates - 1) // 2
    for row in rows:
        assert agrees(row, alpha)
        assert agrees(row.turned(), alpha)
        of = scored["one"]
        values = [of[name]["brackets"].value(row.measure.name) for name in (row.candidate, row.other)]
        assert row.value == pytest.approx(values[0] - values[1], abs=1e-12)
        assert row.n == sentences
        if row.low is not None and row.high is not None:
            assert row.low <= row.value <= row.high


def test_sentences_that_all_say_the_same_are_as_likely_as_coins() -> None:
    """Five sentences in which one is better are no more than five heads of a coin; six are significant."""
    for size, significant in ((5, False), (7, True)):
        (row,) = estimate(minus(run([0.9] * size), run([0.5] * size, "b")), trials=10_000)
        assert row.significant == significant
        assert row.p == pytest.approx(2 / 2**size, abs=0.01)


def test_paired_differences_have_the_probability_of_random_signs() -> None:
    differences = np.array([0.3, 0.1, -0.2, 0.4, 0.25, 0.1, -0.05, 0.2])
    one, other = run(0.5 + differences), run([0.5] * 8, "b")
    (row,) = estimate(minus(one, other), trials=20_000)
    signs = np.array([[1 if way >> bit & 1 else -1 for bit in range(8)] for way in range(256)])
    exact = (np.abs(signs @ differences) >= abs(differences.sum()) - 1e-12).mean()
    assert row.p == pytest.approx(exact, abs=0.03)  # scores of draws are ratios: little samples differ


def test_candidates_without_a_difference_are_significant_in_one_family_of_twenty() -> None:
    """The chance that a family has any significant difference is about alpha."""
    random = np.random.default_rng(3)
    wrong = 0
    for _ in range(400):
        runs = [run(random.random(40), f"c{n}") for n in range(4)]
        contrasts = [minus(one, other) for n, one in enumerate(runs) for other in runs[n + 1 :]]
        wrong += any(
            row.significant for row in estimate(*contrasts, trials=499, seed=int(random.integers(999)))
        )
    assert 0.02 <= wrong / 400 <= 0.08


def test_simultaneous_intervals_hold_together() -> None:
    """All intervals of a family have the true differences between them in about 95 of 100 samples."""
    random = np.random.default_rng(5)
    truth = [0.0, 0.03, 0.06]
    held = 0
    for _ in range(300):
        hard = random.normal(0, 0.2, 60)
        runs = [run(0.5 + of + hard + random.normal(0, 0.1, 60), f"c{n}") for n, of in enumerate(truth)]
        rows = estimate(*(minus(runs[i], runs[j]) for i, j in ((0, 1), (0, 2), (1, 2))), trials=499)
        true = [truth[i] - truth[j] for i, j in ((0, 1), (0, 2), (1, 2))]
        held += all(r.low <= t <= r.high for r, t in zip(rows, true, strict=True))  # type: ignore[operator]
    assert held / 300 >= 0.93


def test_treebanks_of_other_sentences_are_drawn_separately() -> None:
    random = np.random.default_rng(2)
    one, other = random.normal(0.6, 0.1, 200), random.normal(0.5, 0.1, 300)
    (row,) = estimate(minus(run(one), run(other, draws="other", treebank="other")), trials=5000)
    error = np.sqrt(one.var() / 200 + other.var() / 300)
    assert row.n == 500
    assert row.significant
    assert row.low is not None
    assert row.value - row.low == pytest.approx(1.96 * error, rel=0.35)


def test_a_mean_over_runs_is_one_estimate() -> None:
    random = np.random.default_rng(4)
    easy = random.random(100)
    seeds = [run(easy + 0.1 + random.normal(0, 0.05, 100), f"a{n}") for n in range(3)]
    other = run(easy, "b")
    terms = [*((1 / 3, one) for one in seeds), (-1.0, other)]
    pooled = Contrast("mean", MEAN, terms, "bank", "a", "bank", "b")
    (row,) = estimate(pooled)
    assert row.value == pytest.approx(
        np.mean([s.counts.value("mean") for s in seeds]) - other.counts.value("mean")
    )
    assert row.n == 100
    assert row.significant


def test_a_family_is_corrected_and_another_one_is_not_concerned() -> None:
    random = np.random.default_rng(8)
    base = random.random(50)
    pairs = [minus(run(base + random.normal(0.02, 0.1, 50), f"a{n}"), run(base, "b")) for n in range(20)]
    alone = estimate(pairs[0])[0]
    among = estimate(*pairs)[0]
    assert alone.p == among.p == alone.p_corrected
    assert among.p_corrected >= alone.p_corrected
    families = [Family("candidates", str(n), [pair]) for n, pair in enumerate(pairs)]
    assert estimates(families, trials=2000)[0].p_corrected == alone.p_corrected


def test_the_power_statement_is_what_larger_samples_show() -> None:
    """About as many sentences as needed show the difference in four of five samples."""
    random = np.random.default_rng(6)
    noise = random.normal(0, 0.3, 100)
    (row,) = estimate(minus(run(0.5 + 0.04 + noise - noise.mean()), run([0.5] * 100, "b")), trials=5000)
    assert row.needed is not None
    assert not row.significant
    displayed = 0
    for _ in range(200):
        more = random.normal(0.04, 0.3, row.needed)
        displayed += estimate(minus(run(0.5 + more), run([0.5] * row.needed, "b")), trials=199)[0].significant
    assert 0.7 <= displayed / 200 <= 0.9


def test_what_cannot_be_tested_has_no_interval() -> None:
    (one,) = estimate(minus(run([0.9]), run([0.5], "b")))
    (same,) = estimate(minus(run([0.5, 0.7]), run([0.5, 0.7], "b")))
    (few,) = estimate(minus(run([0.9] * 9), run([0.5] * 9, "b")), trials=18)
    for row in (one, same, few):
        assert (row.low, row.high, row.significant) == (None, None, False)
    with pytest.raises(OptionError):
        estimate(minus(run([0.9]), run([0.5], "b")), trials=0)
