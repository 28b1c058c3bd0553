"""The loop that looks whether the positions in a treebank's tables are those that other loops rely on."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import Int32Array
from cython.cimports.crossbank.treebanks.forest import Forest


def first_unsound(forest: Forest, token_head: Int32Array, node_head: Int32Array) -> int:
    """The first sentence with a parent or head that is not there, or nodes out of pre-order; -1 for none.

    Every node must dominate a token. So nodes are in pre-order where each token's ancestors that no earlier
    token has are the next nodes, from the top down. Linear in tokens and nodes. Offsets must ascend.
    """
    found: cython.Py_ssize_t = -1
    sentence: cython.Py_ssize_t
    base: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    tokens: cython.Py_ssize_t
    nodes: cython.Py_ssize_t
    token: cython.Py_ssize_t
    node: cython.Py_ssize_t
    reached: cython.Py_ssize_t
    bad: cython.bint
    with cython.nogil:
        for sentence in range(forest.token_offsets.shape[0] - 1):
            begin, tokens = forest.token_offsets[sentence], forest.tokens(sentence)
            base, nodes = forest.node_offsets[sentence], forest.nodes(sentence)
            bad = False
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
