"""Loops of statistics: sums over resampled, swapped or randomly signed sentences, and inversions of ranks."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    Float64Array,
    Float64Matrix,
    Float64MatrixOutput,
    Float64Output,
    Int32Array,
    Int32Matrix,
    Int32MatrixOutput,
    Int32Output,
    Int64Array,
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
    """Add up the rows of the drawn sentences, times the draws, in samples ``first`` to ``last - 1``."""
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

    The sums of all subsets of eight sentences are computed once (``partial``), so that a trial adds one
    number for eight sentences. Sums are added in the order of the sentences, independently of the trials.
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
    """Return the number of pairs whose first member has the higher rank; ranks are from 0 to ``highest``.

    ``tree`` is a Fenwick tree (Fenwick 1994, A New Data Structure for Cumulative Frequency Tables): entry
    ``i`` counts the ranks seen among the last ``i & -i`` up to ``i``, counted from 1.
    """
    tree: Int64Output = np.zeros(highest + 2, np.int64)
    count: cython.longlong = 0
    with cython.nogil:
        for index in range(ranks.shape[0]):
            count += index
            entry = ranks[index] + 1
            while entry > 0:
                count -= tree[entry]
                entry -= entry & -entry
            entry = ranks[index] + 1
            while entry < tree.shape[0]:
                tree[entry] += 1
                entry += entry & -entry
    return count


@cython.dataclasses.dataclass(eq=False, repr=False)
class Cells:
    """Sentences in which configurations occur, the excess there, and where each configuration's rows are."""

    begin: Int64Array
    end: Int64Output
    sentence: Int32Output
    excess: Float64Output


def sum_in_sentences(key: Int32Array, sentence: Int32Array, excess: Float64Array, cells: Cells) -> None:
    """Add up the excess of each configuration in each sentence.

    The occurrences of one configuration come in the order of their sentences. The cells of configuration
    ``k`` are written from ``begin[k]`` on. ``end`` is ``begin`` before the call, and their ends after it.
    """
    with cython.nogil:
        for occurrence in range(key.shape[0]):
            configuration: cython.Py_ssize_t = key[occurrence]
            cell = cells.end[configuration] - 1
            if cell < cells.begin[configuration] or cells.sentence[cell] != sentence[occurrence]:
                cell += 1
                cells.end[configuration] = cell + 1
                cells.sentence[cell] = sentence[occurrence]
                cells.excess[cell] = 0
            cells.excess[cell] += excess[occurrence]


SENTENCES = 512
"""Number of sentences that are processed for all configurations at a time: their signs fit the cache."""


@cython.dataclasses.dataclass(eq=False, repr=False)
class Summands:
    """Rounded excess of configurations in the sentences where they occur.

    offsets  where the rows of each configuration begin; rows are in the order of their sentences
    """

    offsets: Int64Array
    sentence: Int32Array
    excess: Int32Array


def sum_positive(
    summands: Summands,
    positive: Int32Matrix,
    sums: Int32MatrixOutput,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Add up the excess in the sentences with a positive sign, of configurations ``first`` to ``last - 1``.

    positive  shape ``(sentences, trials)``: -1 (all bits) for a positive sign, else 0
    sums      shape ``(configurations, trials)``
    """
    at: Int64Output = np.array(summands.offsets)
    together: cython.Py_ssize_t = SENTENCES
    with cython.nogil:
        for block in range((positive.shape[0] + together - 1) // together):
            for configuration in range(first, last):
                cell = at[configuration]
                while (
                    cell < summands.offsets[configuration + 1]
                    and summands.sentence[cell] < (block + 1) * together
                ):
                    row: cython.Py_ssize_t = summands.sentence[cell]
                    amount = summands.excess[cell]
                    for trial in range(positive.shape[1]):
                        sums[configuration, trial] += amount & positive[row, trial]
                    cell += 1
                at[configuration] = cell
