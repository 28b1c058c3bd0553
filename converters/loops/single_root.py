"""The loop that finds the root that dominates most words of a sentence."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    Int32Array,
    Int32Output,
    Int64Array,
)

from crossbank.treebanks.arrays import most_rows


def main_roots(
    offsets: Int64Array,
    head: Int32Array,
    is_punctuation: BoolArray,
    found: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in the root of each sentence that dominates most words; without words nothing is written.

    A word without a head is a root. Punctuation is the main root only where there is nothing else. The words
    of a cycle have no root.
    """
    longest: cython.Py_ssize_t = most_rows(offsets, first, last)
    words: Int32Output = np.empty(longest, np.int32)
    root: Int32Output = np.empty(longest, np.int32)
    sentence: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    length: cython.Py_ssize_t
    token: cython.Py_ssize_t
    above: cython.int
    top: cython.int
    main: cython.Py_ssize_t
    steps: cython.Py_ssize_t
    with cython.nogil:
        for sentence in range(first, last):
            begin, length = offsets[sentence], offsets[sentence + 1] - offsets[sentence]
            for token in range(length):
                words[token], root[token] = 0, -1
            for token in range(length):
                above = cython.cast(cython.int, token)
                steps = 0
                while root[above] < 0 and head[begin + above] >= 0 and steps < length:
                    above = head[begin + above]
                    steps += 1
                top = above if root[above] < 0 else root[above]
                above = cython.cast(cython.int, token)
                while root[above] < 0:
                    root[above] = top
                    words[top] += 1
                    if head[begin + above] >= 0:
                        above = head[begin + above]
            main = -1
            for token in range(length):
                if head[begin + token] >= 0:
                    continue
                if (
                    main < 0
                    or (is_punctuation[begin + main] and not is_punctuation[begin + token])
                    or (
                        is_punctuation[begin + main] == is_punctuation[begin + token]
                        and words[token] > words[main]
                    )
                ):
                    main = token
            if main >= 0:
                found[sentence] = cython.cast(cython.int, main)
