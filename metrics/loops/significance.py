"""The loop over random swaps of sentences."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import Float64Matrix, Float64MatrixOutput, UInt64Matrix


def sum_swapped(
    gained: Float64Matrix,
    swaps: UInt64Matrix,
    sums: Float64MatrixOutput,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Add up the rows of the sentences that are swapped, in the trials ``first`` to ``last - 1``."""
    trial: cython.Py_ssize_t
    sentence: cython.Py_ssize_t
    column: cython.Py_ssize_t
    swap: cython.double
    with cython.nogil:
        for trial in range(first, last):
            for sentence in range(gained.shape[0]):
                swap = (swaps[trial, sentence >> 6] >> (sentence & 63)) & 1
                for column in range(gained.shape[1]):
                    sums[trial, column] += swap * gained[sentence, column]
