"""The climb from each word to the top of its projection."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import Int32Array, Int32Output
from cython.cimports.crossbank.treebanks.forest import Forest

ROOT = cython.declare(cython.int, -1)


@cython.cclass
class Trees:
    """Trees with lexical heads: a forest and columns of ``Treebank.tokens`` and ``Treebank.nodes``."""

    forest: Forest
    token_label: Int32Array
    token_function: Int32Array
    label: Int32Array
    function: Int32Array
    head: Int32Array

    def __init__(
        self,
        forest: Forest,
        token_label: Int32Array,
        token_function: Int32Array,
        label: Int32Array,
        function: Int32Array,
        head: Int32Array,
    ) -> None:
        self.forest, self.token_label, self.token_function = forest, token_label, token_function
        self.label, self.function, self.head = label, function, head


@cython.cclass
class LocalTrees:
    """The columns that are filled in: those of ``metrics.arcs.local_trees.LocalTrees``."""

    head: Int32Output
    parent: Int32Output
    child: Int32Output
    sister: Int32Output
    function: Int32Output

    def __init__(
        self,
        head: Int32Output,
        parent: Int32Output,
        child: Int32Output,
        sister: Int32Output,
        function: Int32Output,
    ) -> None:
        self.head, self.parent, self.child = head, parent, child
        self.sister, self.function = sister, function


def climb(trees: Trees, found: LocalTrees, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> None:
    """Fill in the local trees of the sentences ``first`` to ``last - 1``. Each node is climbed through once.

    All columns of ``found`` are 0 before.
    """
    forest: Forest = trees.forest
    above: Int32Output = np.empty(forest.most_tokens(first, last), np.int32)
    head_child: Int32Output = np.empty(forest.most_nodes(first, last), np.int32)
    sentence: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    base: cython.Py_ssize_t
    token: cython.Py_ssize_t
    place: cython.Py_ssize_t
    node: cython.int
    with cython.nogil:
        for sentence in range(first, last):
            begin, base = forest.token_offsets[sentence], forest.node_offsets[sentence]
            for place in range(forest.node_offsets[sentence + 1] - base):
                head_child[place] = 0
            for token in range(begin, forest.token_offsets[sentence + 1]):
                found.sister[token] = trees.token_label[token]
                found.function[token] = trees.token_function[token]
                node = forest.token_parent[token]
                while node >= 0 and trees.head[base + node] == token - begin:
                    head_child[node] = found.sister[token]
                    found.sister[token] = trees.label[base + node]
                    found.function[token] = trees.function[base + node]
                    node = forest.node_parent[base + node]
                above[token - begin] = node
            for token in range(begin, forest.token_offsets[sentence + 1]):
                node = above[token - begin]
                found.head[token] = ROOT if node < 0 else trees.head[base + node]
                if found.head[token] < 0:
                    found.sister[token] = found.function[token] = 0
                else:
                    found.parent[token] = trees.label[base + node]
                    found.child[token] = head_child[node]
