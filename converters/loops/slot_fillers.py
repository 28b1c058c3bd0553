"""Loop of ``converters.relations.relations_from_trees``: which words fill a slot of a relation."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.converters.loops.preorder import PreOrder
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    Int32Array,
    Int32Output,
    Int64Array,
    Int64Output,
)
from numpy.typing import NDArray

STEPS = 10_000
"""The maximal number of positions that are searched for the words that fill one slot."""


@cython.dataclasses.dataclass(eq=False, repr=False)
class Detours:
    """Places where the way from a place down to its lexical head leaves the head children.

    instead         the place that fills the slots of each place, or -1
    first_conjunct  where the conjuncts of each place begin, with one entry more
    conjuncts       the conjuncts of all coordinations, one after the other
    first_is_whole  whether a coordination itself stands for its first conjunct
    silent          tokens that are empty elements
    antecedent      the place for which each trace stands, or -1
    """

    instead: Int32Array
    first_conjunct: Int64Array
    conjuncts: Int32Array
    first_is_whole: cython.bint
    silent: BoolArray
    antecedent: Int32Array


def fillers(
    trees: PreOrder, detours: Detours, slots: Int32Array, distribute: cython.bint
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the lexical heads that fill each slot, as offsets and tokens; a slot that is -1 has none.

    From each slot the way goes down to its head, by way of the node that fills its slots instead, of the
    conjuncts of a coordination where these are to be distributed, and of the antecedents of traces.
    A trace that is its own antecedent is followed for ``STEPS`` steps, or until ``waiting`` is full.
    """
    steps: cython.int = STEPS
    offsets: Int64Output = np.zeros(slots.shape[0] + 1, np.int64)
    tokens: Int32Output = np.empty(slots.shape[0] + 16, np.int32)
    waiting: Int32Output = np.empty(detours.conjuncts.shape[0] + steps, np.int32)
    count: cython.Py_ssize_t = 0
    with cython.nogil:
        for number in range(slots.shape[0]):
            begin, height, taken = count, 0, 0
            if slots[number] >= 0:
                waiting[0] = slots[number]
                height = 1
            while height > 0 and taken < steps:
                taken += 1
                height -= 1
                index = waiting[height]
                if distribute and detours.first_conjunct[index] < detours.first_conjunct[index + 1]:
                    # A coordination that a trace inside of it stands for comes back again and again.
                    conjuncts = detours.first_conjunct[index + 1] - detours.first_conjunct[index]
                    if height + conjuncts >= waiting.shape[0]:
                        break
                    for conjunct in range(
                        detours.first_conjunct[index + 1] - 1, detours.first_conjunct[index] - 1, -1
                    ):
                        waiting[height] = detours.conjuncts[conjunct]
                        height += 1
                    if not detours.first_is_whole:
                        continue
                token = -1
                if detours.instead[index] >= 0:
                    index = detours.instead[index]
                elif trees.last_child[index] >= 0:
                    index = trees.head_child(index)
                else:
                    token = trees.begin[index]
                    if detours.silent[token]:
                        index, token = detours.antecedent[token], -1
                if token < 0:
                    if index >= 0:
                        waiting[height] = index
                        height += 1
                    continue
                for other in range(begin, count):
                    if tokens[other] == token:
                        token = -1
                        break
                if token >= 0:
                    if count == tokens.shape[0]:
                        with cython.gil:
                            tokens = np.concatenate((tokens, np.empty_like(tokens)))
                    tokens[count] = token
                    count += 1
            offsets[number + 1] = count
    return np.asarray(offsets), np.asarray(tokens)[:count].copy()
