"""The compiled loop over lineages: how many edits turn the candidate's into gold's."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    Int32Array,
    Int32Output,
    Int64Array,
)

# The marks in a lineage; labels are codes from 0 on.
OPENS = cython.declare(cython.int, -1)
CLOSES = cython.declare(cython.int, -2)
PART_OPENS = cython.declare(cython.int, -3)
PART_CLOSES = cython.declare(cython.int, -4)


@cython.final
@cython.cclass
class Side:
    """The trees of one side: tokens and nodes of a treebank.

    counts      whether a node stands in lineages
    start, end  the first token of a node, and one behind its last
    """

    token_offsets: Int64Array
    token_parent: Int32Array
    node_offsets: Int64Array
    node_parent: Int32Array
    label: Int32Array
    start: Int32Array
    end: Int32Array
    counts: BoolArray

    def __init__(
        self,
        token_offsets: Int64Array,
        token_parent: Int32Array,
        node_offsets: Int64Array,
        node_parent: Int32Array,
        label: Int32Array,
        start: Int32Array,
        end: Int32Array,
        counts: BoolArray,
    ) -> None:
        self.token_offsets, self.token_parent = token_offsets, token_parent
        self.node_offsets, self.node_parent, self.label = node_offsets, node_parent, label
        self.start, self.end, self.counts = start, end, counts


@cython.final
@cython.cclass
class Lineage:
    """The lineage of one token, and the arrays that find the ends of parts; room for the largest tree.

    length   how many symbols there are
    symbols  labels and marks, the root's first
    above    the nodes over the token, the lowest first
    before   for each node the last token, counted from 1, that was met under it
    behind   for each node the last token, counted from 1, that was met under it by one who looks ahead
    """

    length: cython.Py_ssize_t
    symbols: Int32Output
    above: Int32Output
    before: Int32Output
    behind: Int32Output

    def __init__(self, nodes: int) -> None:
        self.symbols, self.above = np.zeros(3 * nodes + 4, np.int32), np.zeros(nodes, np.int32)
        self.before, self.behind = np.zeros(nodes, np.int32), np.zeros(nodes, np.int32)


def compare_lineages(
    gold: Side,
    candidate: Side,
    distance: Int32Output,
    symbols: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in, for each token of the sentences ``first`` to ``last - 1``, the edits and the length of both.

    Both sides have the same tokens.
    """
    deepest = 1 + max(_most_nodes(side, first, last) for side in (gold, candidate))
    own = Lineage(deepest)
    other = Lineage(deepest)
    row: Int32Output = np.zeros(3 * deepest + 5, np.int32)
    sentence: cython.Py_ssize_t
    token: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    with cython.nogil:
        for sentence in range(first, last):
            clear(gold, sentence, own)
            clear(candidate, sentence, other)
            begin = gold.token_offsets[sentence]
            for token in range(gold.token_offsets[sentence + 1] - begin):
                find_lineage(gold, sentence, token, own)
                find_lineage(candidate, sentence, token, other)
                distance[begin + token] = edits(own, other, row)
                symbols[begin + token] = own.length + other.length


def _most_nodes(side: Side, first: int, last: int) -> int:
    return int(np.diff(np.asarray(side.node_offsets)[first : last + 1]).max(initial=0))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear(side: Side, sentence: cython.Py_ssize_t, lineage: Lineage) -> cython.void:
    """Forget the tokens of another sentence."""
    node: cython.Py_ssize_t
    for node in range(side.node_offsets[sentence + 1] - side.node_offsets[sentence]):
        lineage.before[node] = lineage.behind[node] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_lineage(
    side: Side, sentence: cython.Py_ssize_t, token: cython.Py_ssize_t, lineage: Lineage
) -> cython.void:
    """Fill in the lineage of a token; the tokens before it in the sentence must have been asked for.

    A node is marked ``(`` and ``)`` at its ends and ``[`` and ``]`` at those of its parts, unless a node
    above has put the same mark there.
    """
    begin: cython.Py_ssize_t = side.token_offsets[sentence]
    base: cython.Py_ssize_t = side.node_offsets[sentence]
    node: cython.Py_ssize_t
    depth: cython.Py_ssize_t = 0
    length: cython.Py_ssize_t = 0
    mark: cython.int
    # A bit for each mark that stands in the lineage.
    marked: cython.int = 0
    if begin + token + 1 < side.token_offsets[sentence + 1]:
        node = side.token_parent[begin + token + 1]
        while node >= 0:
            lineage.behind[node] = token + 2
            node = side.node_parent[base + node]
    node = side.token_parent[begin + token]
    while node >= 0:
        lineage.above[depth] = node
        depth += 1
        node = side.node_parent[base + node]
    while depth > 0:
        depth -= 1
        node = lineage.above[depth]
        if side.counts[base + node]:
            if lineage.behind[node] != token + 2:
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
@cython.exceptval(check=False)
def edits(gold: Lineage, candidate: Lineage, row: Int32Output) -> cython.int:
    """The number of symbols to replace, insert or delete (Levenshtein's distance)."""
    one: cython.Py_ssize_t
    other: cython.Py_ssize_t
    before: cython.int
    cost: cython.int
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
