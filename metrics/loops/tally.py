"""The loops that add up the amounts of items, sentence by sentence."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import BoolArray, Float64Array, Float64Output, Int64Array


def count_flags(
    offsets: Int64Array,
    flags: BoolArray,
    sums: Float64Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in the number of flags that are set in each of the sentences ``first`` to ``last - 1``."""
    sentence: cython.Py_ssize_t
    item: cython.Py_ssize_t
    count: cython.int
    with cython.nogil:
        for sentence in range(first, last):
            count = 0
            for item in range(offsets[sentence], offsets[sentence + 1]):
                count += flags[item]
            sums[sentence] = count


def add_up(
    offsets: Int64Array,
    amount: Float64Array,
    sums: Float64Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in the sum of the amounts in each of the sentences ``first`` to ``last - 1``."""
    sentence: cython.Py_ssize_t
    item: cython.Py_ssize_t
    with cython.nogil:
        for sentence in range(first, last):
            sums[sentence] = 0
            for item in range(offsets[sentence], offsets[sentence + 1]):
                sums[sentence] += amount[item]
