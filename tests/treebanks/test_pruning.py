"""Deleted tokens and nodes: what is left is in order, and what was below a node goes to the node above."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.validation import refuse_unsound
from tests.converters.test_properties import banks


def chosen(data: st.DataObject, rows: int) -> BoolArray:
    return np.array(data.draw(st.lists(st.booleans(), min_size=rows, max_size=rows)), np.bool_)


def yields(bank: Treebank) -> list[list[tuple[str, tuple[str, ...]]]]:
    """Label and words of each node, by sentence, sorted: the words of a bank must differ."""
    actual = []
    for sentence in range(len(bank)):
        words, rows = bank.words(sentence), bank.nodes.rows(sentence)
        below: list[list[str]] = [[] for _ in range(rows.start, rows.stop)]
        for word, above in zip(words, bank.tokens.parent[bank.tokens.rows(sentence)].tolist(), strict=True):
            while above >= 0:
                below[above].append(word)
                above = int(bank.nodes.parent[rows.start + above])
        labels = bank.vocabulary.decode(bank.nodes.label[rows])
        actual.append(sorted(zip(labels, map(tuple, below), strict=True)))
    return actual


def numbered(bank: Treebank) -> Treebank:
    return bank.with_columns("tokens", form=[f"w{index}" for index in range(len(bank.tokens))])


@given(banks(), st.data())
def test_nodes_keep_the_words_that_stay(bank: Treebank, data: st.DataObject) -> None:
    bank = numbered(bank)
    deleted = chosen(data, len(bank.tokens))
    gone = {f"w{index}" for index in np.flatnonzero(deleted).tolist()}
    pruned = bank.without_tokens(deleted)
    refuse_unsound(pruned, "pruned")
    expected = [
        sorted(
            (label, rest)
            for label, words in nodes
            if (rest := tuple(word for word in words if word not in gone))
        )
        for nodes in yields(bank)
    ]
    assert yields(pruned) == expected
    assert pruned.equals(pruned.with_structure())


@given(banks(), st.data())
def test_what_is_below_a_deleted_node_goes_to_the_node_above(bank: Treebank, data: st.DataObject) -> None:
    bank = numbered(bank)
    deleted = chosen(data, len(bank.nodes))
    pruned = bank.without_nodes(deleted)
    refuse_unsound(pruned, "pruned")
    assert pruned.nodes.lengths().tolist() == bank.nodes.counted(~deleted).tolist()
    retained = bank.with_structure()
    names = retained.replace(
        vocabulary=retained.vocabulary,
        nodes=retained.nodes.replace(label=np.where(deleted, 0, retained.nodes.label)),
    )
    assert [[one for one in nodes if one[0]] for nodes in yields(names)] == [
        [one for one in nodes if one[0]] for nodes in yields(pruned)
    ]
    assert pruned.equals(pruned.with_structure())


def test_a_discontinuous_node_that_begins_later_comes_later() -> None:
    from tests.converters.banks import bank_of

    bank = bank_of("(S (A 0=a/X 3=d/X) (B 1=b/X 2=c/X))")
    pruned = bank.without_tokens(np.array([True, False, False, False]))
    assert pruned.vocabulary.decode(pruned.nodes.label) == ["S", "B", "A"]
    assert pruned.tokens.parent.tolist() == [1, 1, 2]
