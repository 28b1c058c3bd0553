"""The official alignment of words: by their spans, within multiword tokens by their forms.

Words that are tokens are aligned where their spans are equal. Around multiword tokens the smallest
stretch of text is taken out of which no multiword token of either side sticks; within it the longest
common subsequence of the forms, in lower case, is aligned.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from crossbank.metrics.rivals.conll18.words import Spans, Words
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array

NOT_ALIGNED = -2
"""The counterpart of a word that has none."""


def aligned(gold: Words, system: Words) -> Int64Array:
    """For every word of the system the word of gold, counted through the file, or ``NOT_ALIGNED``."""
    found: Int64Array = _align(gold.spans, gold.form, system.spans, system.form)
    return found


@njit(cache=True, nogil=True)
def _align(gold: Spans, gold_form: Int32Array, system: Spans, system_form: Int32Array) -> Int64Array:
    found = np.full(len(system.start), NOT_ALIGNED, np.int64)
    g = s = 0
    while g < len(gold.start) and s < len(system.start):
        if gold.multiword[g] or system.multiword[s]:
            first_g, first_s, g, s = _stretch(gold, system, g, s)
            _align_forms(gold_form[first_g:g], system_form[first_s:s], first_g, first_s, found)
        elif gold.start[g] == system.start[s] and gold.end[g] == system.end[s]:
            found[s] = g
            g, s = g + 1, s + 1
        elif gold.start[g] <= system.start[s]:
            g += 1
        else:
            s += 1
    return found


@njit(cache=True, nogil=True)
def _stretch(gold: Spans, system: Spans, g: int, s: int) -> tuple[int, int, int, int]:
    """The stretch around a multiword token: the first words of gold and system, and the first behind it."""
    if gold.multiword[g]:
        stop = gold.end[g]
        if not system.multiword[s] and system.start[s] < gold.start[g]:
            s += 1
    else:
        stop = system.end[s]
        if not gold.multiword[g] and gold.start[g] < system.start[s]:
            g += 1
    first_g, first_s = g, s
    while not _behind(gold, g, stop) or not _behind(system, s, stop):
        if g < len(gold.start) and (s >= len(system.start) or gold.start[g] <= system.start[s]):
            if gold.multiword[g]:
                stop = max(stop, gold.end[g])
            g += 1
        else:
            if system.multiword[s]:
                stop = max(stop, system.end[s])
            s += 1
    return first_g, first_s, g, s


@njit(cache=True, nogil=True)
def _behind(spans: Spans, word: int, stop: int) -> bool:
    if word >= len(spans.start):
        return True
    if spans.multiword[word]:
        return bool(spans.start[word] >= stop)
    return bool(spans.end[word] > stop)


@njit(cache=True, nogil=True)
def _align_forms(
    gold: Int32Array, system: Int32Array, first_gold: int, first_system: int, found: Int64Array
) -> None:
    """Align the longest common subsequence; of several, words of gold are left out first."""
    longest = np.zeros((len(gold) + 1, len(system) + 1), np.int32)
    for g in range(len(gold) - 1, -1, -1):
        for s in range(len(system) - 1, -1, -1):
            length = longest[g + 1, s + 1] + 1 if gold[g] == system[s] else 0
            longest[g, s] = max(length, longest[g + 1, s], longest[g, s + 1])
    g = s = 0
    while g < len(gold) and s < len(system):
        if gold[g] == system[s]:
            found[first_system + s] = first_gold + g
            g, s = g + 1, s + 1
        elif longest[g, s] == longest[g + 1, s]:
            g += 1
        else:
            s += 1


@njit(cache=True, nogil=True)
def same_spans(
    gold_start: Int64Array, gold_end: Int64Array, system_start: Int64Array, system_end: Int64Array
) -> BoolArray:
    """Which spans of gold the system has too, shape ``(gold spans,)``; both in the order of the text."""
    same = np.zeros(len(gold_start), np.bool_)
    g = s = 0
    while g < len(gold_start) and s < len(system_start):
        if system_start[s] < gold_start[g]:
            s += 1
        elif gold_start[g] < system_start[s]:
            g += 1
        else:
            same[g] = gold_end[g] == system_end[s]
            g, s = g + 1, s + 1
    return same


@njit(cache=True, nogil=True)
def _function_words(head: Int64Array, functional: BoolArray) -> tuple[Int64Array, Int64Array]:
    """The first function word of each word, and the next one of the same head; -1 where there is none."""
    first, following = np.full(len(head), -1, np.int64), np.full(len(head), -1, np.int64)
    for word in range(len(head) - 1, -1, -1):
        if functional[word] and head[word] >= 0:
            following[word] = first[head[word]]
            first[head[word]] = word
    return first, following


def same_function_words(gold: Words, system: Words, found: Int64Array) -> BoolArray:
    """Which words of the system have the same function words as their counterpart in gold.

    They are the same where they are aligned and have the same relation, UPOS and features, in the same
    order. Shape ``(system words,)``; words without a counterpart have not.
    """
    same: BoolArray = _same_function_words(gold, system, found)
    return same


@njit(cache=True, nogil=True)
def _same_function_words(gold: Words, system: Words, found: Int64Array) -> BoolArray:
    first, following = _function_words(gold.head, gold.functional)
    first_there, following_there = _function_words(system.head, system.functional)
    same = np.zeros(len(found), np.bool_)
    for word in range(len(found)):
        if found[word] < 0:
            continue
        own, other = first[found[word]], first_there[word]
        while (
            own >= 0
            and other >= 0
            and found[other] == own
            and gold.relation[own] == system.relation[other]
            and gold.upos[own] == system.upos[other]
            and gold.feats[own] == system.feats[other]
        ):
            own, other = following[own], following_there[other]
        same[word] = own < 0 and other < 0
    return same
