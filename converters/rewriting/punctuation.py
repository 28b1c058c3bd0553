"""Punctuation whose arc crosses another one, which Universal Dependencies does not allow.

https://universaldependencies.org/u/dep/punct.html: punctuation must not cause non-projectivity.
"""

from __future__ import annotations

import numpy as np

from crossbank.converters.rewriting.word_table import WordTable
from crossbank.treebanks.arrays import BoolArray, Int64Array

MAX_MOVES = 50
"""How often one mark is moved: more often than arcs cross each other."""


def attach_crossing_punctuation(words: WordTable, marks: Int64Array) -> None:
    """Attach marks that cross an arc to a word of that arc, until they cross none."""
    head = words.head.copy()
    marks = marks[head[marks] >= 0]
    crossing = marks[crosses(head, marks)]
    ends = words.offsets[np.searchsorted(words.offsets, crossing, side="right")]
    for mark, first, end in zip(
        crossing.tolist(), words.first_row[crossing].tolist(), ends.tolist(), strict=True
    ):
        heads = head[first:end].tolist()
        head[mark] = first + _highest_without_crossing(
            [h - first if h >= 0 else -1 for h in heads], mark - first
        )
    words.head = head
    words.changed()


def _highest_without_crossing(heads: list[int], mark: int) -> int:
    """Return the head of a mark in a sentence: its own, or one that an arc in the way leads to."""
    for _ in range(MAX_MOVES):
        low, high = sorted((mark, heads[mark]))
        for word, head in enumerate(heads):
            inside = low < word < high
            outside = head < low or head > high if inside else low < head < high and not low <= word <= high
            if head < 0 or not outside:
                continue
            # Under the arc the mark belongs to its head; else to what the arc reaches inside.
            goal = head if min(word, head) < mark < max(word, head) else word
            if not _dominates(heads, mark, goal):
                heads[mark] = goal
                break
        else:
            break
    return heads[mark]


def _dominates(heads: list[int], mark: int, word: int) -> bool:
    """Return whether a word depends on a mark, directly or through others: in UD none does."""
    while word >= 0 and word != mark:
        word = heads[word]
    return word == mark


def crosses(head: Int64Array, marks: Int64Array) -> BoolArray:
    """Return whether the arcs of some words cross another one.

    An arc does if a word under it has its head or a dependent beyond the arc's ends: the least and the
    greatest of these, for all words under an arc, are looked up in tables for widths of powers of two.
    """
    rows = np.arange(len(head))
    linked = np.flatnonzero(head >= 0)
    least, greatest = rows.copy(), rows.copy()
    least[linked], greatest[linked] = np.minimum(linked, head[linked]), np.maximum(linked, head[linked])
    np.minimum.at(least, head[linked], linked)
    np.maximum.at(greatest, head[linked], linked)
    low, high = np.minimum(marks, head[marks]), np.maximum(marks, head[marks])
    width = high - low - 1
    crossing = np.zeros(len(marks), np.bool_)
    size = 1
    while size <= int(width.max(initial=0)):
        # Two windows of this size cover what is under arcs of up to twice its width.
        chosen = (width >= size) & (width < 2 * size)
        begin, other = low[chosen] + 1, high[chosen] - size
        crossing[chosen] = np.minimum(least[begin], least[other]) < low[chosen]
        crossing[chosen] |= np.maximum(greatest[begin], greatest[other]) > high[chosen]
        if len(least) > size:
            least = np.concatenate([np.minimum(least[:-size], least[size:]), least[-size:]])
            greatest = np.concatenate([np.maximum(greatest[:-size], greatest[size:]), greatest[-size:]])
        size *= 2
    return crossing
