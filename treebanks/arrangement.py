"""Order of a treebank's nodes (parents first, siblings by their first word), what is out of it, and spans."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    BoolOutput,
    Int32Array,
    Int32Output,
    Int64Array,
    Int64Output,
)
from cython.cimports.crossbank.treebanks.forest import Forest
from numpy.typing import NDArray


def arrange(
    forest: Forest,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], int]:
    """Put nodes into pre-order and omit those that dominate no token.

    Each token's ancestors that no earlier token has are emitted from the top down: two nodes that
    begin at the same token are ancestor and descendant, so this is pre-order, also where
    constituents are discontinuous. Linear in tokens and nodes.

    Returns the old row of each node that stays, the new offsets, the tokens' and the nodes' parents
    in the new order, and the first sentence with a cycle or without the parent (or -1; the arrays are then
    useless).
    """
    sentences: cython.Py_ssize_t = forest.token_offsets.shape[0] - 1
    order: Int32Output = np.empty(forest.node_parent.shape[0], np.int32)
    new_index: Int32Output = np.full(forest.node_parent.shape[0], -1, np.int32)
    offsets: Int64Output = np.zeros(sentences + 1, np.int64)
    new_token_parent: Int32Output = np.empty(forest.token_parent.shape[0], np.int32)
    new_node_parent: Int32Output = np.empty(forest.node_parent.shape[0], np.int32)
    emitted: cython.Py_ssize_t = 0
    wrong: cython.Py_ssize_t = -1
    with cython.nogil:
        for sentence in range(sentences):
            base = forest.node_offsets[sentence]
            nodes = forest.node_offsets[sentence + 1] - base
            first = emitted
            for token in range(forest.token_offsets[sentence], forest.token_offsets[sentence + 1]):
                fresh = 0
                node = forest.token_parent[token]
                while 0 <= node < nodes and new_index[base + node] < 0 and fresh <= nodes:
                    fresh += 1
                    node = forest.node_parent[base + node]
                if fresh > nodes or node >= nodes:
                    wrong = sentence
                    break
                node = forest.token_parent[token]
                for depth in range(fresh - 1, -1, -1):
                    order[emitted + depth] = cython.cast(cython.int, base + node)
                    new_index[base + node] = cython.cast(cython.int, emitted + depth - first)
                    node = forest.node_parent[base + node]
                emitted += fresh
                node = forest.token_parent[token]
                new_token_parent[token] = new_index[base + node] if node >= 0 else -1
            if wrong >= 0:
                break
            for new in range(first, emitted):
                node = forest.node_parent[order[new]]
                new_node_parent[new] = new_index[base + node] if node >= 0 else -1
            offsets[sentence + 1] = emitted
    return (
        np.array(order[:emitted]),
        np.asarray(offsets),
        np.asarray(new_token_parent),
        np.array(new_node_parent[:emitted]),
        wrong,
    )


def prune_tokens(
    forest: Forest, deleted: BoolArray
) -> tuple[
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int32],
    bool,
]:
    """Leave out the tokens of a mask, and the nodes that then dominate no token. Nodes stay in their order.

    Returns the old row of each token and of each node that stays, the new offsets of both, their parents,
    and whether the nodes are in pre-order: a discontinuous node may begin later than one that it was before.
    """
    sentences: cython.Py_ssize_t = forest.token_offsets.shape[0] - 1
    # To make arrays of the loop's views of them would take longer than a short sentence.
    rows = np.empty((2, forest.token_parent.shape[0]), np.int32)
    node_rows = np.empty((2, forest.node_parent.shape[0]), np.int32)
    offsets = np.zeros((2, sentences + 1), np.int64)
    kept_tokens: Int32Output = rows[0]
    token_parent: Int32Output = rows[1]
    kept_nodes: Int32Output = node_rows[0]
    node_parent: Int32Output = node_rows[1]
    token_offsets: Int64Output = offsets[0]
    node_offsets: Int64Output = offsets[1]
    # The new index of each node of a sentence, after -1 for none; before, 1 if it has a token. Rows are
    # written where the next one goes, and count if they stay: jumps by chance would take twice as long.
    new_index: Int32Output = np.empty(forest.most_nodes(0, sentences) + 1, np.int32)
    tokens: cython.Py_ssize_t = 0
    nodes: cython.Py_ssize_t = 0
    is_ordered: cython.bint = True
    with cython.nogil:
        for sentence in range(sentences):
            base = forest.node_offsets[sentence]
            count = forest.nodes(sentence)
            first_token, first_node = tokens, nodes
            for node in range(count + 1):
                new_index[node] = 0
            for token in range(forest.token_offsets[sentence], forest.token_offsets[sentence + 1]):
                parent = forest.token_parent[token]
                stays = cython.cast(cython.int, deleted[token] == 0)
                new_index[parent + 1] |= stays
                kept_tokens[tokens], token_parent[tokens] = cython.cast(cython.int, token), parent
                tokens += stays
            for node in range(count - 1, -1, -1):
                new_index[forest.node_parent[base + node] + 1] |= new_index[node + 1]
            new_index[0] = -1
            for node in range(count):
                has_token = new_index[node + 1]
                kept_nodes[nodes] = cython.cast(cython.int, base + node)
                node_parent[nodes] = new_index[forest.node_parent[base + node] + 1]
                new_index[node + 1] = cython.cast(cython.int, nodes - first_node)
                nodes += has_token
            # Each token's ancestors that no earlier token has must be the next nodes, from the top down.
            after: cython.int = 0
            for token in range(first_token, tokens):
                parent = new_index[token_parent[token] + 1]
                token_parent[token] = parent
                for fresh in range(parent, after, -1):
                    is_ordered &= node_parent[first_node + fresh] == fresh - 1
                after = max(after, parent + 1)
            token_offsets[sentence + 1], node_offsets[sentence + 1] = tokens, nodes
    return (
        rows[0, :tokens],
        node_rows[0, :nodes],
        offsets[0],
        offsets[1],
        rows[1, :tokens],
        node_rows[1, :nodes],
        is_ordered,
    )


def prune_nodes(
    forest: Forest, deleted: BoolArray
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Leave out the nodes of a mask: what is below one goes to the lowest node above it that stays.

    Nodes stay in their order, which is still pre-order. Returns the old row of each node that stays, the new
    offsets, and the parents of tokens and nodes.
    """
    sentences: cython.Py_ssize_t = forest.token_offsets.shape[0] - 1
    rows = np.empty((2, forest.node_parent.shape[0]), np.int32)
    offsets = np.zeros(sentences + 1, np.int64)
    parent_of_token = np.empty(forest.token_parent.shape[0], np.int32)
    kept: Int32Output = rows[0]
    node_parent: Int32Output = rows[1]
    token_parent: Int32Output = parent_of_token
    node_offsets: Int64Output = offsets
    # The new index of each node of a sentence; of one that is left out, that of the node above it, or -1.
    new_index: Int32Output = np.empty(forest.most_nodes(0, sentences), np.int32)
    nodes: cython.Py_ssize_t = 0
    with cython.nogil:
        for sentence in range(sentences):
            base = forest.node_offsets[sentence]
            first_node = nodes
            for node in range(forest.nodes(sentence)):
                above: cython.int = forest.node_parent[base + node]
                if above >= 0:
                    above = new_index[above]
                if deleted[base + node]:
                    new_index[node] = above
                else:
                    new_index[node] = cython.cast(cython.int, nodes - first_node)
                    kept[nodes], node_parent[nodes] = cython.cast(cython.int, base + node), above
                    nodes += 1
            for token in range(forest.token_offsets[sentence], forest.token_offsets[sentence + 1]):
                above = forest.token_parent[token]
                token_parent[token] = new_index[above] if above >= 0 else -1
            node_offsets[sentence + 1] = nodes
    return rows[0, :nodes], offsets, parent_of_token, rows[1, :nodes]


