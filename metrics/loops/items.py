"""The loop that finds the items that two sides have in common, sentence by sentence."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import BoolOutput, Int64Array


@cython.cclass
class Keys:
    """The keys of one side's items, in ascending order within each sentence.

    offsets  which of them belong to which sentence
    row      the item of each
    """

    offsets: Int64Array
    key: Int64Array
    row: Int64Array

    def __init__(self, offsets: Int64Array, key: Int64Array, row: Int64Array) -> None:
        self.offsets, self.key, self.row = offsets, key, row


def mark_common(
    ours: Keys,
    theirs: Keys,
    common: BoolOutput,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Mark those of the second side's items that the first has too, each of the first's once."""
    sentence: cython.Py_ssize_t
    one: cython.Py_ssize_t
    other: cython.Py_ssize_t
    with cython.nogil:
        for sentence in range(first, last):
            one, other = ours.offsets[sentence], theirs.offsets[sentence]
            while one < ours.offsets[sentence + 1] and other < theirs.offsets[sentence + 1]:
                if ours.key[one] < theirs.key[other]:
                    one += 1
                elif ours.key[one] > theirs.key[other]:
                    other += 1
                else:
                    common[theirs.row[other]] = True
                    one += 1
                    other += 1
