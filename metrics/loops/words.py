"""The loops that compare the words of two sides, sentence by sentence."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import BoolOutput, ByteOutput, Int32Array, Int64Array

from crossbank.metrics.counting.counts import Status


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
    scored: cython.uchar = Status.SCORED
    no_parse: cython.uchar = Status.NO_PARSE
    words_differ: cython.uchar = Status.WORDS_DIFFER
    no_gold: cython.uchar = Status.NO_GOLD
    with cython.nogil:
        for sentence in range(first, last):
            gold, candidate = gold_offsets[sentence], candidate_offsets[sentence]
            length = gold_offsets[sentence + 1] - gold
            if length == 0:
                status[sentence] = no_gold
            elif candidate_offsets[sentence + 1] == candidate:
                status[sentence] = no_parse
            elif candidate_offsets[sentence + 1] - candidate != length:
                status[sentence] = words_differ
            else:
                status[sentence] = scored
                for word in range(length):
                    if gold_form[gold + word] != candidate_form[candidate + word]:
                        status[sentence] = words_differ
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
