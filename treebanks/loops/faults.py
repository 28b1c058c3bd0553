"""Cycles of heads, and nodes without a word."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolOutput,
    Int32Array,
    Int64Array,
    Int64Output,
)
from cython.cimports.crossbank.treebanks.forest import Forest
from numpy.typing import NDArray


def on_cycle(token_offsets: Int64Array, head: Int32Array) -> NDArray[np.bool_]:
    """A mask of the tokens that lie on a cycle of heads, shape ``(tokens,)``; heads must be in range.

    From every token the path upwards is followed until it ends or meets a token visited before;
    met again on the same path, that token is on a cycle. Each token is visited once.
    """
    cyclic = np.zeros(head.shape[0], np.bool_)
    marked: BoolOutput = cyclic
    path_of: Int64Output = np.full(head.shape[0], -1, np.int64)
    sentence: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    start: cython.Py_ssize_t
    token: cython.Py_ssize_t
    with cython.nogil:
        for sentence in range(token_offsets.shape[0] - 1):
            begin = token_offsets[sentence]
            for start in range(begin, token_offsets[sentence + 1]):
                token = start
                while path_of[token] < 0:
                    path_of[token] = start
                    if head[token] < 0:
                        break
                    token = begin + head[token]
                else:
                    while path_of[token] == start and not marked[token]:
                        marked[token] = True
                        token = begin + head[token]
    return cyclic


def wordless(
    forest: Forest,
) -> NDArray[np.bool_]:
    """A mask of the nodes that dominate no token, shape ``(nodes,)``; parents must stand before children."""
    found = np.ones(forest.node_parent.shape[0], np.bool_)
    empty: BoolOutput = found
    sentence: cython.Py_ssize_t
    base: cython.Py_ssize_t
    token: cython.Py_ssize_t
    node: cython.Py_ssize_t
    with cython.nogil:
        for sentence in range(forest.token_offsets.shape[0] - 1):
            base = forest.node_offsets[sentence]
            for token in range(forest.token_offsets[sentence], forest.token_offsets[sentence + 1]):
                if forest.token_parent[token] >= 0:
                    empty[base + forest.token_parent[token]] = False
            for node in range(forest.node_offsets[sentence + 1] - 1, base - 1, -1):
                if not empty[node] and forest.node_parent[node] >= 0:
                    empty[base + forest.node_parent[node]] = False
    return found
