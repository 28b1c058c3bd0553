"""The climb from each word to the top of its projection."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import Int32Array, Int32Output, Int64Array

ROOT = cython.declare(cython.int, -1)


@cython.cclass
class Trees:
    """Trees with lexical heads: columns of ``Treebank.tokens`` and ``Treebank.nodes``."""

    token_offsets: Int64Array
    token_parent: Int32Array
    token_label: Int32Array
    token_function: Int32Array
    offsets: Int64Array
    parent: Int32Array
    label: Int32Array
    function: Int32Array
    head: Int32Array

    def __init__(
        self,
        token_offsets: Int64Array,
        token_parent: Int32Array,
        token_label: Int32Array,
        token_function: Int32Array,
        offsets: Int64Array,
        parent: Int32Array,
        label: Int32Array,
        function: Int32Array,
        head: Int32Array,
    ) -> None:
        self.token_offsets, self.token_parent = token_offsets, token_parent
        self.token_label, self.token_function = token_label, token_function
        self.offsets, self.parent, self.label = offsets, parent, label
        self.function, self.head = function, head


@cython.cclass
class LocalTrees:
    """What is filled in: the columns of ``metrics.arcs.local_trees.LocalTrees``."""

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
    words: int = int(np.diff(trees.token_offsets[first : last + 1]).max(initial=0))
    nodes: int = int(np.diff(trees.offsets[first : last + 1]).max(initial=0))
    above: Int32Output = np.empty(max(words, 1), np.int32)
    head_child: Int32Output = np.empty(max(nodes, 1), np.int32)
    sentence: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    base: cython.Py_ssize_t
    token: cython.Py_ssize_t
    place: cython.Py_ssize_t
    node: cython.int
    with cython.nogil:
        for sentence in range(first, last):
            begin, base = trees.token_offsets[sentence], trees.offsets[sentence]
            for place in range(trees.offsets[sentence + 1] - base):
                head_child[place] = 0
            for token in range(begin, trees.token_offsets[sentence + 1]):
                found.sister[token] = trees.token_label[token]
                found.function[token] = trees.token_function[token]
                node = trees.token_parent[token]
                while node >= 0 and trees.head[base + node] == token - begin:
                    head_child[node] = found.sister[token]
                    found.sister[token] = trees.label[base + node]
                    found.function[token] = trees.function[base + node]
                    node = trees.parent[base + node]
                above[token - begin] = node
            for token in range(begin, trees.token_offsets[sentence + 1]):
                node = above[token - begin]
                found.head[token] = ROOT if node < 0 else trees.head[base + node]
                if found.head[token] < 0:
                    found.sister[token] = found.function[token] = 0
                else:
                    found.parent[token] = trees.label[base + node]
                    found.child[token] = head_child[node]
