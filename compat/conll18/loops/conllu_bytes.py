"""Compiled loop that reads CoNLL-U as the official script does: one pass over the bytes.

The loop only classifies the error of a line; ``conll18.official_reading`` makes the message.
"""

from __future__ import annotations

# Compiled with -O3: see setup.py.
import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    ByteArray,
    ByteOutput,
    Int32MatrixOutput,
    Int32Output,
    Int64Output,
)
from cython.cimports.crossbank.treebanks.scanners.interning import StringTable

FINE, COLUMNS, FORM, ID, RANGE, UNFINISHED, HEAD, HEAD_OUTSIDE, CYCLE, ROOTS, BLANK, OPEN = range(12)
"""The outcomes of the loop: no error, or one of these errors of a line or sentence."""

ENTRIES = 7
WORDS, RANGES, SENTENCES, PROBLEM, OFFSET, EXPECTED, DOTTED = range(ENTRIES)
"""The entries of ``found``: how many rows there are; what ended the loop, at which byte; the number that the
next word should have; and at which byte of the last sentence a multiword token has an empty node, or -1."""

# The same for the loops, which use numbers of C.
fine = cython.declare(cython.int, FINE)
other_columns = cython.declare(cython.int, COLUMNS)
no_form = cython.declare(cython.int, FORM)
other_id = cython.declare(cython.int, ID)
no_range = cython.declare(cython.int, RANGE)
unfinished = cython.declare(cython.int, UNFINISHED)
no_head = cython.declare(cython.int, HEAD)
head_outside = cython.declare(cython.int, HEAD_OUTSIDE)
cycle = cython.declare(cython.int, CYCLE)
not_one_root = cython.declare(cython.int, ROOTS)
blank_line = cython.declare(cython.int, BLANK)
open_end = cython.declare(cython.int, OPEN)
at_offset = cython.declare(cython.int, OFFSET)
at_dotted = cython.declare(cython.int, DOTTED)

TAB = cython.declare(cython.uchar, 9)
NEWLINE = cython.declare(cython.uchar, 10)
HASH = cython.declare(cython.uchar, 35)
DASH = cython.declare(cython.uchar, 45)
DOT = cython.declare(cython.uchar, 46)
ZERO = cython.declare(cython.uchar, 48)

NO_NUMBER = cython.declare(cython.int, -1)
MAX_NUMBER = cython.declare(cython.int, 1000000000)
"""The number to which greater ones are reduced."""

HEAD_CELL = cython.declare(cython.int, 6)
DEPREL_CELL = cython.declare(cython.int, 7)
DEPS_CELL = cython.declare(cython.int, 8)
COLUMNS_OF_A_LINE = cython.declare(cython.int, 10)


@cython.dataclasses.dataclass(eq=False, repr=False)
class Sheet:
    """Rows of a file, as many as the file has lines; strings are codes.

    columns         shape ``(7, lines)``: FORM, LEMMA, UPOS, XPOS, FEATS, DEPREL, DEPS
    head            the number in HEAD, 0 for the root
    offset           the byte at which a word's line begins
    range_first     the first word of a multiword token, counted through the file
    range_size      the number of its words
    range_form      its form
    range_offset     the byte at which its line begins
    words_end       where each sentence's words end
    ranges_end      where its multiword tokens end
    begin           the byte at which its first line begins, which is not a comment
    with_deps       whether DEPS is filled in
    """

    columns: Int32MatrixOutput
    head: Int32Output
    offset: Int64Output
    range_first: Int64Output
    range_size: Int32Output
    range_form: Int32Output
    range_offset: Int64Output
    words_end: Int64Output
    ranges_end: Int64Output
    begin: Int64Output
    with_deps: cython.bint


