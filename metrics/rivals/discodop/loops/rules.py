"""The compiled loop over the rules of trees, those of a linear context-free rewriting system (LCFRS)."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    Int32Array,
    Int32Output,
    Int64Array,
    Int64Output,
    UInt64Output,
)

PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
START = cython.declare(cython.ulonglong, 0xCBF29CE484222325)
BITS = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)

# The marks between the parts of a rule, beside labels and the numbers of children.
PART = cython.declare(cython.ulonglong, 0x7FFFFFFF)


@cython.final
@cython.cclass
class Trees:
    """Tokens and nodes of a treebank; ``tag`` and ``label`` are codes."""

    token_offsets: Int64Array
    token_parent: Int32Array
    tag: Int32Array
    node_offsets: Int64Array
    node_parent: Int32Array
    label: Int32Array
    start: Int32Array

    def __init__(
        self,
        token_offsets: Int64Array,
        token_parent: Int32Array,
        tag: Int32Array,
        node_offsets: Int64Array,
        node_parent: Int32Array,
        label: Int32Array,
        start: Int32Array,
    ) -> None:
        self.token_offsets, self.token_parent, self.tag = token_offsets, token_parent, tag
        self.node_offsets, self.node_parent = node_offsets, node_parent
        self.label, self.start = label, start


def mark_rules(trees: Trees, rule: UInt64Output, order: Int64Output) -> None:
    """Fill in a number for the rule of each node, and the place of nodes and tokens in pre-order.

    Nodes have the same number where their labels, the labels of their children and the order in which the
    children cover the tokens are the same (others once in 2^64). ``order`` has the nodes first, then the
    tokens; it counts through the treebank.
    """
    nodes: cython.Py_ssize_t = trees.label.shape[0]
    longest = 1 + int(np.diff(np.asarray(trees.token_offsets)).max(initial=0))
    largest = 1 + int(np.diff(np.asarray(trees.node_offsets)).max(initial=0))
    # Items are the nodes and then the tokens of a sentence; a sentence without a node has no order.
    first_child: Int32Output = np.zeros(largest, np.int32)
    sister: Int32Output = np.zeros(longest + largest, np.int32)
    number: Int32Output = np.zeros(longest + largest, np.int32)
    met: Int32Output = np.zeros(largest, np.int32)
    child: Int32Output = np.zeros(largest, np.int32)
    sentence: cython.Py_ssize_t
    count: cython.Py_ssize_t
    words: cython.Py_ssize_t
    base: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    token: cython.Py_ssize_t
    node: cython.Py_ssize_t
    item: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    place: cython.longlong = 0
    key: cython.ulonglong
    with cython.nogil:
        for sentence in range(trees.token_offsets.shape[0] - 1):
            base, begin = trees.node_offsets[sentence], trees.token_offsets[sentence]
            count, words = trees.node_offsets[sentence + 1] - base, trees.token_offsets[sentence + 1] - begin
            for node in range(count):
                first_child[node], met[node], child[node] = -1, 0, -1
            # The children of a node in the order of their first tokens, from the last to the first.
            node, token = count - 1, words - 1
            while node >= 0 or token >= 0:
                if token >= 0 and (node < 0 or trees.start[base + node] <= token):
                    item, parent = count + token, trees.token_parent[begin + token]
                    token -= 1
                else:
                    item, parent = node, trees.node_parent[base + node]
                    node -= 1
                sister[item] = -1
                if parent >= 0:
                    sister[item] = first_child[parent]
                    first_child[parent] = item
            for node in range(count):
                key = label_children(trees, base, begin, node, count, first_child, sister, number)
                rule[base + node] = key
            for token in range(words):
                item, parent = count + token, trees.token_parent[begin + token]
                while parent >= 0:
                    if met[parent] != token or token == 0:
                        rule[base + parent] = mixed(rule[base + parent], PART)
                        child[parent] = -1
                    if child[parent] != number[item]:
                        child[parent] = number[item]
                        rule[base + parent] = mixed(rule[base + parent], number[item])
                    met[parent] = token + 1
                    item, parent = parent, trees.node_parent[base + parent]
            if count > 0:
                place = walk(base, nodes + begin, count, first_child, sister, trees.node_parent, order, place)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mixed(key: cython.ulonglong, value: cython.ulonglong) -> cython.ulonglong:
    """A number for all values so far and one more."""
    # Uncompiled, both may be numbers of NumPy.
    key = cython.cast(cython.ulonglong, key) ^ (cython.cast(cython.ulonglong, value) + 1)
    key = (key * PRIME) & BITS
    return (key ^ (key >> 29)) & BITS


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def label_children(
    trees: Trees,
    base: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    node: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    first_child: Int32Output,
    sister: Int32Output,
    number: Int32Output,
) -> cython.ulonglong:
    """A number for the label of a node and those of its children, which are numbered from 0 on."""
    key: cython.ulonglong = mixed(START, trees.label[base + node])
    item: cython.Py_ssize_t = first_child[node]
    place: cython.int = 0
    while item >= 0:
        number[item] = place
        place += 1
        if item < count:
            key = mixed(key, 2 * cython.cast(cython.ulonglong, trees.label[base + item]))
        else:
            key = mixed(key, 2 * cython.cast(cython.ulonglong, trees.tag[begin + item - count]))
        item = sister[item]
    return mixed(key, PART)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def walk(
    base: cython.Py_ssize_t,
    first_token: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    first_child: Int32Output,
    sister: Int32Output,
    node_parent: Int32Array,
    order: Int64Output,
    place: cython.longlong,
) -> cython.longlong:
    """Number the items below the first node in pre-order, from ``place`` on. Returns the next number."""
    item: cython.Py_ssize_t = 0
    above: cython.Py_ssize_t = -1
    while item >= 0:
        if item < count:
            order[base + item] = place
        else:
            order[first_token + item - count] = place
        place += 1
        if item < count and first_child[item] >= 0:
            above = item
            item = first_child[item]
            continue
        while item >= 0 and sister[item] < 0:
            item = above
            if item < 0:
                break
            above = node_parent[base + item]
        if item >= 0:
            item = sister[item]
    return place
