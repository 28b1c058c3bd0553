"""The loop over resamples of sentences."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import Float64Matrix, Float64MatrixOutput, Int32Matrix
from cython.cimports.crossbank.treebanks.loops.interrupts import look


def sum_drawn(
    table: Float64Matrix,
    drawn: Int32Matrix,
    sums: Float64MatrixOutput,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Add up the rows of the drawn sentences, as often as each was drawn, in some of the samples."""
    sample: cython.Py_ssize_t
    sentence: cython.Py_ssize_t
    column: cython.Py_ssize_t
    times: cython.double
    with cython.nogil:
        for sample in range(first, last):
            look(table.shape[0] * table.shape[1])
            for sentence in range(table.shape[0]):
                times = drawn[sample, sentence]
                if times > 0:
                    for column in range(table.shape[1]):
                        sums[sample, column] += times * table[sentence, column]
