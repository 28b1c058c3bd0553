"""Matching of the candidate's relations with gold's.

Two relations of a sentence can match if they have the same governor and the same dependent (a coordination:
the same heads). Relations that are equal in all slots are matched first; then those of which one subsumes the
other, the closest names first; then the rest, in the order of their names. Each relation is matched once. The
order in which a file lists them makes no difference.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from crossbank.metrics.counting.counts import Column
from crossbank.metrics.loops import relation_pairs as loops
from crossbank.metrics.pairing.pair import Pair, file_of
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.ranges import in_ranges
from crossbank.treebanks.relations.hierarchy import Hierarchy
from crossbank.treebanks.tables import NO_TOKEN

EMPTY_SLOT = -1
"""The key of an empty slot."""


class ComparedRelations(NamedTuple):
    """Relations of one side, as compared; all but ``offsets`` of shape ``(relations,)``.

    name, type, initial_gr  indices in the alphabetical list of all that occur in gold or candidate
    words                   the governor's key in the upper half, the dependent's in the lower
    is_pair                 whether there is a dependent, or a further head
    counted                 whether it counts: its weight is enough, and the candidate's sentence is scored
    """

    offsets: Int64Array
    name: Int32Array
    type: Int32Array
    initial_gr: Int32Array
    words: Int64Array
    is_pair: BoolArray
    counted: BoolArray
    weight: Column


class RelationMatches(NamedTuple):
    """Matches of gold's relations, each of shape ``(relations of gold,)``.

    partner  the candidate's relation with the same words that it is paired with, or -1
    exact    whether the partner is equal
    credit   1 if it is equal, a fraction if one subsumes the other, else 0
    """

    partner: Int64Array
    exact: BoolArray
    credit: Column


RelationPair: TypeAlias = tuple[ComparedRelations, ComparedRelations, tuple[str, ...]]
"""Gold, the candidate, and the names of relations by number."""


def is_by_position(pair: Pair, words: Literal["auto", "position", "form"]) -> bool:
    """Return whether words are compared by their positions in the sentence, instead of by their forms.

    Raises CrossbankError if positions are requested and gold or the candidate has none.
    """
    sides = (pair.gold, pair.candidate)
    without = [bank for bank in sides if not (bank.relations.head_index != NO_TOKEN).any()]
    if words == "position" and without:
        raise CrossbankError(f"{file_of(without[0])}: words have no positions; write them as in die:4_VVZ")
    return words == "position" or (words == "auto" and not without)


def compared(
    pair: Pair, by_position: bool, threshold: float, ordered: frozenset[str] = frozenset()
) -> RelationPair:
    """Return the relations of both sides as compared, words by position or by form.

    ``ordered`` are the names of the relations whose heads have an order (``Hierarchy.ordered``).
    """
    gold, candidate = pair.gold.relations, pair.candidate.relations
    labels: dict[str, tuple[Int32Array, Int32Array]] = {}
    for column in ("name", "type", "initial_gr"):
        codes = (getattr(gold, column), pair.candidate_codes(getattr(candidate, column)))
        used = np.unique(np.concatenate(codes))
        strings = [pair.string(code) for code in used.tolist()]
        ranks = np.zeros(len(used), np.int32)
        ranks[np.argsort(strings)] = np.arange(len(used))
        labels[column] = (ranks[np.searchsorted(used, codes[0])], ranks[np.searchsorted(used, codes[1])])
        if column == "name":
            names = tuple(sorted(strings))
    coordinations: dict[tuple[int, ...], int] = {}
    sides = []
    for side, bank in enumerate((pair.gold, pair.candidate)):
        weight = _weights(bank)
        head, dependent = _keys(pair, bank, side == 1, by_position, ordered, coordinations)
        counted = weight >= threshold
        if side == 1:
            counted &= np.repeat(pair.scored, bank.relations.lengths())
        sides.append(
            ComparedRelations(
                bank.relations.offsets,
                labels["name"][side],
                labels["type"][side],
                labels["initial_gr"][side],
                (head << 32) | (dependent & 0xFFFFFFFF),
                dependent != EMPTY_SLOT,
                counted,
                weight,
            )
        )
    return sides[0], sides[1], names


def _weights(bank: Treebank) -> Column:
    codes, inverse = np.unique(bank.relations.weight, return_inverse=True)
    return np.array([float(bank.vocabulary[code] or 1) for code in codes.tolist()], np.float64)[inverse]


def _keys(
    pair: Pair,
    bank: Treebank,
    is_candidate: bool,
    by_position: bool,
    ordered: frozenset[str],
    coordinations: dict[tuple[int, ...], int],
) -> tuple[Int64Array, Int64Array]:
    """Return the keys of governor and dependent. Equal words have equal keys.

    The heads of a coordination are a set. The one with the lowest key is the governor, and one number for all
    of them is the dependent. If the heads have an order, the first is the governor.
    """

    def key(index: Int32Array, word: Int32Array) -> Int64Array:
        word = pair.candidate_codes(word) if is_candidate else word
        first, second = (index, word - 1) if by_position else (word - 1, index)
        keys: Int64Array = np.where(first >= 0, first, np.where(second >= 0, -2 - second, EMPTY_SLOT))
        return keys.astype(np.int64)

    relations, further = bank.relations, bank.further_heads
    head = key(relations.head_index, relations.head_word)
    dependent = key(relations.dependent_index, relations.dependent_word)
    heads: dict[int, list[int]] = {}
    rows = relations.offsets[further.sentence_of_row()] + further.relation
    for row, more in zip(rows.tolist(), key(further.index, further.word).tolist(), strict=True):
        heads.setdefault(row, [int(head[row])]).append(more)
    for row, together in heads.items():
        if bank.vocabulary[int(relations.name[row])] not in ordered:
            together.sort()
        head[row] = together[0]
        dependent[row] = np.iinfo(np.int32).min + coordinations.setdefault(
            tuple(together), len(coordinations)
        )
    return head, dependent


def match(both: RelationPair, hierarchy: Hierarchy) -> RelationMatches:
    """Pair the relations of gold with those of the candidate."""
    gold, candidate, names = both
    credit = np.array([[hierarchy.proportion(one, other) for other in names] for one in names])
    credit = credit.reshape(len(names), len(names))  # Without relations the array is flat.
    np.fill_diagonal(credit, 0.0)  # Neither of two relations with the same name says less than the other.
    slots = [[hierarchy.has_slot(name, slot) for name in names] for slot in ("type", "initial_gr")]
    details = (
        int(max(side.type.max(initial=0) for side in both[:2])) + 1,
        int(max(side.initial_gr.max(initial=0) for side in both[:2])) + 1,
    )
    subsuming = loops.HierarchyColumns(credit, np.array(slots, np.bool_).reshape(2, len(names)))
    left, right = (_ordered(side, details) for side in both[:2])
    matches = RelationMatches(
        np.full(len(gold.name), -1, np.int64),
        np.zeros(len(gold.name), np.bool_),
        np.zeros(len(gold.name), np.float64),
    )
    columns = loops.PairMatches(*matches, np.zeros(len(candidate.name), np.bool_))
    in_ranges(
        lambda first, last: loops.pair_relations(left, right, subsuming, columns, first, last),
        len(gold.offsets) - 1,
    )
    return matches


def _ordered(side: ComparedRelations, details: tuple[int, int]) -> loops.RelationColumns:
    """Return the relations that count, by sentence, words and labels, in descending order of weight."""
    detail = (side.name.astype(np.int64) * details[0] + side.type) * details[1] + side.initial_gr
    lengths = np.diff(side.offsets)
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    order = np.lexsort((-side.weight, detail, side.words, sentence))
    rows = order[side.counted[order]]
    offsets = offsets_of(np.bincount(sentence[rows], minlength=len(lengths)))
    return loops.RelationColumns(offsets, rows, side.words, detail, side.name, side.type, side.initial_gr)
