"""Lines of a file as the scorer reads them, whatever their content.

Columns are separated by white space; comments and ranges are tokens like others. Bytes are not decoded:
the tables are laid out by bytes, and strings are of bytes here, one character each.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import NamedTuple

import numpy as np

from crossbank.metrics.rivals.eval07.loops.word_frames import READ, read_lines
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.errors import ConversionError
from crossbank.treebanks.files import as_utf8, read_bytes
from crossbank.treebanks.formats import read
from crossbank.treebanks.scanners.interning import StringTable

NEWLINE = 10


class Lines(NamedTuple):
    """Lines of a file.

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
        """Return the columns in other codes, which must have all strings."""
        return np.array([codes[string] for string in self.strings], np.int32)[self.codes]


def load(path: str | PathLike[str], format: str, encoding: str | None) -> Lines:
    """Read a file; one that is not in columns is written as CoNLL-X first.

    Raises CrossbankError where it cannot be read, or is a file of trees without dependencies.
    """
    if format in ("conllx", "conllu", "bracket"):
        data = as_utf8(read_bytes(path), path, encoding, checked=False)
    else:
        from crossbank.treebanks.formats.conllx import dumps

        bank = read(path, format, encoding=encoding)
        if not bank.has_dependencies:
            raise ConversionError(f"{path}: there are no dependencies")
        data = dumps(bank).encode()
    return scan(data)


def scan(data: bytes) -> Lines:
    """Return the lines of some bytes."""
    text = np.frombuffer(data, np.uint8)
    count = data.count(b"\n") + (not data.endswith(b"\n"))
    begins, columns = np.zeros(count + 1, np.int64), np.zeros(count, np.int32)
    codes = np.zeros((READ, count), np.int32)
    table = StringTable(text, count // 16)
    read_lines(text, table, begins, columns, codes)
    begins[count] = len(data)
    strings = table.strings(NEWLINE).decode("latin-1").split("\n")
    return Lines(data, begins, columns == 0, columns, codes, strings)
