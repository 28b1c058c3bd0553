"""Crouch, Kaplan, King and Riezler (2002): A Comparison of Evaluation Metrics for a Broad-Coverage
Stochastic Parser. Beyond PARSEVAL, LREC."""

import pytest

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.relations import Relations
from crossbank.treebanks.formats.relations import loads

SECTION_5_2 = """\
(aux _ pay will)
(subj pay Meridian _)
(detmod _ premium a)
(mod _ million 30.5)
(mod _ $ million)
(mod of premium $)
(dobj pay premium _)
(mod _ billion 2)
(mod _ $ billion)
(mod in $ deposit)
(dobj assume $ _)
(mod to pay assume)
"""
"""Meridian will pay a premium of $ 30.5 million to assume $ 2 billion in deposits."""


def counts(gold: str, candidate: str) -> Counts:
    metric = Relations()
    return metric.counts(metric.pair(loads(gold), loads(candidate)))


def test_the_twelve_relations_of_the_example() -> None:
    scored = counts(SECTION_5_2, SECTION_5_2)
    assert scored.sums()["gold"] == 12
    assert set(scored.values().values()) == {1.0}


def test_do_counts_a_relation_with_the_same_governor_and_dependent() -> None:
    """Section 4: "perhaps with a different relation-type", so arguments for modifiers are right."""
    candidate = (
        SECTION_5_2.replace("(mod of premium $)", "(iobj of premium $)")
        .replace("(mod to pay assume)", "(xcomp to pay assume)")
        .replace("(mod in $ deposit)", "(mod in assume deposit)")
    )
    scored = counts(SECTION_5_2, candidate)
    assert scored.value("f1") == pytest.approx(9 / 12)
    assert scored.value("relation_blind_precision") == pytest.approx(11 / 12)
    assert scored.value("relation_blind_recall") == pytest.approx(11 / 12)
    assert scored.value("relation_blind_f1") == pytest.approx(11 / 12)
    confused = scored.by_part("confusion")
    assert confused["mod → iobj"]["gold"] == confused["mod → xcomp"]["gold"] == 1
    assert confused["mod → nothing"]["gold"] == confused["nothing → mod"]["candidate"] == 1


def test_the_same_word_twice_is_told_apart_by_its_place() -> None:
    """Section 5.2: "Different occurrences of the same word (e.g. "$")" are one word without places."""
    gold = "(mod _ $:6_$ million:8_M)\n(mod _ $:11_$ billion:13_M)\n"
    crossed = "(mod _ $:11_$ million:8_M)\n(mod _ $:6_$ billion:13_M)\n"
    assert counts(gold, crossed).value("f1") == 0
    metric = Relations(words="form")
    assert metric.counts(metric.pair(loads(gold), loads(crossed))).value("f1") == 1
