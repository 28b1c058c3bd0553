"""The loop that counts the pairs of sentences that two measures order differently."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import Int32Array, Int64Output


def inversions(ranks: Int32Array, highest: cython.int) -> int:
    """The number of pairs of which the first has the higher rank; ranks are numbers from 0 to ``highest``.

    ``tree`` is a Fenwick tree (Fenwick 1994, A New Data Structure for Cumulative Frequency Tables): entry
    ``i`` counts the ranks seen among the last ``i & -i`` up to ``i``, counted from 1.
    """
    tree: Int64Output = np.zeros(highest + 2, np.int64)
    found: cython.longlong = 0
    place: cython.Py_ssize_t
    entry: cython.Py_ssize_t
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
