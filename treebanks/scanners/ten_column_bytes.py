"""Compiled loop that reads the ten columns of CoNLL-X and CoNLL-U: from UTF-8 bytes to codes.

One pass over the bytes, line by line. The loop only classifies the problem of a line;
``treebanks.formats.ten_columns`` makes the message.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    ByteArray,
    Int32MatrixOutput,
    Int32Output,
    Int64Array,
    Int64MatrixOutput,
    Int64Output,
)
from cython.cimports.crossbank.treebanks.scanners.interning import StringTable
from numpy.typing import NDArray

FINE = cython.declare(cython.int, 0)
COLUMNS = cython.declare(cython.int, 1)
FORM = cython.declare(cython.int, 2)
ID = cython.declare(cython.int, 3)
RANGE = cython.declare(cython.int, 4)
RANGE_END = cython.declare(cython.int, 5)
HEAD = cython.declare(cython.int, 6)
HEAD_OUTSIDE = cython.declare(cython.int, 7)
COMMENT = cython.declare(cython.int, 8)

PROBLEMS = ("", "columns", "form", "id", "range", "range end", "head", "head outside", "comment")
"""The names of the problems, by their numbers."""

DAMAGE = cython.declare(cython.int, 1)
DOUBT = cython.declare(cython.int, 2)

DOUBTFUL = 2
"""The mark of a damaged sentence whose limits are not known; 1 if they are known."""

MOST = cython.declare(cython.int, 10)
"""The number of columns that are looked at."""

WORD = cython.declare(cython.int, 0)
UNKNOWN = cython.declare(cython.int, 1)
"""Kinds of lines of columns; the others are the signs in ID: ``-`` of a range, ``.`` of an empty node."""


class Scan(NamedTuple):
    """Contents of a text, or of a chunk of one; strings are codes.

    strings       the distinct strings
    tokens        shape ``(8, tokens)``: form, lemma, pos, xpos, morph, relation, deps, misc
    head          shape ``(tokens,)``: a token of the same sentence, -1 for HEAD 0, -2 for none
    multiword     shape ``(5, ranges)``: first and last token, form, morph, misc
    empty         shape ``(9, empty nodes)``: token before or -1, index, form, lemma, pos, xpos,
                  morph, deps, misc
    token_offsets, multiword_offsets, empty_offsets  shape ``(sentences + 1,)``
    line          shape ``(sentences,)``: the line that a sentence begins in, from 1
    id, comments  shape ``(sentences,)``: its sent_id and its comment lines
    blank         shape ``(sentences,)``: how many columns are blank instead of ``_``
    left_out      shape ``(sentences,)``: how many columns of ranges and empty nodes are dropped
    loose         shape ``(sentences,)``: number of blank lines with trailing white space or without
                  a preceding sentence
    damaged       shape ``(sentences,)``: 1 for a sentence that cannot be read and has no words, ``DOUBTFUL``
                  where besides its limits are not known, else 0
    lines         how many line ends there are
    problem       the reason why the loop ended, one of ``PROBLEMS``: nothing at the end of the text
    problem_line  the line of the problem
    words         how many words of its sentence come before the problem
    label         slice of the text with the sent_id of its sentence; empty if there is none
    pending       how many such blank lines come after the last sentence
    """

    strings: StringTable
    tokens: NDArray[np.int32]
    head: NDArray[np.int32]
    multiword: NDArray[np.int32]
    empty: NDArray[np.int32]
    token_offsets: NDArray[np.int64]
    multiword_offsets: NDArray[np.int64]
    empty_offsets: NDArray[np.int64]
    line: NDArray[np.int32]
    id: NDArray[np.int32]
    comments: NDArray[np.int32]
    blank: NDArray[np.int32]
    left_out: NDArray[np.int32]
    loose: NDArray[np.int32]
    damaged: NDArray[np.int32]
    lines: int
    problem: str
    problem_line: int
    words: int
    label: slice
    pending: int


@cython.cfunc
@cython.nogil
def number_at(text: ByteArray, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
    """Return the number between two offsets; -1 for other text and leading zeros."""
    number: cython.int = 0
    if begin == end or end - begin > 9 or (text[begin] == ord("0") and end - begin > 1):
        return -1
    for offset in range(begin, end):
        digit = cython.cast(cython.int, text[offset]) - ord("0")
        if digit < 0 or digit > 9:
            return -1
        number = 10 * number + digit
    return number


@cython.cfunc
@cython.nogil
def is_blank(byte: cython.uchar) -> cython.bint:
    """Return whether a byte is a space or a tab."""
    return byte == ord(" ") or byte == ord("\t")


@cython.cfunc
@cython.nogil
def after_blanks(text: ByteArray, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the first offset from ``begin`` on that is neither a space nor a tab, or ``end``."""
    while begin < end and is_blank(text[begin]):
        begin += 1
    return begin


