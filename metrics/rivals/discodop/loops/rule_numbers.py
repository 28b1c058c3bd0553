"""Loop over the rules of trees."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    Int32Array,
    Int32Output,
    Int64Output,
    UInt64Output,
)
from cython.cimports.crossbank.treebanks.forest import Forest

PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
START = cython.declare(cython.ulonglong, 0xCBF29CE484222325)
BITS = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)

# The marks between the parts of a rule, beside labels and the numbers of children.
PART = cython.declare(cython.ulonglong, 0x7FFFFFFF)


@cython.dataclasses.dataclass(eq=False, repr=False)
class Trees:
    """Trees of one side, in codes.

    tag, label  of tokens and of nodes
    start       the first token of a node
    """

    forest: Forest
    tag: Int32Array
    label: Int32Array
    start: Int32Array


@cython.cclass
class Family:
    """Items of one sentence, its nodes and then its tokens, with their children; room for the largest.

    base, begin          where the nodes and the tokens of the sentence begin
    nodes                how many nodes there are
    first_child, sister  the first child of each node, and the next one after each item, or -1
    number               of each item among the different labels of its sisters, from 0 on
    """

    base: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    nodes: cython.Py_ssize_t
    first_child: Int32Output
    sister: Int32Output
    number: Int32Output

    def __init__(self, nodes: int, items: int) -> None:
        self.base = self.begin = self.nodes = 0
        self.first_child = np.zeros(nodes, np.int32)
        self.sister, self.number = np.zeros(items, np.int32), np.zeros(items, np.int32)


def mark_rules(trees: Trees, rule: UInt64Output, order: Int64Output) -> None:
    """Fill in a number for the rule of each node, and the place of nodes and tokens in pre-order.

    Nodes have the same number where their labels, the labels of their children and the order in which the
    children cover the tokens are the same (others once in 2^64). ``order`` has the nodes first, then the
    tokens; it counts through the treebank.
    """
    forest, sentences = trees.forest, len(trees.forest)
    largest = 1 + forest.most_nodes(0, sentences)
    family = Family(largest, 1 + forest.most_tokens(0, sentences) + largest)
    met: Int32Output = np.zeros(largest, np.int32)
    child: Int32Output = np.zeros(largest, np.int32)
    parent: cython.Py_ssize_t
    place: cython.longlong = 0
    with cython.nogil:
        for sentence in range(forest.token_offsets.shape[0] - 1):
            base, begin = forest.node_offsets[sentence], forest.token_offsets[sentence]
            count, words = forest.nodes(sentence), forest.tokens(sentence)
            family.base, family.begin, family.nodes = base, begin, count
            for node in range(count):
                family.first_child[node], met[node], child[node] = -1, 0, -1
            # The children of a node in the order of their first tokens, from the last to the first.
            node, token = count - 1, words - 1
            while node >= 0 or token >= 0:
                if token >= 0 and (node < 0 or trees.start[base + node] <= token):
                    item, parent = count + token, forest.token_parent[begin + token]
                    token -= 1
                else:
                    item, parent = node, forest.node_parent[base + node]
                    node -= 1
                family.sister[item] = -1
                if parent >= 0:
                    family.sister[item] = family.first_child[parent]
                    family.first_child[parent] = item
            for node in range(count):
                rule[base + node] = label_children(trees, family, node)
            for token in range(words):
                item, parent = count + token, forest.token_parent[begin + token]
                while parent >= 0:
                    if met[parent] != token or token == 0:
                        rule[base + parent] = mixed(rule[base + parent], PART)
                        child[parent] = -1
                    if child[parent] != family.number[item]:
                        child[parent] = family.number[item]
                        rule[base + parent] = mixed(rule[base + parent], family.number[item])
                    met[parent] = token + 1
                    item, parent = parent, forest.node_parent[base + parent]
            # A sentence without a node has no order.
            if count > 0:
                place = walk(trees, family, order, place)


@cython.cfunc
@cython.nogil
def mixed(key: cython.ulonglong, value: cython.ulonglong) -> cython.ulonglong:
    """A number for all values so far and one more."""
    # Uncompiled, both may be numbers of NumPy.
    key = cython.cast(cython.ulonglong, key) ^ (cython.cast(cython.ulonglong, value) + 1)
    key = (key * PRIME) & BITS
    return (key ^ (key >> 29)) & BITS


@cython.cfunc
@cython.nogil
def label_children(trees: Trees, family: Family, node: cython.Py_ssize_t) -> cython.ulonglong:
    """A number for the label of a node and those of its children, which are numbered from 0 on."""
    key: cython.ulonglong = mixed(START, trees.label[family.base + node])
    item: cython.Py_ssize_t = family.first_child[node]
    place: cython.int = 0
    while item >= 0:
        family.number[item] = place
        place += 1
        if item < family.nodes:
            label = trees.label[family.base + item]
        else:
            label = trees.tag[family.begin + item - family.nodes]
        key = mixed(key, 2 * cython.cast(cython.ulonglong, label))
        item = family.sister[item]
    return mixed(key, PART)


@cython.cfunc
@cython.nogil
def walk(trees: Trees, family: Family, order: Int64Output, place: cython.longlong) -> cython.longlong:
    """Number the items below the first node in pre-order, from ``place`` on. Returns the next number."""
    first_token: cython.Py_ssize_t = trees.label.shape[0] + family.begin
    item: cython.Py_ssize_t = 0
    above: cython.Py_ssize_t = -1
    while item >= 0:
        if item < family.nodes:
            order[family.base + item] = place
        else:
            order[first_token + item - family.nodes] = place
        place += 1
        if item < family.nodes and family.first_child[item] >= 0:
            above = item
            item = family.first_child[item]
            continue
        while item >= 0 and family.sister[item] < 0:
            item = above
            if item < 0:
                break
            above = trees.forest.node_parent[family.base + item]
        if item >= 0:
            item = family.sister[item]
    return place
