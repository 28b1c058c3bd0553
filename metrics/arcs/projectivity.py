"""The dependencies that are not projective.

A dependency is projective if its head governs, directly or through others, every word between the two ends
(Nivre and Nilsson 2005: Pseudo-Projective Dependency Parsing, section 2). The root of a sentence depends on
something outside, which governs all words: that dependency is projective. A word without a head is governed
by nothing, and neither are the words that depend on it. They make no dependency non-projective.
"""

from __future__ import annotations

import numpy as np

from crossbank.metrics.loops.projectivity import mark_nonprojective
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.ranges import in_ranges


def nonprojective(offsets: Int64Array, head: Int32Array) -> BoolArray:
    """A mask of the words that have a dependency that is not projective, shape ``(tokens,)``.

    ``head`` is counted from the beginning of the sentence, ``ROOT`` (-1) or ``UNATTACHED`` (-2). No word in
    particular governs the words on a cycle and their dependents: they count as words without a head.
    """
    found = np.zeros(len(head), np.bool_)
    in_ranges(lambda first, last: mark_nonprojective(offsets, head, found, first, last), len(offsets) - 1)
    return found
