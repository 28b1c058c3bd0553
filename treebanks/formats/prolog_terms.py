"""Prolog terms of a text: compounds as tuples, lists as lists, atoms and numbers as strings.

The first item of a tuple is the functor. Quotes are taken off: ``'it''s'`` and ``'it\\'s'`` are *it's*.
Comments (``%``) are passed over. Nothing is recursive, so that terms may be deep.
"""

from __future__ import annotations

import re
from os import PathLike
from typing import Any, NamedTuple, TypeAlias

from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.tokenizer import line_at

Term: TypeAlias = Any
"""``str``, ``tuple`` (a functor and its arguments) or ``list``."""

PIECE = re.compile(
    r"(?:\s|%[^\n]*)*(?:'((?:[^'\\]|\\.|'')*)'|([^\s()\[\],'%]+)|([()\[\],])|\Z|(.))", re.DOTALL
)
ESCAPE = re.compile(r"\\(.)|''", re.DOTALL)
CLOSING = {"(": ")", "[": "]"}


class Entry(NamedTuple):
    """A fact, whose lists hold entries, or a term of one of its lists, and where it begins in the text."""

    term: Term
    place: int


def read_facts(text: str, source: str | PathLike[str]) -> list[Entry]:
    """Return the facts of a text. Raises FormatError, with the line, where brackets or commas are wrong."""
    reader = _Reader(text, source)
    for match in PIECE.finditer(text):
        quoted, plain, sign, other = match.groups()
        offset = match.start(match.lastindex or 0)
        if sign is not None:
            reader.sign(sign, offset)
        elif plain is not None:
            reader.plain(plain, offset)
        elif quoted is not None:
            escaped = "\\" in quoted or "''" in quoted
            reader.atom(ESCAPE.sub(lambda match: match[1] or "'", quoted) if escaped else quoted, offset)
        elif other is not None:
            raise reader.error(
                offset, "a quote that is not closed" if other == "'" else repr(other), "a term"
            )
    return reader.finish()


class _Reader:
    """Terms that are open, from the outermost, and what has been read of each."""

    def __init__(self, text: str, source: str | PathLike[str]) -> None:
        self._text, self._source = text, source
        self._facts: list[Entry] = []
        self._open: list[tuple[str, list[Any], int]] = []
        self._last: Term = None
        self._place = 0
        self._callable = False

    def error(self, offset: int, actual: str, expected: str) -> FormatError:
        return FormatError(self._source, actual, expected, line=line_at(self._text, offset))

    def plain(self, text: str, offset: int) -> None:
        """Read an atom without quotes, or the full stop after a fact."""
        if text != "." or self._open:
            self.atom(text, offset)
            return
        if self._last is None:
            raise self.error(offset, "'.'", "a fact before it")
        self._facts.append(Entry(self._last, self._place))
        self._last, self._callable = None, False

    def atom(self, text: str, offset: int) -> None:
        if self._last is not None:
            raise self.error(offset, repr(text[:40].split("\n")[0]), "a comma or a closing bracket")
        self._last, self._place, self._callable = text, offset, True

    def sign(self, sign: str, offset: int) -> None:
        if sign == ",":
            if not self._open:
                raise self.error(offset, "','", "a full stop after the fact")
            self._keep()
        elif sign in CLOSING:
            if sign == "(" and not self._callable:
                raise self.error(offset, "'('", "a functor before it")
            if sign == "[" and self._last is not None:
                raise self.error(offset, "'['", "a comma or a closing bracket")
            begin = self._place if sign == "(" else offset
            self._open.append((sign, [self._last] if sign == "(" else [], begin))
            self._last, self._callable = None, False
        else:
            self._keep()
            if not self._open:
                raise self.error(offset, repr(sign), "no bracket to close")
            opened, terms, begin = self._open.pop()
            if CLOSING[opened] != sign:
                expected = f"{CLOSING[opened]!r} for the bracket of line {line_at(self._text, begin)}"
                raise self.error(offset, repr(sign), expected)
            self._last = tuple(terms) if opened == "(" else terms
            self._place, self._callable = begin, False

    def _keep(self) -> None:
        """Add the term that has been read to the one that is open around it. XLE writes commas too many."""
        if self._last is not None and self._open:
            in_list = len(self._open) == 2 and self._open[-1][0] == "["
            self._open[-1][1].append(Entry(self._last, self._place) if in_list else self._last)
            self._last, self._callable = None, False

    def finish(self) -> list[Entry]:
        if self._open:
            opened, _, begin = self._open[-1]
            raise self.error(begin, f"{opened!r} that is not closed", f"{CLOSING[opened]!r} before the end")
        if self._last is not None:
            raise self.error(self._place, "a fact without an end", "a full stop after it")
        return self._facts
