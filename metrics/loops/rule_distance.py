"""The loop that writes the rules of trees."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import Int32Array, Int32Output, Int64Array, Int64Output


@cython.cclass
class Trees:
    """Trees with the symbols that stand in rules: a node's label, and a token's word or tag."""

    token_offsets: Int64Array
    token_parent: Int32Array
    word: Int32Array
    offsets: Int64Array
    parent: Int32Array
    label: Int32Array
    start: Int32Array

    def __init__(
        self,
        token_offsets: Int64Array,
        token_parent: Int32Array,
        word: Int32Array,
        offsets: Int64Array,
        parent: Int32Array,
        label: Int32Array,
        start: Int32Array,
    ) -> None:
        self.token_offsets, self.token_parent, self.word = token_offsets, token_parent, word
        self.offsets, self.parent, self.label, self.start = offsets, parent, label, start


def write_rules(
    trees: Trees, free: Int64Output, symbols: Int32Output, first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> None:
    """Write the symbols of each rule of the sentences ``first`` to ``last - 1``.

    ``free`` is where each rule's next symbol goes. Every child is written behind its elder siblings when
    its first word is met: nodes in pre-order are ordered by their first words.
    """
    sentence: cython.Py_ssize_t
    base: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    token: cython.Py_ssize_t
    node: cython.Py_ssize_t
    above: cython.Py_ssize_t
    with cython.nogil:
        for sentence in range(first, last):
            base, begin = trees.offsets[sentence], trees.token_offsets[sentence]
            node = base
            for token in range(begin, trees.token_offsets[sentence + 1]):
                while node < trees.offsets[sentence + 1] and trees.start[node] == token - begin:
                    above = node if trees.parent[node] < 0 else base + trees.parent[node]
                    symbols[free[above]] = trees.label[node]
                    free[above] += 1
                    node += 1
                if trees.token_parent[token] >= 0:
                    above = base + trees.token_parent[token]
                    symbols[free[above]] = trees.word[token]
                    free[above] += 1
