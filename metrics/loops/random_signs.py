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


@cython.dataclasses.dataclass(eq=False, repr=False)
class Cells:
    """A sentence in which a configuration occurs, and the excess there; where those of each begin and end."""

    begin: Int64Array
    end: Int64Output
    sentence: Int32Output
    excess: Float64Output


def sum_in_sentences(key: Int32Array, sentence: Int32Array, excess: Float64Array, cells: Cells) -> None:
    """Add up the excess of each configuration in each sentence.

    The occurrences of one configuration come in the order of their sentences. The cells of configuration
    ``k`` are written from ``begin[k]`` on; ``end``, which is ``begin`` before, is then where they end.
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
"""The number of sentences whose signs all configurations use, before the next: the cache holds them."""


@cython.dataclasses.dataclass(eq=False, repr=False)
class Summands:
    """Rounded excess of configurations in the sentences where they occur.

    offsets  where those of each configuration begin, in the order of their sentences
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
