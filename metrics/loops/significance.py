"""The loop over random swaps of sentences."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import Float64Matrix, Float64MatrixOutput, UInt64Matrix
from cython.cimports.crossbank.treebanks.loops.interrupts import look


def sum_swapped(
    gained: Float64Matrix,
    swaps: UInt64Matrix,
    sums: Float64MatrixOutput,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Add up the rows of the sentences that are swapped, in the trials ``first`` to ``last - 1``.

    The sums of every selection of eight sentences are made once (``partial``), so that a trial takes one of
    them for each eight sentences. Sums are added up in the order of the sentences, whatever the trials.
    """
    partial: Float64MatrixOutput = np.zeros((256, gained.shape[1]))
    trial: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    chosen: cython.Py_ssize_t
    lowest: cython.Py_ssize_t
    column: cython.Py_ssize_t
    selections: cython.Py_ssize_t
    with cython.nogil:
        for begin in range(0, gained.shape[0], 8):
            look((last - first) * gained.shape[1])
            selections = 1 << min(8, gained.shape[0] - begin)
            for chosen in range(1, selections):
                lowest = 0
                while not (chosen >> lowest) & 1:
                    lowest += 1
                for column in range(gained.shape[1]):
                    partial[chosen, column] = (
                        partial[chosen & (chosen - 1), column] + gained[begin + lowest, column]
                    )
            for trial in range(first, last):
                chosen = (swaps[trial, begin >> 6] >> (begin & 63)) & (selections - 1)
                for column in range(gained.shape[1]):
                    sums[trial, column] += partial[chosen, column]
