"""Two files read side by side: their tokens, and the messages about lines that are not parallel.

Lines are read as the scorer reads them, whatever their content. Columns are separated by white space;
comments and ranges are tokens like others. Bytes are not decoded: the tables are laid out by bytes, and
strings are of bytes here, one character each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from typing import NamedTuple

import numpy as np

from crossbank.compat.eval07.loops.line_columns import COLUMNS, READ, read_lines
from crossbank.compat.eval07.tokens import ANY, END, START, ParallelTokens
from crossbank.metrics.modes.protocol import Call
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.errors import FormatError, MissingAnnotationError
from crossbank.treebanks.files import as_utf8, read_bytes
from crossbank.treebanks.formats import read
from crossbank.treebanks.scanners.interning import StringTable

NEWLINE, HASH = ord("\n"), ord("#")


class FileLines(NamedTuple):
    """Lines of a file.

    text      its bytes
    begins    where each line begins, and where the last one ends; shape ``(lines + 1,)``
    blank     whether a line is nothing but white space, shape ``(lines,)``
    columns   how many columns it has, shape ``(lines,)``
    codes     FORM, CPOSTAG, HEAD and DEPREL, shape ``(4, lines)``; 0 if there is none
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


def load(path: str | PathLike[str], format: str, encoding: str | None) -> FileLines:
    """Read a file; one that is not in columns is written as CoNLL-X first.

    Raises CrossbankError if it cannot be read, or is a file of trees without dependencies.
    """
    if format in ("conllx", "conllu", "bracket"):
        data = as_utf8(read_bytes(path), path, encoding, checked=False)
        if format == "bracket" and data.lstrip().startswith(b"("):
            raise MissingAnnotationError(str(path), "dependencies")
    else:
        from crossbank.treebanks.formats.conllx import dumps

        bank = read(path, format, encoding=encoding)
        if not bank.has_dependencies:
            raise MissingAnnotationError(str(path), "dependencies")
        data = dumps(bank).encode()
    return scan(data)


