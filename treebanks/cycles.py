"""Faults of trees: cycles of heads, positions that are not there."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import BoolOutput, Int32Array, Int64Array, Int64Output
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


def first_unsound(forest: Forest, token_head: Int32Array, node_head: Int32Array) -> int:
    """First sentence with a parent or head that is not there, or nodes out of pre-order; -1 for none.

    Every node must dominate a token. So nodes are in pre-order where each token's ancestors that no earlier
    token has are the next nodes, from the top down. Linear in tokens and nodes. Offsets must ascend.
    """
    found: cython.Py_ssize_t = -1
    with cython.nogil:
        for sentence in range(forest.token_offsets.shape[0] - 1):
            begin, tokens = forest.token_offsets[sentence], forest.tokens(sentence)
            base, nodes = forest.node_offsets[sentence], forest.nodes(sentence)
            bad: cython.bint = False
            for token in range(begin, begin + tokens):
                bad |= (token_head[token] < -2) | (token_head[token] >= tokens)
            for node in range(nodes):
                bad |= (node_head[base + node] < -2) | (node_head[base + node] >= tokens)
                bad |= node_head[base + node] == -1
                bad |= (forest.node_parent[base + node] < -1) | (forest.node_parent[base + node] >= node)
            reached = 0
            for token in range(begin, begin + tokens):
                node = forest.token_parent[token]
                if node < reached:
                    bad |= node < -1
                    continue
                if node >= nodes:
                    bad = True
                    continue
                # Those between are each the only way from the next one up to a node that was reached before.
                while node > reached:
                    bad |= forest.node_parent[base + node] != node - 1
                    node -= 1
                reached = forest.token_parent[token] + 1
            if bad or reached != nodes:
                found = sentence
                break
    return found
