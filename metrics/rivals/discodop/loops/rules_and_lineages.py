"""Loops over the rules of trees, and over the lineages of words."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
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
    start, end  the first token of a node, and one past its last
    counts      whether a node is in lineages
    """

    forest: Forest
    tag: Int32Array
    label: Int32Array
    start: Int32Array
    end: Int32Array
    counts: BoolArray


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


# The marks in a lineage; labels are codes from 0 on.
OPENS = cython.declare(cython.int, -1)
CLOSES = cython.declare(cython.int, -2)
PART_OPENS = cython.declare(cython.int, -3)
PART_CLOSES = cython.declare(cython.int, -4)


@cython.cclass
class Lineage:
    """Lineage of one token, and the arrays that find the ends of parts; room for the largest tree.

    length   how many symbols there are
    symbols  labels and marks, the root's first
    above    the nodes over the token, the lowest first
    before   for each node the last token, counted from 1, that was met under it
    ahead    for each node the last token, counted from 1, that was met under it by one who looks ahead
    """

    length: cython.Py_ssize_t
    symbols: Int32Output
    above: Int32Output
    before: Int32Output
    ahead: Int32Output

    def __init__(self, nodes: int) -> None:
        self.symbols, self.above = np.zeros(3 * nodes + 4, np.int32), np.zeros(nodes, np.int32)
        self.before, self.ahead = np.zeros(nodes, np.int32), np.zeros(nodes, np.int32)


def compare_lineages(
    gold: Trees,
    candidate: Trees,
    distance: Int32Output,
    symbols: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in, for each token of the sentences ``first`` to ``last - 1``, the edits and the length of both.

    Both sides have the same tokens.
    """
    deepest = 1 + max(gold.forest.most_nodes(first, last), candidate.forest.most_nodes(first, last))
    own = Lineage(deepest)
    other = Lineage(deepest)
    row: Int32Output = np.zeros(3 * deepest + 5, np.int32)
    with cython.nogil:
        for sentence in range(first, last):
            clear(gold, sentence, own)
            clear(candidate, sentence, other)
            begin = gold.forest.token_offsets[sentence]
            for token in range(gold.forest.tokens(sentence)):
                find_lineage(gold, sentence, token, own)
                find_lineage(candidate, sentence, token, other)
                distance[begin + token] = edits(own, other, row)
                symbols[begin + token] = own.length + other.length


@cython.cfunc
@cython.nogil
def clear(side: Trees, sentence: cython.Py_ssize_t, lineage: Lineage) -> cython.void:
    """Forget the tokens of another sentence."""
    for node in range(side.forest.nodes(sentence)):
        lineage.before[node] = lineage.ahead[node] = 0


@cython.cfunc
@cython.nogil
def find_lineage(
    side: Trees, sentence: cython.Py_ssize_t, token: cython.Py_ssize_t, lineage: Lineage
) -> cython.void:
    """Fill in the lineage of a token; the tokens before it in the sentence must have been asked for.

    A node is marked ``(`` and ``)`` at its ends and ``[`` and ``]`` at those of its parts, unless a node
    above has put the same mark there.
    """
    begin, base = side.forest.token_offsets[sentence], side.forest.node_offsets[sentence]
    depth: cython.Py_ssize_t = 0
    length: cython.Py_ssize_t = 0
    # A bit for each mark that is in the lineage.
    marked: cython.int = 0
    if begin + token + 1 < side.forest.token_offsets[sentence + 1]:
        node: cython.Py_ssize_t = side.forest.token_parent[begin + token + 1]
        while node >= 0:
            lineage.ahead[node] = token + 2
            node = side.forest.node_parent[base + node]
    node = side.forest.token_parent[begin + token]
    while node >= 0:
        lineage.above[depth] = node
        depth += 1
        node = side.forest.node_parent[base + node]
    while depth > 0:
        depth -= 1
        node = lineage.above[depth]
        if side.counts[base + node]:
            if lineage.ahead[node] != token + 2:
                mark = CLOSES if side.end[base + node] == token + 1 else PART_CLOSES
                if not marked & (1 << -mark):
                    marked |= 1 << -mark
                    lineage.symbols[length] = mark
                    length += 1
            lineage.symbols[length] = side.label[base + node]
            length += 1
            if token == 0 or lineage.before[node] != token:
                mark = OPENS if side.start[base + node] == token else PART_OPENS
                if not marked & (1 << -mark):
                    marked |= 1 << -mark
                    lineage.symbols[length] = mark
                    length += 1
        lineage.before[node] = token + 1
    lineage.length = length


@cython.cfunc
@cython.nogil
def edits(gold: Lineage, candidate: Lineage, row: Int32Output) -> cython.int:
    """Return the number of symbols to replace, insert or delete (Levenshtein's distance)."""
    if gold.length == candidate.length:
        one = 0
        while one < gold.length and gold.symbols[one] == candidate.symbols[one]:
            one += 1
        if one == gold.length:
            return 0
    for one in range(gold.length + 1):
        row[one] = one
    for other in range(candidate.length):
        before = row[0]
        row[0] = other + 1
        for one in range(gold.length):
            cost = before if candidate.symbols[other] == gold.symbols[one] else before + 1
            before = row[one + 1]
            row[one + 1] = min(cost, before + 1, row[one] + 1)
    return int(row[gold.length])
