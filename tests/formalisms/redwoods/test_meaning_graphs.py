"""Meaning graphs: nodes, spans and edges, as readers add them and as metrics find them again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crossbank.formalisms.lfg.conversions.preds_only import preds_only
from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import SentenceError
from crossbank.treebanks.formats import relations
from crossbank.treebanks.relations.meaning_graphs import (
    NO_NODE,
    NO_SPAN,
    MeaningGraphs,
    link_of,
    span_of,
)
from crossbank.treebanks.relations.relation import Relation, Word, add_relations
from crossbank.treebanks.tables import LARGEST
from tests.errors import raises


def test_what_is_added_is_found() -> None:
    every = Word("_every_q", tag="_1<0:5>")
    dog = Word("_dog_n_1", 1, "x3<6:9>")
    builder = TreebankBuilder()
    for edges in ([Relation("BV", every, dog), Relation("NUM", dog, Word("sg"))], [], [Relation("top", dog)]):
        builder.sentence()
        builder.tokens(form=["every", "dog"])
        add_relations(builder, edges)
    bank = builder.build()
    graphs = MeaningGraphs.of(bank)
    assert graphs.offsets.tolist() == [0, 2, 2, 3]
    assert bank.vocabulary.decode(graphs.word) == ["_every_q", "_dog_n_1", "_dog_n_1"]
    assert bank.vocabulary.decode(graphs.tag) == ["_1<0:5>", "x3<6:9>", "x3<6:9>"]
    assert graphs.spans.tolist() == [[0, 5], [6, 9], [6, 9]]
    assert graphs.without_variable.tolist() == [True, False, False]
    assert graphs.token.tolist() == [-1, 1, 1]
    assert (graphs.source.tolist(), graphs.target.tolist()) == ([0, 1, 2], [1, NO_NODE, NO_NODE])


@pytest.mark.parametrize("reading", [MeaningGraphs.of, preds_only])
def test_a_relation_whose_head_has_no_name_is_no_edge_of_a_graph(
    reading: Callable[[Treebank], object],
) -> None:
    """It had the node -1, which a compiled loop counted from its sentence: it wrote before the array."""
    bank = relations.loads("(dobj saw:2_VVD her:3_PP)\n" * 3 + "\n(dobj saw her)\n")
    assert len(MeaningGraphs.of(bank.select([0])).source) == 3
    with raises(SentenceError, "saw, her", line=5, sentence="2"):
        reading(bank)


def test_links_that_are_no_characters() -> None:
    assert [span_of(tag) for tag in ("e3", "e3<@4>", "e3<0#2>", "")] == [NO_SPAN] * 4
    assert span_of(f"e3<-1:{'9' * 5000}>") == (-1, LARGEST)
    assert [link_of(tag) for tag in ("e3", "e3<@4>", "7", "")] == ["", "<@4>", "", ""]