def indices_without_deleted(offsets: Int64Array, deleted: BoolArray) -> NDArray[np.int32]:
    """Return the index of each token in its sentence without the deleted ones; -1 for the deleted ones."""
    new_index: Int32Output = np.empty(deleted.shape[0], np.int32)
    with cython.nogil:
        for sentence in range(offsets.shape[0] - 1):
            remaining: cython.int = 0
            for token in range(offsets[sentence], offsets[sentence + 1]):
                new_index[token] = -1 if deleted[token] else remaining
                remaining += not deleted[token]
    return np.asarray(new_index)


def first_unsound(forest: Forest, token_head: Int32Array, node_head: Int32Array) -> int:
    """Return the first sentence with a missing parent or head, or nodes out of pre-order; -1 for none.

    Every node must dominate a token. So nodes are in pre-order where each token's ancestors that no earlier
    token has are the next nodes, from the top down. Linear in tokens and nodes. Offsets must ascend.
    """
    first: cython.Py_ssize_t = -1
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
                first = sentence
                break
    return first


def tree_order(forest: Forest, start: Int32Array, size: Int32Array) -> NDArray[np.int32]:
    """Return the index of each token when the tree is written out and siblings are ordered by first token.

    ``start`` and ``size`` are the nodes' (``Treebank.spans``); nodes must be in pre-order. In a
    sentence without discontinuous constituents every token stays where it is. Indices are counted
    from the beginning of the sentence, shape ``(tokens,)``.
    """
    new_index: Int32Output = np.empty(forest.token_parent.shape[0], np.int32)
    free: Int32Output = np.empty(forest.node_parent.shape[0], np.int32)  # the next free index in each node
    with cython.nogil:
        for sentence in range(forest.token_offsets.shape[0] - 1):
            base, begin = forest.node_offsets[sentence], forest.token_offsets[sentence]
            node = base
            outside = 0
            for token in range(begin, forest.token_offsets[sentence + 1]):
                while node < forest.node_offsets[sentence + 1] and start[node] == token - begin:
                    if forest.node_parent[node] >= 0:
                        above = base + forest.node_parent[node]
                        free[node] = free[above]
                        free[above] += size[node]
                    else:
                        free[node] = outside
                        outside += size[node]
                    node += 1
                if forest.token_parent[token] >= 0:
                    above = base + forest.token_parent[token]
                    new_index[token] = free[above]
                    free[above] += 1
                else:
                    new_index[token] = outside
                    outside += 1
    return np.asarray(new_index)


