"""Precision and recall of dependencies where words may have several heads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossbank.metrics.dependencies import Dependencies
from crossbank.metrics.dependency_graphs import DependencyGraphs
from crossbank.metrics.pairing.pair import pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder


def bank(*deps: str, words: str = "abc") -> Treebank:
    builder = TreebankBuilder("graphs")
    builder.sentence()
    for word, arcs in zip(words, deps, strict=True):
        head, _, relation = arcs.partition("|")[0].partition(":")
        builder.token(form=word, head=int(head.partition(".")[0]) - 1, relation=relation, deps=arcs)
    return builder.build()


GOLD = bank("2:det|3:det", "0:root", "2:conj:and|0:root")


@pytest.mark.parametrize(
    ("options", "candidate", "sums"),
    [
        ({}, bank("2:det", "0:root", "2:conj"), (5, 3, 2)),
        ({"labels": False}, bank("2:det", "0:root", "2:conj"), (5, 3, 3)),
        ({"subtypes": False}, bank("2:det|3:det", "0:root", "2:conj"), (5, 4, 4)),
        ({"roots": False}, bank("3:det", "0:root", "2:conj:and"), (3, 2, 2)),
        ({}, bank("3:det|2:det", "0:root", "0:root|2:conj:and"), (5, 5, 5)),
    ],
)
def test_every_head_of_a_word_counts(
    options: dict[str, bool], candidate: Treebank, sums: tuple[int, int, int]
) -> None:
    counts = DependencyGraphs(**options).counts(pair(GOLD, candidate))
    assert tuple(int(counts.sums()[name]) for name in ("gold", "candidate", "matched")) == sums
    assert counts.value("exact") == (len(set(sums)) == 1)


def test_dependencies_on_empty_nodes_are_left_out_and_counted() -> None:
    counts = DependencyGraphs().counts(pair(GOLD, bank("2:det|2.1:det", "0:root", "2:conj:and")))
    assert counts.sums()["candidate"] == 3
    assert counts.notes == {"dependencies on empty nodes, which are left out": 1}


def test_sentences_with_other_words_have_no_dependencies_of_the_candidate() -> None:
    counts = DependencyGraphs().counts(pair(GOLD, bank("2:det", "0:root", "2:conj", words="abd")))
    assert [counts.sums()[name] for name in ("gold", "candidate", "matched")] == [5, 0, 0]


def test_items_and_relations() -> None:
    both = pair(GOLD, bank("2:det", "0:root", "2:conj"))
    metric = DependencyGraphs()
    actual = {(item.side, item.label, item.tokens) for item in metric.items(both, 0)}
    assert actual == {
        ("both", "det", (0, 1)), ("both", "root", (1,)),
        ("gold", "det", (0, 2)), ("gold", "conj:and", (2, 1)), ("gold", "root", (2,)),
        ("candidate", "conj", (2, 1)),
    }  # fmt: skip
    assert metric.counts(both).by_breakdown("relation")["det"] == {"gold": 2, "candidate": 1, "matched": 1}


def test_a_head_with_two_relations_is_found_once_where_relations_do_not_count() -> None:
    gold, candidate = bank("2:nsubj|2:nsubj:xsubj", "0:root", "2:conj"), bank("2:nsubj", "0:root", "2:conj")
    for options in ({"labels": False}, {"subtypes": False}):
        counts = DependencyGraphs(**options).counts(pair(gold, candidate))
        assert (counts.value("precision"), counts.value("recall")) == (1, 3 / 4)


ARCS = st.lists(st.tuples(st.integers(-1, 3), st.sampled_from(["a", "b"])), min_size=4, max_size=4)


@given(ARCS, ARCS)
def test_with_one_head_each_the_score_is_that_of_triples(
    gold: list[tuple[int, str]], candidate: list[tuple[int, str]]
) -> None:
    banks = []
    for arcs in (gold, candidate):
        builder = TreebankBuilder("arcs")
        builder.sentence()
        for index, (head, relation) in enumerate(arcs):
            builder.token(form=f"w{index}", head=head, relation=relation)
        banks.append(builder.build())
    for options in ({}, {"labels": False}, {"roots": False}):
        graphs = DependencyGraphs(**options).counts(pair(*banks)).sums()
        triples = Dependencies(**options).counts(pair(*banks)).sums()
        names = ("gold", "candidate", "matched", "exact")
        assert [graphs[name] for name in names] == [triples[name] for name in names]
