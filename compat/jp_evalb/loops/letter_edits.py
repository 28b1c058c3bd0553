"""Loop that counts the edits between two strings of characters, up to a limit."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import Int32Array, Int32Output


def is_within_edits(one: Int32Array, other: Int32Array, most: int) -> bool:
    """Return whether no more than ``most`` characters are inserted, deleted or replaced (Levenshtein).

    Only the diagonals that can be reached are computed.
    """
    rows: cython.Py_ssize_t = one.shape[0]
    columns: cython.Py_ssize_t = other.shape[0]
    limit: cython.Py_ssize_t = most
    if rows - columns > limit or columns - rows > limit:
        return False
    edits: Int32Output = np.full(columns + 2, limit + 1, np.int32)
    with cython.nogil:
        for column in range(min(columns, limit) + 1):
            edits[column] = cython.cast(cython.int, column)
        for row in range(1, rows + 1):
            first: cython.Py_ssize_t = max(row - limit, 1)
            last: cython.Py_ssize_t = min(row + limit, columns)
            diagonal: cython.int = edits[first - 1]
            edits[first - 1] = cython.cast(cython.int, row if first == 1 else limit + 1)
            for column in range(first, last + 1):
                cost: cython.int = diagonal + (one[row - 1] != other[column - 1])
                diagonal = edits[column]
                if column < row + limit and diagonal + 1 < cost:
                    cost = diagonal + 1
                if edits[column - 1] + 1 < cost:
                    cost = edits[column - 1] + 1
                edits[column] = cost
    return bool(edits[columns] <= limit)
