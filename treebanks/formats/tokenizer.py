"""Pieces of a text with brackets: names, strings and signs, as the pattern of a format has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

END, UNKNOWN = "end", "unknown"
"""The kinds of what comes after the last piece, and of what the pattern does not know."""


class Piece(NamedTuple):
    """A piece: its kind, its text, and where it begins, a character or a line."""

    kind: str
    text: str
    place: int


def line_at(text: str, offset: int) -> int:
    """Return the line, from 1, that a place of a text is in."""
    return text.count("\n", 0, offset) + 1


def split(pattern: re.Pattern[str], text: str) -> Iterator[Piece]:
    """Yield the pieces of a text; a group of the pattern is a kind, what is in no group is passed over."""
    offset = 0
    while match := pattern.match(text, offset):
        if kind := match.lastgroup:
            yield Piece(kind, match[kind], match.start(kind))
        offset = match.end()
    if text[offset:].strip():
        yield Piece(UNKNOWN, text[offset:], offset)


class Pieces:
    """Pieces of which the next one is seen in advance.

    end    where the text ends
    known  what an error expects in place of a piece that the pattern does not know
    error  makes an error of the piece that is found, and of what is expected
    """

    def __init__(
        self, pieces: Iterable[Piece], end: int, known: str, error: Callable[[Piece, str], Exception]
    ) -> None:
        self._pieces = [*pieces, Piece(END, "", end)]
        self._known, self._error = known, error
        self._at = -1
        self.next = self._pieces[0]
        self.take()

    def take(self) -> Piece:
        """Return the piece in turn, and go on to the one after it."""
        piece = self.next
        self._at = min(self._at + 1, len(self._pieces) - 1)
        self.next = self._pieces[self._at]
        if self.next.kind == UNKNOWN:
            raise self.unexpected(self._known)
        return piece

    def second(self) -> Piece:
        """Return the piece after the next one."""
        return self._pieces[min(self._at + 1, len(self._pieces) - 1)]

    def expect(self, expected: str, *kinds: str) -> Piece:
        """Return the piece in turn, which is of one of some kinds, and go on."""
        if self.next.kind not in kinds:
            raise self.unexpected(expected)
        return self.take()

    def is_sign(self, text: str) -> bool:
        """True if the piece in turn is this sign, and not a string of the same characters."""
        return (self.next.kind, self.next.text) == ("sign", text)

    def sign(self, text: str) -> None:
        """Go on past a sign."""
        if not self.is_sign(text):
            raise self.unexpected(repr(text))
        self.take()

    def unexpected(self, expected: str) -> Exception:
        """Return the error of the next piece."""
        return self._error(self.next, expected)
