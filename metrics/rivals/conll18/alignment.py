"""The official alignment of words: by their spans, within multiword tokens by their forms.

Words that are tokens are aligned where their spans are equal. Around multiword tokens the smallest
stretch of text is taken out of which no multiword token of either side sticks; within it the longest
common subsequence of the forms, in lower case, is aligned.
"""

from __future__ import annotations

import numpy as np

from crossbank.metrics.rivals.conll18.loops.alignment import NOT_ALIGNED, align, mark_same_spans
from crossbank.metrics.rivals.conll18.words import Words
from crossbank.treebanks.arrays import BoolArray, Int64Array


def aligned(gold: Words, system: Words) -> Int64Array:
    """For every word of the system the word of gold, counted through the file, or ``NOT_ALIGNED``."""
    found = np.empty(len(system.head), np.int64)
    align(gold.side(), system.side(), found)
    return found


def same_spans(
    gold_start: Int64Array, gold_end: Int64Array, system_start: Int64Array, system_end: Int64Array
) -> BoolArray:
    """Which spans of gold the system has too, shape ``(gold spans,)``; both in the order of the text."""
    same = np.zeros(len(gold_start), np.bool_)
    mark_same_spans(gold_start, gold_end, system_start, system_end, same)
    return same


__all__ = ["NOT_ALIGNED", "aligned", "same_spans"]
