"""Loops that match brackets and find crossing ones, with the arrays of ``metrics.parseval``."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    BoolOutput,
    Float64Array,
    Float64Matrix,
    Float64MatrixOutput,
    Int32Array,
    Int32Output,
    UInt64Array,
    UInt64Output,
)
from cython.cimports.crossbank.treebanks.forest import Forest
from numpy.typing import NDArray


@cython.dataclasses.dataclass(eq=False, repr=False)
class Brackets:
    """Nodes of gold or candidate with their spans and the columns of ``metrics.parseval``."""

    forest: Forest
    start: Int32Array
    end: Int32Array
    size: Int32Array
    label: Int32Array
    fingerprint: UInt64Array


@cython.dataclasses.dataclass(eq=False, repr=False)
class Both:
    """Brackets of gold and candidate, and a mask of the scored sentences."""

    gold: Brackets
    candidate: Brackets
    scored: BoolArray


def mark_sets(forest: Forest, tokens: BoolArray, numbers: UInt64Array, fingerprint: UInt64Output) -> None:
    """Add to each node's fingerprint the sum, modulo 2^64, of its tokens' random numbers.

    Different sets of the same first token, last token and size have the same sum once in 2^64.
    """
    with cython.nogil:
        for sentence in range(forest.token_offsets.shape[0] - 1):
            begin, base = forest.token_offsets[sentence], forest.node_offsets[sentence]
            for token in range(begin, forest.token_offsets[sentence + 1]):
                if tokens[token] and forest.token_parent[token] >= 0:
                    fingerprint[base + forest.token_parent[token]] += numbers[token - begin]
            for node in range(forest.node_offsets[sentence + 1] - 1, base - 1, -1):
                if forest.node_parent[node] >= 0:
                    fingerprint[base + forest.node_parent[node]] += fingerprint[node]


def drop_duplicates(forest: Forest, size: Int32Array, label: Int32Output, labels: int) -> None:
    """Mark brackets as uncounted that repeat a higher one: nodes over the same tokens are adjacent."""
    seen_in: Int32Output = np.full(labels, -1, np.int32)
    chain: cython.Py_ssize_t = 0
    with cython.nogil:
        for sentence in range(forest.node_offsets.shape[0] - 1):
            base = forest.node_offsets[sentence]
            for node in range(base, forest.node_offsets[sentence + 1]):
                above = forest.node_parent[node]
                if above < 0 or size[base + above] != size[node]:
                    chain = node
                if label[node] >= 0:
                    if seen_in[label[node]] == chain:
                        label[node] = -1
                    else:
                        seen_in[label[node]] = chain


def count_brackets(
    both: Both,
    once: Both,
    with_crossing: bool,
    matched: BoolOutput,
    crosses: BoolOutput,
    sums: Float64MatrixOutput,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Mark and count the brackets of the sentences ``first`` to ``last - 1``.

    once  the brackets that are matched: all, or one of several equal ones
    sums  gold's brackets, the candidate's, those in common and those that cross; shape ``(4, sentences)``
    """
    gold, candidate = both.gold, both.candidate
    match(once, matched, first, last)
    if with_crossing:
        mark_crossing(both, crosses, first, last)
    with cython.nogil:
        for sentence in range(first, last):
            of_gold: cython.int = 0
            for node in range(gold.forest.node_offsets[sentence], gold.forest.node_offsets[sentence + 1]):
                of_gold += gold.label[node] >= 0
            sums[0, sentence] = of_gold
            if not both.scored[sentence]:
                continue
            of_candidate: cython.int = 0
            common: cython.int = 0
            crossing: cython.int = 0
            begin, end = candidate.forest.node_offsets[sentence], candidate.forest.node_offsets[sentence + 1]
            for node in range(begin, end):
                of_candidate += candidate.label[node] >= 0
                common += matched[node]
                crossing += crosses[node]
            sums[1, sentence], sums[2, sentence], sums[3, sentence] = of_candidate, common, crossing


