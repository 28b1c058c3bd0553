"""The brackets of two analyses of the same words: which match, and which cross.

A bracket is a node's label and its yield, the set of tokens that it dominates. Nodes stand in
pre-order, so brackets are sorted by their first token, and those that begin at the same token
contain one another, the larger first. Two sorted lists are merged in one pass, and no bracket is
ever compared with all others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array

UNCOUNTED = -1
"""The label of a node that is no bracket: it is not counted, not matched and not crossed."""


class Brackets(NamedTuple):
    """The nodes of a treebank with what makes brackets of them.

    token_offsets, token_parent  as in ``Treebank.tokens``
    offsets, parent              as in ``Treebank.nodes``
    label        code of a vocabulary that both sides share, or ``UNCOUNTED``
    start, end   first token, and one behind the last token
    size         number of tokens
    fingerprint  of nodes with gaps: a number that stands for the set of tokens; else 0
    """

    token_offsets: Int64Array
    token_parent: Int32Array
    offsets: Int64Array
    parent: Int32Array
    label: Int32Array
    start: Int32Array
    end: Int32Array
    size: Int32Array
    fingerprint: NDArray[np.uint64]


def brackets(bank: Treebank, label: Int32Array) -> Brackets:
    """The brackets of a treebank under labels of shape ``(nodes,)``."""
    tokens, nodes, spans = bank.tokens, bank.nodes, bank.spans
    fingerprint = np.zeros(len(nodes), np.uint64)
    if spans.discontinuous.any():
        longest = int(tokens.lengths().max())
        numbers = np.random.default_rng(0).integers(0, 2**64, longest, np.uint64)
        mark_sets(tokens.offsets, tokens.parent, nodes.offsets, nodes.parent, numbers, fingerprint)
    return Brackets(
        tokens.offsets,
        tokens.parent,
        nodes.offsets,
        nodes.parent,
        label,
        spans.start,
        spans.end,
        spans.size,
        fingerprint,
    )


@njit(cache=True, nogil=True)
def mark_sets(
    token_offsets: Int64Array,
    token_parent: Int32Array,
    node_offsets: Int64Array,
    node_parent: Int32Array,
    numbers: NDArray[np.uint64],
    fingerprint: NDArray[np.uint64],
) -> None:
    """Fill in the sum, modulo 2^64, of a random number for each token of a node's yield.

    Different sets of the same first token, last token and size have the same sum once in 2^64.
    """
    for sentence in range(len(token_offsets) - 1):
        begin, base = token_offsets[sentence], node_offsets[sentence]
        for token in range(begin, token_offsets[sentence + 1]):
            if token_parent[token] >= 0:
                fingerprint[base + token_parent[token]] += numbers[token - begin]
        for node in range(node_offsets[sentence + 1] - 1, base - 1, -1):
            if node_parent[node] >= 0:
                fingerprint[base + node_parent[node]] += fingerprint[node]


def codes(gold: Brackets, candidate: Brackets) -> int:
    """One more than the highest code of a label on either side."""
    return 1 + max(int(gold.label.max(initial=0)), int(candidate.label.max(initial=0)))


def without_duplicates(side: Brackets) -> Brackets:
    """Of brackets with the same label and tokens only the highest: a set instead of a multiset."""
    label = side.label.copy()
    drop_duplicates(side.offsets, side.parent, side.size, label, codes(side, side))
    return side._replace(label=label)


@njit(cache=True, nogil=True)
def drop_duplicates(
    offsets: Int64Array, parent: Int32Array, size: Int32Array, label: Int32Array, labels: int
) -> None:
    """Make brackets uncounted that repeat a higher one: nodes over the same tokens are neighbours."""
    seen_in = np.full(labels, -1, np.int64)
    chain = 0
    for sentence in range(len(offsets) - 1):
        base = offsets[sentence]
        for node in range(base, offsets[sentence + 1]):
            if parent[node] < 0 or size[base + parent[node]] != size[node]:
                chain = node
            if label[node] >= 0:
                if seen_in[label[node]] == chain:
                    label[node] = -1
                else:
                    seen_in[label[node]] = chain


@njit(cache=True, nogil=True)
def matching(gold: Brackets, candidate: Brackets, scored: BoolArray, labels: int) -> BoolArray:
    """Which brackets of the candidate gold has too, each of gold's being taken once.

    ``labels`` is one more than the highest code. Brackets over the same tokens form a unary chain
    on either side; of the candidate's chain those are matched whose label is still waiting in
    gold's. This is the intersection of multisets of label and yield. Shape ``(candidate nodes,)``.
    """
    matched = np.zeros(len(candidate.label), np.bool_)
    waiting = np.zeros(labels, np.int32)
    for sentence in range(len(scored)):
        if not scored[sentence]:
            continue
        g, g_stop = gold.offsets[sentence], gold.offsets[sentence + 1]
        c, c_stop = candidate.offsets[sentence], candidate.offsets[sentence + 1]
        while g < g_stop and c < c_stop:
            start, size = gold.start[g], gold.size[g]
            if candidate.start[c] < start or (candidate.start[c] == start and candidate.size[c] > size):
                c += 1
                continue
            if candidate.start[c] > start or candidate.size[c] < size:
                g += 1
                continue
            same = gold.end[g] == candidate.end[c] and (
                gold.end[g] - start == size or gold.fingerprint[g] == candidate.fingerprint[c]
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
    return matched


@njit(cache=True, nogil=True)
def crossing(gold: Brackets, candidate: Brackets, scored: BoolArray) -> BoolArray:
    """Which brackets of the candidate cross a bracket of gold: share tokens, and neither contains the other.

    Shape ``(candidate nodes,)``.
    """
    crosses = np.zeros(len(candidate.label), np.bool_)
    for sentence in range(len(scored)):
        if scored[sentence]:
            if has_gaps(gold, sentence) or has_gaps(candidate, sentence):
                cross_sets(gold, candidate, sentence, crosses)
            else:
                cross_spans(gold, candidate, sentence, crosses)
    return crosses


@njit(cache=True, nogil=True)
def has_gaps(side: Brackets, sentence: int) -> bool:
    """Whether some node of the sentence does not dominate all tokens between its first and its last."""
    for node in range(side.offsets[sentence], side.offsets[sentence + 1]):
        if side.end[node] - side.start[node] != side.size[node]:
            return True
    return False


@njit(cache=True, nogil=True)
def cross_spans(gold: Brackets, candidate: Brackets, sentence: int, crosses: BoolArray) -> None:
    """Mark the crossing brackets of a sentence in which no node has a gap.

    A bracket crosses one of gold if it begins or ends inside of one that does not contain it. Of
    all gold brackets that a border runs through, the lowest is contained in the others, so it is
    enough to look at that one: at the parent of the highest node that begins behind the border.
    """
    begin, base = gold.token_offsets[sentence], gold.offsets[sentence]
    length = gold.token_offsets[sentence + 1] - begin
    across = np.full(length + 1, -1, np.int32)
    for token in range(length):
        across[token] = gold.token_parent[begin + token]
    for node in range(gold.offsets[sentence + 1] - 1, base - 1, -1):
        across[gold.start[node]] = gold.parent[node]
    for token in range(length):
        while across[token] >= 0 and gold.label[base + across[token]] < 0:
            across[token] = gold.parent[base + across[token]]
    for node in range(candidate.offsets[sentence], candidate.offsets[sentence + 1]):
        if candidate.label[node] >= 0:
            start, end = candidate.start[node], candidate.end[node]
            first, last = across[start], across[end]
            crosses[node] = (first >= 0 and gold.end[base + first] < end) or (
                last >= 0 and gold.start[base + last] > start
            )


@njit(cache=True, nogil=True)
def cross_sets(gold: Brackets, candidate: Brackets, sentence: int, crosses: BoolArray) -> None:
    """Mark the crossing brackets of a sentence with discontinuous nodes, by counting common tokens."""
    begin, base = gold.token_offsets[sentence], gold.offsets[sentence]
    nodes = gold.offsets[sentence + 1] - base
    first, order = yields(candidate, sentence)
    common = np.zeros(nodes, np.int32)
    for node in range(candidate.offsets[sentence], candidate.offsets[sentence + 1]):
        if candidate.label[node] < 0:
            continue
        size = candidate.size[node]
        common[:] = 0
        place = first[node - candidate.offsets[sentence]]
        for token in order[place : place + size]:
            if gold.token_parent[begin + token] >= 0:
                common[gold.token_parent[begin + token]] += 1
        for other in range(nodes - 1, -1, -1):
            shared = common[other]
            if gold.label[base + other] >= 0 and 0 < shared < size and shared < gold.size[base + other]:
                crosses[node] = True
                break
            if gold.parent[base + other] >= 0:
                common[gold.parent[base + other]] += shared


@njit(cache=True, nogil=True)
def yields(side: Brackets, sentence: int) -> tuple[Int32Array, Int32Array]:
    """The tokens of a sentence in an order in which each node's stand together.

    Returns where each node's tokens begin in that order, shape ``(nodes of the sentence,)``, and
    the order; tokens under no node are not in it.
    """
    begin, base = side.token_offsets[sentence], side.offsets[sentence]
    nodes = side.offsets[sentence + 1] - base
    first = np.zeros(nodes, np.int32)
    free = np.zeros(nodes, np.int32)
    covered = 0
    for node in range(nodes):
        parent = side.parent[base + node]
        if parent >= 0:
            first[node] = free[parent]
            free[parent] += side.size[base + node]
        else:
            first[node] = covered
            covered += side.size[base + node]
        free[node] = first[node]
    order = np.zeros(covered, np.int32)
    for token in range(side.token_offsets[sentence + 1] - begin):
        parent = side.token_parent[begin + token]
        if parent >= 0:
            order[free[parent]] = token
            free[parent] += 1
    return first, order


def node_tokens(bank: Treebank) -> list[tuple[int, ...]]:
    """The tokens of every node of a treebank of one sentence, in order."""
    first, order = yields(brackets(bank, bank.nodes.label), 0)
    return [
        tuple(sorted(order[begin : begin + size].tolist()))
        for begin, size in zip(first.tolist(), bank.spans.size.tolist(), strict=True)
    ]