def scan(
    text: ByteArray, table: StringTable, sheet: Sheet, entries: Int64Output, *, skips_empty: cython.bint
) -> None:
    """Read all sentences of a text in UTF-8 with ``\\n`` as line end; fill in ``sheet`` and ``entries``.

    ``skips_empty``: whether empty nodes within multiword tokens are omitted; else they are words.
    """
    state: ByteOutput = np.zeros(sheet.head.shape[0], np.uint8)
    cells: Int64Output = np.empty(COLUMNS_OF_A_LINE + 1, np.int64)
    size: cython.Py_ssize_t = text.shape[0]
    offset: cython.Py_ssize_t = 0
    word: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t = 0
    ranges: cython.Py_ssize_t = 0
    sentence: cython.Py_ssize_t = 0
    problem: cython.int = fine
    # The number of words of a multiword token that are still to come.
    left: cython.int = 0
    is_open: cython.bint = False
    entries[at_dotted] = -1
    with cython.nogil:
        while offset < size:
            if text[offset] == NEWLINE:
                if left > 0:
                    problem = unfinished
                    break
                if not is_open:
                    problem = blank_line
                    break
                entries[at_offset] = sheet.begin[sentence]
                problem = check_tree(sheet, first, word, state, entries)
                if problem != fine:
                    break
                sheet.words_end[sentence], sheet.ranges_end[sentence] = word, ranges
                sentence += 1
                is_open = False
                offset += 1
                continue
            if not is_open:
                if text[offset] == HASH:
                    while offset < size and text[offset] != NEWLINE:
                        offset += 1
                    offset += 1
                    continue
                sheet.begin[sentence], first, is_open = offset, word, True
            end = split(text, offset, cells)
            if cells[COLUMNS_OF_A_LINE] != COLUMNS_OF_A_LINE:
                problem = other_columns
                break
            if has(text, offset, cells[1] - 1, DOT):
                if left > 0 and entries[at_dotted] < 0:
                    entries[at_dotted] = offset
                if left == 0 or skips_empty:
                    offset = end + 1
                    continue
            if left > 0:
                left -= 1
            elif cells[1] == cells[2] - 1:
                problem = no_form
                break
            elif has(text, offset, cells[1] - 1, DASH):
                left = words_of_range(text, offset, cells[1] - 1)
                if left == NO_NUMBER:
                    problem = no_range
                    break
                sheet.range_first[ranges], sheet.range_offset[ranges] = word, offset
                sheet.range_form[ranges] = table.code(cells[1], cells[2] - 1)
                sheet.range_size[ranges] = left
                ranges += 1
                offset = end + 1
                continue
            elif number_at(text, offset, cells[1] - 1) != word - first + 1:
                problem = other_id
                break
            if not add_word(text, table, cells, sheet, word):
                problem = no_head
                break
            word += 1
            offset = end + 1
    if problem == fine and is_open:
        problem = unfinished if left > 0 else open_end
    if problem != cycle and problem != not_one_root and problem != head_outside:
        entries[at_offset] = min(offset, size)
    entries[0], entries[1], entries[2] = word, ranges, sentence
    entries[3], entries[5] = problem, word - first + 1


@cython.cfunc
@cython.nogil
def split(text: ByteArray, offset: cython.Py_ssize_t, cells: Int64Output) -> cython.Py_ssize_t:
    """Fill in where the columns of a line begin, and after them their number. Returns the line's end."""
    count: cython.int = 1
    size: cython.Py_ssize_t = text.shape[0]
    cells[0] = offset
    while offset < size and count < COLUMNS_OF_A_LINE:
        byte = text[offset]
        if byte == NEWLINE:
            break
        offset += 1
        if byte == TAB:
            cells[count] = offset
            count += 1
    while offset < size and text[offset] != NEWLINE:
        count += text[offset] == TAB
        offset += 1
    cells[COLUMNS_OF_A_LINE] = count
    return offset


@cython.cfunc
@cython.nogil
def has(text: ByteArray, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, byte: cython.uchar) -> cython.bint:
    """Return whether a byte is in a stretch of the text."""
    while begin < end and text[begin] != byte:
        begin += 1
    return begin < end


