"""Columnar treebank: selection, concatenation, changes of structure."""

import numpy as np

from crossbank.treebanks import ROOT, UNATTACHED, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import SentenceError
from tests.errors import raises


def small_bank() -> Treebank:
    """Return two sentences; in the first VP is discontinuous: (S (VP Bücher . gelesen) hat)."""
    builder = TreebankBuilder("small")
    builder.sentence(id="a")
    builder.node(label="VP", function="OC", parent=1)
    builder.node(label="S")
    builder.token(form="Bücher", pos="NN", parent=0, head=2)
    builder.token(form="hat", pos="VAFIN", parent=1, head=ROOT)
    builder.token(form="gelesen", pos="VVPP", parent=0, head=1)
    builder.secondary(label="SB", child=0, parent=-1)
    builder.sentence()
    builder.node(label="NP")
    builder.token(form="Bücher", pos="NN", parent=0)
    return builder.build()


def test_nodes_are_put_into_preorder() -> None:
    bank = small_bank()
    assert bank.vocabulary.decode(bank.nodes.label) == ["S", "VP", "NP"]
    assert bank.tokens.parent.tolist() == [1, 0, 1, 0]
    assert bank.secondary.parent.tolist() == [-2]


def test_spans_and_fan_out() -> None:
    spans = small_bank().spans
    assert spans.start.tolist() == [0, 0, 0]
    assert spans.end.tolist() == [3, 3, 1]
    assert spans.size.tolist() == [3, 2, 1]
    assert spans.fan_out.tolist() == [1, 2, 1]
    assert small_bank().discontinuous_sentences.tolist() == [0]


def test_spans_are_measured_once_for_trees_of_the_same_form() -> None:
    bank = small_bank()
    spans = bank.spans
    assert bank.with_strings("nodes", "label", str.lower).spans is spans
    other = bank.with_structure(token_parent=np.array([1, 0, 0, 0], np.int32))
    assert other.spans.size.tolist() == [3, 1, 1]


def test_identifiers_fall_back_to_the_ordinal() -> None:
    bank = small_bank()
    assert [bank.sentence_id(i) for i in range(2)] == ["a", "2"]


def test_selection_and_concatenation_undo_each_other() -> None:
    bank = small_bank()
    both = Treebank.concatenate([bank.select([1]), bank.select([0])])
    assert [both.words(i) for i in range(2)] == [["Bücher"], ["Bücher", "hat", "gelesen"]]
    assert both.select([1, 0]).tokens.parent.tolist() == bank.tokens.parent.tolist()
    assert both.sentence_id(0) == "2"


def test_deleting_a_token_prunes_and_reattaches() -> None:
    bank = small_bank()
    shorter = bank.without_tokens(np.array([False, False, True, False]))
    assert shorter.words(0) == ["Bücher", "hat"]
    assert shorter.tokens.head[:2].tolist() == [1, ROOT]
    assert not shorter.spans.discontinuous.any()
    bare = bank.without_tokens(np.array([True, False, True, True]))
    assert bare.vocabulary.decode(bare.nodes.label) == ["S"]
    assert len(bare.secondary) == 0
    assert [f.total for f in bare.diagnosis] == [1]
    assert bare.tokens.head.tolist() == [ROOT]
    assert len(bare) == 2


def test_deleting_a_cycle_of_heads_leaves_the_rest_unattached() -> None:
    builder = TreebankBuilder()
    builder.sentence()
    for head in (1, 2, 1):
        builder.token(form="x", head=head)
    bank = builder.build().without_tokens(np.array([False, True, True]))
    assert bank.tokens.head.tolist() == [UNATTACHED]


def test_cycles_are_refused() -> None:
    builder = TreebankBuilder("ring.export")
    builder.sentence(id="7", line=3)
    builder.token(form="x", parent=0)
    builder.node(label="A", parent=1)
    builder.node(label="B", parent=0)
    with raises(
        SentenceError,
        path="ring.export",
        line=3,
        sentence="7",
        problem="found nodes that dominate each other, expected a tree",
    ):
        builder.build()


def test_labels_are_changed_once_each() -> None:
    bank = small_bank()
    requested: list[str] = []

    def change(label: str) -> str:
        requested.append(label)
        return label.lower()

    lower = bank.with_strings("nodes", "label", change)
    assert lower.vocabulary.decode(lower.nodes.label) == ["s", "vp", "np"]
    assert sorted(requested) == ["NP", "S", "VP"]
    assert bank.vocabulary.decode(bank.nodes.label) == ["S", "VP", "NP"]
