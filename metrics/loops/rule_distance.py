"""The loop that writes the rules of trees."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import Int32Array, Int32Output, Int64Output
from cython.cimports.crossbank.treebanks.forest import Forest


@cython.cclass
class Trees:
    """Trees with the symbols that stand in rules: a node's label, and a token's word or tag."""

    forest: Forest
    word: Int32Array
    label: Int32Array
    start: Int32Array

    def __init__(
        self,
        forest: Forest,
        word: Int32Array,
        label: Int32Array,
        start: Int32Array,
    ) -> None:
        self.forest, self.word, self.label, self.start = forest, word, label, start


def write_rules(
    trees: Trees, free: Int64Output, symbols: Int32Output, first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> None:
    """Write the symbols of each rule of the sentences ``first`` to ``last - 1``.

    ``free`` is where each rule's next symbol goes. Every child is written behind its elder siblings when
    its first word is met: nodes in pre-order are ordered by their first words.
    """
    forest: Forest = trees.forest
    sentence: cython.Py_ssize_t
    base: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    token: cython.Py_ssize_t
    node: cython.Py_ssize_t
    above: cython.Py_ssize_t
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
                    symbols[free[above]] = trees.word[token]
                    free[above] += 1
