"""Scores are functions of sums of counts, whatever is summed."""

from dataclasses import replace

import numpy as np
import pytest

from crossbank.metrics.counting.counts import Breakdown, Counts, Signature, UnscoredError, precision_recall_f1
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics import bootstrap
from crossbank.metrics.statistics.bootstrap import drawn_sums, intervals, resampled_sums
from crossbank.treebanks.errors import CrossbankError
from tests.errors import raises


def by_label() -> Breakdown:
    return Breakdown(
        ("NP", "VP"),
        np.array([0, 0, 2], np.int32),
        np.array([0, 1, 1], np.int32),
        {"gold": np.array([3.0, 1.0, 4.0])},
    )


def counts() -> Counts:
    """Return three sentences, the second without a parse, the fourth without gold."""
    return Counts(
        Signature("toy", "1.0", (("labels", "yes"),)),
        precision_recall_f1("gold", "candidate", "matched", "brackets"),
        ("a", "b", "c", "d"),
        np.array([Status.SCORED, Status.NO_PARSE, Status.SCORED, Status.NO_GOLD], np.int8),
        {
            "gold": np.array([4.0, 2.0, 4.0, 0.0]),
            "candidate": np.array([5.0, 0.0, 3.0, 0.0]),
            "matched": np.array([3.0, 0.0, 3.0, 0.0]),
        },
        {"label": by_label},
    )


def test_unscored_sentences_lower_recall_or_are_left_out() -> None:
    assert counts().values() == {"precision": 6 / 8, "recall": 6 / 10, "f1": 12 / 18}
    assert counts().under("skip").values() == {"precision": 6 / 8, "recall": 6 / 8, "f1": 12 / 16}
    with raises(UnscoredError, "no parse", sentence="b", number=1):
        counts().under("fail")


def test_the_signature_names_the_rule_and_the_number() -> None:
    assert str(counts().full_signature) == "toy|labels:yes|unscored:empty:1|v1.0"


def test_scores_are_never_nan() -> None:
    assert counts().by_sentence("f1").tolist() == [6 / 9, 0.0, 6 / 7, 1.0]
    assert counts().by_sentence("precision").tolist() == [0.6, 0.0, 1.0, 1.0]
    nothing = np.zeros(4, np.bool_)
    assert counts().value("f1", nothing) == 1.0


def test_statuses_are_counted() -> None:
    assert counts().status_counts() == {"total": 4, "scored": 2, "no parse": 1, "no gold": 1}


def test_parts_are_summed_over_the_sentences_that_enter() -> None:
    assert counts().by_breakdown("label") == {"NP": {"gold": 3.0}, "VP": {"gold": 5.0}}


def test_intervals_hold_the_value_and_repeat() -> None:
    bounds = intervals(counts(), samples=200, seed=1)
    assert bounds == intervals(counts(), samples=200, seed=1)
    for interval in bounds.values():
        assert interval.low <= interval.value <= interval.high


def test_columns_that_are_one_array_have_the_sums_of_each() -> None:
    gold = counts().columns["gold"]
    shared = replace(counts(), columns={**counts().columns, "candidate": gold})
    separate = replace(shared, columns={**shared.columns, "candidate": gold.copy()})
    for every in (True, False):
        sums = [resampled_sums(of, 50, 3, every=every) for of in (shared, separate)]
        assert list(sums[0]) == list(sums[1]) == ["rows", "gold", "candidate", "matched"]
        assert all((sums[0][name] == sums[1][name]).all() for name in sums[0])


def test_a_score_that_is_asked_for_again_is_that_of_all_and_not_of_some() -> None:
    of = counts()
    assert of.value("f1") == of.value("f1") == of.values()["f1"]
    assert of.value("f1", np.array([True, False, False, False])) == 6 / 9
    assert of.value("f1") == of.values()["f1"] != of.under("skip").value("f1")


def test_counts_of_several_files_are_added_up() -> None:
    one, two = counts(), counts().among(np.array([True, False, True, False]))
    joined = Counts.joined([one, two])
    assert len(joined) == 6
    assert list(joined.sentences) == ["a", "b", "c", "d", "a", "c"]
    for name, total in joined.sums().items():
        assert total == one.sums()[name] + two.sums()[name]
    assert Counts.joined([two]).values() == two.values()


def test_counts_of_other_choices_are_not_added_up() -> None:
    other = replace(counts(), signature=Signature("toy", "1.0", (("labels", "no"),)))
    with raises(CrossbankError, "labels:no", "labels:yes"):
        Counts.joined([counts(), other])


def test_counts_for_one_measure_have_the_columns_that_it_reads() -> None:
    more = replace(counts(), columns={"heads": np.ones(4), **counts().columns})
    recall = more.reading("recall")
    assert list(recall.columns) == ["gold", "candidate", "matched"]
    assert recall.values() == {"recall": counts().values()["recall"]}
    assert intervals(recall, seed=1)["recall"] == intervals(more, seed=1)["recall"]


def test_whole_numbers_are_drawn_and_summed_as_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.random.default_rng(5).integers(-3, 40, (70, 6)).astype(np.float64)
    sums = drawn_sums(table, 90, 4)
    quarters = drawn_sums(table + 0.25, 90, 4)
    assert np.array_equal(quarters - sums, np.full(sums.shape, 70 * 0.25))
    monkeypatch.setattr(bootstrap, "MAX_STORED_DRAWS", 0)
    assert drawn_sums(table, 90, 4).tobytes() == sums.tobytes()
