"""The compiled loops over spans: where tokens, words and sentences stand in the text."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import (
    BoolOutput,
    Int32Array,
    Int32Output,
    Int64Array,
    Int64Output,
)


def place_tokens(
    offsets: Int64Array,
    range_offsets: Int64Array,
    range_first: Int64Array,
    range_size: Int32Array,
    form: Int32Array,
    range_form: Int32Array,
    length: Int32Array,
    sentence_start: Int64Output,
    sentence_end: Int64Output,
    token_start: Int64Output,
    token_end: Int64Output,
    token_word: Int64Output,
    surface: Int32Output,
    start: Int64Output,
    end: Int64Output,
    multiword: BoolOutput,
) -> int:
    """Fill in ``conll18.words.Spans`` and the form of each token. Returns the number of tokens.

    ``length`` is that of each form, in characters, by code. A multiword token may have no words.
    """
    place: cython.longlong = 0
    token: cython.Py_ssize_t = 0
    sentence: cython.Py_ssize_t
    word: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    covered: cython.Py_ssize_t
    row: cython.Py_ssize_t
    code: cython.int
    within: cython.bint
    with cython.nogil:
        for sentence in range(offsets.shape[0] - 1):
            sentence_start[sentence] = place
            word, row = offsets[sentence], range_offsets[sentence]
            while word < offsets[sentence + 1] or row < range_offsets[sentence + 1]:
                within = row < range_offsets[sentence + 1] and range_first[row] == word
                if within:
                    stop, code = word + range_size[row], range_form[row]
                    row += 1
                else:
                    stop, code = word + 1, form[word]
                token_start[token], token_word[token], surface[token] = place, word, code
                for covered in range(word, stop):
                    start[covered], end[covered] = place, place + length[code]
                    multiword[covered] = within
                place += length[code]
                token_end[token] = place
                token += 1
                word = stop
            sentence_end[sentence] = place
    return token


def copy_forms(numbers: Int32Array, begins: Int64Array, surface: Int32Array, text: Int32Output) -> None:
    """Fill in the characters of the tokens; those of each form begin at ``begins`` in ``numbers``."""
    place: cython.Py_ssize_t = 0
    token: cython.Py_ssize_t
    character: cython.Py_ssize_t
    with cython.nogil:
        for token in range(surface.shape[0]):
            for character in range(begins[surface[token]], begins[surface[token] + 1]):
                text[place] = numbers[character]
                place += 1


def mark_same_spans(
    gold_start: Int64Array,
    gold_end: Int64Array,
    system_start: Int64Array,
    system_end: Int64Array,
    same: BoolOutput,
) -> None:
    """Mark the spans of gold that the system has too; both stand in the order of the text."""
    g: cython.Py_ssize_t = 0
    s: cython.Py_ssize_t = 0
    with cython.nogil:
        while g < gold_start.shape[0] and s < system_start.shape[0]:
            if system_start[s] < gold_start[g]:
                s += 1
            elif gold_start[g] < system_start[s]:
                g += 1
            else:
                same[g] = gold_end[g] == system_end[s]
                g += 1
                s += 1


def find_sentences(starts: Int64Array, cut: Int64Array, found: Int64Output) -> None:
    """Fill in the last of the sentences, which begin at ``cut``, that does not begin behind each start."""
    sentence: cython.Py_ssize_t = 0
    row: cython.Py_ssize_t
    with cython.nogil:
        for row in range(starts.shape[0]):
            while sentence + 1 < cut.shape[0] and cut[sentence + 1] <= starts[row]:
                sentence += 1
            found[row] = sentence
