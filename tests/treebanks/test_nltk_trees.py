"""Trees of nltk in and out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk import ParentedTree, Tree

from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.errors import SentenceError
from crossbank.treebanks.formats import bracket, discbracket
from tests.errors import raises

DARUEBER = "(S (VP (PP 0=Darüber) (VVPP 2=nachgedacht)) (VAFIN 1=wird))"


def test_forms_as_leaves() -> None:
    text = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .))"
    assert bracket.loads(text).tree(0) == Tree.fromstring(text)


def test_positions_as_leaves() -> None:
    bank = discbracket.loads(DARUEBER)
    tree = bank.tree(0, indices=True)
    assert tree == Tree("S", [Tree("VP", [Tree("PP", [0]), Tree("VVPP", [2])]), Tree("VAFIN", [1])])
    again = Treebank.from_trees([tree], [bank.words(0)])
    assert discbracket.dumps(again) == DARUEBER + "\n"


def test_functions_are_not_written() -> None:
    bank = bracket.loads("(S (NP (NN dog)))")
    bank = bank.replace(nodes=bank.nodes.replace(function=bank.nodes.label))
    assert str(bank.tree(0)) == "(S (NP (NN dog)))"


def test_discontinuous_trees_need_positions() -> None:
    bank = discbracket.loads(DARUEBER)
    with raises(SentenceError, line=1, sentence="1"):
        bank.tree(0)


@pytest.mark.parametrize(("text", "tree"), [("(())", Tree("", [])), ("(A a)", Tree("A", ["a"]))])
def test_small_sentences(text: str, tree: Tree) -> None:
    bank = bracket.loads(text)
    assert bank.tree(0) == tree
    assert bracket.dumps(Treebank.from_trees([tree])) == text + "\n"


def test_several_roots_are_put_under_one() -> None:
    bank = bracket.read(b"(A a) (B (C c))\n", "text", by_line=True)
    assert bank.tree(0) == Tree("", [Tree("A", ["a"]), Tree("B", [Tree("C", ["c"])])])


def test_leaves_of_other_kinds() -> None:
    chunked = Tree("S", [Tree("NP", [("the", "DT"), ("dog", "NN")]), ("barks", "VBZ")])
    assert bracket.dumps(Treebank.from_trees([chunked])) == "(S (NP (DT the) (NN dog)) (VBZ barks))\n"
    bare = Tree("NP", ["the", Tree("NN", ["dog"])])
    assert bracket.dumps(Treebank.from_trees([bare])) == "(NP ( the) (NN dog))\n"
    single = Tree("NP", [("dog", "NN")])
    assert bracket.dumps(Treebank.from_trees([single])) == "(NP (NN dog))\n"


def test_parented_trees() -> None:
    text = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))"
    assert bracket.dumps(Treebank.from_trees([ParentedTree.fromstring(text)])) == text + "\n"


def test_subtrees_without_leaves_are_counted() -> None:
    bank = Treebank.from_trees([Tree("S", [Tree("NP", []), Tree("A", ["a"])])])
    assert [(f.event, f.total) for f in bank.diagnosis] == [("nodes without a word dropped", 1)]


@pytest.mark.parametrize(
    ("trees", "words", "names"),
    [
        ([Tree("A", [0])], None, ("trees[0]:", "leaf 0")),
        ([Tree("A", [0])], [], ("words:", "0 sentences", "1")),
        ([Tree("A", [1])], [["a"]], ("tree 1:", "1 word")),
        (
            [Tree("A", [0])],
            [["a", "b"]],
            ("tree 1:", "2 words"),
        ),
        ([Tree("A", ["a"])], [["a"]], ("tree 1:", "1 word")),
    ],
)
def test_errors(trees: list[Tree], words: list[list[str]] | None, names: tuple[str, ...]) -> None:
    with raises(CrossbankError, *names):
        Treebank.from_trees(trees, words)


def test_ten_thousand_levels() -> None:
    bank = bracket.loads("(S " * 10_000 + "(A a)" + ")" * 10_000)
    again = Treebank.from_trees([bank.tree(0)])
    assert again.nodes.parent.tolist() == bank.nodes.parent.tolist()


def test_real_trees(shared_data: Path) -> None:
    bank = bracket.load(shared_data / "farpahc" / "psd" / "1928.ntacts.rel-bib.psd")
    again = Treebank.from_trees([bank.tree(i) for i in range(len(bank))])
    assert bracket.dumps(again) == bracket.dumps(bank)


LEAVES = st.builds(
    lambda pos, form: Tree(pos, [form]), st.text("AB-", max_size=2), st.text("abü", min_size=1)
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.builds(Tree, st.text("XY=", max_size=2), st.lists(inner, min_size=1, max_size=4)),
    max_leaves=10,
)


@settings(deadline=None)
@given(st.lists(TREES, min_size=1, max_size=4))
def test_random_trees_come_back(trees: list[Tree]) -> None:
    bank = Treebank.from_trees(trees)
    assert [bank.tree(i) for i in range(len(bank))] == trees
    with_words = Treebank.from_trees(
        [bank.tree(i, indices=True) for i in range(len(bank))], [bank.words(i) for i in range(len(bank))]
    )
    assert [with_words.tree(i) for i in range(len(bank))] == trees
    assert [bracket.loads(bracket.dumps(bank)).tree(i) for i in range(len(bank))] == trees
