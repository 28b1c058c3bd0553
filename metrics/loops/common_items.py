"""Loop over items: those that two sides have in common."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import BoolOutput, Int64Array


@cython.dataclasses.dataclass(eq=False, repr=False)
class Keys:
    """Keys of one side's items, in ascending order within each sentence.

    offsets  which of them belong to which sentence
    row      the item of each
    """

    offsets: Int64Array
    key: Int64Array
    row: Int64Array


def mark_common(
    left: Keys, right: Keys, common: BoolOutput, first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> None:
    """Mark those of the second side's items that the first has too, each of the first's once."""
    with cython.nogil:
        for sentence in range(first, last):
            one, other = left.offsets[sentence], right.offsets[sentence]
            while one < left.offsets[sentence + 1] and other < right.offsets[sentence + 1]:
                if left.key[one] < right.key[other]:
                    one += 1
                elif left.key[one] > right.key[other]:
                    other += 1
                else:
                    common[right.row[other]] = True
                    one += 1
                    other += 1
