"""Loops over dependencies: which are not projective."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import BoolOutput, Int32Array, Int32Output, Int64Array

from crossbank.treebanks.arrays import most_rows


@cython.cclass
class WordDescendants:
    """Words below each word of one sentence; the arrays are as long as the longest sentence of a range.

    first, last    a word's number in pre-order, and the last number below it: a word governs those
                   with numbers between. Words that no root governs have the number -1
    left, right    the farthest word on either side such that the word governs all between
    child, sister  a word's first dependent, and the next one of the same head; -1 if there is none
    order          the words by their numbers
    waiting        words whose dependents have no number yet
    """

    first: Int32Output
    last: Int32Output
    left: Int32Output
    right: Int32Output
    child: Int32Output
    sister: Int32Output
    order: Int32Output
    waiting: Int32Output

    def __init__(self, longest: int) -> None:
        self.first, self.last = np.empty(longest, np.int32), np.empty(longest, np.int32)
        self.left, self.right = np.empty(longest, np.int32), np.empty(longest, np.int32)
        self.child, self.sister = np.empty(longest, np.int32), np.empty(longest, np.int32)
        self.order, self.waiting = np.empty(longest, np.int32), np.empty(longest, np.int32)


def mark_nonprojective(
    offsets: Int64Array,
    head: Int32Array,
    nonprojective: BoolOutput,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Mark the words of the sentences ``first`` to ``last - 1`` whose dependency is not projective."""
    words = WordDescendants(most_rows(offsets, first, last))
    with cython.nogil:
        for sentence in range(first, last):
            begin, length = offsets[sentence], offsets[sentence + 1] - offsets[sentence]
            number_words(head, begin, length, words)
            reach(words, length, 1, words.right)
            reach(words, length, -1, words.left)
            for word in range(length):
                governor = head[begin + word]
                if governor >= 0 and words.first[word] >= 0:
                    nonprojective[begin + word] = not words.left[governor] <= word <= words.right[governor]


@cython.cfunc
@cython.nogil
def number_words(
    head: Int32Array, begin: cython.Py_ssize_t, length: cython.Py_ssize_t, words: WordDescendants
) -> cython.void:
    """Fill in each word's number in pre-order, and the last number below it."""
    depth: cython.Py_ssize_t = 0
    number: cython.Py_ssize_t = 0
    for word in range(length):
        words.child[word] = words.sister[word] = words.first[word] = words.last[word] = -1
    for word in range(length - 1, -1, -1):
        if head[begin + word] >= 0:
            words.sister[word] = words.child[head[begin + word]]
            words.child[head[begin + word]] = word
        elif head[begin + word] == -1:
            words.waiting[depth] = word
            depth += 1
    while depth > 0:
        depth -= 1
        word = words.waiting[depth]
        words.first[word] = words.last[word] = number
        words.order[number] = word
        number += 1
        below = words.child[word]
        while below >= 0:
            words.waiting[depth] = below
            depth += 1
            below = words.sister[below]
    for index in range(number - 1, -1, -1):
        word = words.order[index]
        if head[begin + word] >= 0:
            words.last[head[begin + word]] = max(words.last[head[begin + word]], words.last[word])


@cython.cfunc
@cython.nogil
def reach(
    words: WordDescendants, length: cython.Py_ssize_t, step: cython.Py_ssize_t, farthest: Int32Output
) -> cython.void:
    """Fill in the farthest word to which each governs all words between, going by ``step`` (1 or -1).

    A governor reaches every word that its neighbour reaches. So each word is passed over once.
    """
    for index in range(length):
        word = length - 1 - index if step == 1 else index
        beyond = word + step
        while 0 <= beyond < length and (
            words.first[beyond] < 0 or words.first[word] <= words.first[beyond] <= words.last[word]
        ):
            beyond = farthest[beyond] + step
        farthest[word] = beyond - step
