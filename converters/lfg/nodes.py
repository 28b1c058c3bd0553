"""The nodes of f-structures as numbers, from the relations that stand for feature specifications."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array, Int64Array, offsets_of

NO_NODE = -1
"""The sign for a value that is an atom."""


class Nodes(NamedTuple):
    """The nodes of all sentences, those of a sentence one after the other.

    offsets          which nodes belong to which sentence, shape ``(sentences + 1,)``
    word             the code of each node's predicate, 0 where it has none, shape ``(nodes,)``
    name             the code of its name, shape ``(nodes,)``
    token            the token of its predicate, or ``NO_TOKEN``, shape ``(nodes,)``
    head, dependent  the node in each slot of each relation, or ``NO_NODE``, shape ``(relations,)``
    """

    offsets: Int64Array
    word: Int32Array
    name: Int32Array
    token: Int32Array
    head: Int64Array
    dependent: Int64Array


def nodes_of(bank: Treebank) -> Nodes:
    """The nodes of a treebank's f-structures (``treebanks.fstructures``), in the order of their relations."""
    table = bank.relations
    rows = len(table)
    sentence = np.tile(table.sentence_of_row(), 2).astype(np.int64)
    name = np.concatenate((table.head_tag, table.dependent_tag))
    key = sentence * len(bank.vocabulary) + name
    slots = np.flatnonzero(name)
    # Nodes get the order of their first relation, its head first.
    place = np.concatenate((np.arange(rows) * 2, np.arange(rows) * 2 + 1))
    slots = slots[np.argsort(place[slots], kind="stable")]
    _, first, which = np.unique(key[slots], return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    node = np.full(2 * rows, NO_NODE, np.int64)
    node[slots] = rank[which.reshape(-1)]
    slot = slots[np.sort(first)]
    words = np.concatenate((table.head_word, table.dependent_word))
    tokens = np.concatenate((table.head_index, table.dependent_index))
    return Nodes(
        offsets_of(np.bincount(sentence[slot], minlength=len(bank))),
        words[slot],
        name[slot],
        tokens[slot],
        node[:rows],
        node[rows:],
    )
