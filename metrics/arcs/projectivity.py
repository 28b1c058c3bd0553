"""Which dependencies are not projective.

A dependency is projective if its head governs, directly or through others, every word between the two ends
(Nivre and Nilsson 2005: Pseudo-Projective Dependency Parsing, section 2). The root of a sentence depends on
something outside, which governs all: that dependency is projective. A word without a head, with all that
depends on it, belongs nowhere, so no dependency is non-projective on its account.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array


@njit(cache=True, nogil=True)
def nonprojective(offsets: Int64Array, head: Int32Array) -> BoolArray:
    """Which words have a dependency that is not projective, shape ``(tokens,)``.

    ``head`` is counted from the beginning of the sentence, ``ROOT`` (-1) or ``UNATTACHED`` (-2). Words on a
    circle, and what depends on them, are governed by no word in particular: they count as without a head.
    """
    found = np.zeros(len(head), np.bool_)
    for sentence in range(len(offsets) - 1):
        begin = offsets[sentence]
        heads = head[begin : offsets[sentence + 1]]
        first, last = numbered(heads)
        right, left = reach(first, last, 1), reach(first, last, -1)
        for word in range(len(heads)):
            governor = heads[word]
            if governor >= 0 and first[word] >= 0:
                found[begin + word] = not left[governor] <= word <= right[governor]
    return found


@njit(cache=True, nogil=True)
def numbered(head: Int32Array) -> tuple[Int32Array, Int32Array]:
    """For every word of a sentence its number in pre-order, and the last number below it.

    A word governs those with numbers between. Words that no root governs have the number -1.
    """
    words = len(head)
    child = np.full(words, -1, np.int32)
    sister = np.full(words, -1, np.int32)
    first = np.full(words, np.int32(-1), np.int32)
    last = np.full(words, np.int32(-1), np.int32)
    order = np.empty(words, np.int32)
    waiting = np.empty(words, np.int32)
    depth, number = 0, 0
    for word in range(words - 1, -1, -1):
        if head[word] >= 0:
            sister[word] = child[head[word]]
            child[head[word]] = word
        elif head[word] == -1:
            waiting[depth] = word
            depth += 1
    while depth > 0:
        depth -= 1
        word = waiting[depth]
        first[word] = last[word] = number
        order[number] = word
        number += 1
        below = child[word]
        while below >= 0:
            waiting[depth] = below
            depth += 1
            below = sister[below]
    for place in range(number - 1, -1, -1):
        word = order[place]
        if head[word] >= 0:
            last[head[word]] = max(last[head[word]], last[word])
    return first, last


@njit(cache=True, nogil=True)
def reach(first: Int32Array, last: Int32Array, step: int) -> Int32Array:
    """For every word the farthest one to which it governs all words between, going by ``step`` (1 or -1).

    What a neighbour reaches, who governs it reaches too, so each word is passed over once.
    """
    words = len(first)
    farthest = np.empty(words, np.int32)
    for place in range(words):
        word = words - 1 - place if step == 1 else place
        beyond = word + step
        while 0 <= beyond < words and (first[beyond] < 0 or first[word] <= first[beyond] <= last[word]):
            beyond = farthest[beyond] + step
        farthest[word] = beyond - step
    return farthest
