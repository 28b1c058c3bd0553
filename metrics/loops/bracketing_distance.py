"""The loop over closing brackets: their cost after the discount for movements."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import Float64Output, Int32Array, Int32Output, Int64Array


def closing_edits(
    offsets: Int64Array,
    difference: Int32Array,
    insertion: cython.double,
    deletion: cython.double,
    edits: Float64Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in the cost of the closing brackets of the sentences ``first`` to ``last - 1``.

    ``difference`` has for each token the number of brackets that are inserted behind it, or deleted where
    it is below 0. ``insertion`` and ``deletion`` are the costs of one bracket.
    """
    longest: int = int(np.abs(difference[offsets[first] : offsets[last]]).max(initial=0))
    # The number of runs of inserted brackets, and of deleted ones, by their lengths.
    inserted: Int32Output = np.empty(longest + 1, np.int32)
    deleted: Int32Output = np.empty(longest + 1, np.int32)
    sentence: cython.Py_ssize_t
    token: cython.Py_ssize_t
    run: cython.int
    n: cython.int
    m: cython.int
    r: cython.int
    with cython.nogil:
        for sentence in range(first, last):
            edits[sentence] = 0.0
            n = m = 0
            for token in range(offsets[sentence], offsets[sentence + 1]):
                if difference[token] > 0:
                    edits[sentence] += difference[token] * insertion
                    n = max(n, difference[token])
                elif difference[token] < 0:
                    edits[sentence] -= difference[token] * deletion
                    m = max(m, -difference[token])
            if n < 2 or m < 2:
                continue
            for run in range(n + 1):
                inserted[run] = 0
            for run in range(m + 1):
                deleted[run] = 0
            for token in range(offsets[sentence], offsets[sentence + 1]):
                if difference[token] > 0:
                    inserted[difference[token]] += 1
                elif difference[token] < 0:
                    deleted[-difference[token]] += 1
            while True:
                while n > 0 and inserted[n] == 0:
                    n -= 1
                while m > 0 and deleted[m] == 0:
                    m -= 1
                r = min(n, m)
                if r < 2:
                    break
                inserted[n] -= 1
                inserted[n - r] += 1
                deleted[m] -= 1
                deleted[m - r] += 1
                edits[sentence] -= (r - 1) * (insertion + deletion)
