"""Loop that pairs the relations of gold and candidate."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import (
    BoolMatrix,
    BoolOutput,
    Float64Matrix,
    Float64Output,
    Int32Array,
    Int64Array,
    Int64Output,
)
from cython.cimports.crossbank.treebanks.loops.interrupts import look


@cython.dataclasses.dataclass(eq=False, repr=False)
class RelationColumns:
    """Relations of gold or candidate.

    offsets  the first of each sentence's ``rows``, shape ``(sentences + 1,)``
    rows     the relations that count, in the order of their words and labels
    words    the governor and the dependent as one number
    detail   the name, the type and the initial relation as one number
    """

    offsets: Int64Array
    rows: Int64Array
    words: Int64Array
    detail: Int64Array
    name: Int32Array
    type: Int32Array
    initial_gr: Int32Array


@cython.dataclasses.dataclass(eq=False, repr=False)
class HierarchyColumns:
    """Inventory of relations: for each pair a number from 0 to 1, and for each name its slots."""

    part: Float64Matrix
    has_slot: BoolMatrix


@cython.dataclasses.dataclass(eq=False, repr=False)
class PairMatches:
    """Columns that are filled in: those of ``metrics.counting.relation_matching.Match``.

    taken  which relations of the candidate are paired
    """

    partner: Int64Output
    exact: BoolOutput
    part: Float64Output
    taken: BoolOutput


@cython.cclass
class Bounds:
    """Relations of both sides that have the same words: their indices into ``Relations.rows``."""

    gold_first: cython.Py_ssize_t
    gold_last: cython.Py_ssize_t
    candidate_first: cython.Py_ssize_t
    candidate_last: cython.Py_ssize_t


def pair_relations(
    gold: RelationColumns,
    candidate: RelationColumns,
    hierarchy: HierarchyColumns,
    matches: PairMatches,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Pair the relations of the sentences ``first`` to ``last - 1``, words by words."""
    same = Bounds()
    with cython.nogil:
        for sentence in range(first, last):
            i, j = gold.offsets[sentence], candidate.offsets[sentence]
            while i < gold.offsets[sentence + 1] and j < candidate.offsets[sentence + 1]:
                words = gold.words[gold.rows[i]]
                if candidate.words[candidate.rows[j]] < words:
                    j += 1
                    continue
                i_end, j_end = i, j
                while i_end < gold.offsets[sentence + 1] and gold.words[gold.rows[i_end]] == words:
                    i_end += 1
                while (
                    j_end < candidate.offsets[sentence + 1]
                    and candidate.words[candidate.rows[j_end]] == words
                ):
                    j_end += 1
                if j_end > j:
                    same.gold_first, same.gold_last = i, i_end
                    same.candidate_first, same.candidate_last = j, j_end
                    pair_equal(gold, candidate, same, matches)
                    pair_subsuming(gold, candidate, same, hierarchy, matches)
                    pair_others(gold, candidate, same, matches)
                i, j = i_end, j_end


@cython.cfunc
@cython.nogil
def pair_equal(
    gold: RelationColumns, candidate: RelationColumns, same: Bounds, matches: PairMatches
) -> cython.void:
    """Pair the relations that are equal in all slots: both sides are in the order of their labels."""
    a, b = same.gold_first, same.candidate_first
    while a < same.gold_last and b < same.candidate_last:
        g, c = gold.rows[a], candidate.rows[b]
        if gold.detail[g] == candidate.detail[c]:
            matches.partner[g], matches.exact[g], matches.part[g] = c, True, 1.0
            matches.taken[c] = True
        if gold.detail[g] <= candidate.detail[c]:
            a += 1
        if candidate.detail[c] <= gold.detail[g]:
            b += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def pair_subsuming(
    gold: RelationColumns,
    candidate: RelationColumns,
    same: Bounds,
    hierarchy: HierarchyColumns,
    matches: PairMatches,
) -> cython.int:
    """Pair the relations of which one subsumes the other, the closest names first."""
    while True:
        best, best_g, best_c = 0.0, -1, -1
        for a in range(same.gold_first, same.gold_last):
            g = gold.rows[a]
            if matches.partner[g] >= 0:
                continue
            look(same.candidate_last - same.candidate_first)
            for b in range(same.candidate_first, same.candidate_last):
                c = candidate.rows[b]
                if (
                    not matches.taken[c]
                    and hierarchy.part[gold.name[g], candidate.name[c]] > best
                    and same_slots(gold, g, candidate, c, hierarchy)
                ):
                    best, best_g, best_c = hierarchy.part[gold.name[g], candidate.name[c]], g, c
        if best_g < 0:
            return 0
        matches.partner[best_g], matches.part[best_g], matches.taken[best_c] = best_c, best, True


@cython.cfunc
@cython.nogil
def same_slots(
    gold: RelationColumns,
    g: cython.Py_ssize_t,
    candidate: RelationColumns,
    c: cython.Py_ssize_t,
    hierarchy: HierarchyColumns,
) -> cython.bint:
    """Return whether two relations agree in the slots, type and initial relation, that both names have."""
    one: cython.int = gold.name[g]
    other: cython.int = candidate.name[c]
    if hierarchy.has_slot[0, one] and hierarchy.has_slot[0, other] and gold.type[g] != candidate.type[c]:
        return False
    return not (
        hierarchy.has_slot[1, one]
        and hierarchy.has_slot[1, other]
        and gold.initial_gr[g] != candidate.initial_gr[c]
    )


@cython.cfunc
@cython.nogil
def pair_others(
    gold: RelationColumns, candidate: RelationColumns, same: Bounds, matches: PairMatches
) -> cython.void:
    """Pair the rest, in the order of their names."""
    b: cython.Py_ssize_t = same.candidate_first
    for a in range(same.gold_first, same.gold_last):
        g = gold.rows[a]
        while b < same.candidate_last and matches.taken[candidate.rows[b]]:
            b += 1
        if matches.partner[g] < 0 and b < same.candidate_last:
            matches.partner[g] = candidate.rows[b]
            matches.taken[candidate.rows[b]] = True
