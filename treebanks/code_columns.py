"""Loops over columns of codes and flags: which there are, how often, and other values in their place.

Arrays are returned as they are: to make them of the loop's views takes longer than a short sentence.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    BoolOutput,
    Int32Array,
    Int32Output,
    Int64Array,
    Int64Output,
)
from numpy.typing import NDArray


def count_codes(codes: Int32Array, size: int) -> NDArray[np.int64]:
    """Return how often each code below ``size`` is there, shape ``(size,)``."""
    counted = np.zeros(size, np.int64)
    counts: Int64Output = counted
    with cython.nogil:
        for row in range(codes.shape[0]):
            counts[codes[row]] += 1
    return counted


def occurring(size: int, *columns: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return the codes below ``size`` that some columns have, in ascending order."""
    marked = np.zeros(size, np.bool_)
    for column in columns:
        mark_codes(column, marked)
    return marked.nonzero()[0]


def mark_codes(codes: Int32Array, marked: BoolOutput) -> None:
    """Mark the codes that are there."""
    with cython.nogil:
        for row in range(codes.shape[0]):
            marked[codes[row]] = True


def count_flags(offsets: Int64Array, flags: BoolArray) -> NDArray[np.int32]:
    """Return how many flags of each sentence are set, shape ``(sentences,)``."""
    counted = np.empty(offsets.shape[0] - 1, np.int32)
    counts: Int32Output = counted
    with cython.nogil:
        for sentence in range(offsets.shape[0] - 1):
            count: cython.int = 0
            for row in range(offsets[sentence], offsets[sentence + 1]):
                count += flags[row]
            counts[sentence] = count
    return counted


def numbers_of_codes(codes: Int32Array, numbers: Int32Array) -> NDArray[np.int32]:
    """Return the number of each row's code, shape ``(rows,)``."""
    column = np.empty(codes.shape[0], np.int32)
    rows: Int32Output = column
    with cython.nogil:
        for row in range(codes.shape[0]):
            rows[row] = numbers[codes[row]]
    return column


def flags_of_codes(codes: Int32Array, flags: BoolArray) -> NDArray[np.bool_]:
    """Return the flag of each row's code, shape ``(rows,)``."""
    column = np.empty(codes.shape[0], np.bool_)
    rows: BoolOutput = column
    with cython.nogil:
        for row in range(codes.shape[0]):
            rows[row] = flags[codes[row]]
    return column
