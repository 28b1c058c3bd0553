"""A file as the scorer reads it: line by line, whatever the lines say.

Columns are set apart by white space; comments and ranges are tokens like others. Bytes are not decoded:
the tables are laid out by bytes, and strings are of bytes here, one character each.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.errors import ConversionError
from crossbank.treebanks.files import as_utf8, read_bytes
from crossbank.treebanks.formats import format_of, read
from crossbank.treebanks.scanners.old_interning import (
    FNV_OFFSET,
    FNV_PRIME,
    StringTable,
    codes_of,
    grown,
    string_table,
    strings_of,
)

NEWLINE, SPACE, TAB, CARRIAGE_RETURN = b"\n \t\r"

COLUMNS = 8
"""How many columns a line must have."""

PLACES = np.array([-1, 0, -1, 1, -1, -1, 2, 3], np.int64)
"""Where each of the first columns goes among those that are read: FORM, CPOSTAG, HEAD and DEPREL."""

READ = 4
"""How many columns are read."""

LINE, BYTE, STRING = range(3)
"""Where the loop stands: the next line and byte, and the next code."""


class Lines(NamedTuple):
    """The lines of a file.

    text      its bytes
    begins    where each line begins, and where the last one ends; shape ``(lines + 1,)``
    blank     whether a line is nothing but white space, shape ``(lines,)``
    columns   how many columns it has, shape ``(lines,)``
    codes     FORM, CPOSTAG, HEAD and DEPREL, shape ``(4, lines)``; 0 where there is none
    strings   by code
    """

    text: bytes
    begins: Int64Array
    blank: BoolArray
    columns: Int32Array
    codes: Int32Array
    strings: list[str]

    def line(self, number: int) -> str:
        """A line, counted from 0, with its line end."""
        return self.text[self.begins[number] : self.begins[number + 1]].decode("latin-1")

    def recoded(self, codes: Mapping[str, int]) -> Int32Array:
        """The columns in other codes, which must have all strings."""
        return np.array([codes[string] for string in self.strings], np.int32)[self.codes]


def load(path: str | PathLike[str], format: str | None, encoding: str | None) -> Lines:
    """Read a file; one that is not in columns is written as CoNLL-X first.

    Raises CrossbankError where it cannot be read, or is a file of trees without dependencies.
    """
    kind = format or format_of(path)
    if kind in ("conllx", "conllu", "bracket"):
        data = as_utf8(read_bytes(path), path, encoding, checked=False)
    else:
        from crossbank.treebanks.formats.conllx import dumps

        bank = read(path, kind, encoding=encoding)
        if not bank.has_dependencies:
            raise ConversionError(f"{path}: found no dependencies, expected heads of words")
        data = dumps(bank).encode()
    return scan(data)


def scan(data: bytes) -> Lines:
    """The lines of some bytes."""
    text = np.frombuffer(data, np.uint8)
    count = data.count(b"\n") + (not data.endswith(b"\n"))
    begins, columns = np.zeros(count + 1, np.int64), np.zeros(count, np.int32)
    codes = np.zeros((READ, count), np.int32)
    strings = string_table(count // 16)
    at = np.zeros(3, np.int64)
    at[STRING] = 1
    while not _scan(text, at, strings, begins, columns, codes):
        strings = grown(strings)
    begins[count] = len(data)
    known = slice(int(at[STRING]))
    gathered = strings_of(text, strings.begins[known], strings.ends[known], NEWLINE).tobytes()
    return Lines(data, begins, columns == 0, columns, codes, gathered.decode("latin-1").split("\n"))


@njit(cache=True, nogil=True)
def _scan(
    text: NDArray[np.uint8],
    at: Int64Array,
    strings: StringTable,
    line_begins: Int64Array,
    columns: Int32Array,
    codes: Int32Array,
) -> bool:
    """The loop of ``scan``; with the table of strings full it stops, to be called again: then False.

    White space before the first column ends a column of nothing, white space behind the last begins none;
    a line of white space alone has no columns.
    """
    line, place, next_code = at[LINE], at[BYTE], at[STRING]
    begins, ends = np.zeros(READ, np.int64), np.zeros(READ, np.int64)
    keys, found = np.zeros(READ, np.int64), np.zeros(READ, np.int64)
    while place < len(text):
        if next_code + READ > len(strings.begins):
            at[LINE], at[BYTE], at[STRING] = line, place, next_code
            return False
        line_begins[line] = place
        begins[:] = 0
        ends[:] = 0
        column, begin, key = 0, place, FNV_OFFSET
        open_column, anything = True, False
        while True:
            byte = text[place] if place < len(text) else NEWLINE
            if byte == SPACE or TAB <= byte <= CARRIAGE_RETURN:
                if open_column:
                    if column < COLUMNS and PLACES[column] >= 0:
                        which = PLACES[column]
                        begins[which], ends[which], keys[which] = begin, place, key
                    column += 1
                    open_column = False
                if byte == NEWLINE:
                    break
            else:
                if not open_column:
                    open_column, begin, key = True, place, FNV_OFFSET
                anything = True
                key = (key ^ byte) * FNV_PRIME
            place += 1
        next_code = codes_of(text, 0, READ, begins, ends, keys, found, strings, next_code)
        columns[line] = column if anything else 0
        for which in range(READ):
            codes[which, line] = found[which]
        line += 1
        place += 1
    at[LINE], at[BYTE], at[STRING] = line, place, next_code
    return True
