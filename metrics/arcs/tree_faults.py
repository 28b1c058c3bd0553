"""Faults that keep the dependencies of a sentence from being a tree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.cycles import on_cycle
from crossbank.treebanks.tables import ROOT, UNATTACHED

TREE, HEAD_MISSING, CYCLE, ROOTS = range(4)
"""No fault, a word without a head, a cycle, several roots (or no words)."""


def tree_faults(offsets: Int64Array, head: Int32Array) -> NDArray[np.int8]:
    """The fault of each sentence, shape ``(sentences,)``: the first of the codes above that applies."""
    sentence = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))

    def words(which: BoolArray) -> NDArray[np.intp]:
        return np.bincount(sentence[which], minlength=len(offsets) - 1)

    faults = [words(head == UNATTACHED) > 0, words(on_cycle(offsets, head)) > 0, words(head == ROOT) != 1]
    return np.select(faults, [HEAD_MISSING, CYCLE, ROOTS], TREE).astype(np.int8)
