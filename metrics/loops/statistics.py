"""Loops of statistics: resamples of sentences, random swaps of them, and pairs in another order."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    Float64Matrix,
    Float64MatrixOutput,
    Int32Array,
    Int32Matrix,
    Int64Output,
    UInt64Matrix,
)
from cython.cimports.crossbank.treebanks.loops.interrupts import look


def sum_drawn(
    table: Float64Matrix,
    drawn: Int32Matrix,
    sums: Float64MatrixOutput,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Add up the rows of the drawn sentences, as often as each was drawn, in some of the samples."""
    with cython.nogil:
        for sample in range(first, last):
            look(table.shape[0] * table.shape[1])
            for sentence in range(table.shape[0]):
                times: cython.double = drawn[sample, sentence]
                if times > 0:
                    for column in range(table.shape[1]):
                        sums[sample, column] += times * table[sentence, column]


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
    chosen: cython.Py_ssize_t
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


def inversions(ranks: Int32Array, highest: cython.int) -> int:
    """Number of pairs of which the first has the higher rank; ranks are numbers from 0 to ``highest``.

    ``tree`` is a Fenwick tree (Fenwick 1994, A New Data Structure for Cumulative Frequency Tables): entry
    ``i`` counts the ranks seen among the last ``i & -i`` up to ``i``, counted from 1.
    """
    tree: Int64Output = np.zeros(highest + 2, np.int64)
    found: cython.longlong = 0
    with cython.nogil:
        for place in range(ranks.shape[0]):
            found += place
            entry = ranks[place] + 1
            while entry > 0:
                found -= tree[entry]
                entry -= entry & -entry
            entry = ranks[place] + 1
            while entry < tree.shape[0]:
                tree[entry] += 1
                entry += entry & -entry
    return found
