"""The loop of ``converters.mark_coordination``: conjunctions between a child and the head child."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import BoolArray, BoolOutput, Int32Array, Int32Output
from cython.cimports.crossbank.treebanks.forest import Forest


def mark_beyond_conjunction(
    forest: Forest,
    head: Int32Array,
    token_conjoins: BoolArray,
    node_conjoins: BoolArray,
    of_token: BoolOutput,
    of_node: BoolOutput,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Mark the children that have another number of conjunctions before them than the head child has.

    ``head`` has the lexical head of each node. One pass goes from left to right: a token is a child of
    its parent, and a node is a child of its own parent as soon as its first token is met, so children
    come in order.
    """
    room: cython.Py_ssize_t = forest.most_nodes(first, last)
    seen: Int32Output = np.empty(room, np.int32)
    at_head: Int32Output = np.empty(room, np.int32)
    before_node: Int32Output = np.empty(room, np.int32)
    before_token: Int32Output = np.empty(forest.most_tokens(first, last), np.int32)
    sentence: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    base: cython.Py_ssize_t
    token: cython.Py_ssize_t
    node: cython.Py_ssize_t
    above: cython.int
    with cython.nogil:
        for sentence in range(first, last):
            begin, base = forest.token_offsets[sentence], forest.node_offsets[sentence]
            for node in range(forest.nodes(sentence)):
                seen[node], at_head[node], before_node[node] = 0, -1, -1
            for token in range(forest.tokens(sentence)):
                if forest.token_parent[begin + token] < 0:
                    continue
                node = forest.token_parent[begin + token]
                before_token[token] = seen[node]
                if head[base + node] == token:
                    at_head[node] = seen[node]
                seen[node] += token_conjoins[begin + token]
                above = forest.node_parent[base + node]
                while above >= 0 and before_node[node] < 0:
                    before_node[node] = seen[above]
                    if head[base + above] == head[base + node]:
                        at_head[above] = seen[above]
                    seen[above] += node_conjoins[base + node]
                    node = above
                    above = forest.node_parent[base + node]
            for token in range(forest.tokens(sentence)):
                above = forest.token_parent[begin + token]
                if above >= 0:
                    of_token[begin + token] = at_head[above] >= 0 and before_token[token] != at_head[above]
            for node in range(forest.nodes(sentence)):
                above = forest.node_parent[base + node]
                if above >= 0:
                    of_node[base + node] = at_head[above] >= 0 and before_node[node] != at_head[above]