@cython.dataclasses.dataclass(eq=False, repr=False)
class Extents:
    """First token of each node, the one past its last token, and how many tokens it has."""

    start: Int32Output
    end: Int32Output
    size: Int32Output


def measure(
    forest: Forest, extents: Extents, gaps: BoolOutput, first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> None:
    """Fill in the extents of the nodes in the sentences ``first`` to ``last - 1``.

    Nodes must be in pre-order. ``gaps``, shape ``(sentences,)``, says in which sentences some node has
    fewer tokens than its extent.
    """
    with cython.nogil:
        for sentence in range(first, last):
            base, begin = forest.node_offsets[sentence], forest.token_offsets[sentence]
            for node in range(base, forest.node_offsets[sentence + 1]):
                extents.start[node], extents.end[node], extents.size[node] = 2147483647, 0, 0
            for token in range(begin, forest.token_offsets[sentence + 1]):
                if forest.token_parent[token] >= 0:
                    node = base + forest.token_parent[token]
                    index = cython.cast(cython.int, token - begin)
                    extents.start[node] = min(extents.start[node], index)
                    extents.end[node] = index + 1
                    extents.size[node] += 1
            gaps[sentence] = False
            for node in range(forest.node_offsets[sentence + 1] - 1, base - 1, -1):
                if extents.size[node] != extents.end[node] - extents.start[node]:
                    gaps[sentence] = True
                if forest.node_parent[node] >= 0:
                    above = base + forest.node_parent[node]
                    extents.start[above] = min(extents.start[above], extents.start[node])
                    extents.end[above] = max(extents.end[above], extents.end[node])
                    extents.size[above] += extents.size[node]


def count_blocks(
    forest: Forest, gaps: BoolArray, fan_out: Int32Output, first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> None:
    """Fill in the fan-out of the nodes in those of the sentences ``first`` to ``last - 1`` that have gaps."""
    latest: Int32Output = np.empty(forest.most_nodes(first, last), np.int32)  # the last token below
    with cython.nogil:
        for sentence in range(first, last):
            if not gaps[sentence]:
                continue
            base, begin = forest.node_offsets[sentence], forest.token_offsets[sentence]
            for node in range(base, forest.node_offsets[sentence + 1]):
                fan_out[node], latest[node - base] = 0, -2
            for token in range(begin, forest.token_offsets[sentence + 1]):
                parent = forest.token_parent[token]
                index = cython.cast(cython.int, token - begin)
                while parent >= 0:
                    if latest[parent] != index - 1:
                        fan_out[base + parent] += 1
                    latest[parent] = index
                    parent = forest.node_parent[base + parent]
