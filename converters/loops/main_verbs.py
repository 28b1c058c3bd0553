"""The loops over verb complexes: their links, and what moves to the main verb."""

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


def link_verbs(
    offsets: Int64Array,
    head: Int32Array,
    links: BoolArray,
    joined: BoolArray,
    verbs: BoolArray,
    linked: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in the verb to which each verb of a complex is linked; other tokens are not written to.

    A conjunct has the link of the first conjunct, on which it depends by way of ``joined`` tokens: other
    conjuncts and conjunctions.
    """
    sentence: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    token: cython.Py_ssize_t
    top: cython.Py_ssize_t
    with cython.nogil:
        for sentence in range(first, last):
            begin = offsets[sentence]
            for token in range(begin, offsets[sentence + 1]):
                top = token
                while joined[top] and not links[top] and head[top] >= 0:
                    top = begin + head[top]
                if links[top] and verbs[token]:
                    linked[token] = head[top]


def move_to_main_verbs(
    offsets: Int64Array,
    head: Int32Array,
    linked: Int32Array,
    moved: BoolArray,
    heads: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Hang ``moved`` tokens on the last verb linked to their head; ``heads`` holds a copy of ``head``.

    Down the complex the first linked verb behind the token is followed, or else the last one before it.
    A token moves to a verb below its head, and no verb of a complex depends on it, so there are no cycles.
    """
    longest: cython.Py_ssize_t = most_rows(offsets, first, last)
    before: Int32Output = np.empty(longest, np.int32)  # the last verb so far that is linked to each word
    behind: Int32Output = np.empty(longest, np.int32)
    sentence: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    token: cython.Py_ssize_t
    with cython.nogil:
        for sentence in range(first, last):
            begin, end = offsets[sentence], offsets[sentence + 1]
            for token in range(end - begin):
                before[token], behind[token] = -1, -1
            for token in range(end - 1, begin - 1, -1):
                if linked[token] >= 0:
                    behind[linked[token]] = cython.cast(cython.int, token - begin)
                elif moved[token] and head[token] >= 0 and behind[head[token]] >= 0:
                    heads[token] = behind[head[token]]
            for token in range(begin, end):
                if linked[token] >= 0:
                    before[linked[token]] = cython.cast(cython.int, token - begin)
                elif (
                    moved[token]
                    and head[token] >= 0
                    and heads[token] == head[token]
                    and before[head[token]] >= 0
                ):
                    heads[token] = before[head[token]]
            for token in range(begin, end):
                if moved[token] and heads[token] != head[token]:
                    while behind[heads[token]] >= 0:
                        heads[token] = behind[heads[token]]
