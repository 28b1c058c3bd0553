"""Compiled loop that reads lists of grammatical relations: from UTF-8 bytes to codes.

One pass over the bytes, line by line. Relations that stand alone on a line and quote nothing, which is
nearly all of them, are cut into slots here. Every other line is only found; it is read in
``treebanks.formats.relation_lists``.
"""

from __future__ import annotations

from typing import NamedTuple

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import ByteArray, Int32Output, Int64Output
from cython.cimports.crossbank.treebanks.scanners.interning import StringTable
from cython.cimports.crossbank.treebanks.scanners.white_space import is_space
from numpy.typing import NDArray

LINE, BEGIN, END, BEFORE = range(4)
"""The columns of ``Scan.relations`` (without the last) and ``Scan.others``."""


class Scan(NamedTuple):
    """Result of the loop.

    strings    the distinct names and slots
    slots      the codes of all relations' names and slots, one relation after the other
    offsets    shape ``(relations + 1,)``: where in ``slots`` each relation begins
    relations  shape ``(relations, 3)``: line, and where in the text it begins and ends
    others     shape ``(lines, 4)``: the same for every other line, and how many relations come before
    """

    strings: StringTable
    slots: NDArray[np.int32]
    offsets: NDArray[np.int64]
    relations: NDArray[np.int64]
    others: NDArray[np.int64]


@cython.cfunc
@cython.nogil
def is_plain(text: ByteArray, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
    """True if a line is one relation in brackets without anything quoted, tagged or weighted."""
    if end - begin < 3 or text[begin] != ord("(") or text[end - 1] != ord(")") or text[begin + 1] == ord("_"):
        return False
    for place in range(begin + 1, end - 1):
        byte = text[place]
        if byte == ord("(") or byte == ord(")") or byte == ord("|") or byte == ord(";") or byte == ord("\\"):
            return False
    return True


def scan(text: ByteArray) -> Scan:
    """Cut a text, shape ``(bytes,)``, in UTF-8 with ``\\n`` as line end, into relations and other lines."""
    size: cython.Py_ssize_t = text.shape[0]
    lines = bytes(text).count(b"\n") + 1
    # There are no more slots than every other byte. Pages that are not written cost nothing.
    slots: Int32Output = np.empty(size // 2 + 1, np.int32)
    offsets: Int64Output = np.zeros(lines + 1, np.int64)
    relations: Int64Output = np.empty(3 * lines, np.int64)
    others: Int64Output = np.empty(4 * lines, np.int64)
    strings = StringTable(text, lines // 8)
    line: cython.Py_ssize_t = 0
    found: cython.Py_ssize_t = 0
    left: cython.Py_ssize_t = 0
    slot: cython.Py_ssize_t = 0
    following: cython.Py_ssize_t = 0
    with cython.nogil:
        while following < size:
            begin = end = following
            while end < size and text[end] != ord("\n"):
                end += 1
            following = end + 1
            line += 1
            while begin < end and is_space(text[begin]):
                begin += 1
            while begin < end and is_space(text[end - 1]):
                end -= 1
            if is_plain(text, begin, end):
                place = begin + 1
                while place < end - 1:
                    word = place
                    while place < end - 1 and not is_space(text[place]):
                        place += 1
                    if place > word:
                        slots[slot] = strings.code(word, place)
                        slot += 1
                    else:
                        place += 1
            if slot > offsets[found]:
                relations[3 * found], relations[3 * found + 1], relations[3 * found + 2] = line, begin, end
                found += 1
                offsets[found] = slot
            else:
                others[4 * left], others[4 * left + 1], others[4 * left + 2] = line, begin, end
                others[4 * left + 3] = found
                left += 1
    return Scan(
        strings,
        np.array(slots[:slot]),
        np.array(offsets[: found + 1]),
        np.array(relations[: 3 * found]).reshape(found, 3),
        np.array(others[: 4 * left]).reshape(left, 4),
    )
