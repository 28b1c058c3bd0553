"""What keeps the dependencies of a sentence from being a tree."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treebanks.arrays import Int32Array, Int64Array
from treebanks.tables import ROOT, UNATTACHED

TREE, HEAD_MISSING, CYCLE, ROOTS = range(4)
"""Nothing, a word without a head, a cycle, several roots (or no words)."""


@njit(cache=True, nogil=True)
def tree_faults(offsets: Int64Array, head: Int32Array) -> NDArray[np.int8]:
    """What keeps each sentence from being a tree, shape ``(sentences,)``; the first of the codes above."""
    faults = np.zeros(len(offsets) - 1, np.int8)
    seen = np.zeros(len(head), np.int32)
    for sentence in range(len(offsets) - 1):
        begin, roots = offsets[sentence], 0
        length = offsets[sentence + 1] - begin
        for word in range(length):
            if head[begin + word] == UNATTACHED:
                faults[sentence] = HEAD_MISSING
            roots += head[begin + word] == ROOT
        if faults[sentence] != 0:
            continue
        for word in range(length):
            above = word
            while above >= 0 and seen[begin + above] == 0:
                seen[begin + above] = word + 1
                above = head[begin + above]
            if above >= 0 and seen[begin + above] == word + 1:
                faults[sentence] = CYCLE
                break
        if faults[sentence] == 0 and roots != 1:
            faults[sentence] = ROOTS
    return faults
