"""The spans of nodes: first and last token, number of tokens, number of blocks."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import BoolArray, BoolOutput, Int32Output
from cython.cimports.crossbank.treebanks.forest import Forest


def measure(
    forest: Forest,
    start: Int32Output,
    end: Int32Output,
    size: Int32Output,
    gaps: BoolOutput,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in start, end and size of the nodes in the sentences ``first`` to ``last - 1``.

    Nodes must be in pre-order. ``gaps``, shape ``(sentences,)``, says in which sentences some node has
    fewer tokens than its extent.
    """
    sentence: cython.Py_ssize_t
    base: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    node: cython.Py_ssize_t
    above: cython.Py_ssize_t
    token: cython.Py_ssize_t
    place: cython.int
    with cython.nogil:
        for sentence in range(first, last):
            base, begin = forest.node_offsets[sentence], forest.token_offsets[sentence]
            for node in range(base, forest.node_offsets[sentence + 1]):
                start[node], end[node], size[node] = 2147483647, 0, 0
            for token in range(begin, forest.token_offsets[sentence + 1]):
                if forest.token_parent[token] >= 0:
                    node = base + forest.token_parent[token]
                    place = cython.cast(cython.int, token - begin)
                    start[node] = min(start[node], place)
                    end[node] = place + 1
                    size[node] += 1
            gaps[sentence] = False
            for node in range(forest.node_offsets[sentence + 1] - 1, base - 1, -1):
                if size[node] != end[node] - start[node]:
                    gaps[sentence] = True
                if forest.node_parent[node] >= 0:
                    above = base + forest.node_parent[node]
                    start[above] = min(start[above], start[node])
                    end[above] = max(end[above], end[node])
                    size[above] += size[node]


def count_blocks(
    forest: Forest, gaps: BoolArray, fan_out: Int32Output, first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> None:
    """Fill in the fan-out of the nodes in those of the sentences ``first`` to ``last - 1`` that have gaps."""
    latest: Int32Output = np.empty(forest.most_nodes(first, last), np.int32)  # the last token below
    sentence: cython.Py_ssize_t
    base: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    node: cython.Py_ssize_t
    token: cython.Py_ssize_t
    place: cython.int
    parent: cython.int
    with cython.nogil:
        for sentence in range(first, last):
            if not gaps[sentence]:
                continue
            base, begin = forest.node_offsets[sentence], forest.token_offsets[sentence]
            for node in range(base, forest.node_offsets[sentence + 1]):
                fan_out[node], latest[node - base] = 0, -2
            for token in range(begin, forest.token_offsets[sentence + 1]):
                parent = forest.token_parent[token]
                place = cython.cast(cython.int, token - begin)
                while parent >= 0:
                    if latest[parent] != place - 1:
                        fan_out[base + parent] += 1
                    latest[parent] = place
                    parent = forest.node_parent[base + parent]
