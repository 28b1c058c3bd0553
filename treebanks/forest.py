"""Trees of a treebank as compiled loops see them.

An item of a sentence is a token or a node. Token ``i`` is item ``i``; node ``j`` is item ``tokens + j``,
where ``tokens`` is the number of the sentence's tokens; -1 is no item. Items are counted from the beginning
of their sentence, like everything that a table holds.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import Int32Array, Int32Output, Int64Array


@cython.dataclasses.dataclass(eq=False, repr=False)
class Forest:
    """Trees of all sentences; ``Treebank.forest`` makes it once.

    token_offsets, node_offsets  where the tokens and nodes of each sentence begin, with one entry more
    token_parent, node_parent    the node above each token and node, counted as a node, or -1

    Nodes are in pre-order: a parent comes before its children.
    """

    token_offsets: Int64Array
    token_parent: Int32Array
    node_offsets: Int64Array
    node_parent: Int32Array

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.token_offsets) - 1

    @cython.cfunc
    @cython.nogil
    def tokens(self, sentence: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the number of tokens of a sentence, which is also its first item that is a node."""
        end: cython.Py_ssize_t = self.token_offsets[sentence + 1]
        begin: cython.Py_ssize_t = self.token_offsets[sentence]
        return end - begin

    @cython.cfunc
    @cython.nogil
    def nodes(self, sentence: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the number of nodes of a sentence."""
        end: cython.Py_ssize_t = self.node_offsets[sentence + 1]
        begin: cython.Py_ssize_t = self.node_offsets[sentence]
        return end - begin

    @cython.cfunc
    @cython.nogil
    def parent(self, sentence: cython.Py_ssize_t, item: cython.Py_ssize_t) -> cython.int:
        """Return the node above an item, counted as a node, or -1."""
        tokens: cython.Py_ssize_t = self.tokens(sentence)
        if item < tokens:
            above = self.token_parent[self.token_offsets[sentence] + item]
        else:
            above = self.node_parent[self.node_offsets[sentence] + item - tokens]
        return above

    def most_tokens(self, first: int, last: int) -> int:
        """Return the most tokens that a sentence has, of those from ``first`` to ``last - 1``."""
        most: cython.Py_ssize_t = 0
        for sentence in range(cython.cast(cython.Py_ssize_t, first), cython.cast(cython.Py_ssize_t, last)):
            most = max(most, self.tokens(sentence))
        return most

    def most_nodes(self, first: int, last: int) -> int:
        """Return the most nodes that a sentence has, of those from ``first`` to ``last - 1``."""
        most: cython.Py_ssize_t = 0
        for sentence in range(cython.cast(cython.Py_ssize_t, first), cython.cast(cython.Py_ssize_t, last)):
            most = max(most, self.nodes(sentence))
        return most


@cython.cclass
class Children:
    """Items below each node of one sentence, as linked lists.

    first  the first child of each node, an item or -1; as long as the longest sentence of a range needs
    next   the next sibling of each item, or -1
    """

    first: Int32Output
    next: Int32Output

    def __init__(self, forest: Forest, first: int, last: int) -> None:
        """Allocate for the longest of the sentences ``first`` to ``last - 1``; ``link`` fills the arrays."""
        nodes = forest.most_nodes(first, last)
        self.first = np.empty(nodes, np.int32)
        self.next = np.empty(forest.most_tokens(first, last) + nodes, np.int32)

    @cython.cfunc
    @cython.nogil
    def link(self, forest: Forest, sentence: cython.Py_ssize_t) -> cython.void:
        """Link the children of a sentence's nodes: tokens in their order, then nodes in theirs."""
        tokens: cython.Py_ssize_t = forest.tokens(sentence)
        nodes: cython.Py_ssize_t = forest.nodes(sentence)
        for item in range(nodes):
            self.first[item] = -1
        for item in range(tokens + nodes - 1, -1, -1):
            above = forest.parent(sentence, item)
            self.next[item] = -1
            if above >= 0:
                self.next[item] = self.first[above]
                self.first[above] = cython.cast(cython.int, item)
