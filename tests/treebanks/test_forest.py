"""Items: tokens and nodes of a sentence in one number."""

import numpy as np
from hypothesis import given

from crossbank.converters.heads.marking import head_children, mark_heads
from crossbank.converters.scheme_files import load_scheme
from crossbank.treebanks import Treebank
from tests.converters.banks import bank_of
from tests.converters.test_properties import banks


def test_items_are_tokens_and_after_them_nodes() -> None:
    bank = bank_of("(S (NP 0=Ann/NN) 1=runs/VB)", "(S 0=Run/VB)")
    sentences = np.array([0, 0, 0, 0, 1, 1, 1])
    assert bank.rows_of_items(sentences, np.array([0, 1, 2, 3, 0, 1, -1])).tolist() == [0, 1, 3, 4, 2, 5, -1]


@given(banks())
def test_every_row_is_an_item(bank: Treebank) -> None:
    sentences = np.concatenate((bank.tokens.sentence_of_row(), bank.nodes.sentence_of_row()))
    nodes = bank.tokens.lengths()[bank.nodes.sentence_of_row()] + bank.nodes.indices()
    rows = bank.rows_of_items(sentences, np.concatenate((bank.tokens.indices(), nodes)))
    assert rows.tolist() == list(range(len(bank.tokens) + len(bank.nodes)))
    assert len(bank.forest) == len(bank)


@given(banks())
def test_head_children_are_children_with_the_same_head(bank: Treebank) -> None:
    bank = mark_heads(bank, load_scheme("tiger"))
    rows = bank.rows_of_items(bank.nodes.sentence_of_row(), head_children(bank))
    parents = np.concatenate((bank.tokens.parent, bank.nodes.parent))
    heads = np.concatenate((bank.tokens.indices(), bank.nodes.head))
    assert parents[rows].tolist() == bank.nodes.indices().tolist()
    assert heads[rows].tolist() == bank.nodes.head.tolist()
