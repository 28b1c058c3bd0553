"""Each word with the local tree in which it depends on its head: parent, head child and sister.

A word's maximal projection is the highest node of which it is the lexical head. Its parent is the local tree
in which the word depends on another: on the lexical head of that parent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from crossbank.treebanks import ROOT, UNATTACHED
from crossbank.treebanks.arrays import Int32Array, Int64Array


class LocalTrees(NamedTuple):
    """One row for each word, shape ``(tokens,)``.

    head                   the word's head, counted from the beginning of the sentence; ``ROOT`` for the head
                           of all, ``UNATTACHED`` where the node above has no lexical head
    parent, child, sister  labels of the local tree: its own, its head child's, and of the word's maximal
                           projection; 0 for words without a head
    function               the function of the maximal projection's edge
    """

    head: Int32Array
    parent: Int32Array
    child: Int32Array
    sister: Int32Array
    function: Int32Array


@njit(cache=True, nogil=True)
def local_trees(
    token_offsets: Int64Array,
    token_parent: Int32Array,
    token_label: Int32Array,
    token_function: Int32Array,
    node_offsets: Int64Array,
    node_parent: Int32Array,
    node_label: Int32Array,
    node_function: Int32Array,
    node_head: Int32Array,
) -> LocalTrees:
    """Climb from each word to the top of its projection; every node is climbed through once."""
    words = len(token_parent)
    head = np.full(words, np.int32(UNATTACHED), np.int32)
    parent = np.zeros(words, np.int32)
    child = np.zeros(words, np.int32)
    sister = np.zeros(words, np.int32)
    function = np.zeros(words, np.int32)
    head_child = np.zeros(len(node_parent), np.int32)
    above = np.empty(words, np.int32)
    for sentence in range(len(token_offsets) - 1):
        begin, base = token_offsets[sentence], node_offsets[sentence]
        for token in range(begin, token_offsets[sentence + 1]):
            sister[token], function[token] = token_label[token], token_function[token]
            node = token_parent[token]
            while node >= 0 and node_head[base + node] == token - begin:
                head_child[base + node] = sister[token]
                sister[token], function[token] = node_label[base + node], node_function[base + node]
                node = node_parent[base + node]
            above[token] = node
        for token in range(begin, token_offsets[sentence + 1]):
            if above[token] < 0:
                head[token] = ROOT
            else:
                head[token] = node_head[base + above[token]]
                parent[token] = node_label[base + above[token]]
                child[token] = head_child[base + above[token]]
            if head[token] < 0:
                parent[token] = child[token] = sister[token] = function[token] = 0
    return LocalTrees(head, parent, child, sister, function)
