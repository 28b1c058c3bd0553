"""The order of a treebank's nodes: parents before children, siblings by their first word."""

from __future__ import annotations

import numpy as np
from numba import njit

from crossbank.treebanks.arrays import Int32Array, Int64Array


@njit(cache=True, nogil=True)
def arrange(
    token_offsets: Int64Array,
    token_parent: Int32Array,
    node_offsets: Int64Array,
    node_parent: Int32Array,
) -> tuple[Int32Array, Int64Array, Int32Array, Int32Array, int]:
    """Put nodes into pre-order and leave out those that dominate no token.

    Each token's ancestors that no earlier token has are emitted from the top down: two nodes that
    begin at the same token are ancestor and descendant, so this is pre-order, also where
    constituents are discontinuous. Linear in tokens and nodes.

    Returns the old row of each node that stays, the new offsets, the tokens' and the nodes' parents
    in the new order, and the first sentence with a cycle (or -1; the arrays are then useless).
    """
    sentences = len(token_offsets) - 1
    order = np.empty(len(node_parent), np.int32)
    place = np.full(len(node_parent), -1, np.int32)
    offsets = np.zeros(sentences + 1, np.int64)
    new_token_parent = np.empty(len(token_parent), np.int32)
    new_node_parent = np.empty(len(node_parent), np.int32)
    emitted = 0
    for sentence in range(sentences):
        base = node_offsets[sentence]
        nodes = node_offsets[sentence + 1] - base
        first = emitted
        for token in range(token_offsets[sentence], token_offsets[sentence + 1]):
            fresh = 0
            node = token_parent[token]
            while node >= 0 and place[base + node] < 0:
                fresh += 1
                if fresh > nodes:
                    return order, offsets, new_token_parent, new_node_parent, sentence
                node = node_parent[base + node]
            node = token_parent[token]
            for depth in range(fresh - 1, -1, -1):
                order[emitted + depth] = base + node
                place[base + node] = emitted + depth - first
                node = node_parent[base + node]
            emitted += fresh
            parent = token_parent[token]
            new_token_parent[token] = place[base + parent] if parent >= 0 else -1
        for new in range(first, emitted):
            parent = node_parent[order[new]]
            new_node_parent[new] = place[base + parent] if parent >= 0 else -1
        offsets[sentence + 1] = emitted
    return order[:emitted].copy(), offsets, new_token_parent, new_node_parent[:emitted].copy(), -1


@njit(cache=True, nogil=True)
def tree_order(
    token_offsets: Int64Array,
    token_parent: Int32Array,
    node_offsets: Int64Array,
    node_parent: Int32Array,
    start: Int32Array,
    size: Int32Array,
) -> Int32Array:
    """Where each token stands when the tree is written out and siblings are ordered by first token.

    ``start`` and ``size`` are the nodes' (``spans.node_spans``); nodes must be in pre-order. In a
    sentence without discontinuous constituents every token stays where it is. Positions are counted
    from the beginning of the sentence, shape ``(tokens,)``.
    """
    place = np.empty(len(token_parent), np.int32)
    free = np.empty(len(node_parent), np.int32)  # the next free place inside each node
    for sentence in range(len(token_offsets) - 1):
        base, begin = node_offsets[sentence], token_offsets[sentence]
        node = base
        outside = 0
        for token in range(begin, token_offsets[sentence + 1]):
            while node < node_offsets[sentence + 1] and start[node] == token - begin:
                if node_parent[node] >= 0:
                    above = base + node_parent[node]
                    free[node] = free[above]
                    free[above] += size[node]
                else:
                    free[node] = outside
                    outside += size[node]
                node += 1
            if token_parent[token] >= 0:
                above = base + token_parent[token]
                place[token] = free[above]
                free[above] += 1
            else:
                place[token] = outside
                outside += 1
    return place
