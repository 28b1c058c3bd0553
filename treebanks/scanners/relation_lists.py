"""The compiled loop that reads lists of grammatical relations: from UTF-8 bytes to codes.

One pass over the bytes, line by line. Relations that stand alone on a line and quote nothing, which is
nearly all of them, are cut into slots here; every other line is only found, and read in
``treebanks.formats.relation_lists``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from crossbank.treebanks.arrays import Int32Array, Int64Array
from crossbank.treebanks.scanners.old_interning import (
    FNV_OFFSET,
    FNV_PRIME,
    StringTable,
    codes_of,
    grown,
    string_table,
)

NEWLINE, SPACE, OPEN, CLOSE, BACKSLASH, BAR, SEMICOLON, UNDERSCORE = b"\n ()\\|;_"

AT_PLACE, AT_LINE, AT_STRING, AT_SLOT, AT_RELATION, AT_OTHER = range(6)
"""Where the loop stands: the next byte and line, and how many strings and rows it has."""

LINE, BEGIN, END, BEFORE = range(4)
"""The columns of ``Scan.relations`` (without the last) and ``Scan.others``."""

MOST = 64
"""The most slots of a relation that is read here, its name among them."""


class Scan(NamedTuple):
    """What the loop found.

    begins, ends  shape ``(strings,)``: where each distinct slot first stands; code 0 is empty
    slots         the codes of all relations' names and slots, one relation behind the other
    offsets       shape ``(relations + 1,)``: where in ``slots`` each relation begins
    relations     shape ``(relations, 3)``: line, and where in the text it begins and ends
    others        shape ``(lines, 4)``: the same for every other line, and how many relations stand before
    """

    begins: Int64Array
    ends: Int64Array
    slots: Int32Array
    offsets: Int64Array
    relations: Int64Array
    others: Int64Array


def scan(text: NDArray[np.uint8]) -> Scan:
    """Cut a text, shape ``(bytes,)``, in UTF-8 with ``\\n`` as line end, into relations and other lines."""
    lines = int((text == NEWLINE).sum()) + 1
    # No more slots than every other byte; pages that are not written cost nothing.
    slots, offsets = np.empty(len(text) // 2 + 1, np.int32), np.zeros(lines + 1, np.int64)
    relations, others = np.empty((lines, 3), np.int64), np.empty((lines, 4), np.int64)
    at = np.zeros(6, np.int64)
    at[AT_STRING] = 1
    strings = string_table(lines // 8)
    while not _scan(text, at, strings, slots, offsets, relations, others):
        strings = grown(strings)
    return Scan(
        strings.begins[: at[AT_STRING]],
        strings.ends[: at[AT_STRING]],
        slots[: at[AT_SLOT]].copy(),
        offsets[: at[AT_RELATION] + 1].copy(),
        relations[: at[AT_RELATION]].copy(),
        others[: at[AT_OTHER]].copy(),
    )


@njit(cache=True, nogil=True)
def _is_space(byte: int) -> bool:
    return byte == SPACE or 9 <= byte <= 13


@njit(cache=True, nogil=True)
def _scan(
    text: NDArray[np.uint8],
    at: Int64Array,
    strings: StringTable,
    slots: Int32Array,
    offsets: Int64Array,
    relations: Int64Array,
    others: Int64Array,
) -> bool:
    """The loop of ``scan``; with the table of strings full it stops and says False, to be called again."""
    begins, ends = np.zeros(MOST, np.int64), np.zeros(MOST, np.int64)
    keys, codes = np.zeros(MOST, np.int64), np.zeros(MOST, np.int64)
    room = len(strings.begins)
    while at[AT_PLACE] < len(text):
        if at[AT_STRING] + MOST > room:
            return False
        begin = at[AT_PLACE]
        end = begin
        while end < len(text) and text[end] != NEWLINE:
            end += 1
        at[AT_PLACE] = end + 1
        at[AT_LINE] += 1
        while begin < end and _is_space(text[begin]):
            begin += 1
        while begin < end and _is_space(text[end - 1]):
            end -= 1
        count = 0
        if (
            end - begin > 2
            and text[begin] == OPEN
            and text[end - 1] == CLOSE
            and text[begin + 1] != UNDERSCORE
        ):
            place = begin + 1
            while count >= 0:
                while _is_space(text[place]):
                    place += 1
                if place == end - 1:
                    break
                if count == MOST:
                    count = -1
                    break
                begins[count], key = place, FNV_OFFSET
                while place < end - 1 and not _is_space(text[place]):
                    byte = text[place]
                    if byte in (OPEN, CLOSE, BACKSLASH, BAR, SEMICOLON):
                        count = -1
                        break
                    key = (key ^ byte) * FNV_PRIME
                    place += 1
                if count >= 0:
                    ends[count], keys[count] = place, key
                    count += 1
        if count <= 0:
            row = others[at[AT_OTHER]]
            row[LINE], row[BEGIN], row[END], row[BEFORE] = at[AT_LINE], begin, end, at[AT_RELATION]
            at[AT_OTHER] += 1
            continue
        at[AT_STRING] = codes_of(text, 0, count, begins, ends, keys, codes, strings, at[AT_STRING])
        for slot in range(count):
            slots[at[AT_SLOT] + slot] = codes[slot]
        at[AT_SLOT] += count
        row = relations[at[AT_RELATION]]
        row[LINE], row[BEGIN], row[END] = at[AT_LINE], begin, end
        at[AT_RELATION] += 1
        offsets[at[AT_RELATION]] = at[AT_SLOT]
    return True
