"""Loop that marks the items that gold and candidate have in common."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import BoolOutput, Int64Array


@cython.dataclasses.dataclass(eq=False, repr=False)
class Keys:
    """Keys of items of gold or candidate, in ascending order within each sentence.

    offsets  where the keys of each sentence begin, shape ``(sentences + 1,)``
    row      the item of each key
    """

    offsets: Int64Array
    key: Int64Array
    row: Int64Array


def mark_common(
    left: Keys, right: Keys, common: BoolOutput, first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> None:
    """Mark the items of ``right`` that match an item of ``left``; each item matches once."""
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
