"""Functions that name the constituent that their own depends on, which stands elsewhere in the clause.

Kübler and Telljohann (2002), sections 3 and 4: ``OA-MOD`` modifies the accusative object, ``OAK`` is a
conjunct of it, ``MOD-MOD`` modifies the first V-MOD of the clause or, without one, the first MOD.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from converters.scheme import LongDistance
from treebanks import Treebank
from treebanks.arrays import BoolArray, Int32Array, Int64Array
from treebanks.diagnosis import Diagnosis, finding

STEP = "dependencies"

CLAUSE, SENTENCE, NOWHERE = 1, 2, 3
"""Where the constituent that a function names was found."""


def resolve(
    bank: Treebank,
    functions: LongDistance,
    head: Int32Array,
    relation: Int32Array,
    further: BoolArray,
    equal_conjuncts: bool,
) -> tuple[Int32Array, Diagnosis]:
    """The heads once dependents over a long distance are attached; how many, and where they were found.

    further          tokens that are conjuncts behind the first: they are not what a function names
    equal_conjuncts  conjuncts that stand apart stay on what governs the coordination
    """
    rows = [(name, of, False) for name, of in functions.closest.items()]
    rows += [(name, of, True) for name, of in functions.first.items()]
    if not equal_conjuncts:
        rows += [(name, of, False) for name, of in functions.conjuncts.items()]
    rows = [row for row in rows if bank.vocabulary.code(row[0]) >= 0]
    if not rows:
        return head, ()
    wanted = np.full((len(rows), max(len(of) for _, of, _ in rows)), -1, np.int32)
    row_of = np.full(len(bank.vocabulary), -1, np.int32)
    for number, (name, of, _) in enumerate(rows):
        row_of[bank.vocabulary.code(name)] = number
        wanted[number, : len(of)] = [bank.vocabulary.code(f) for f in of]
    first = np.array([is_first for _, _, is_first in rows], np.bool_)
    head, where = attach(bank.tokens.offsets, head, relation, further, row_of, wanted, first)
    sentence, count = bank.tokens.sentence_of_row(), len(bank)
    return head, (
        *finding(STEP, "long-distance dependents attached in the clause", sentence[where == CLAUSE], count),
        *finding(STEP, "long-distance dependents attached elsewhere", sentence[where == SENTENCE], count),
        *finding(
            STEP, "long-distance dependents with nothing to depend on", sentence[where == NOWHERE], count
        ),
    )


@njit(cache=True, nogil=True)
def attach(
    token_offsets: Int64Array,
    head: Int32Array,
    relation: Int32Array,
    further: BoolArray,
    row_of: Int32Array,
    wanted: Int32Array,
    first: BoolArray,
) -> tuple[Int32Array, Int32Array]:
    """New heads, and where each was found (0 for other tokens), shape ``(tokens,)`` each.

    What a function names has the same governor, so it is in the same clause. Only where there is none
    it is looked for in the whole sentence; what depends on the dependent itself is passed over.
    """
    heads = head.copy()
    where = np.zeros(len(head), np.int32)
    for sentence in range(len(token_offsets) - 1):
        begin, end = token_offsets[sentence], token_offsets[sentence + 1]
        for token in range(begin, end):
            row = row_of[relation[token]]
            if row < 0:
                continue
            where[token] = 3
            for anywhere in range(2):
                for place in range(wanted.shape[1]):
                    best = -1
                    for other in range(begin, end):
                        if relation[other] != wanted[row, place] or further[other] or other == token:
                            continue
                        if not anywhere and head[other] != head[token]:
                            continue
                        if best >= 0 and (first[row] or abs(other - token) > abs(best - token)):
                            continue
                        above = other - begin
                        while anywhere and above >= 0 and above != token - begin:
                            above = heads[begin + above]
                        if above == token - begin:
                            continue
                        best = other
                    if best >= 0:
                        heads[token] = best - begin
                        where[token] = 1 + anywhere
                        break
                if where[token] < 3:
                    break
    return heads, where
