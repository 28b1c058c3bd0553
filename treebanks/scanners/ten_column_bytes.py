"""Compiled loop that reads the ten columns of CoNLL-X and CoNLL-U: from UTF-8 bytes to codes.

One pass over the bytes, line by line. The loop only classifies the problem of a line;
``treebanks.formats.ten_columns`` makes the message.
"""

from __future__ import annotations

from typing import NamedTuple

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import ByteArray, Int32MatrixOutput, Int32Output, Int64Output
from cython.cimports.crossbank.treebanks.scanners.interning import StringTable
from numpy.typing import NDArray

FINE, COLUMNS, FORM, ID, RANGE, RANGE_END, HEAD, HEAD_OUTSIDE, COMMENT = range(9)
"""The end of the loop: at the end of the text, or at a line with one of these errors."""

MOST = 10
"""The number of columns that are looked at."""

DEPS = 8
"""The columns from here on are one string in CoNLL-X: PHEAD and PDEPREL."""


class Scan(NamedTuple):
    """Contents of a text, or of a piece of one; strings are codes.

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
    loose         shape ``(sentences,)``: how many blank lines before its end have white space or end nothing
    lines         how many line ends there are
    problem       the reason why the loop ended
    problem_line  the line of the problem
    words         how many words of its sentence come before the problem
    label         where in the text the sent_id of its sentence stands; empty if there is none
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
    lines: int
    problem: int
    problem_line: int
    words: int
    label: slice
    pending: int


def count_lines(text: ByteArray, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> int:
    """Return the number of line ends among the bytes from ``first`` to ``last - 1``."""
    count: cython.Py_ssize_t = 0
    with cython.nogil:
        while first < last:
            # Sums of few bytes are what the processor adds up fastest.
            stop = min(first + 4096, last)
            few: cython.uint = 0
            for place in range(first, stop):
                few += text[place] == ord("\n")
            count += few
            first = stop
    return count


@cython.cfunc
@cython.nogil
def number_at(text: ByteArray, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
    """Return the number that is written there without leading zeros; -1 where there is none."""
    number: cython.int = 0
    if begin == end or end - begin > 9 or (text[begin] == ord("0") and end - begin > 1):
        return -1
    for place in range(begin, end):
        digit = cython.cast(cython.int, text[place]) - ord("0")
        if digit < 0 or digit > 9:
            return -1
        number = 10 * number + digit
    return number


@cython.cfunc
@cython.nogil
def is_blank(byte: cython.uchar) -> cython.bint:
    """True if a byte is a space or a tab."""
    return byte == ord(" ") or byte == ord("\t")


@cython.cfunc
@cython.nogil
def behind_blanks(text: ByteArray, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the first place from ``begin`` on that is neither a space nor a tab, or ``end``."""
    while begin < end and is_blank(text[begin]):
        begin += 1
    return begin


