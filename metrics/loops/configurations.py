"""Loops over configurations: the sentences in which each occurs, and sums under random signs."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    Float64Array,
    Float64Output,
    Int32Array,
    Int32Matrix,
    Int32MatrixOutput,
    Int32Output,
    Int64Array,
    Int64Output,
)


def sum_in_sentences(
    key: Int32Array,
    sentence: Int32Array,
    excess: Float64Array,
    begin: Int64Array,
    end: Int64Output,
    cell_sentence: Int32Output,
    cell_excess: Float64Output,
) -> None:
    """Add up the excess of each configuration in each sentence.

    The occurrences of one configuration come in the order of their sentences. The cells of configuration
    ``k`` are written from ``begin[k]`` on; ``end``, which is ``begin`` before, is then where they end.
    """
    with cython.nogil:
        for occurrence in range(key.shape[0]):
            configuration: cython.Py_ssize_t = key[occurrence]
            cell = end[configuration] - 1
            if cell < begin[configuration] or cell_sentence[cell] != sentence[occurrence]:
                cell += 1
                end[configuration] = cell + 1
                cell_sentence[cell] = sentence[occurrence]
                cell_excess[cell] = 0
            cell_excess[cell] += excess[occurrence]


SENTENCES = 512
"""The number of sentences whose signs all configurations use, before the next: the cache holds them."""


def sum_positive(
    offsets: Int64Array,
    sentence: Int32Array,
    excess: Int32Array,
    positive: Int32Matrix,
    sums: Int32MatrixOutput,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Add up the excess in the sentences with a positive sign, of configurations ``first`` to ``last - 1``.

    offsets   where the cells of each configuration begin, in the order of their sentences
    positive  shape ``(sentences, trials)``: -1 (all bits) for a positive sign, else 0
    sums      shape ``(configurations, trials)``
    """
    at: Int64Output = np.array(offsets)
    together: cython.Py_ssize_t = SENTENCES
    with cython.nogil:
        for block in range((positive.shape[0] + together - 1) // together):
            for configuration in range(first, last):
                cell = at[configuration]
                while cell < offsets[configuration + 1] and sentence[cell] < (block + 1) * together:
                    row: cython.Py_ssize_t = sentence[cell]
                    amount = excess[cell]
                    for trial in range(positive.shape[1]):
                        sums[configuration, trial] += amount & positive[row, trial]
                    cell += 1
                at[configuration] = cell
