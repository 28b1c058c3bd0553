"""Functions that name the constituent that their own depends on, which stands elsewhere in the clause.

Kübler and Telljohann (2002), sections 3 and 4: ``OA-MOD`` modifies the accusative object, ``OAK`` is a
conjunct of it, ``MOD-MOD`` modifies the first V-MOD of the clause or, without one, the first MOD; in a
resumptive construction it modifies the modifier in the initial field.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from crossbank.converters.heads.child_types import nodes_with_category
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.diagnosis import Diagnosis, finding

STEP = "dependencies"

CLAUSE, SENTENCE, NOWHERE = 1, 2, 3
"""Where the constituent that a function names was found."""


def resolve(
    bank: Treebank,
    scheme: Scheme,
    head: Int32Array,
    relation: Int32Array,
    further: BoolArray,
    equal_conjuncts: bool,
) -> tuple[Int32Array, Diagnosis]:
    """The heads once dependents over a long distance are attached; how many, and where they were found.

    further          tokens that are conjuncts behind the first: they are not what a function names
    equal_conjuncts  conjuncts that stand apart depend on what governs the coordination, and not on it
    """
    functions = scheme.long_distance
    rows = [(name, of, False, False) for name, of in functions.closest.items()]
    rows += [(name, of, True, False) for name, of in functions.first.items()]
    rows += [(name, of, False, equal_conjuncts) for name, of in functions.conjuncts.items()]
    rows = [row for row in rows if bank.vocabulary.code(row[0]) >= 0]
    if not rows:
        return head, ()
    wanted = np.full((len(rows), max(len(of) for _, of, _, _ in rows)), -1, np.int32)
    row_of = np.full(len(bank.vocabulary), -1, np.int32)
    for number, (name, of, _, _) in enumerate(rows):
        row_of[bank.vocabulary.code(name)] = number
        wanted[number, : len(of)] = [bank.vocabulary.code(f) for f in of]
    first, beside = (np.array([row[place] for row in rows], np.bool_) for place in (2, 3))
    dislocated, resumed = (
        _heads_in(bank, scheme, frozenset(fields))
        for fields in (functions.resumptive, sum(functions.resumptive.values(), ()))
    )
    head, where = attach(
        bank.tokens.offsets, head, relation, further, row_of, wanted, first, beside, dislocated, resumed
    )
    sentence, count = bank.tokens.sentence_of_row(), len(bank)
    return head, (
        *finding(STEP, "long-distance dependents attached in the clause", sentence[where == CLAUSE], count),
        *finding(STEP, "long-distance dependents attached elsewhere", sentence[where == SENTENCE], count),
        *finding(
            STEP, "long-distance dependents with nothing to depend on", sentence[where == NOWHERE], count
        ),
    )


def _heads_in(bank: Treebank, scheme: Scheme, fields: frozenset[str]) -> BoolArray:
    """The words that are or head a child of a node of some categories, shape ``(tokens,)``."""
    tokens, nodes = bank.tokens, bank.nodes
    in_field = np.append(nodes_with_category(bank, scheme, fields), False)  # the last place is for roots
    found: BoolArray = in_field[nodes.parent_rows(tokens)]
    found[(nodes.head + tokens.begins(nodes))[in_field[nodes.parent_rows(nodes)]]] = True
    return found


@njit(cache=True, nogil=True)
def attach(
    token_offsets: Int64Array,
    head: Int32Array,
    relation: Int32Array,
    further: BoolArray,
    row_of: Int32Array,
    wanted: Int32Array,
    first: BoolArray,
    beside: BoolArray,
    dislocated: BoolArray,
    resumed: BoolArray,
) -> tuple[Int32Array, Int32Array]:
    """New heads, and where each was found (0 for other tokens), shape ``(tokens,)`` each.

    What a function names has the same governor, so it is in the same clause; where the first one counts
    and the dependent is dislocated, it is looked for among what may be resumed before. Only where there
    is none it is looked for in the whole sentence. What depends on the dependent itself is passed over.
    A dependent beside what it names gets the governor of that, once this has its own.
    """
    heads = head.copy()
    where = np.zeros(len(head), np.int32)
    for sentence in range(len(token_offsets) - 1):
        begin, end = token_offsets[sentence], token_offsets[sentence + 1]
        for late in range(2):
            for token in range(begin, end):
                row = row_of[relation[token]]
                if row < 0 or beside[row] != (late == 1):
                    continue
                where[token] = NOWHERE
                for search in range(0 if first[row] and dislocated[token] else 1, 3):
                    best = -1
                    for place in range(wanted.shape[1]):
                        for other in range(begin, end):
                            if relation[other] != wanted[row, place] or further[other] or other == token:
                                continue
                            if search == 0 and not resumed[other]:
                                continue
                            if search < 2 and head[other] != head[token]:
                                continue
                            if best >= 0 and (first[row] or abs(other - token) > abs(best - token)):
                                continue
                            above = other - begin
                            while above >= 0 and above != token - begin:
                                above = heads[begin + above]
                            if above == token - begin:
                                continue
                            best = other
                        if best >= 0:
                            break
                    if best >= 0:
                        heads[token] = heads[best] if beside[row] else best - begin
                        where[token] = SENTENCE if search == 2 else CLAUSE
                        break
    return heads, where
