"""Functions that name the constituent on which their own depends, elsewhere in the clause.

Kübler and Telljohann (2002), sections 3 and 4: ``OA-MOD`` modifies the accusative object, ``OAK`` is a
conjunct of it, ``MOD-MOD`` modifies the first V-MOD of the clause or, without one, the first MOD; in a
resumptive construction it modifies the modifier in the initial field.
"""

from __future__ import annotations

import numpy as np

from crossbank.converters.heads.child_types import ChildTypes
from crossbank.converters.loops.governors import (
    CLAUSE,
    NOWHERE,
    SENTENCE,
    LongDistanceColumns,
    attach_long_distance,
)
from crossbank.converters.schemes import dependency_rules
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.ranges import in_ranges

EVENTS = {
    CLAUSE: "long-distance dependents attached in the clause",
    SENTENCE: "long-distance dependents attached elsewhere",
    NOWHERE: "long-distance dependents with nothing to depend on",
}


def resolve(
    bank: Treebank,
    functions: dependency_rules.LongDistance,
    types: ChildTypes,
    governed: tuple[Int32Array, Int32Array, BoolArray],
    equal_conjuncts: bool,
) -> tuple[Int32Array, dict[str, Int32Array]]:
    """Return the heads after long-distance dependents are attached, and by event the sentences of these.

    governed         head and relation of each token, and whether it is a conjunct after the first, which no
                     function names
    equal_conjuncts  whether conjuncts that are separated depend on what governs the coordination
    """
    head, relation, further = governed
    rows = [(name, of, False, False) for name, of in functions.closest.items()]
    rows += [(name, of, True, False) for name, of in functions.first.items()]
    rows += [(name, of, False, equal_conjuncts) for name, of in functions.conjuncts.items()]
    rows = [row for row in rows if bank.vocabulary.code(row[0]) >= 0]
    if not rows:
        return head, {}
    governors = np.full((len(rows), max(len(of) for _, of, _, _ in rows)), -1, np.int32)
    row_of = np.full(len(bank.vocabulary), -1, np.int32)
    for number, (name, of, _, _) in enumerate(rows):
        row_of[bank.vocabulary.code(name)] = number
        governors[number, : len(of)] = [bank.vocabulary.code(f) for f in of]
    first, beside = (np.array([row[column] for row in rows], np.bool_) for column in (2, 3))
    dislocated, resumed = (
        _heads_in(bank, types.nodes_called(fields))
        for fields in (functions.resumptive, sum(functions.resumptive.values(), ()))
    )
    heads, where = head.copy(), np.zeros(len(head), np.int32)
    of_tokens, of_rows = (bank.tokens.offsets, head, relation, heads), (row_of, governors, first, beside)
    named = LongDistanceColumns(*of_tokens, *of_rows, further, dislocated, resumed)
    in_ranges(lambda begin, end: attach_long_distance(named, where, begin, end), len(bank))
    sentence = bank.tokens.sentence_of_row()
    return heads, {event: sentence[where == code] for code, event in EVENTS.items()}


def _heads_in(bank: Treebank, fields: BoolArray) -> BoolArray:
    """Return the words that are or head a child of certain nodes, shape ``(tokens,)``."""
    tokens, nodes = bank.tokens, bank.nodes
    in_field = np.append(fields, False)  # the last place is for roots
    is_head: BoolArray = in_field[nodes.parent_rows(tokens)]
    is_head[(nodes.head + tokens.begins(nodes))[in_field[nodes.parent_rows(nodes)]]] = True
    return is_head
