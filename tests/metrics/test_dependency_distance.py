"""Edits between strings of dependencies, against examples by hand and the attachment scores."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.metrics.counting.metric import metric
from crossbank.metrics.dependencies import Dependencies
from crossbank.metrics.dependency_distance import DependencyDistance
from crossbank.metrics.pairing.pair import pair
from crossbank.treebanks import ROOT, UNATTACHED, OptionError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from tests.errors import raises

Arc = tuple[int, str]
"""Head (``ROOT``, ``UNATTACHED`` or a place from 0) and relation of a word."""


def bank(*sentences: list[Arc]) -> Treebank:
    builder = TreebankBuilder("arcs")
    for sentence in sentences:
        builder.sentence()
        for index, (head, relation) in enumerate(sentence):
            builder.token(form=f"w{index}", head=head, relation=relation if head != UNATTACHED else "")
    return builder.build()


GOLD: list[Arc] = [(1, "det"), (2, "nsubj"), (ROOT, "root"), (2, "obj")]


def edits(candidate: list[Arc], **options: object) -> float:
    counts = DependencyDistance(**options).counts(pair(bank(GOLD), bank(candidate)))  # type: ignore[arg-type]
    return float(counts.columns["edits"][0])


def test_one_wrong_head_or_relation_is_one_edit() -> None:
    assert edits(GOLD) == 0
    assert edits([(1, "det"), (2, "nsubj"), (ROOT, "root"), (1, "obj")]) == 1
    relation: list[Arc] = [(1, "det"), (2, "nsubj"), (ROOT, "root"), (2, "obl")]
    assert (edits(relation), edits(relation, relation_cost=0.25)) == (1, 0.25)


def test_what_one_side_lacks_is_inserted_or_deleted() -> None:
    partial: list[Arc] = [(UNATTACHED, ""), (2, "nsubj"), (ROOT, "root"), (2, "obj")]
    assert edits(partial) == 1
    surplus = DependencyDistance().counts(pair(bank(partial), bank(GOLD)))
    assert surplus.columns["edits"].tolist() == [1]
    assert surplus.value("error_rate") == pytest.approx(100 / 3)
    free = DependencyDistance(free_deletion=True).counts(pair(bank(partial), bank(GOLD)))
    assert free.value("accuracy") == 1


def test_in_the_order_of_heads_a_moved_dependent_leaves_its_place() -> None:
    # By dependents, det is replaced. By heads, gold is root, det, nsubj, obj; the candidate is root, nsubj,
    # obj, det: one dependency is deleted and one inserted.
    moved: list[Arc] = [(3, "det"), (2, "nsubj"), (ROOT, "root"), (2, "obj")]
    assert (edits(moved), edits(moved, order="head")) == (1, 2)


def test_a_sentence_that_is_not_scored_lacks_all_of_golds_dependencies() -> None:
    both = pair(bank(GOLD, GOLD), bank(GOLD, []))
    counts = DependencyDistance().counts(both)
    assert counts.columns["edits"].tolist() == [0, 4]
    assert counts.by_breakdown("relation")["det"] == {"gold": 2, "edits": 1}
    assert [item.side for item in DependencyDistance().items(both, 1)] == ["gold"] * 4


def test_items_of_a_candidate_with_more_words_are_golds() -> None:
    """It is not scored; its dependencies are of words that gold does not have."""
    longer: list[Arc] = [(1, "dep"), (ROOT, "root")]
    (item,) = DependencyDistance().items(pair(bank([(ROOT, "root")]), bank(longer)), 0)
    assert (item.gold, item.candidate) == ("w0-1 root -", "")


def test_items_name_counterparts() -> None:
    candidate: list[Arc] = [(1, "det"), (2, "obj"), (ROOT, "root"), (UNATTACHED, "")]
    items = DependencyDistance(relation_cost=0.5).items(pair(bank(GOLD), bank(candidate)), 0)
    assert [(item.gold, item.candidate, item.score) for item in items] == [
        ("w0-1 det w1-2", "w0-1 det w1-2", 1),
        ("w1-2 nsubj w2-3", "w1-2 obj w2-3", 0.5),
        ("w2-3 root -", "w2-3 root -", 1),
        ("w3-4 obj w2-3", "", 0),
    ]


def test_the_cost_is_a_number_of_edits() -> None:
    with raises(OptionError, kind="option relation_cost", value=2.0):
        metric("dependency_distance", {"relation_cost": "2"})


HEADS = st.integers(1, 6).flatmap(
    lambda n: st.tuples(
        *[st.lists(st.tuples(st.integers(ROOT, n - 1), st.sampled_from("ab")), min_size=n, max_size=n)] * 2
    )
)


@given(HEADS)
def test_the_accuracy_of_whole_parses_is_the_attachment_score(sides: tuple[list[Arc], list[Arc]]) -> None:
    both = pair(bank(sides[0]), bank(sides[1]))
    attachment = Dependencies().counts(both)
    assert DependencyDistance().counts(both).value("accuracy") == pytest.approx(attachment.value("las"))
    unlabelled = DependencyDistance(relation_cost=0.0).counts(both)
    assert unlabelled.value("accuracy") == pytest.approx(attachment.value("uas"))


@given(HEADS)
def test_the_order_of_heads_costs_no_less(sides: tuple[list[Arc], list[Arc]]) -> None:
    both = pair(bank(sides[0]), bank(sides[1]))
    by_dependents, by_heads = (
        DependencyDistance(order=order).counts(both) for order in ("dependent", "head")
    )
    assert by_heads.columns["edits"][0] >= by_dependents.columns["edits"][0]