@cython.cfunc
def codes_of_labels(side: Brackets, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.int:
    """Return one more than the highest code of a label in the sentences ``first`` to ``last - 1``."""
    highest: cython.int = -1
    for node in range(side.forest.node_offsets[first], side.forest.node_offsets[last]):
        highest = max(highest, side.label[node])
    return highest + 1


@cython.ccall
def match(both: Both, matched: BoolOutput, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.void:
    """Mark the brackets of the candidate that gold has too, in the sentences ``first`` to ``last - 1``."""
    gold, candidate = both.gold, both.candidate
    left, right = gold.forest, candidate.forest
    labels = max(codes_of_labels(gold, first, last), codes_of_labels(candidate, first, last))
    waiting: Int32Output = np.zeros(labels, np.int32)
    with cython.nogil:
        for sentence in range(first, last):
            if not both.scored[sentence]:
                continue
            g, g_stop = left.node_offsets[sentence], left.node_offsets[sentence + 1]
            c, c_stop = right.node_offsets[sentence], right.node_offsets[sentence + 1]
            while g < g_stop and c < c_stop:
                start, size = gold.start[g], gold.size[g]
                if candidate.start[c] < start or (candidate.start[c] == start and candidate.size[c] > size):
                    c += 1
                    continue
                if candidate.start[c] > start or candidate.size[c] < size:
                    g += 1
                    continue
                same: cython.bint = (
                    gold.end[g] == candidate.end[c] and gold.fingerprint[g] == candidate.fingerprint[c]
                )
                chain = g
                while g < g_stop and gold.start[g] == start and gold.size[g] == size:
                    if gold.label[g] >= 0:
                        waiting[gold.label[g]] += 1
                    g += 1
                while c < c_stop and candidate.start[c] == start and candidate.size[c] == size:
                    label = candidate.label[c]
                    if same and label >= 0 and waiting[label] > 0:
                        waiting[label] -= 1
                        matched[c] = True
                    c += 1
                for node in range(chain, g):
                    if gold.label[node] >= 0:
                        waiting[gold.label[node]] = 0


def match_similar(
    both: Both,
    group: Int32Array,
    cost: Float64Matrix,
    prices: Float64Array,
    partner: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.void:
    """Match brackets over the same tokens, in the sentences ``first`` to ``last - 1``.

    Of a chain of brackets the cheapest pair is matched first, and of pairs that cost the same the highest.

    group, cost  of each label, and the cost of replacing labels by group
    prices       the distinct costs of a match, from the lowest
    partner      the row of gold's bracket for each of the candidate's, -1 without one, which this fills in
    """
    gold, candidate = both.gold, both.candidate
    left, right = gold.forest, candidate.forest
    free: Int32Output = np.ones(len(gold.label), np.int32)
    with cython.nogil:
        for sentence in range(first, last):
            if not both.scored[sentence]:
                continue
            g, g_stop = left.node_offsets[sentence], left.node_offsets[sentence + 1]
            c, c_stop = right.node_offsets[sentence], right.node_offsets[sentence + 1]
            while g < g_stop and c < c_stop:
                start, size = gold.start[g], gold.size[g]
                if candidate.start[c] < start or (candidate.start[c] == start and candidate.size[c] > size):
                    c += 1
                    continue
                if candidate.start[c] > start or candidate.size[c] < size:
                    g += 1
                    continue
                same: cython.bint = (
                    gold.end[g] == candidate.end[c] and gold.fingerprint[g] == candidate.fingerprint[c]
                )
                g_chain, c_chain = g, c
                while g < g_stop and gold.start[g] == start and gold.size[g] == size:
                    g += 1
                while c < c_stop and candidate.start[c] == start and candidate.size[c] == size:
                    c += 1
                if not same:
                    continue
                for level in range(len(prices)):
                    for node in range(c_chain, c):
                        if candidate.label[node] < 0 or partner[node] >= 0:
                            continue
                        for other in range(g_chain, g):
                            if gold.label[other] < 0 or not free[other]:
                                continue
                            price: cython.double = 0.0
                            if gold.label[other] != candidate.label[node]:
                                price = cost[group[gold.label[other]], group[candidate.label[node]]]
                            if price == prices[level]:
                                partner[node] = other
                                free[other] = 0
                                break


@cython.ccall
def mark_crossing(
    both: Both, crosses: BoolOutput, first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> cython.void:
    """Mark the candidate's brackets that cross one of gold, in the sentences ``first`` to ``last - 1``."""
    gold, candidate = both.gold, both.candidate
    across: Int32Output = np.empty(gold.forest.most_tokens(first, last) + 1, np.int32)
    common: Int32Output = np.empty(gold.forest.most_nodes(first, last), np.int32)
    yields = Yields(candidate.forest, first, last)
    with cython.nogil:
        for sentence in range(first, last):
            if both.scored[sentence]:
                if has_gaps(gold, sentence) or has_gaps(candidate, sentence):
                    cross_sets(gold, candidate, sentence, yields, common, crosses)
                else:
                    cross_spans(gold, candidate, sentence, across, crosses)


@cython.cfunc
@cython.nogil
def has_gaps(side: Brackets, sentence: cython.Py_ssize_t) -> cython.bint:
    """Return whether a node of the sentence is discontinuous."""
    for node in range(side.forest.node_offsets[sentence], side.forest.node_offsets[sentence + 1]):
        if side.end[node] - side.start[node] != side.size[node]:
            return True
    return False


@cython.cfunc
@cython.nogil
def cross_spans(
    gold: Brackets,
    candidate: Brackets,
    sentence: cython.Py_ssize_t,
    across: Int32Output,
    crosses: BoolOutput,
) -> cython.void:
    """Mark the crossing brackets of a sentence in which no node has a gap.

    A bracket crosses one of gold if it begins or ends inside of one that does not contain it. Of
    all gold brackets that a border runs through, the lowest is contained in the others, so it is
    enough to look at that one: at the parent of the highest node that begins after the border.
    ``across`` has at least one entry more than the sentence has tokens.
    """
    begin, base = gold.forest.token_offsets[sentence], gold.forest.node_offsets[sentence]
    length: cython.Py_ssize_t = gold.forest.tokens(sentence)
    for token in range(length):
        across[token] = gold.forest.token_parent[begin + token]
    across[length] = -1
    for node in range(gold.forest.node_offsets[sentence + 1] - 1, base - 1, -1):
        across[gold.start[node]] = gold.forest.node_parent[node]
    for token in range(length):
        while across[token] >= 0 and gold.label[base + across[token]] < 0:
            across[token] = gold.forest.node_parent[base + across[token]]
    for node in range(candidate.forest.node_offsets[sentence], candidate.forest.node_offsets[sentence + 1]):
        if candidate.label[node] >= 0:
            first, last = across[candidate.start[node]], across[candidate.end[node]]
            crosses[node] = (first >= 0 and gold.end[base + first] < candidate.end[node]) or (
                last >= 0 and gold.start[base + last] > candidate.start[node]
            )


@cython.cfunc
@cython.nogil
def cross_sets(
    gold: Brackets,
    candidate: Brackets,
    sentence: cython.Py_ssize_t,
    yields: Yields,
    common: Int32Output,
    crosses: BoolOutput,
) -> cython.void:
    """Mark the crossing brackets of a sentence with discontinuous nodes, by counting common tokens.

    ``common`` is at least as long as the number of the sentence's gold nodes.
    """
    begin, base = gold.forest.token_offsets[sentence], gold.forest.node_offsets[sentence]
    nodes: cython.Py_ssize_t = gold.forest.nodes(sentence)
    entry: cython.Py_ssize_t
    order_tokens(candidate, sentence, yields)
    for node in range(candidate.forest.node_offsets[sentence], candidate.forest.node_offsets[sentence + 1]):
        if candidate.label[node] < 0:
            continue
        size = candidate.size[node]
        for other in range(nodes):
            common[other] = 0
        for entry in range(
            yields.first[node - candidate.forest.node_offsets[sentence]],
            yields.first[node - candidate.forest.node_offsets[sentence]] + size,
        ):
            above = gold.forest.token_parent[begin + yields.order[entry]]
            if above >= 0:
                common[above] += 1
        for other in range(nodes - 1, -1, -1):
            shared = common[other]
            if gold.label[base + other] >= 0 and 0 < shared < size and shared < gold.size[base + other]:
                crosses[node] = True
                break
            if gold.forest.node_parent[base + other] >= 0:
                common[gold.forest.node_parent[base + other]] += shared


@cython.cclass
class Yields:
    """Tokens of one sentence in an order in which each node's are adjacent.

    first  where each node's tokens begin in that order; as long as the longest sentence of a range needs
    order  the tokens; those under no node are not in it
    """

    first: Int32Output
    free: Int32Output
    order: Int32Output

    def __init__(self, forest: Forest, first: int, last: int) -> None:
        nodes = forest.most_nodes(first, last)
        self.first, self.free = np.empty(nodes, np.int32), np.empty(nodes, np.int32)
        self.order = np.empty(forest.most_tokens(first, last), np.int32)


@cython.cfunc
@cython.nogil
def order_tokens(side: Brackets, sentence: cython.Py_ssize_t, yields: Yields) -> cython.int:
    """Fill in the yields of a sentence. Returns how many tokens are under some node."""
    begin, base = side.forest.token_offsets[sentence], side.forest.node_offsets[sentence]
    covered: cython.int = 0
    for node in range(side.forest.nodes(sentence)):
        parent = side.forest.node_parent[base + node]
        if parent >= 0:
            yields.first[node] = yields.free[parent]
            yields.free[parent] += side.size[base + node]
        else:
            yields.first[node] = covered
            covered += side.size[base + node]
        yields.free[node] = yields.first[node]
    for token in range(side.forest.tokens(sentence)):
        parent = side.forest.token_parent[begin + token]
        if parent >= 0:
            yields.order[yields.free[parent]] = token
            yields.free[parent] += 1
    return covered


def tokens_of_nodes(side: Brackets) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the tokens of each node of a treebank of one sentence.

    The first array has the offset of each node's tokens in the second.
    """
    yields = Yields(side.forest, 0, 1)
    order_tokens(side, 0, yields)
    return np.asarray(yields.first), np.asarray(yields.order)
