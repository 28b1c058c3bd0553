"""Words split differently on the two sides: joined where the letters are the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from crossbank.metrics.counting.scoring import score, scoring_of
from crossbank.metrics.pairing.pair import Status, pair
from crossbank.metrics.pairing.word_alignment import WordMatch, matches
from crossbank.metrics.parseval import Parseval
from crossbank.treebanks.formats import rasp
from tests.metrics.trees import labelled, token_sets


def test_words_are_followed_by_their_letters() -> None:
    pairs = matches(["out<blank>of", "x-ray", ":"], ["out", "of", "x", "ray"])
    assert pairs == [WordMatch((0, 1), (0, 2)), WordMatch((1, 2), (2, 4)), WordMatch((2, 3), (4, 4))]
    assert matches(["a", "..."], ["a", "-"]) == [WordMatch((0, 1), (0, 1)), WordMatch((1, 2), (1, 2))]
    assert matches(["a", "b"], ["a", "c"]) is None


def test_groups_overlap_until_letters_meet() -> None:
    assert matches(["ab", "cd", "e"], ["a", "bcd", "e"]) == [
        WordMatch((0, 2), (0, 2)),
        WordMatch((2, 3), (2, 3)),
    ]


def test_a_bracket_inside_a_joined_word_is_left_out() -> None:
    gold = labelled("[S [PP out-of [NP town ] ] ]")
    candidate = labelled("[S [PP [X out ] [Y of [NP town ] ] ] ]")
    assert pair(gold, candidate).status.tolist() == [Status.WORDS_DIFFER]
    aligned = pair(gold, candidate, align=True)
    assert aligned.status.tolist() == [Status.SCORED]
    assert [label for label, _ in token_sets(aligned.candidate, 0)] == ["S", "PP", "NP"]
    assert {f.event: f.total for f in aligned.candidate.diagnosis} == {
        "brackets that begin or end inside a word left out": 2,
        "words joined as on the other side": 1,
    }
    counts = Parseval().counts(aligned)
    assert counts.value("f1") == 1
    assert "conversions:align_words" in str(counts.signature)


def test_signs_of_one_side_are_left_out_and_deletion_follows() -> None:
    gold, candidate = labelled("[S [A a ] , b c ]"), labelled("[S [A a ] b--c ]")
    delete = np.array([False, True, True, False])
    aligned = pair(gold, candidate, align=True, delete=delete)
    assert aligned.gold.words(0) == aligned.candidate.words(0) == ["a"]


def test_other_letters_stay_unscored() -> None:
    gold, candidate = labelled("[S a b ]", "[S cd e ]"), labelled("[S a c ]", "[S c de ]")
    aligned = pair(gold, candidate, align=True)
    assert aligned.status.tolist() == [Status.WORDS_DIFFER, Status.SCORED]
    assert aligned.gold.words(1) == ["cd e"]


def test_susanne_and_sparkle(shared_data: Path) -> None:
    susanne, sparkle = (
        rasp.load(shared_data / "rasp3" / "teval" / f"suste-trees-{name}") for name in ("susanne", "sparkle")
    )
    assert (pair(susanne, sparkle).status == Status.WORDS_DIFFER).sum() == 36
    aligned = pair(susanne, sparkle, align=True)
    assert (aligned.status == Status.SCORED).all()
    assert sum(f.total for f in aligned.candidate.diagnosis if "inside a word" in f.event) == 15


def test_alignment_is_an_option_for_all_metrics() -> None:
    gold, candidate = labelled("[S [PP out-of town ] ]"), labelled("[S [PP out of town ] ]")
    for align, value in (("yes", 1.0), ("no", 0.0)):
        for counts in score(gold, candidate, scoring_of(["parseval", "leaf_ancestor"], {"align": align})):
            assert counts.value(counts.measures[0].name) == value
