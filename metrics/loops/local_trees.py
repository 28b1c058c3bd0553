"""Loops over local trees: the path from each word to its maximal projection, and rules."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.metrics.loops.replacement_costs import SymbolTrees
from cython.cimports.crossbank.treebanks.arrays import Int32Array, Int32Output, Int64Output
from cython.cimports.crossbank.treebanks.forest import Forest

ROOT = cython.declare(cython.int, -1)


@cython.dataclasses.dataclass(eq=False, repr=False)
class Trees:
    """Trees with lexical heads: a forest and columns of ``Treebank.tokens`` and ``Treebank.nodes``."""

    forest: Forest
    token_label: Int32Array
    token_function: Int32Array
    label: Int32Array
    function: Int32Array
    head: Int32Array


@cython.dataclasses.dataclass(eq=False, repr=False)
class LocalTrees:
    """Each word with the local tree in which it depends on its head; the columns are filled in.

    A word's maximal projection is the highest node of which it is the lexical head. Its parent is that local
    tree: the word depends on the lexical head of that parent.

    head                   the word's head, counted from the beginning of the sentence; ``ROOT`` for the head
                           of the sentence, ``UNATTACHED`` if the node above has no lexical head
    parent, child, sister  labels of the local tree's node, of its head child and of the word's maximal
                           projection; 0 for words without a head
    function               the function of the maximal projection's edge
    """

    head: Int32Output
    parent: Int32Output
    child: Int32Output
    sister: Int32Output
    function: Int32Output


def climb(trees: Trees, columns: LocalTrees, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> None:
    """Fill in the local trees of the sentences ``first`` to ``last - 1``, visiting each node once.

    All columns of ``columns`` must be 0.
    """
    forest: Forest = trees.forest
    above: Int32Output = np.empty(forest.most_tokens(first, last), np.int32)
    head_child: Int32Output = np.empty(forest.most_nodes(first, last), np.int32)
    with cython.nogil:
        for sentence in range(first, last):
            begin, base = forest.token_offsets[sentence], forest.node_offsets[sentence]
            for index in range(forest.node_offsets[sentence + 1] - base):
                head_child[index] = 0
            for token in range(begin, forest.token_offsets[sentence + 1]):
                columns.sister[token] = trees.token_label[token]
                columns.function[token] = trees.token_function[token]
                node = forest.token_parent[token]
                while node >= 0 and trees.head[base + node] == token - begin:
                    head_child[node] = columns.sister[token]
                    columns.sister[token] = trees.label[base + node]
                    columns.function[token] = trees.function[base + node]
                    node = forest.node_parent[base + node]
                above[token - begin] = node
            for token in range(begin, forest.token_offsets[sentence + 1]):
                node = above[token - begin]
                columns.head[token] = ROOT if node < 0 else trees.head[base + node]
                if columns.head[token] < 0:
                    columns.sister[token] = columns.function[token] = 0
                else:
                    columns.parent[token] = trees.label[base + node]
                    columns.child[token] = head_child[node]


def write_rules(
    trees: SymbolTrees,
    free: Int64Output,
    symbols: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Write the symbols of each rule of the sentences ``first`` to ``last - 1``.

    ``free`` is the index at which each rule's next symbol is written. Every child is written after its elder
    siblings, at its first word: nodes in pre-order are ordered by their first words.
    """
    forest: Forest = trees.forest
    with cython.nogil:
        for sentence in range(first, last):
            base, begin = forest.node_offsets[sentence], forest.token_offsets[sentence]
            node = base
            for token in range(begin, forest.token_offsets[sentence + 1]):
                while node < forest.node_offsets[sentence + 1] and trees.start[node] == token - begin:
                    above = node if forest.node_parent[node] < 0 else base + forest.node_parent[node]
                    symbols[free[above]] = trees.label[node]
                    free[above] += 1
                    node += 1
                if forest.token_parent[token] >= 0:
                    above = base + forest.token_parent[token]
                    symbols[free[above]] = trees.leaf[token]
                    free[above] += 1
