"""Texts from strings by number, without a string of Python's for each piece of them."""

from __future__ import annotations

from collections.abc import Sequence

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    ByteArray,
    ByteOutput,
    Int32Array,
    Int32Matrix,
    Int64Array,
)
from numpy.typing import NDArray

from crossbank.treebanks.arrays import offsets_of


def joined(strings: Sequence[str], numbers: Int32Array, signs: ByteArray) -> str:
    """Return the strings with some numbers, one after the other, each with a sign after it; 0 is none."""
    text, begins = bytes_of(strings)
    written = np.empty(joined_length(numbers, begins) + np.count_nonzero(signs), np.uint8)
    join_strings(numbers, signs, text, begins, written)
    return str(written.data, "utf-8", "surrogatepass")


@cython.dataclasses.dataclass(eq=False, repr=False)
class Lines:
    """Lines of cells in groups.

    cells    the number of the string of each cell, shape ``(columns, rows)``
    rows     the row of each line; each row is one
    ends     how many lines end with each group
    before   the string that is on a line of its own before each group, 0 for none
    """

    cells: Int32Matrix
    rows: Int32Array
    ends: Int64Array
    before: Int32Array


def written_lines(strings: Sequence[str], lines: Lines) -> bytearray:
    """Return the text of lines in UTF-8, with tabs between cells and an empty line after each group.

    The first of the strings is empty.
    """
    text, begins = bytes_of(strings)
    cells, before = np.asarray(lines.cells), np.asarray(lines.before)
    words = joined_length(cells.ravel(), begins) + joined_length(before, begins)
    written = bytearray(words + cells.size + np.count_nonzero(before) + len(before))
    write_lines(lines, text, begins, np.frombuffer(written, np.uint8))
    return written


def bytes_of(strings: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Strings in UTF-8 one after the other, and where each begins, with one entry more."""
    encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
    begins = offsets_of(np.fromiter(map(len, encoded), np.int64, len(encoded)))
    return np.frombuffer(b"".join(encoded), np.uint8), begins


def join_strings(
    strings: Int32Array, signs: ByteArray, text: ByteArray, begins: Int64Array, joined: ByteOutput
) -> None:
    """Write strings one after the other, each with the sign behind it.

    strings  the number of each string that is written
    signs    the byte after it, 0 for none
    text     all strings, without anything between them
    begins   where each begins in ``text``, with one entry more
    joined   what is written, with room for all of it
    """
    item: cython.Py_ssize_t
    place: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    with cython.nogil:
        for item in range(strings.shape[0]):
            for place in range(begins[strings[item]], begins[strings[item] + 1]):
                joined[at] = text[place]
                at += 1
            if signs[item] > 0:
                joined[at] = signs[item]
                at += 1


def joined_length(strings: Int32Array, begins: Int64Array) -> int:
    """Return the bytes of strings one after the other; the arguments are those of ``join_strings``."""
    item: cython.Py_ssize_t
    length: cython.longlong = 0
    with cython.nogil:
        for item in range(strings.shape[0]):
            length += begins[strings[item] + 1] - begins[strings[item]]
    return int(length)


def write_lines(lines: Lines, text: ByteArray, begins: Int64Array, written: ByteOutput) -> None:
    """Write lines; ``text`` and ``begins`` are those of ``bytes_of``."""
    group: cython.Py_ssize_t
    column: cython.Py_ssize_t
    place: cython.Py_ssize_t
    item: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    columns: cython.Py_ssize_t = lines.cells.shape[0]
    with cython.nogil:
        for group in range(lines.before.shape[0]):
            if lines.before[group] > 0:
                for place in range(begins[lines.before[group]], begins[lines.before[group] + 1]):
                    written[at] = text[place]
                    at += 1
                written[at] = ord("\n")
                at += 1
            while item < lines.ends[group]:
                for column in range(columns):
                    string = lines.cells[column, lines.rows[item]]
                    for place in range(begins[string], begins[string + 1]):
                        written[at] = text[place]
                        at += 1
                    written[at] = ord("\t")
                    at += 1
                written[at - 1] = ord("\n")
                item += 1
            written[at] = ord("\n")
            at += 1
