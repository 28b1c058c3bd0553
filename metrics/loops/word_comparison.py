"""Loop that compares the words of two sides, sentence by sentence."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import BoolOutput, Int32Array, Int64Array


@cython.dataclasses.dataclass(eq=False, repr=False)
class WordCodes:
    """Words of one side: where those of each sentence begin, and codes that both sides share."""

    offsets: Int64Array
    form: Int32Array


def mark_words_beyond(
    gold: WordCodes, other: WordCodes, beyond: BoolOutput, first: cython.Py_ssize_t, last: cython.Py_ssize_t
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
