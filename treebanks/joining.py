"""Lines of cells from numbered strings, written without a Python string for each cell."""

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

from crossbank.treebanks.arrays import offsets_of


@cython.dataclasses.dataclass(eq=False, repr=False)
class Lines:
    """Lines of cells in groups.

    cells    the number of the string of each cell, shape ``(columns, rows)``
    rows     the row of each line
    ends     the number of lines up to the end of each group
    before   the number of the string on a line before each group, 0 for none
    """

    cells: Int32Matrix
    rows: Int32Array
    ends: Int64Array
    before: Int32Array


def written_lines(strings: Sequence[str], lines: Lines) -> bytearray:
    """Return the text of lines in UTF-8, with tabs between cells and an empty line after each group.

    The first of the strings is empty.
    """
    encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
    begins = offsets_of(np.fromiter(map(len, encoded), np.int64, len(encoded)))
    text = np.frombuffer(b"".join(encoded), np.uint8)
    cells, before = np.asarray(lines.cells), np.asarray(lines.before)
    words = joined_length(cells.ravel(), begins) + joined_length(before, begins)
    written = bytearray(words + cells.size + np.count_nonzero(before) + len(before))
    write_lines(lines, text, begins, np.frombuffer(written, np.uint8))
    return written


def joined_length(strings: Int32Array, begins: Int64Array) -> int:
    """Return the number of bytes of strings one after the other; the strings begin as in ``write_lines``."""
    item: cython.Py_ssize_t
    length: cython.longlong = 0
    with cython.nogil:
        for item in range(strings.shape[0]):
            length += begins[strings[item] + 1] - begins[strings[item]]
    return int(length)


def write_lines(lines: Lines, text: ByteArray, begins: Int64Array, written: ByteOutput) -> None:
    """Write lines; ``text`` has all strings end to end, ``begins`` where each begins, with one entry more."""
    group: cython.Py_ssize_t
    column: cython.Py_ssize_t
    offset: cython.Py_ssize_t
    item: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = 0
    columns: cython.Py_ssize_t = lines.cells.shape[0]
    with cython.nogil:
        for group in range(lines.before.shape[0]):
            if lines.before[group] > 0:
                for offset in range(begins[lines.before[group]], begins[lines.before[group] + 1]):
                    written[at] = text[offset]
                    at += 1
                written[at] = ord("\n")
                at += 1
            while item < lines.ends[group]:
                for column in range(columns):
                    string = lines.cells[column, lines.rows[item]]
                    for offset in range(begins[string], begins[string + 1]):
                        written[at] = text[offset]
                        at += 1
                    written[at] = ord("\t")
                    at += 1
                written[at - 1] = ord("\n")
                item += 1
            written[at] = ord("\n")
            at += 1
