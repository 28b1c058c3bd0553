"""Loops of leaf-ancestor, the metric and disco-dop's: lineages, and the cheapest way from one to another."""

from __future__ import annotations

# Compiled with -O3: see setup.py.
import cython
import numpy as np
from cython.cimports.crossbank.metrics.loops.bracket_matching import Both, Brackets
from cython.cimports.crossbank.treebanks.arrays import Float64Matrix, Float64Output, Int32Array, Int32Output
from cython.cimports.crossbank.treebanks.loops.interrupts import look

# Lineages of more symbols than this together are compared in a way that is quicker for them alone.
DEEP = cython.declare(cython.int, 1000)

# The number of edits that is tried first for such lineages.
BAND = cython.declare(cython.int, 64)

# More than any edits cost.
UNREACHED = cython.declare(cython.double, 1e300)


@cython.dataclasses.dataclass(eq=False, repr=False)
class LineageCosts:
    """Groups of labels, and what replacing labels costs: ``metrics.edits.costs.replacement_costs``.

    marker  what replacing a boundary marker costs
    gaps    whether the ends of nodes at their gaps have markers, too
    """

    group: Int32Array
    replace: Float64Matrix
    marker: cython.double
    gaps: cython.bint


@cython.cclass
class Lineage:
    """Lineage of one word, and the highest nodes at each word of its sentence.

    symbols      labels and boundary markers from the leaf to the root; as long as the longest
    left, right  for each word the highest node that begins at it and that ends at it, or -1
    length       how many symbols there are, and then how many of them are compared
    gaps         as in ``Costs``
    left_gap, right_gap  the highest nodes with a gap just before and just after the word, or -1
    before       for each node the last word, counted from 1, that was met under it
    ahead        the same for one who looks ahead by a word
    """

    length: cython.int
    left: Int32Output
    right: Int32Output
    symbols: Int32Output
    gaps: cython.bint
    left_gap: cython.Py_ssize_t
    right_gap: cython.Py_ssize_t
    before: Int32Output
    ahead: Int32Output

    def __init__(self, side: Brackets, first: int, last: int, gaps: cython.bint) -> None:
        words, nodes = side.forest.most_tokens(first, last), side.forest.most_nodes(first, last)
        self.length, self.gaps = 0, gaps
        self.left_gap = self.right_gap = -1
        self.left, self.right = np.empty(words, np.int32), np.empty(words, np.int32)
        self.symbols = np.empty(nodes + 4, np.int32)
        self.before, self.ahead = np.empty(nodes, np.int32), np.empty(nodes, np.int32)


