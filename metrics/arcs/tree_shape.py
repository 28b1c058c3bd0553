"""Classification of dependencies that are not trees, and of dependencies that are not projective."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.loops.projectivity import mark_nonprojective
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.cycles import on_cycle
from crossbank.treebanks.ranges import in_ranges
from crossbank.treebanks.tables import ROOT, UNATTACHED

TREE, HEAD_MISSING, CYCLE, ROOTS = range(4)
"""No fault, a word without a head, a cycle, several roots (or no words)."""


def tree_faults(offsets: Int64Array, head: Int32Array) -> NDArray[np.int8]:
    """Return each sentence's fault, the first of the codes above that applies, shape ``(sentences,)``."""
    sentence = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))

    def words(which: BoolArray) -> NDArray[np.intp]:
        return np.bincount(sentence[which], minlength=len(offsets) - 1)

    faults = [words(head == UNATTACHED) > 0, words(on_cycle(offsets, head)) > 0, words(head == ROOT) != 1]
    return np.select(faults, [HEAD_MISSING, CYCLE, ROOTS], TREE).astype(np.int8)


def nonprojective(offsets: Int64Array, head: Int32Array) -> BoolArray:
    """Return a mask of the words that have a dependency that is not projective, shape ``(tokens,)``.

    A dependency is projective if its head governs, directly or through others, every word between the two
    ends (Nivre and Nilsson 2005: Pseudo-Projective Dependency Parsing, section 2). The root of a sentence
    depends on something outside, which governs all words: that dependency is projective. A word without a
    head is governed by nothing, and neither are the words that depend on it. They make no dependency
    non-projective.

    ``head`` is counted from the beginning of the sentence, ``ROOT`` (-1) or ``UNATTACHED`` (-2). No word in
    particular governs the words on a cycle and their dependents: they count as words without a head.
    """
    mask = np.zeros(len(head), np.bool_)
    in_ranges(lambda first, last: mark_nonprojective(offsets, head, mask, first, last), len(offsets) - 1)
    return mask
