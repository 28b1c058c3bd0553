"""The tokens of two files: line beside line, gold's beside the system's."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath

import numpy as np
from numpy.typing import NDArray

from metrics.eval07.lines import COLUMNS, Lines, load
from metrics.word_forms import is_punctuation
from treebanks.arrays import BoolArray, Int32Array, Int64Array
from treebanks.errors import FormatError

START, END = ".S", ".E"
"""What stands for the words before the first and behind the last of a sentence."""

ANY = "*"
"""What stands for any word or tag."""

DERIV = "DERIV"
"""The relation of derivational links, which can be left out."""

NUMBER = re.compile(r"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|(?i:inf(inity)?|nan))", re.ASCII)


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens that both files have, with what gold and the system say of them.

    All arrays but ``starts`` and ``lengths`` have shape ``(tokens,)``; strings are codes.

    strings         of bytes, one character each
    starts          the line, from 1, in which each sentence begins, shape ``(sentences,)``
    lengths         how many tokens a sentence has, shape ``(sentences,)``; none between two blank lines,
                    and where the files end
    sentence        counted from 0
    number          the token's place in its sentence, from 1
    word, pos       gold's; the system's are not looked at
    gold_head, gold_relation, head, relation
    """

    strings: list[str]
    starts: Int64Array
    lengths: Int64Array
    sentence: Int64Array
    number: Int64Array
    word: Int32Array
    pos: Int32Array
    gold_head: Int32Array
    gold_relation: Int32Array
    head: Int32Array
    relation: Int32Array

    @cached_property
    def wrong_head(self) -> BoolArray:
        """Heads are compared as strings."""
        wrong: BoolArray = self.gold_head != self.head
        return wrong

    @cached_property
    def wrong_relation(self) -> BoolArray:
        """Relations are compared whole and with case."""
        wrong: BoolArray = self.gold_relation != self.relation
        return wrong

    @cached_property
    def wrong(self) -> BoolArray:
        """Whether head or relation are wrong."""
        return self.wrong_head | self.wrong_relation

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """Every string as the number that Perl takes it for, by code."""
        used = set(np.unique(np.concatenate((self.gold_head, self.head))).tolist())
        return np.array([number_of(s) if code in used else 0.0 for code, s in enumerate(self.strings)])

    def scored(self, *, punctuation: bool, deriv: bool) -> Int64Array:
        """The tokens that count: with or without punctuation and derivational links in gold."""
        counts = np.ones(len(self.word), np.bool_)
        if not punctuation:
            used = set(np.unique(self.word).tolist())
            marks = [code in used and _is_punctuation(word) for code, word in enumerate(self.strings)]
            counts &= ~np.array(marks, np.bool_)[self.word]
        if not deriv:
            left_out = [relation == DERIV for relation in self.strings]
            counts &= ~np.array(left_out, np.bool_)[self.gold_relation]
        return np.flatnonzero(counts)

    def neighbour(self, column: Int32Array, tokens: Int64Array, distance: int) -> Int32Array:
        """What a column has at some tokens' neighbours, such as -2 or 1 away.

        Outside the sentence it is the code of ``START`` or ``END``.
        """
        place = self.number[tokens] + distance
        outside = (place < 1) | (place > self.lengths[self.sentence[tokens]])
        edge = self.strings.index(START if distance < 0 else END)
        found: Int32Array = np.where(outside, edge, column[np.where(outside, 0, tokens + distance)])
        return found


@dataclass(frozen=True, eq=False)
class Reading:
    """Two files read side by side.

    tokens    the tokens up to where the reading ended
    warning   of the first other word or tag
    at_end    of blank lines that one file has more than the other
    unequal   why the files cannot be read on: one has words where the other has none; or None
    said      what the program says of that
    short     of lines with too few columns, in our own words
    """

    tokens: Tokens
    warning: str
    at_end: str
    unequal: FormatError | None
    said: str
    short: str


