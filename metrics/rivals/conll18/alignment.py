"""The official alignment of words: by their spans, within multiword tokens by their forms.

Words that are tokens are aligned where their spans are equal. Around a multiword token the words of a stretch
of text are aligned: the longest common subsequence of their forms, in lower case. The stretch is the smallest
one that contains every multiword token, of either side, that it touches.
"""

from __future__ import annotations

import numpy as np

from crossbank.metrics.rivals.conll18.loops.aligned_words import NOT_ALIGNED, align, mark_same_spans
from crossbank.metrics.rivals.conll18.words import Words
from crossbank.treebanks.arrays import BoolArray, Int64Array


def aligned(gold: Words, system: Words) -> Int64Array:
    """The word of gold for every word of the system, counted through the file, or ``NOT_ALIGNED``."""
    found = np.empty(len(system.head), np.int64)
    align(gold.side(), system.side(), found)
    return found


def same_spans(
    gold_start: Int64Array, gold_end: Int64Array, system_start: Int64Array, system_end: Int64Array
) -> BoolArray:
    """A mask of the spans of gold that the system has too, shape ``(gold spans,)``."""
    same = np.zeros(len(gold_start), np.bool_)
    mark_same_spans(gold_start, gold_end, system_start, system_end, same)
    return same


__all__ = ["NOT_ALIGNED", "aligned", "same_spans"]