@cython.cfunc
@cython.nogil
@cython.exceptval(-2, check=False)
def number_at(text: ByteArray, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
    """Return a number as Python's ``int`` reads it, up to ``MAX_NUMBER``, or ``NO_NUMBER``.

    Negative numbers are ``NO_NUMBER``, too.
    """
    number: cython.int = 0
    plain: cython.bint = 0 < end - begin < 10
    if plain:
        for offset in range(begin, end):
            if text[offset] < ZERO or text[offset] > ZERO + 9:
                plain = False
                break
            number = 10 * number + cython.cast(cython.int, text[offset]) - ZERO
    if plain:
        return number
    with cython.gil:
        return as_python_reads(bytes(text[begin:end]))


@cython.cfunc
@cython.exceptval(-2, check=False)
def as_python_reads(written: bytes) -> cython.int:
    """Return the number in some bytes: signs, leading zeros, blanks and single underscores are allowed."""
    try:
        number = int(written.decode("utf-8", "replace"))
    except ValueError:
        return NO_NUMBER
    return min(number, MAX_NUMBER) if number >= 0 else NO_NUMBER


@cython.cfunc
@cython.nogil
@cython.exceptval(-2, check=False)
def words_of_range(text: ByteArray, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
    """Number of words of a range such as ``2-3``, at least 0; ``NO_NUMBER`` if it is not two numbers."""
    dash: cython.Py_ssize_t = begin
    while text[dash] != DASH:
        dash += 1
    if has(text, dash + 1, end, DASH):
        return NO_NUMBER
    first, last = number_at(text, begin, dash), number_at(text, dash + 1, end)
    if first == NO_NUMBER or last == NO_NUMBER:
        return NO_NUMBER
    return last - first + 1 if last >= first else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def add_word(
    text: ByteArray,
    table: StringTable,
    cells: Int64Output,
    sheet: Sheet,
    word: cython.Py_ssize_t,
) -> cython.int:
    """Fill in the row of a word. Returns 0 if its head is no number, else 1."""
    head: cython.int = number_at(text, cells[HEAD_CELL], cells[DEPREL_CELL] - 1)
    sheet.offset[word] = cells[0]
    if head == NO_NUMBER:
        return 0
    sheet.head[word] = head
    for cell in range(1, HEAD_CELL):
        sheet.columns[cell - 1, word] = table.code(cells[cell], cells[cell + 1] - 1)
    sheet.columns[5, word] = table.code(cells[DEPREL_CELL], cells[DEPS_CELL] - 1)
    if sheet.with_deps:
        sheet.columns[6, word] = table.code(cells[DEPS_CELL], cells[DEPS_CELL + 1] - 1)
    return 1


@cython.cfunc
@cython.nogil
def check_tree(
    sheet: Sheet, first: cython.Py_ssize_t, last: cython.Py_ssize_t, state: ByteOutput, entries: Int64Output
) -> cython.int:
    """Return why the words ``first`` to ``last - 1`` are not a tree, with the offset in ``entries``.

    ``state`` is 0 for words that were not visited, 1 on the way up from the present one, 2 after it.
    """
    roots: cython.int = 0
    for word in range(first, last):
        if sheet.head[word] > last - first:
            entries[at_offset] = sheet.offset[word]
            return head_outside
        if sheet.head[word] == 0:
            roots += 1
            if roots == 2:
                entries[at_offset] = sheet.offset[word]
    for word in range(first, last):
        at = word
        while state[at] == 0 and sheet.head[at] > 0:
            state[at] = 1
            at = first + sheet.head[at] - 1
        if state[at] == 1:
            entries[at_offset] = sheet.offset[at]
            return cycle
        at = word
        while state[at] != 2:
            state[at] = 2
            if sheet.head[at] > 0:
                at = first + sheet.head[at] - 1
    return fine if roots == 1 else not_one_root
