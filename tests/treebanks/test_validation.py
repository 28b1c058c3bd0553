"""Validation: sound treebanks have no problems, and each kind of damage is named."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import crossbank
from crossbank.treebanks import ROOT, CrossbankError, Treebank
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.formats import export, tigerxml
from crossbank.treebanks.tables import TABLES, EmptyNodes, MultiwordTokens, SecondaryEdges
from crossbank.treebanks.validation import InvalidSentence, _Checks, unsound
from tests.errors import raises
from tests.strategies import treebanks
from tests.validity import validate


def two_sentences() -> Treebank:
    """Return the second, from line 7, is (S (NP a b) c) with heads b <- a, c <- b, root c."""
    builder = TreebankBuilder()
    builder.sentence(line=1)
    builder.token(form="x")
    builder.sentence(line=7)
    builder.node(label="S")
    builder.node(label="NP", parent=0)
    for form, parent, head in (("a", 1, 1), ("b", 1, 2), ("c", 0, ROOT)):
        builder.token(form=form, parent=parent, head=head)
    builder.secondary(label="SB", child=0, parent=-1)
    builder.multiword(first=0, last=1, form="ab")
    builder.empty(anchor=2, index=1, form="e")
    builder.relation(name="conj", head_index=0, dependent_index=1)
    builder.further_head(relation=0, index=2)
    return builder.build()


def changed(table: str, column: str, row: int, value: int) -> Treebank:
    bank = two_sentences()
    values = getattr(getattr(bank, table), column).copy()
    values[row] = value
    parts: dict[str, Any] = {table: getattr(bank, table).replace(**{column: values})}
    return bank.replace(**parts)


@given(treebanks(dependencies=True))
def test_random_treebanks_are_sound(bank: Treebank) -> None:
    assert validate(bank) == []


def test_a_sound_treebank() -> None:
    assert validate(two_sentences()) == []


def test_real_treebanks_are_sound(shared_data: Path) -> None:
    assert validate(export.load(shared_data / "tuebadz-masked" / "test.negra")) == []
    for path in sorted((shared_data / "tiger-pcc" / "syntax").glob("*.xml"))[:20]:
        assert validate(tigerxml.load(path)) == []


@pytest.mark.parametrize(
    ("table", "column", "row", "value", "what"),
    [
        ("tokens", "parent", 1, 2, "token 1: its parent does not exist"),
        ("tokens", "parent", 2, -2, "token 2: its parent does not exist"),
        ("nodes", "parent", 1, 1, "node 2: its parent does not come before it"),
        ("nodes", "parent", 0, 1, "node 1: its parent does not come before it"),
        ("nodes", "parent", 0, -2, "node 1: its parent does not come before it"),
        ("nodes", "head", 1, 3, "node 2: its lexical head does not exist"),
        ("nodes", "head", 1, -1, "node 2: its lexical head does not exist"),
        ("tokens", "head", 1, 3, "token 1: its head does not exist"),
        ("tokens", "head", 1, -3, "token 1: its head does not exist"),
        ("tokens", "head", 1, ROOT, "2 roots of its dependencies, not one"),
        ("tokens", "head", 1, 0, "token 1: it depends on itself, directly or through others"),
        ("tokens", "form", 3, 1000, "a form outside the vocabulary"),
        ("nodes", "label", 1, -1, "a label outside the vocabulary"),
        ("secondary", "child", 0, 3, "a secondary edge leads nowhere"),
        ("secondary", "parent", 0, -3, "a secondary edge leads nowhere"),
        ("multiword", "last", 0, 3, "a multiword token covers no tokens"),
        ("multiword", "first", 0, 2, "a multiword token covers no tokens"),
        ("empty", "anchor", 0, 3, "an empty node follows a token that does not exist"),
        ("relations", "weight", 0, 1, "a relation has a weight that is not a number"),
        ("relations", "head_index", 0, 3, "a relation has a word that does not exist"),
        ("relations", "dependent_index", 0, -2, "a relation has a word that does not exist"),
        ("further_heads", "index", 0, 3, "a relation has a word that does not exist"),
        ("further_heads", "relation", 0, 1, "a further head belongs to a relation that does not exist"),
    ],
)
def test_damage_is_named(table: str, column: str, row: int, value: int, what: str) -> None:
    assert validate(changed(table, column, row, value)) == [InvalidSentence(1, what)]


def test_a_cycle_of_heads_is_named_token_by_token() -> None:
    assert validate(changed("tokens", "head", 3, 0)) == [
        InvalidSentence(1, "0 roots of its dependencies, not one"),
        *(
            InvalidSentence(1, f"token {n}: it depends on itself, directly or through others")
            for n in (1, 2, 3)
        ),
    ]


def test_only_the_tokens_on_a_cycle_are_named() -> None:
    problems = validate(changed("tokens", "head", 2, 1))
    assert [problem.what for problem in problems] == [
        "token 2: it depends on itself, directly or through others"
    ]


def test_a_node_without_a_word() -> None:
    bank = two_sentences()
    tokens = bank.tokens.replace(parent=np.array([-1, 0, 0, 0], np.int32))
    assert validate(bank.replace(tokens=tokens)) == [InvalidSentence(1, "node 2: it dominates no token")]


def test_nodes_that_are_not_in_preorder() -> None:
    builder = TreebankBuilder()
    builder.sentence()
    for label in "AB":
        builder.node(label=label)
    for parent in (0, 1):
        builder.token(form="x", parent=parent)
    bank = builder.build()
    swapped = bank.replace(tokens=bank.tokens.replace(parent=bank.tokens.parent[::-1].copy()))
    assert [problem.what for problem in validate(swapped)] == [
        "node 1: it is not at its index in pre-order",
        "node 2: it is not at its index in pre-order",
    ]


def test_multiword_tokens_that_overlap() -> None:
    builder = TreebankBuilder()
    builder.sentence()
    for _ in range(3):
        builder.token(form="x")
    builder.multiword(first=0, last=1)
    builder.multiword(first=1, last=2)
    with raises(CrossbankError, "treebank:", "sentence 1"):
        builder.build()


@pytest.mark.parametrize("numbers", [[1, 0], [0, -1], [5, 5]])
def test_a_further_analysis_without_a_first_one(numbers: list[int]) -> None:
    bank = two_sentences()
    sentences = bank.sentences.replace(analysis=np.array(numbers, np.int32))
    assert "a further analysis has no first one before it" in {
        problem.what for problem in validate(bank.replace(sentences=sentences))
    }


def test_tables_that_cannot_be_cut_into_sentences() -> None:
    bank = two_sentences()
    short = np.array([0, 4], np.int64)
    cases = {
        "nodes have offsets for 1 sentence, not for 2": {"nodes": type(bank.nodes).of(short)},
        "secondary have offsets that do not ascend from 0": {
            "secondary": SecondaryEdges.of(np.array([0, 2, 1], np.int64))
        },
        "multiword have 0 of first, not 1": {
            "multiword": MultiwordTokens(bank.multiword.offsets, *[np.zeros(0, np.int32)] * 5)
        },
    }
    for what, parts in cases.items():
        assert validate(bank.replace(**parts)) == [InvalidSentence(0, what)]
    assert validate(bank.replace(empty=EmptyNodes.empty(2))) == []


@given(treebanks(dependencies=True), st.data())
def test_the_compiled_loop_finds_the_same_positions(bank: Treebank, data: st.DataObject) -> None:
    columns = [("tokens", "parent"), ("tokens", "head"), ("nodes", "parent"), ("nodes", "head")]
    table, column = data.draw(st.sampled_from([c for c in columns if len(getattr(bank, c[0]))]))
    values = getattr(getattr(bank, table), column).copy()
    values[data.draw(st.integers(0, len(values) - 1))] = data.draw(st.integers(-3, 6))
    damaged = bank.replace(**{table: getattr(bank, table).replace(**{column: values})})
    messages = [
        problem
        for problem in validate(damaged)
        if "roots of its dependencies" not in problem.what and "depends on itself" not in problem.what
    ]
    actual = unsound(damaged)
    assert actual == (messages[0] if messages else None)
    slow = _Checks(damaged)
    slow.constituents()
    slow.heads()
    assert bool(slow.problems) == (actual is not None)


def test_tables_of_ones_own_are_looked_at() -> None:
    bank = changed("tokens", "parent", 2, 10**9)
    parts = {name: getattr(bank, name) for name in TABLES}
    with raises(CrossbankError, "treebank:", "token 2", "parent", "sentence 2"):
        Treebank(bank.vocabulary, **parts)
    with raises(CrossbankError, "gold:", "token 2", "parent", "sentence 2"):
        crossbank.score(bank, two_sentences())
    with raises(CrossbankError, "treebank:", "token 2", "parent", "sentence 2"):
        crossbank.transform(bank, "virtual_root")
    parts["tokens"] = bank.tokens.replace(parent=np.zeros(4, np.int64))  # type: ignore[arg-type]
    with raises(CrossbankError, "int32"):
        Treebank(bank.vocabulary, **parts)


@pytest.mark.parametrize(
    ("kind", "columns", "name"),
    [
        ("token", {"form": "x", "parent": 10**6}, "parent"),
        ("node", {"label": "S", "parent": 7}, "parent"),
        ("token", {"form": "x", "head": 10**6}, "token 2: its head"),
        ("node", {"label": "S", "head": 10**6}, "lexical head"),
        ("secondary", {"label": "x", "child": 0, "parent": -9}, "secondary edge"),
    ],
)
def test_a_reader_of_ones_own_cannot_point_at_nothing(kind: str, columns: dict[str, Any], name: str) -> None:
    builder = TreebankBuilder(source="file")
    builder.sentence()
    builder.token(form="a", parent=0)
    getattr(builder, kind)(**columns)
    if kind != "node":
        builder.node(label="S")
    with raises(CrossbankError, "file:", name):
        builder.build()