@cython.cfunc
@cython.nogil
def sent_id(text: ByteArray, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Place where the ``x`` of a comment ``# sent_id = x`` begins; ``end`` if it is another comment."""
    place: cython.Py_ssize_t = behind_blanks(text, begin + 1, end)
    if (
        end - place < 7
        or text[place] != ord("s")
        or text[place + 1] != ord("e")
        or text[place + 2] != ord("n")
        or text[place + 3] != ord("t")
        or text[place + 4] != ord("_")
        or text[place + 5] != ord("i")
        or text[place + 6] != ord("d")
    ):
        return end
    place = behind_blanks(text, place + 7, end)
    if place == end or text[place] != ord("="):
        return end
    return behind_blanks(text, place + 1, end)


@cython.cfunc
@cython.nogil
def is_nothing(text: ByteArray, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
    """True if a column is ``_`` or blank."""
    return begin == end or (end - begin == 1 and text[begin] == ord("_"))


def scan(text: ByteArray, place: cython.Py_ssize_t, size: cython.Py_ssize_t, plain: cython.bint) -> Scan:
    """Read the sentences in the bytes from ``place`` to ``size - 1`` of a text with ``\\n`` as line end.

    ``plain`` is CoNLL-X: lines of 6, 8 or 10 columns, neither comments, ranges nor empty nodes, and the
    last two columns are one string.
    """
    lines = count_lines(text, place, size) + 1
    # There are no more of anything than lines. Pages that are not written cost nothing.
    tokens: Int32MatrixOutput = np.empty((8, lines), np.int32)
    head: Int32Output = np.empty(lines, np.int32)
    multiword: Int32MatrixOutput = np.empty((5, lines), np.int32)
    empty: Int32MatrixOutput = np.empty((9, lines), np.int32)
    token_offsets: Int64Output = np.empty(lines + 1, np.int64)
    multiword_offsets: Int64Output = np.empty(lines + 1, np.int64)
    empty_offsets: Int64Output = np.empty(lines + 1, np.int64)
    begin_line: Int32Output = np.empty(lines, np.int32)
    ids: Int32Output = np.empty(lines, np.int32)
    comments: Int32Output = np.empty(lines, np.int32)
    blanks: Int32Output = np.empty(lines, np.int32)
    lost: Int32Output = np.empty(lines, np.int32)
    loosely: Int32Output = np.empty(lines, np.int32)
    strings = StringTable(text, lines // 16)
    most: cython.Py_ssize_t = MOST
    deps: cython.Py_ssize_t = DEPS
    begins: Int64Output = np.zeros(MOST, np.int64)
    ends: Int64Output = np.zeros(MOST, np.int64)
    codes: Int32Output = np.zeros(MOST, np.int32)
    wrong_columns: cython.int = COLUMNS
    wrong_form: cython.int = FORM
    wrong_id: cython.int = ID
    wrong_range: cython.int = RANGE
    wrong_range_end: cython.int = RANGE_END
    wrong_head: cython.int = HEAD
    head_outside: cython.int = HEAD_OUTSIDE
    wrong_comment: cython.int = COMMENT
    # Where the loop stands
    problem: cython.int = FINE
    line: cython.Py_ssize_t = 0
    loose: cython.int = 0
    token: cython.Py_ssize_t = 0
    ranged: cython.Py_ssize_t = 0
    empties: cython.Py_ssize_t = 0
    found: cython.Py_ssize_t = 0
    # The sentence that is open
    first_token: cython.Py_ssize_t = 0
    first_line: cython.Py_ssize_t = 0
    rows: cython.Py_ssize_t = 0
    comments_begin: cython.Py_ssize_t = 0
    comments_end: cython.Py_ssize_t = 0
    id_begin: cython.Py_ssize_t = 0
    id_end: cython.Py_ssize_t = 0
    blank: cython.int = 0
    left_out: cython.int = 0
    range_last: cython.int = 0  # the last word of the last range
    range_line: cython.Py_ssize_t = 0
    promised: cython.bint = False  # the line before was a range, so that its first word must follow
    empty_index: cython.int = 0
    highest: cython.int = 0  # the highest HEAD
    highest_line: cython.Py_ssize_t = 0
    # The line
    token_offsets[0] = multiword_offsets[0] = empty_offsets[0] = 0
    with cython.nogil:
        # The end of the text counts as a blank line.
        while place <= size:
            begin = place
            line += 1

            # A comment
            if begin < size and text[begin] == ord("#"):
                while place < size and text[place] != ord("\n"):
                    place += 1
                if plain or rows > 0:
                    problem = wrong_comment
                    break
                if first_line == 0:
                    first_line, comments_begin = line, begin
                comments_end = place
                if id_begin == id_end:
                    id_begin, id_end = sent_id(text, begin, place), place
                    while id_end > id_begin and is_blank(text[id_end - 1]):
                        id_end -= 1
                place += place < size
                continue

            # The columns
            columns = 0
            begins[0] = begin
            while place < size:
                byte = text[place]
                if byte == ord("\n"):
                    break
                place += 1
                if byte != ord("\t"):
                    continue
                if columns < most:
                    ends[columns] = place - 1
                columns += 1
                if columns < most:
                    begins[columns] = place
            if columns < most:
                ends[columns] = place
            columns += 1

            # The end of a sentence, or a further blank line
            if begin == place or behind_blanks(text, begin, place) == place:
                if begin < size and (first_line == 0 or begin < place):
                    loose += 1
                place += 1
                if first_line == 0:
                    continue
                words = token - first_token
                if highest > words:
                    problem, line = head_outside, highest_line
                    break
                if range_last > words:
                    problem, line = wrong_range_end, range_line
                    break
                begin_line[found] = cython.cast(cython.int, first_line)
                blanks[found], lost[found], loosely[found] = blank, left_out, loose
                loose = 0
                ids[found] = strings.code(id_begin, id_end)
                comments[found] = strings.code(comments_begin, comments_end)
                found += 1
                token_offsets[found], multiword_offsets[found], empty_offsets[found] = token, ranged, empties
                first_token, first_line, rows = token, 0, 0
                comments_begin = comments_end = id_begin = id_end = 0
                blank = left_out = range_last = empty_index = highest = 0
                continue

            # A word, a range or an empty node: which one, ID tells
            if first_line == 0:
                first_line = line
            rows += 1
            if columns != 10 and not (plain and (columns == 6 or columns == 8)):
                problem = wrong_columns
                break
            words = token - first_token
            is_word: cython.bint = number_at(text, begins[0], ends[0]) == words + 1
            first = last = -1
            mark: cython.uchar = 0
            if not is_word and not plain:
                for middle in range(begins[0], ends[0]):
                    if text[middle] == ord("-") or text[middle] == ord("."):
                        mark = text[middle]
                        first = number_at(text, begins[0], middle)
                        last = number_at(text, middle + 1, ends[0])
                        break
            is_range: cython.bint = mark == ord("-")
            if is_range and (first != words + 1 or last < first or range_last > words):
                problem = wrong_range
                break
            is_empty: cython.bint = (
                mark == ord(".") and first == words and last == empty_index + 1 and not promised
            )
            if not (is_word or is_range or is_empty):
                problem = wrong_id
                break
            if begins[1] == ends[1]:
                problem = wrong_form
                break

            # Nothing becomes an empty run of bytes; a form may be `_`, and the lemma of a form `_`
            if columns < most:
                for column in range(columns, most):
                    begins[column] = ends[column] = 0
            elif plain:
                # PHEAD and PDEPREL are one string
                blank += (begins[8] == ends[8]) + (begins[9] == ends[9])
                if is_nothing(text, begins[8], ends[8]) and is_nothing(text, begins[9], ends[9]):
                    begins[9] = ends[9]
                else:
                    begins[9] = begins[8]
                ends[8] = begins[8]
            form_is_nothing = is_nothing(text, begins[1], ends[1])
            for column in range(2, min(columns, deps) if plain else columns):
                length = ends[column] - begins[column]
                blank += length == 0
                if length == 1 and text[begins[column]] == ord("_") and not (column == 2 and form_is_nothing):
                    ends[column] = begins[column]
            number = -2 if begins[6] == ends[6] else number_at(text, begins[6], ends[6])
            begins[6] = ends[6]
            for column in range(1, most):
                codes[column] = strings.code(begins[column], ends[column])

            if is_word:
                if number == -1:
                    problem = wrong_head
                    break
                head[token] = max(number - 1, -2)
                if number > highest:
                    highest, highest_line = number, line
                for column in range(1, 6):
                    tokens[column - 1, token] = codes[column]
                for column in range(7, 10):
                    tokens[column - 2, token] = codes[column]
                token += 1
                promised, empty_index = False, 0
            elif is_range:
                multiword[0, ranged], multiword[1, ranged] = first - 1, last - 1
                multiword[2, ranged], multiword[3, ranged] = codes[1], codes[5]
                multiword[4, ranged] = codes[9]
                left_out += (codes[3] != 0) + (codes[4] != 0) + (codes[7] != 0) + (codes[8] != 0)
                # After the form `_` the lemma `_` is read as that character, not as nothing.
                underscore: cython.bint = ends[1] - begins[1] == 1 and text[begins[1]] == ord("_")
                left_out += codes[2] != 0 and not (codes[2] == codes[1] and underscore)
                left_out += number != -2
                ranged += 1
                promised, range_last, range_line = True, last, line
            else:
                empty[0, empties], empty[1, empties] = first - 1, last
                for column in range(1, 6):
                    empty[column + 1, empties] = codes[column]
                empty[7, empties], empty[8, empties] = codes[8], codes[9]
                left_out += (codes[7] != 0) + (number != -2)
                empties += 1
                empty_index = last
            place += place < size
    return Scan(
        strings,
        np.asarray(tokens)[:, :token],
        np.asarray(head)[:token],
        np.array(multiword[:, :ranged]),
        np.array(empty[:, :empties]),
        np.array(token_offsets[: found + 1]),
        np.array(multiword_offsets[: found + 1]),
        np.array(empty_offsets[: found + 1]),
        np.array(begin_line[:found]),
        np.array(ids[:found]),
        np.array(comments[:found]),
        np.array(blanks[:found]),
        np.array(lost[:found]),
        np.array(loosely[:found]),
        lines - 1,
        problem,
        line,
        token - first_token,
        slice(id_begin, id_end),
        loose,
    )