def compare_lineages(
    both: Both,
    costs: LineageCosts,
    edits: Float64Output,
    symbols: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in the edits of both lineages of each word, and their symbols, in the sentences up to ``last``.

    Both arrays have the shape ``(gold tokens,)``; words of sentences that are not scored are left as they
    are.
    """
    gold, candidate = both.gold, both.candidate
    mine = Lineage(gold, first, last, costs.gaps)
    other = Lineage(candidate, first, last, costs.gaps)
    row: Float64Output = np.empty(other.symbols.shape[0] + 1, np.float64)
    with cython.nogil:
        for sentence in range(first, last):
            if not both.scored[sentence]:
                continue
            mark_boundaries(gold, sentence, mine)
            mark_boundaries(candidate, sentence, other)
            begin = gold.forest.token_offsets[sentence]
            for word in range(gold.forest.tokens(sentence)):
                write_lineage(gold, sentence, word, mine)
                write_lineage(candidate, sentence, word, other)
                length = mine.length + other.length
                if length > DEEP:
                    look(length)
                symbols[begin + word] = length
                edits[begin + word] = edit_distance(mine, other, costs, row)


def lineages_of(side: Brackets) -> list[list[int]]:
    """Return the lineage of each word of a treebank of one sentence, from the leaf to the root."""
    lineage = Lineage(side, 0, 1, False)
    mark_boundaries(side, 0, lineage)
    lineages = []
    for word in range(side.forest.tokens(0)):
        write_lineage(side, 0, word, lineage)
        lineages.append(np.asarray(lineage.symbols)[: lineage.length].tolist())
    return lineages


@cython.cfunc
@cython.nogil
def mark_boundaries(side: Brackets, sentence: cython.Py_ssize_t, lineage: Lineage) -> cython.void:
    """Fill in the highest node that begins at each word of a sentence, and the highest that ends at it.

    Going backwards through the pre-order, the highest of several such nodes is the last one seen.
    """
    base: cython.Py_ssize_t = side.forest.node_offsets[sentence]
    if lineage.gaps:
        for node in range(side.forest.nodes(sentence)):
            lineage.before[node] = lineage.ahead[node] = 0
    for word in range(side.forest.tokens(sentence)):
        lineage.left[word] = lineage.right[word] = -1
    for node in range(side.forest.node_offsets[sentence + 1] - 1, base - 1, -1):
        if side.label[node] >= 0:
            lineage.left[side.start[node]] = cython.cast(cython.int, node - base)
            lineage.right[side.end[node] - 1] = cython.cast(cython.int, node - base)


@cython.cfunc
@cython.nogil
def find_gaps(
    side: Brackets, sentence: cython.Py_ssize_t, word: cython.Py_ssize_t, lineage: Lineage
) -> cython.void:
    """Fill in the highest nodes with a gap beside a word; the words before it must have been asked for."""
    base: cython.Py_ssize_t = side.forest.node_offsets[sentence]
    begin: cython.Py_ssize_t = side.forest.token_offsets[sentence]
    node: cython.Py_ssize_t = -1
    lineage.left_gap = lineage.right_gap = -1
    if word + 1 < side.forest.tokens(sentence):
        node = side.forest.token_parent[begin + word + 1]
    while node >= 0:
        lineage.ahead[node] = cython.cast(cython.int, word + 2)
        node = side.forest.node_parent[base + node]
    node = side.forest.token_parent[begin + word]
    while node >= 0:
        if side.label[base + node] >= 0:
            if side.start[base + node] != word and lineage.before[node] != word:
                lineage.left_gap = node
            if side.end[base + node] != word + 1 and lineage.ahead[node] != word + 2:
                lineage.right_gap = node
        lineage.before[node] = cython.cast(cython.int, word + 1)
        node = side.forest.node_parent[base + node]


@cython.cfunc
@cython.nogil
def write_lineage(
    side: Brackets, sentence: cython.Py_ssize_t, word: cython.Py_ssize_t, lineage: Lineage
) -> cython.void:
    """Write the labels and markers of a word's lineage.

    The left marker is -1, the right one -2, at gaps -3 and -4: no marker is like any label.
    """
    if lineage.gaps:
        find_gaps(side, sentence, word, lineage)
    base: cython.Py_ssize_t = side.forest.node_offsets[sentence]
    length: cython.int = 0
    left: cython.int = lineage.left[word]
    right: cython.int = lineage.right[word]
    left_gap, right_gap = lineage.left_gap, lineage.right_gap
    node: cython.int = side.forest.token_parent[side.forest.token_offsets[sentence] + word]
    while node >= 0:
        if side.label[base + node] >= 0:
            if node in (left, left_gap):
                lineage.symbols[length] = -1 if node == left else -3
                length += 1
            lineage.symbols[length] = side.label[base + node]
            length += 1
            if node in (right, right_gap):
                lineage.symbols[length] = -2 if node == right else -4
                length += 1
        node = side.forest.node_parent[base + node]
    lineage.length = length


@cython.cfunc
@cython.nogil
@cython.exceptval(-1.0, check=False)
def edit_distance(mine: Lineage, other: Lineage, costs: LineageCosts, row: Float64Output) -> cython.double:
    """Return the cheapest way from one lineage to the other: insertion and deletion cost 1.

    The common beginning and end are skipped: as no replacement costs more than a deletion
    and an insertion, nothing is gained by aligning equal ends otherwise. In most words little is
    left. ``row`` is at least one number longer than the other lineage has symbols.
    """
    first: cython.int = 0
    a_end: cython.int = mine.length
    b_end: cython.int = other.length
    while first < a_end and first < b_end and mine.symbols[first] == other.symbols[first]:
        first += 1
    while a_end > first and b_end > first and mine.symbols[a_end - 1] == other.symbols[b_end - 1]:
        a_end -= 1
        b_end -= 1
    mine.length, other.length = a_end, b_end
    if (a_end - first) + (b_end - first) > DEEP:
        return distance_of_deep(mine, other, first, costs, row)
    return distance_in_band(mine, other, first, costs, row, max(a_end, b_end) - first)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1.0, check=False)
def distance_of_deep(
    mine: Lineage, other: Lineage, first: cython.int, costs: LineageCosts, row: Float64Output
) -> cython.double:
    """Return the same from ``first`` on for long lineages, in time that grows with length and distance.

    Ukkonen (1985), Algorithms for Approximate String Matching, Information and Control 64.

    A way that costs no more than ``band`` inserts and deletes no more than ``band`` symbols. So its places in
    both lineages are never further apart, and no others are examined. Where the result is above the band, it
    may be too high, and a wider one is tried.
    """
    difference: cython.int = other.length - mine.length
    widest: cython.int = max(mine.length, other.length) - first
    band: cython.int = BAND + (difference if difference > 0 else -difference)
    distance: cython.double = distance_in_band(mine, other, first, costs, row, min(band, widest))
    while distance >= 0 and distance > band and band < widest:
        band = band * 4 if band < widest // 4 else widest
        distance = distance_in_band(mine, other, first, costs, row, band)
    return distance


@cython.cfunc
@cython.nogil
@cython.exceptval(-1.0, check=False)
def distance_in_band(
    mine: Lineage,
    other: Lineage,
    first: cython.int,
    costs: LineageCosts,
    row: Float64Output,
    band: cython.int,
) -> cython.double:
    """Return the cheapest way among those whose places in both lineages are at most ``band`` apart.

    Places are counted from the end of the common beginning. A row has those from ``lowest`` to ``highest``;
    what the row before it has not reached costs ``UNREACHED``.
    """
    a_end: cython.int = mine.length
    b_end: cython.int = other.length
    for j in range(b_end - first + 1):
        row[first + j] = j if j <= band else UNREACHED
    for i in range(1, a_end - first + 1):
        if band >= BAND:
            look(2 * band + 1)
        a = mine.symbols[first + i - 1]
        lowest, highest = max(1, i - band), min(b_end - first, i + band)
        diagonal = row[first + lowest - 1]
        row[first + lowest - 1] = i if i <= band else UNREACHED
        for j in range(lowest, highest + 1):
            b = other.symbols[first + j - 1]
            if a == b:
                replaced = diagonal
            elif a < 0 or b < 0:
                replaced = diagonal + costs.marker
            else:
                replaced = diagonal + costs.replace[costs.group[a], costs.group[b]]
            diagonal = row[first + j]
            row[first + j] = min(replaced, min(diagonal, row[first + j - 1]) + 1)
    return row[b_end]
