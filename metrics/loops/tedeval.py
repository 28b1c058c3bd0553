"""The loop over words that another gold has beyond gold."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import BoolOutput, Int32Array, Int64Array


def mark_words_beyond(
    gold_offsets: Int64Array,
    gold_form: Int32Array,
    other_offsets: Int64Array,
    other_form: Int32Array,
    beyond: BoolOutput,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Mark the tokens of another gold that gold does not have, in the sentences ``first`` to ``last - 1``.

    None are marked in a sentence that lacks a word of gold. Of equal words the first is kept.
    """
    sentence: cython.Py_ssize_t
    token: cython.Py_ssize_t
    word: cython.Py_ssize_t
    end: cython.Py_ssize_t
    with cython.nogil:
        for sentence in range(first, last):
            word, end = gold_offsets[sentence], gold_offsets[sentence + 1]
            for token in range(other_offsets[sentence], other_offsets[sentence + 1]):
                beyond[token] = word == end or other_form[token] != gold_form[word]
                if not beyond[token]:
                    word += 1
            if word < end:
                for token in range(other_offsets[sentence], other_offsets[sentence + 1]):
                    beyond[token] = False
