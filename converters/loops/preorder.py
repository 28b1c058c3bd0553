"""Trees for tree patterns: nodes, tags and words in pre-order, each at a position of its own.

Positions are counted through the whole treebank: see ``converters.patterns.positions``.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    Int32Array,
    Int32Output,
    Int64Array,
    Int64Output,
)
from cython.cimports.crossbank.treebanks.forest import Forest


@cython.dataclasses.dataclass(eq=False, repr=False)
class PreOrder:
    """Positions of a treebank's trees; positions and tokens are counted through the whole treebank.

    label          category, tag or form
    function       label of the edge above; a word has none
    parent         the position of the parent, -1 for roots
    last           the last position below, the position itself without children
    previous       the preceding sister, -1 for the first
    last_child     -1 for words, and only for them
    begin, end     first token, and the one past the last
    head           the token that is the lexical head, -1 if it is not marked
    item           the token or node of its sentence, an item as in ``treebanks.forest``
    word           the position of each token's word, shape ``(tokens,)``
    offsets        the first position of each sentence, shape ``(sentences + 1,)``
    token_offsets  where its tokens begin, of the same shape
    crossing       whether a sentence has a discontinuous node, shape ``(sentences,)``
    edge_offsets   where the secondary edges of each sentence begin, shape ``(sentences + 1,)``
    edge_label, edge_child, edge_parent  the label, the lower and the upper position of each, shape
                                         ``(edges,)``;
                   a token's is its tag
    """

    label: Int32Output
    function: Int32Output
    parent: Int32Output
    last: Int32Output
    previous: Int32Output
    last_child: Int32Output
    begin: Int32Output
    end: Int32Output
    head: Int32Output
    item: Int32Output
    word: Int32Output
    offsets: Int64Array
    token_offsets: Int64Array
    crossing: BoolArray
    edge_offsets: Int64Array
    edge_label: Int32Array
    edge_child: Int32Array
    edge_parent: Int32Array

    @cython.cfunc
    @cython.nogil
    def head_child(self, index: cython.int) -> cython.int:
        """Return the child of a node that has its lexical head, or -1."""
        head: cython.int = self.head[index]
        child: cython.int = index + 1
        while child <= self.last[index] and head >= 0:
            if self.head[child] == head:
                return child
            child = self.last[child] + 1
        return -1


def count_positions(
    forest: Forest,
    pos: Int32Array,
    size: Int32Output,
    sizes: Int64Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in the number of positions of each node with its descendants, and that of each sentence.

    A token has two positions, its tag and its word, or one if it has no tag. ``size`` holds ones.
    """
    with cython.nogil:
        for sentence in range(first, last):
            base = forest.node_offsets[sentence]
            sizes[sentence] = forest.nodes(sentence)
            for token in range(forest.token_offsets[sentence], forest.token_offsets[sentence + 1]):
                taken = 1 if pos[token] == 0 else 2
                sizes[sentence] += taken
                if forest.token_parent[token] >= 0:
                    size[base + forest.token_parent[token]] += taken
            for node in range(forest.node_offsets[sentence + 1] - 1, base - 1, -1):
                if forest.node_parent[node] >= 0:
                    size[base + forest.node_parent[node]] += size[node]


@cython.dataclasses.dataclass(eq=False, repr=False)
class PreOrderColumns:
    """Columns of tokens and nodes that trees in pre-order take over.

    size  the number of positions of each node, from ``count_positions``
    """

    size: Int32Array
    form: Int32Array
    pos: Int32Array
    token_function: Int32Array
    label: Int32Array
    function: Int32Array
    head: Int32Array
    start: Int32Array
    end: Int32Array


def lay_out(
    forest: Forest,
    columns: PreOrderColumns,
    trees: PreOrder,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Lay trees out in pre-order."""
    capacity: cython.Py_ssize_t = forest.most_nodes(first, last)
    free: Int32Output = np.empty(capacity, np.int32)  # the next free position below each node
    position_of: Int32Output = np.empty(capacity, np.int32)
    with cython.nogil:
        for sentence in range(first, last):
            base, begin = forest.node_offsets[sentence], forest.token_offsets[sentence]
            node, last_root = 0, -1
            outside = cython.cast(cython.int, trees.offsets[sentence])
            clear(trees, trees.offsets[sentence], trees.offsets[sentence + 1])
            for token in range(forest.tokens(sentence)):
                # The nodes that begin here come before the token, from the top down.
                while node < forest.nodes(sentence) and columns.start[base + node] == token:
                    row, above = base + node, forest.node_parent[base + node]
                    if above >= 0:
                        index = free[above]
                        free[above] += columns.size[row]
                        append_child(trees, index, position_of[above])
                    else:
                        index = outside
                        outside += columns.size[row]
                        trees.previous[index] = last_root
                        last_root = index
                    trees.last[index] = index + columns.size[row] - 1
                    trees.label[index], trees.function[index] = columns.label[row], columns.function[row]
                    trees.begin[index] = cython.cast(cython.int, begin + columns.start[row])
                    trees.end[index] = cython.cast(cython.int, begin + columns.end[row])
                    if columns.head[row] >= 0:
                        trees.head[index] = cython.cast(cython.int, begin + columns.head[row])
                    trees.item[index] = cython.cast(cython.int, forest.tokens(sentence) + node)
                    position_of[node], free[node] = index, index + 1
                    node += 1
                row, above = begin + token, forest.token_parent[begin + token]
                length = 1 if columns.pos[row] == 0 else 2
                if above >= 0:
                    index = free[above]
                    free[above] += length
                    append_child(trees, index, position_of[above])
                else:
                    index = outside
                    outside += length
                    trees.previous[index] = last_root
                    last_root = index
                lay_out_token(columns, trees, row, cython.cast(cython.int, token), index, length)


@cython.cfunc
@cython.nogil
def clear(trees: PreOrder, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.void:
    """Put -1 into all columns but ``word`` for some positions."""
    for index in range(first, last):
        trees.label[index] = trees.function[index] = trees.parent[index] = trees.last[index] = -1
        trees.previous[index] = trees.last_child[index] = trees.begin[index] = trees.end[index] = -1
        trees.head[index] = trees.item[index] = -1


@cython.cfunc
@cython.nogil
def append_child(trees: PreOrder, index: cython.int, above: cython.int) -> cython.void:
    """Append a position to the children of another one."""
    trees.parent[index] = above
    trees.previous[index] = trees.last_child[above]
    trees.last_child[above] = index


@cython.cfunc
@cython.nogil
def lay_out_token(
    columns: PreOrderColumns,
    trees: PreOrder,
    row: cython.Py_ssize_t,
    token: cython.int,
    index: cython.int,
    length: cython.int,
) -> cython.void:
    """Lay out the tag of a token, if it has one, and its word."""
    word: cython.int = index + length - 1
    trees.last[index] = word
    if length == 2:
        trees.label[index], trees.function[index] = columns.pos[row], columns.token_function[row]
        trees.last_child[index] = word
        trees.parent[word], trees.last[word] = index, word
    trees.label[word], trees.function[word] = columns.form[row], 0
    trees.word[row] = word
    for here in range(index, word + 1):
        trees.begin[here] = cython.cast(cython.int, row)
        trees.end[here] = cython.cast(cython.int, row + 1)
        trees.head[here], trees.item[here] = cython.cast(cython.int, row), token
