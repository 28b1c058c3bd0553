"""Loops that compare the words of two sides, sentence by sentence."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import BoolOutput, ByteOutput, Int32Array, Int64Array

# What is filled in: the first values of ``metrics.pairing.pair``.
SCORED = cython.declare(cython.uchar, 0)
NO_PARSE = cython.declare(cython.uchar, 1)
WORDS_DIFFER = cython.declare(cython.uchar, 2)
NO_GOLD = cython.declare(cython.uchar, 3)


@cython.dataclasses.dataclass(eq=False, repr=False)
class Words:
    """Words of one side: where those of each sentence begin, and codes that both sides share."""

    offsets: Int64Array
    form: Int32Array


def compare_words(
    gold: Words, candidate: Words, status: ByteOutput, first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> None:
    """Fill in the ``Status`` of the sentences ``first`` to ``last - 1``, by the codes of their words."""
    with cython.nogil:
        for sentence in range(first, last):
            begin, other = gold.offsets[sentence], candidate.offsets[sentence]
            length = gold.offsets[sentence + 1] - begin
            if length == 0:
                status[sentence] = NO_GOLD
            elif candidate.offsets[sentence + 1] == other:
                status[sentence] = NO_PARSE
            elif candidate.offsets[sentence + 1] - other != length:
                status[sentence] = WORDS_DIFFER
            else:
                status[sentence] = SCORED
                for word in range(length):
                    if gold.form[begin + word] != candidate.form[other + word]:
                        status[sentence] = WORDS_DIFFER
                        break


def mark_words_beyond(
    gold: Words, other: Words, beyond: BoolOutput, first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> None:
    """Mark the tokens of another gold that gold does not have, in the sentences ``first`` to ``last - 1``.

    None are marked in a sentence that lacks a word of gold. Of equal words the first is kept.
    """
    with cython.nogil:
        for sentence in range(first, last):
            word, end = gold.offsets[sentence], gold.offsets[sentence + 1]
            for token in range(other.offsets[sentence], other.offsets[sentence + 1]):
                beyond[token] = word == end or other.form[token] != gold.form[word]
                if not beyond[token]:
                    word += 1
            if word < end:
                for token in range(other.offsets[sentence], other.offsets[sentence + 1]):
                    beyond[token] = False