def scan(data: bytes) -> FileLines:
    """Return the lines of some bytes."""
    text = np.frombuffer(data, np.uint8)
    count = data.count(b"\n") + (not data.endswith(b"\n"))
    begins, columns = np.zeros(count + 1, np.int64), np.zeros(count, np.int32)
    codes = np.zeros((READ, count), np.int32)
    table = StringTable(text, count // 16)
    read_lines(text, table, begins, columns, codes)
    begins[count] = len(data)
    strings = table.strings(NEWLINE).decode("latin-1").split("\n")
    return FileLines(data, begins, columns == 0, columns, codes, strings)


@dataclass(frozen=True, eq=False)
class ParallelReading:
    """Two files read side by side.

    tokens    the tokens up to where the reading ended
    warning   of the first other word or tag
    at_end    of blank lines that one file has more than the other
    unequal   why the files cannot be read on: one has words where the other has none; or None
    messages  the program's messages about them
    short     of comments and of lines with too few columns, in the words of this module
    """

    tokens: ParallelTokens
    warning: str
    at_end: str
    unequal: FormatError | None
    messages: str
    short: str


class Extent(NamedTuple):
    """Part of two files that is parallel.

    lines   how many lines are read of both
    ended   whether the next line ends the program
    blank   how many blank lines at the end of one file are passed over
    """

    lines: int
    ended: bool
    blank: int


def read_both(call: Call, *, fatal: str, forgiving: bool) -> ParallelReading:
    """Read two files at the same time.

    ``fatal`` is the program's word before what ends it; a ``forgiving`` one warns of other words and of
    blank lines at the end of one file. Raises CrossbankError if a file cannot be read.
    """
    own, other = call.read_both(load)
    names = [
        fspath(path).encode("utf-8", "surrogateescape").decode("latin-1")
        for path in (call.gold, call.candidate)
    ]
    extent = _extent(own, other, forgiving=forgiving)
    tokens, lines, differing = _side_by_side(own, other, extent)
    warning = ""
    if forgiving and len(differing):
        line = int(differing[0])
        warning = f"Warning: ignoring word/pos mismatch, line {line + 1}:\n"
        warning += f" gold: {own.line(line)} sys : {other.line(line)}"
    kind = "missing" if len(own.blank) > len(other.blank) else "extra"
    at_end = f"Warning: ignoring {kind} blank line at the end of {names[1]}.\n" * extent.blank
    unequal, message = None, ""
    if extent.ended:
        ends_at = extent.lines + extent.blank
        mismatched = [
            s.line(ends_at) if ends_at < len(s.blank) else "past end of file\n" for s in (own, other)
        ]
        message = f"{fatal}line mismatch, line {ends_at + 1}:\n gold: {mismatched[0]} sys : {mismatched[1]}"
        blank = ends_at >= len(own.blank) or bool(own.blank[ends_at])
        actual, expected = ("words", "a blank line") if blank else ("no words", "words")
        unequal = FormatError(call.candidate, actual, f"{expected} as in {call.gold}", line=ends_at + 1)
    short = "".join(_of_short(*side, lines) for side in zip((own, other), names, strict=True))
    return ParallelReading(tokens, warning, at_end, unequal, message, short)


def _extent(own: FileLines, other: FileLines, *, forgiving: bool) -> Extent:
    both = min(len(own.blank), len(other.blank))
    parted = np.flatnonzero(own.blank[:both] != other.blank[:both])
    if len(parted):
        return Extent(int(parted[0]), ended=True, blank=0)
    more = max(own.blank, other.blank, key=len)[both:]
    if not forgiving:
        return Extent(both, ended=len(more) > 0, blank=0)
    words = np.flatnonzero(~more)
    return Extent(both, ended=len(words) > 0, blank=int(words[0]) if len(words) else len(more))


def _side_by_side(
    own: FileLines, other: FileLines, extent: Extent
) -> tuple[ParallelTokens, Int64Array, Int64Array]:
    """Return the tokens in the first lines, the lines that they are in, and those where word or tag differ.

    Where the reading ended the sentence that was open is omitted.
    """
    lines = extent.lines
    codes = {string: code for code, string in enumerate(own.strings)}
    for string in (*other.strings, START, END, ANY):
        codes.setdefault(string, len(codes))
    other_codes = other.recoded(codes)
    differing = np.flatnonzero((own.codes[:2, :lines] != other_codes[:2, :lines]).any(axis=0))
    starts = np.concatenate((np.zeros(1, np.int64), np.flatnonzero(own.blank[:lines]) + 1))
    if extent.ended:
        lines, starts = int(starts[-1]), starts[:-1]
    indices = np.flatnonzero(~own.blank[:lines])
    sentence = np.searchsorted(starts, indices, side="right") - 1
    tokens = ParallelTokens(
        list(codes),
        starts + 1,
        np.bincount(sentence, minlength=len(starts)),
        sentence,
        indices - starts[sentence] + 1,
        *(own.codes[column, indices] for column in range(4)),
        *(other_codes[column, indices] for column in (2, 3)),
    )
    return tokens, indices, differing


def _of_short(side: FileLines, name: str, lines: Int64Array) -> str:
    text = np.frombuffer(side.text, np.uint8)
    is_comment = text[side.begins[lines]] == HASH
    comments, short = lines[is_comment], lines[~is_comment & (side.columns[lines] < COLUMNS)]
    message = ""
    if len(comments):
        message = (
            f"{name}:{comments[0] + 1}: found a comment, expected a token: it is read as a token, as the "
            f"program reads it{_and_more(len(comments) - 1)}\n"
        )
    if len(short):
        line = int(short[0])
        actual = f"{side.columns[line]} column{'s' * int(side.columns[line] != 1)}"
        message += (
            f"{name}:{line + 1}: found {actual}, expected at least {COLUMNS} separated by white space: "
            f"what is missing counts as nothing{_and_more(len(short) - 1)}\n"
        )
    return message


def _and_more(lines: int) -> str:
    return f", here and in {lines} more line{'s' * (lines > 1)}" if lines else ""
