"""Loops that compare the words of two sides, sentence by sentence."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import BoolOutput, ByteOutput, Int32Array, Int64Array

# What is filled in: the first values of ``metrics.pairing.pair``.
SCORED = cython.declare(cython.uchar, 0)
NO_PARSE = cython.declare(cython.uchar, 1)
WORDS_DIFFER = cython.declare(cython.uchar, 2)
NO_GOLD = cython.declare(cython.uchar, 3)


def compare_words(
    gold_offsets: Int64Array,
    gold_form: Int32Array,
    candidate_offsets: Int64Array,
    candidate_form: Int32Array,
    status: ByteOutput,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in the ``Status`` of the sentences ``first`` to ``last - 1``, by the codes of their words."""
    with cython.nogil:
        for sentence in range(first, last):
            gold, candidate = gold_offsets[sentence], candidate_offsets[sentence]
            length = gold_offsets[sentence + 1] - gold
            if length == 0:
                status[sentence] = NO_GOLD
            elif candidate_offsets[sentence + 1] == candidate:
                status[sentence] = NO_PARSE
            elif candidate_offsets[sentence + 1] - candidate != length:
                status[sentence] = WORDS_DIFFER
            else:
                status[sentence] = SCORED
                for word in range(length):
                    if gold_form[gold + word] != candidate_form[candidate + word]:
                        status[sentence] = WORDS_DIFFER
                        break


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