def read_both(
    gold: str | PathLike[str],
    system: str | PathLike[str],
    format: str | None,
    system_format: str | None,
    encoding: str | None,
    *,
    fatal: str,
    forgiving: bool,
) -> Reading:
    """Read two files at the same time.

    ``fatal`` is the program's word before what ends it; a ``forgiving`` one warns of other words and of
    blank lines at the end of one file. Raises CrossbankError where a file cannot be read.
    """
    with ThreadPoolExecutor(2) as threads:
        loading = [
            threads.submit(load, path, form, encoding)
            for path, form in ((gold, format), (system, system_format))
        ]
        sides = [one.result() for one in loading]
    own, other = sides
    both = min(len(own.blank), len(other.blank))
    parted = np.flatnonzero(own.blank[:both] != other.blank[:both])
    names = [fspath(path).encode("utf-8", "surrogateescape").decode("latin-1") for path in (gold, system)]
    at_end, ends_at = "", int(parted[0]) if len(parted) else None
    if ends_at is None and len(own.blank) != len(other.blank):
        longer = own if len(own.blank) > both else other
        more = np.flatnonzero(~longer.blank[both:]) if forgiving else np.zeros(1, np.int64)
        ends_at = both + int(more[0]) if len(more) else None
        blank = (len(longer.blank) if ends_at is None else ends_at) - both
        kind = "missing" if longer is own else "extra"
        at_end = f"Warning: ignoring {kind} blank line at the end of {names[1]}.\n" * blank
    unequal, said = None, ""
    if ends_at is not None:
        both = min(both, ends_at)
        shown = [side.line(ends_at) if ends_at < len(side.blank) else "past end of file\n" for side in sides]
        said = f"{fatal}line mismatch, line {ends_at + 1}:\n gold: {shown[0]} sys : {shown[1]}"
        own_blank = ends_at >= len(own.blank) or bool(own.blank[ends_at])
        found, expected = ("words", "a blank line") if own_blank else ("no words", "words")
        unequal = FormatError(system, found, f"{expected} as in {gold}", line=ends_at + 1)
    tokens, lines, differing = _side_by_side(own, other, both, ended=unequal is not None)
    warning = ""
    if forgiving and len(differing):
        line = int(differing[0])
        warning = f"Warning: ignoring word/pos mismatch, line {line + 1}:\n"
        warning += f" gold: {own.line(line)} sys : {other.line(line)}"
    short = "".join(_of_short(side, name, lines) for side, name in zip(sides, names, strict=True))
    return Reading(tokens, warning, at_end, unequal, said, short)


def _side_by_side(
    own: Lines, other: Lines, lines: int, *, ended: bool
) -> tuple[Tokens, Int64Array, Int64Array]:
    """The tokens in the first lines, the lines that they stand in, and those where word or tag differ.

    Where the reading ``ended`` the sentence that was open is left out.
    """
    codes = {string: code for code, string in enumerate(own.strings)}
    for string in (*other.strings, START, END, ANY):
        codes.setdefault(string, len(codes))
    theirs = other.recoded(codes)
    differing = np.flatnonzero((own.codes[:2, :lines] != theirs[:2, :lines]).any(axis=0))
    starts = np.concatenate((np.zeros(1, np.int64), np.flatnonzero(own.blank[:lines]) + 1))
    if ended:
        lines, starts = int(starts[-1]), starts[:-1]
    places = np.flatnonzero(~own.blank[:lines])
    sentence = np.searchsorted(starts, places, side="right") - 1
    tokens = Tokens(
        list(codes),
        starts + 1,
        np.bincount(sentence, minlength=len(starts)),
        sentence,
        places - starts[sentence] + 1,
        *(own.codes[column, places] for column in range(4)),
        *(theirs[column, places] for column in (2, 3)),
    )
    return tokens, places, differing


def _of_short(side: Lines, name: str, lines: Int64Array) -> str:
    short = lines[side.columns[lines] < COLUMNS]
    if not len(short):
        return ""
    line = int(short[0])
    found = f"{side.columns[line]} column{'s' * int(side.columns[line] != 1)}"
    return (
        f"{name}:{line + 1}: found {found}, expected at least {COLUMNS} set apart by white space: "
        f"what is missing counts as nothing, here and in {len(short) - 1} more lines\n"
    )


def number_of(string: str) -> float:
    """A string as Perl takes it for a number, by how it begins; what begins with none is 0.

    >>> number_of("3rd"), number_of("-1"), number_of("_")
    (3.0, -1.0, 0.0)
    """
    found = NUMBER.match(string)
    return float(found[0]) if found else 0.0


def _is_punctuation(word: str) -> bool:
    return is_punctuation(word.encode("latin-1").decode("utf-8", "replace"))
