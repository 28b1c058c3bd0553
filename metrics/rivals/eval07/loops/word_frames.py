"""Compiled loops that read lines of columns (``parallel_lines``) and that compare ``frame_confusions``."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    ByteArray,
    Int32Array,
    Int32MatrixOutput,
    Int32Output,
    Int64Array,
    Int64Output,
)
from cython.cimports.crossbank.treebanks.scanners.interning import StringTable
from cython.cimports.crossbank.treebanks.scanners.white_space import is_space

COLUMNS = 8
"""The number of columns that a line must have."""

READ = 4
"""The number of columns that are read: FORM, CPOSTAG, HEAD and DEPREL."""

columns_wanted = cython.declare(cython.int, COLUMNS)

NEWLINE = cython.declare(cython.uchar, 10)


def read_lines(
    text: ByteArray, table: StringTable, begins: Int64Output, columns: Int32Output, codes: Int32MatrixOutput
) -> None:
    """Fill in where each line begins, how many columns it has, and the columns that are read.

    White space before the first column ends a column of nothing, white space after the last begins none;
    a line of white space alone has no columns.
    """
    # Where each column goes among those that are read.
    place_of: Int32Output = np.array([-1, 0, -1, 1, -1, -1, 2, 3], np.int32)
    size: cython.Py_ssize_t = text.shape[0]
    place: cython.Py_ssize_t = 0
    line: cython.Py_ssize_t = 0
    with cython.nogil:
        while place < size:
            begins[line] = begin = place
            column = 0
            has_column, has_text = True, False
            while True:
                if place == size or is_space(text[place]):
                    if has_column:
                        which = place_of[column] if column < columns_wanted else -1
                        if which >= 0:
                            codes[which, line] = table.code(begin, place)
                        column += 1
                        has_column = False
                    if place == size or text[place] == NEWLINE:
                        break
                else:
                    if not has_column:
                        has_column, begin = True, place
                    has_text = True
                place += 1
            columns[line] = column if has_text else 0
            line += 1
            place += 1


ROOT, BETWEEN = -1, -2
"""The marks before the frame of the virtual root, and between the frames of gold and system."""

OWN = -3
"""A word's own relation with the code ``c`` is ``OWN - c``."""

root = cython.declare(cython.int, ROOT)
between = cython.declare(cython.int, BETWEEN)
own_relation = cython.declare(cython.int, OWN)


@cython.dataclasses.dataclass(eq=False, repr=False)
class Rows:
    """Scored tokens, with gold's head and relation in row 0 and the system's in row 1."""

    sentence: Int64Array
    number: Int64Array
    lengths: Int64Array
    gold_head: Int64Array
    head: Int64Array
    gold_relation: Int32Array
    relation: Int32Array


@cython.cclass
class Frames:
    """Frames of one sentence as lists, with room for the longest; row 0 is gold's, row 1 the system's.

    first, last  the first and last item of each frame, or -1
    item         the relations
    following    after each item the next one of its frame, or -1
    """

    first: Int32MatrixOutput
    last: Int32MatrixOutput
    item: Int32MatrixOutput
    following: Int32MatrixOutput

    def __init__(self, frames: int) -> None:
        self.first, self.last = np.zeros((2, frames), np.int32), np.zeros((2, frames), np.int32)
        self.item, self.following = np.zeros((2, 2 * frames), np.int32), np.zeros((2, 2 * frames), np.int32)


def list_differing(tokens: Rows, items: Int32Output, ends: Int64Output) -> tuple[int, int]:
    """Fill in both frames of each word, and of the virtual root, where they differ.

    They stand one after the other, gold's before the system's; ``ends`` says where each pair ends, from 0
    on. Returns how many pairs there are, and the token whose head is a negative number too far, or -1.
    """
    frames = Frames(int(np.asarray(tokens.lengths).max(initial=0)) + 1)
    place: cython.Py_ssize_t = 0
    found: cython.Py_ssize_t = 0
    token: cython.Py_ssize_t = 0
    outside: cython.Py_ssize_t = -1
    with cython.nogil:
        while token < tokens.sentence.shape[0]:
            begin, words = token, tokens.lengths[tokens.sentence[token]]
            while token < tokens.sentence.shape[0] and tokens.sentence[token] == tokens.sentence[begin]:
                token += 1
            outside = collect(tokens, begin, token, words, frames)
            if outside >= 0:
                break
            for frame in range(words + 1):
                if is_equal(frames, frame):
                    continue
                place = write(frames, frame, items, place)
                found += 1
                ends[found] = place
    return found, outside


@cython.cfunc
@cython.nogil
def collect(
    tokens: Rows, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, words: cython.Py_ssize_t, frames: Frames
) -> cython.Py_ssize_t:
    """Fill in the frames of a sentence. Returns the token whose head is too far outside, or -1."""
    # A head after the last word makes Perl's list of frames longer.
    room: cython.longlong = words + 1
    room_of_system: cython.longlong = words + 1
    for at in range(words + 1):
        frames.first[0, at] = frames.first[1, at] = frames.last[0, at] = frames.last[1, at] = -1
    for token in range(begin, end):
        for side in range(2):
            above = tokens.gold_head[token] if side == 0 else tokens.head[token]
            if above < 0:
                above += room if side == 0 else room_of_system
                if above < 0:
                    return token
            if side == 0:
                room = max(room, above + 1)
            else:
                room_of_system = max(room_of_system, above + 1)
            for own in range(2):
                frame = tokens.number[token] if own else above
                if frame > words:
                    continue
                at = 2 * (token - begin) + own
                code = tokens.gold_relation[token] if side == 0 or own else tokens.relation[token]
                frames.item[side, at], frames.following[side, at] = own_relation - code if own else code, -1
                if frames.first[side, frame] < 0:
                    frames.first[side, frame] = at
                else:
                    frames.following[side, frames.last[side, frame]] = at
                frames.last[side, frame] = at
    return -1


@cython.cfunc
@cython.nogil
def is_equal(frames: Frames, frame: cython.Py_ssize_t) -> cython.bint:
    """True if both frames of a word have the same relations in the same order."""
    one: cython.int = frames.first[0, frame]
    other: cython.int = frames.first[1, frame]
    while one >= 0 and other >= 0 and frames.item[0, one] == frames.item[1, other]:
        one, other = frames.following[0, one], frames.following[1, other]
    return one < 0 and other < 0


@cython.cfunc
@cython.nogil
def write(
    frames: Frames, frame: cython.Py_ssize_t, items: Int32Output, place: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Write both frames of a word behind the items that are there. Returns the place behind them."""
    if frame == 0:
        items[place] = root
        place += 1
    for side in range(2):
        at: cython.int = frames.first[side, frame]
        while at >= 0:
            items[place] = frames.item[side, at]
            place += 1
            at = frames.following[side, at]
        if side == 0:
            items[place] = between
            place += 1
    return place


def code_pairs(table: StringTable, ends: Int64Array, codes: Int64Output) -> None:
    """Fill in a code for each pair of frames; the table's text are the items, of four bytes each."""
    with cython.nogil:
        for pair in range(codes.shape[0]):
            codes[pair] = table.code(4 * ends[pair], 4 * ends[pair + 1])
