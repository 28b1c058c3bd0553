"""Each word with the local tree in which it depends on its head: parent, head child and sister.

A word's maximal projection is the highest node of which it is the lexical head. Its parent is the local tree
in which the word depends on another: on the lexical head of that parent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crossbank.metrics.loops import local_trees as loops
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.ranges import in_ranges


class LocalTrees(NamedTuple):
    """One row for each word, shape ``(tokens,)``.

    head                   the word's head, counted from the beginning of the sentence; ``ROOT`` for the head
                           of the sentence, ``UNATTACHED`` where the node above has no lexical head
    parent, child, sister  labels of the local tree's node, of its head child and of the word's maximal
                           projection; 0 for words without a head
    function               the function of the maximal projection's edge
    """

    head: Int32Array
    parent: Int32Array
    child: Int32Array
    sister: Int32Array
    function: Int32Array


def local_trees(bank: Treebank, token_label: Int32Array, label: Int32Array) -> LocalTrees:
    """The local tree of each word of a treebank, with these labels of its tokens and nodes."""
    tokens, nodes = bank.tokens, bank.nodes
    trees = loops.Trees(bank.forest, token_label, tokens.function, label, nodes.function, nodes.head)
    found = LocalTrees(*(np.zeros(len(tokens), np.int32) for _ in LocalTrees._fields))
    columns = loops.LocalTrees(*found)
    in_ranges(lambda first, last: loops.climb(trees, columns, first, last), len(bank))
    return found