@cython.cfunc
@cython.nogil
def sent_id(text: ByteArray, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the offset of the ``x`` in a comment ``# sent_id = x``; ``end`` for another comment."""
    offset: cython.Py_ssize_t = after_blanks(text, begin + 1, end)
    if (
        end - offset < 7
        or text[offset] != ord("s")
        or text[offset + 1] != ord("e")
        or text[offset + 2] != ord("n")
        or text[offset + 3] != ord("t")
        or text[offset + 4] != ord("_")
        or text[offset + 5] != ord("i")
        or text[offset + 6] != ord("d")
    ):
        return end
    offset = after_blanks(text, offset + 7, end)
    if offset == end or text[offset] != ord("="):
        return end
    return after_blanks(text, offset + 1, end)


@cython.cfunc
@cython.nogil
def is_nothing(text: ByteArray, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
    """Return whether a column is ``_`` or blank."""
    return begin == end or (end - begin == 1 and text[begin] == ord("_"))


def scan(
    text: ByteArray,
    offset: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
    plain: cython.bint,
    goes_on: cython.bint = False,
) -> Scan:
    """Read the sentences in the bytes from ``offset`` to ``size - 1`` of a text with ``\\n`` as line end.

    ``plain`` is CoNLL-X: lines of 6, 8 or 10 columns, neither comments, ranges nor empty nodes, and the
    last two columns are one string. With ``goes_on`` a sentence with a problem is left without words.
    """
    lines = int(np.count_nonzero(np.asarray(text)[offset:size] == ord("\n"))) + 1
    reader = Reader(text, lines, plain, goes_on)
    with cython.nogil:
        reader.read(offset, size)
    columns: list[Any] = [
        reader.strings,
        np.asarray(reader.tokens)[:, : reader.token],
        np.asarray(reader.head)[: reader.token],
        np.array(reader.multiword[:, : reader.ranged]),
        np.array(reader.empty[:, : reader.empties]),
        *np.array(reader.offsets[:, : reader.sentence_count + 1]),
        *np.array(reader.sentences[:, : reader.sentence_count]),
        lines - 1,
        PROBLEMS[reader.problem],
        reader.line,
        reader.token - reader.first_token,
        slice(reader.id_begin, reader.id_end),
        reader.loose,
    ]
    return Scan(*columns)


def damaged_blocks(text: ByteArray, bounds: Int64Array, plain: cython.bint) -> list[int]:
    """Return the indices of blocks of a text that cannot be read by themselves.

    bounds  the offsets at which blocks begin, and the end of the last one
    plain   see ``scan``
    """
    lines = int(np.count_nonzero(np.asarray(text) == ord("\n"))) + 1
    reader = Reader(text, lines, plain, False)
    damaged: list[int] = []
    for block in range(bounds.shape[0] - 1):
        with cython.nogil:
            reader.read(bounds[block], bounds[block + 1])
        if reader.problem != FINE:
            damaged.append(block)
        reader.forget()
    return damaged


@cython.cclass
class Reader:
    """State of the loop, and the columns that it fills.

    goes_on         whether a sentence with a problem is left without words
    begin, begin_line   where the open sentence begins, with its comments
    offsets, sentences  the columns of ``Scan`` in its order: ``(3, sentences + 1)`` and ``(7, sentences)``
    token, ranged, empties, sentence_count  how many words, ranges, empty nodes and sentences have been read
    begins, ends, codes, columns   of the line: its columns, their strings, and how many they are
    first, last, number            the numbers in its ID, and that in its HEAD: -1 for none, -2 for nothing
    first_token, first_line, rows  of the open sentence: what comes before it, its line, and its rows so far
    range_last, range_line, promised  the last word of its last range, that one's line, and whether it was the
                    line before, so that its first word must follow
    empty_index     how many empty nodes have come since its last word
    highest, highest_line  its highest HEAD, and the line with it
    """

    text: ByteArray
    plain: cython.bint
    goes_on: cython.bint
    begin: cython.Py_ssize_t
    begin_line: cython.Py_ssize_t
    strings: StringTable
    tokens: Int32MatrixOutput
    head: Int32Output
    multiword: Int32MatrixOutput
    empty: Int32MatrixOutput
    offsets: Int64MatrixOutput
    sentences: Int32MatrixOutput
    begins: Int64Output
    ends: Int64Output
    codes: Int32Output
    columns: cython.Py_ssize_t
    token: cython.Py_ssize_t
    ranged: cython.Py_ssize_t
    empties: cython.Py_ssize_t
    sentence_count: cython.Py_ssize_t
    problem: cython.int
    line: cython.Py_ssize_t
    loose: cython.int
    first: cython.int
    last: cython.int
    number: cython.int
    first_token: cython.Py_ssize_t
    first_line: cython.Py_ssize_t
    rows: cython.Py_ssize_t
    comments_begin: cython.Py_ssize_t
    comments_end: cython.Py_ssize_t
    id_begin: cython.Py_ssize_t
    id_end: cython.Py_ssize_t
    blank: cython.int
    left_out: cython.int
    range_last: cython.int
    range_line: cython.Py_ssize_t
    promised: cython.bint
    empty_index: cython.int
    highest: cython.int
    highest_line: cython.Py_ssize_t

    def __init__(self, text: ByteArray, lines: int, plain: bool, goes_on: bool) -> None:
        self.text, self.plain, self.strings = text, plain, StringTable(text, lines // 16)
        self.goes_on, self.begin, self.begin_line = goes_on, 0, 0
        # There are at most as many rows of a table as lines. Memory that is not written is not used.
        self.tokens, self.head = np.empty((8, lines), np.int32), np.empty(lines, np.int32)
        self.multiword, self.empty = np.empty((5, lines), np.int32), np.empty((9, lines), np.int32)
        self.offsets, self.sentences = np.empty((3, lines + 1), np.int64), np.empty((7, lines), np.int32)
        self.begins, self.ends = np.zeros(10, np.int64), np.zeros(10, np.int64)
        self.codes = np.zeros(10, np.int32)
        self.token = self.ranged = self.empties = self.sentence_count = self.columns = self.line = 0
        self.problem = self.loose = self.first = self.last = self.number = self.range_line = 0
        self.promised, self.highest_line = False, 0
        self.begin_sentence()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def read(self, offset: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.int:
        """Read to the end of the text, which counts as a blank line, or to the first problem."""
        while offset <= size:
            if self.problem != FINE:
                if not self.goes_on:
                    break
                offset = self.leave_out_sentence(size)
                continue
            begin = offset
            self.line += 1
            if self.first_line == 0:
                self.begin, self.begin_line = begin, self.line
            if begin < size and self.text[begin] == ord("#"):
                while offset < size and self.text[offset] != ord("\n"):
                    offset += 1
                if self.plain or self.rows > 0:
                    self.problem = COMMENT
                    continue
                if self.first_line == 0:
                    self.first_line, self.comments_begin = self.line, begin
                self.comments_end = offset
                if self.id_begin == self.id_end:
                    self.id_begin, self.id_end = sent_id(self.text, begin, offset), offset
                    while self.id_end > self.id_begin and is_blank(self.text[self.id_end - 1]):
                        self.id_end -= 1
                offset += offset < size
                continue
            offset = self.split(self.text, begin, size)
            if after_blanks(self.text, begin, offset) < offset:
                self.problem = self.row()
                offset += offset < size
                continue
            if begin < size and (self.first_line == 0 or begin < offset):
                self.loose += 1
            if self.first_line > 0:
                self.problem = self.end_sentence()
            offset += 1
        return 0

    @cython.cfunc
    @cython.nogil
    def forget(self) -> cython.void:
        """Discard everything that was read, except strings."""
        self.token = self.ranged = self.empties = self.sentence_count = self.line = 0
        self.problem, self.loose, self.promised = FINE, 0, False
        self.begin_sentence()

    @cython.cfunc
    @cython.nogil
    def begin_sentence(self) -> cython.void:
        """Store the lengths of the tables, and reset the state of the open sentence."""
        self.offsets[0, self.sentence_count], self.offsets[1, self.sentence_count] = self.token, self.ranged
        self.offsets[2, self.sentence_count] = self.empties
        self.first_token, self.first_line, self.rows = self.token, 0, 0
        self.comments_begin = self.comments_end = self.id_begin = self.id_end = 0
        self.blank = self.left_out = self.range_last = self.empty_index = self.highest = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def end_sentence(self) -> cython.int:
        """Write the row of the sentence that a blank line ends, and return its problem, or ``FINE``."""
        words = self.token - self.first_token
        if self.highest > words:
            self.line = self.highest_line
            return HEAD_OUTSIDE
        if self.range_last > words:
            self.line = self.range_line
            return RANGE_END
        self.sentences[0, self.sentence_count] = cython.cast(cython.int, self.first_line)
        self.sentences[1, self.sentence_count] = self.strings.code(self.id_begin, self.id_end)
        self.sentences[2, self.sentence_count] = self.strings.code(self.comments_begin, self.comments_end)
        self.sentences[3, self.sentence_count], self.sentences[4, self.sentence_count] = (
            self.blank,
            self.left_out,
        )
        self.sentences[5, self.sentence_count], self.loose = self.loose, 0
        self.sentences[6, self.sentence_count] = 0
        self.sentence_count += 1
        self.begin_sentence()
        return FINE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-2, check=False)
    def leave_out_sentence(self, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write the open sentence, which has a problem, without words, and return the offset after it.

        Its end is doubtful if its first line has another number than 1, if another line has the number 1, if
        it has comments after its first line, and for a Markdown fence.
        """
        text, offset = self.text, self.begin
        damage: cython.int = DAMAGE
        rows: cython.Py_ssize_t = 0
        is_first: cython.bint = False
        self.line = self.begin_line - 1
        while offset <= size:
            begin = offset
            while offset < size and text[offset] != ord("\n"):
                offset += 1
            end = offset
            offset += 1
            self.line += 1
            if after_blanks(text, begin, end) == end:
                break
            if text[begin] == ord("#"):
                if rows > 0 or self.plain:
                    damage = DOUBT
                continue
            rows += 1
            is_first = text[begin] == ord("1") and end - begin > 1
            is_first = is_first and (is_blank(text[begin + 1]) or (rows == 1 and text[begin + 1] == ord("-")))
            if is_first != (rows == 1):
                damage = DOUBT
        first_line = self.begin_line
        id_begin, id_end = self.id_begin, self.id_end
        comments_begin, comments_end = self.comments_begin, self.comments_end
        self.token = self.first_token
        self.ranged = cython.cast(cython.Py_ssize_t, self.offsets[1, self.sentence_count])
        self.empties = cython.cast(cython.Py_ssize_t, self.offsets[2, self.sentence_count])
        self.begin_sentence()
        self.promised, self.problem = False, FINE
        self.first_line = first_line
        self.id_begin, self.id_end = id_begin, id_end
        self.comments_begin, self.comments_end = comments_begin, comments_end
        self.end_sentence()
        self.sentences[6, self.sentence_count - 1] = damage
        return offset

    @cython.cfunc
    @cython.nogil
    def split(self, text: ByteArray, offset: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Find the columns of the line that begins at an offset, and return the end of the line."""
        columns: cython.Py_ssize_t = 0
        self.begins[0] = offset
        while offset < size:
            byte = text[offset]
            if byte == ord("\n"):
                break
            offset += 1
            if byte != ord("\t"):
                continue
            if columns < MOST:
                self.ends[columns] = offset - 1
            columns += 1
            if columns < MOST:
                self.begins[columns] = offset
        if columns < MOST:
            self.ends[columns] = offset
        self.columns = columns + 1
        return offset

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def row(self) -> cython.int:
        """Read a word, a range or an empty node, and return its problem, or ``FINE``."""
        if self.first_line == 0:
            self.first_line = self.line
        self.rows += 1
        if self.columns != MOST and not (self.plain and (self.columns == 6 or self.columns == 8)):
            return COLUMNS
        words = self.token - self.first_token
        kind = self.kind()
        if kind == ord("-") and (
            self.first != words + 1 or self.last < self.first or self.range_last > words
        ):
            return RANGE
        if kind == ord(".") and (self.first != words or self.last != self.empty_index + 1 or self.promised):
            return ID
        if kind == UNKNOWN:
            return ID
        if self.begins[1] == self.ends[1]:
            return FORM
        self.read_cells()
        if kind == WORD:
            if self.number == -1:
                return HEAD
            self.head[self.token] = max(self.number - 1, -2)
            if self.number > self.highest:
                self.highest, self.highest_line = self.number, self.line
            for column in range(1, 6):
                self.tokens[column - 1, self.token] = self.codes[column]
            for column in range(7, 10):
                self.tokens[column - 2, self.token] = self.codes[column]
            self.token += 1
            self.promised, self.empty_index = False, 0
            return FINE
        self.left_out += (self.codes[7] != 0) + (self.number != -2)
        if kind == ord("."):
            self.empty[0, self.empties], self.empty[1, self.empties] = self.first - 1, self.last
            for column in range(1, 6):
                self.empty[column + 1, self.empties] = self.codes[column]
            self.empty[7, self.empties], self.empty[8, self.empties] = self.codes[8], self.codes[9]
            self.empties += 1
            self.empty_index = self.last
            return FINE
        self.multiword[0, self.ranged], self.multiword[1, self.ranged] = self.first - 1, self.last - 1
        self.multiword[2, self.ranged], self.multiword[3, self.ranged] = self.codes[1], self.codes[5]
        self.multiword[4, self.ranged] = self.codes[9]
        self.left_out += (self.codes[3] != 0) + (self.codes[4] != 0) + (self.codes[8] != 0)
        # After the form `_` the lemma `_` is read as that character, not as nothing.
        underscore: cython.bint = is_nothing(self.text, self.begins[1], self.ends[1])
        self.left_out += self.codes[2] != 0 and not (self.codes[2] == self.codes[1] and underscore)
        self.ranged += 1
        self.promised, self.range_last, self.range_line = True, self.last, self.line
        return FINE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def kind(self) -> cython.int:
        """Read ID, and return ``WORD`` (next word), ``-`` or ``.`` (two numbers), or ``UNKNOWN``."""
        begin, end = self.begins[0], self.ends[0]
        if number_at(self.text, begin, end) == self.token - self.first_token + 1:
            return WORD
        for middle in range(begin, end):
            if not self.plain and (self.text[middle] == ord("-") or self.text[middle] == ord(".")):
                self.first = number_at(self.text, begin, middle)
                self.last = number_at(self.text, middle + 1, end)
                return cython.cast(cython.int, self.text[middle])
        return UNKNOWN

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def read_cells(self) -> cython.int:
        """Read HEAD and the strings; ``_`` is the empty string, except as a form or as its lemma."""
        strings: cython.Py_ssize_t = self.columns
        if self.columns < MOST:
            for column in range(self.columns, MOST):
                self.begins[column] = self.ends[column] = 0
        elif self.plain:
            # PHEAD and PDEPREL are one string.
            strings = 8
            self.blank += (self.begins[8] == self.ends[8]) + (self.begins[9] == self.ends[9])
            empty: cython.bint = is_nothing(self.text, self.begins[8], self.ends[8]) and is_nothing(
                self.text, self.begins[9], self.ends[9]
            )
            self.begins[9] = self.ends[9] if empty else self.begins[8]
            self.ends[8] = self.begins[8]
        form_is_nothing: cython.bint = is_nothing(self.text, self.begins[1], self.ends[1])
        for column in range(2, strings):
            begin = self.begins[column]
            length = self.ends[column] - begin
            self.blank += length == 0
            if length == 1 and self.text[begin] == ord("_") and not (column == 2 and form_is_nothing):
                self.ends[column] = begin
        self.number = number_at(self.text, self.begins[6], self.ends[6])
        if self.begins[6] == self.ends[6]:
            self.number = -2
        self.begins[6] = self.ends[6]
        for column in range(1, MOST):
            self.codes[column] = self.strings.code(self.begins[column], self.ends[column])
        return 0
