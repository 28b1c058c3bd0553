"""Strings by code.

Forms, tags and labels are stored once and referred to by number, so that stripping a function tag or equating
two labels touches the few hundred labels and not the million nodes that bear them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.code_columns import count_codes, flags_of_codes, numbers_of_codes, occurring

Value = TypeVar("Value", bound=np.generic)

Flag: TypeAlias = Callable[[Sequence[str]], Sequence[bool] | BoolArray]
"""A function of a module that says of many strings at once which have a property."""


class Vocabulary:
    """An immutable list of distinct strings; a string's code is its index. Code 0 is the empty string."""

    __slots__ = ("_codes", "_strings", "_translated")

    def __init__(self, strings: Sequence[str] = ("",)) -> None:
        """Take ``strings`` unchanged: the first must be the empty string, none may occur twice."""
        if not strings or strings[0] != "":
            raise ValueError("the first string of a vocabulary is the empty string")
        self._strings = tuple(strings)
        self._codes: dict[str, int] | None = None
        self._translated: tuple[Vocabulary, Int32Array] | None = None

    def __len__(self) -> int:
        return len(self._strings)

    def __getitem__(self, code: int) -> str:
        return self._strings[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._strings)

    def __repr__(self) -> str:
        return f"<Vocabulary of {len(self)} strings>"

    def _index(self) -> dict[str, int]:
        if self._codes is None:
            self._codes = dict(zip(self, range(len(self)), strict=True))
        return self._codes

    def code(self, string: str) -> int:
        """Return the code of a string, or -1 if the vocabulary does not have it."""
        codes = self._codes
        return (self._index() if codes is None else codes).get(string, -1)

    def decode(self, codes: NDArray[np.integer]) -> list[str]:
        """Return the strings of an array of codes."""
        strings = self._strings
        return [strings[code] for code in codes.tolist()]

    def only(self, codes: NDArray[np.integer]) -> Vocabulary:
        """Return a vocabulary of the strings with some codes, in their order; the first code is 0."""
        return Vocabulary(self.decode(codes))

    def counted(self, codes: Int32Array) -> dict[str, int]:
        """Return the strings of a column and how often each is there; the empty string is none."""
        numbers = count_codes(np.ascontiguousarray(codes, np.int32), len(self))
        numbers[0] = 0
        there = numbers.nonzero()[0]
        return dict(zip(self.decode(there), numbers[there].tolist(), strict=True))

    def extended(self, strings: Iterable[str]) -> tuple[Vocabulary, Int32Array]:
        """Return this vocabulary with ``strings`` after its own, and the codes of ``strings`` in it."""
        codes = dict(self._index())
        encoded = [codes.setdefault(string, len(codes)) for string in strings]
        vocabulary = self
        if len(codes) > len(self):
            vocabulary = Vocabulary(tuple(codes))
            vocabulary._codes = codes
        return vocabulary, np.array(encoded, np.int32)

    def translation(self, other: Vocabulary, key: Callable[[str], str] | None = None) -> Int32Array:
        """Return the code in ``other`` of each string of this vocabulary, or -1; shape ``(len(self),)``.

        With a ``key``, for instance ``unicodedata.normalize``, two strings are the same if their keys are
        the same. The first of several such strings in ``other`` counts. The key is a function of a module.
        """
        if other is self and key is None:
            return np.arange(len(self), dtype=np.int32)
        if key is None:
            # Scoring asks for this twice: to compare words, and to compare labels.
            # Threads may ask for other vocabularies meanwhile: what is returned is what was examined.
            cached = self._translated
            if cached is None or cached[0] is not other:
                codes = map(other._index().get, self, repeat(-1))
                self._translated = cached = other, np.fromiter(codes, np.int32, len(self))
            return cached[1]
        keys = list(map(key, other))
        index = dict(zip(reversed(keys), range(len(keys) - 1, -1, -1), strict=True))  # the first one stays
        equal = map(index.get, map(key, self), repeat(-1))
        return np.fromiter(equal, np.int32, len(self))

    def mapped(
        self, codes: Int32Array, change: Callable[[str], str], *, keep: bool = False
    ) -> tuple[Vocabulary, Int32Array]:
        """Replace each string of a column by ``change(string)``.

        ``codes`` is the column, of any length; ``change`` is called once per distinct code in it. ``keep``
        says whether its strings are kept where vocabularies share theirs, for a function that lasts, such as
        a scheme's method. Returns the vocabulary that holds the new strings and the new column: the old ones
        if no string changes.
        """
        codes = np.ascontiguousarray(codes, np.int32)
        old = self.occurring(codes)
        vocabulary, new = self._changed(old, change, keep=keep)
        if new is old or (vocabulary is self and np.array_equal(new, old)):
            return self, codes
        table = np.zeros(len(self), np.int32)
        table[old] = new
        return vocabulary, numbers_of_codes(codes, table)

    def _changed(
        self, codes: NDArray[np.intp], change: Callable[[str], str], *, keep: bool
    ) -> tuple[Vocabulary, NDArray[np.integer]]:
        """Return a vocabulary with the changed strings of some codes, and their codes."""
        strings = self.decode(codes)
        changed = list(map(change, strings))
        return self.extended(changed) if changed != strings else (self, codes)

    def valued(
        self, codes: Int32Array, value: Callable[[str], object], dtype: type[Value], *, keep: bool = False
    ) -> NDArray[Value]:
        """Return the value of each string of a column, of any length, as an array of a type.

        ``value`` is called once per distinct code; ``keep`` is as in ``mapped``, for flags and whole numbers.
        """
        codes = np.ascontiguousarray(codes, np.int32)
        old = self.occurring(codes)
        table = np.zeros(len(self), dtype)
        table[old] = self._values(old, value, keep=keep)
        rows: NDArray[Any] = flags_of_codes(codes, table) if table.dtype == np.bool_ else table.take(codes)
        return rows

    def _values(
        self, codes: NDArray[np.intp], value: Callable[[str], object], *, keep: bool
    ) -> Sequence[Any] | Int32Array:
        """Return the values of the strings of some codes."""
        return list(map(value, self.decode(codes)))

    def occurring(self, *columns: Int32Array) -> NDArray[np.intp]:
        """Return the codes that some columns have, in ascending order."""
        return occurring(len(self), *columns)

    def matching(self, accept: Callable[[str], object]) -> BoolArray:
        """Return a mask of the codes of which ``accept`` says what is true, shape ``(len(self),)``."""
        return np.fromiter(map(accept, self), np.bool_, len(self))

    def flagged(self, flag: Flag) -> BoolArray:
        """Return a mask of the codes whose strings ``flag`` accepts, shape ``(len(self),)``.

        Where vocabularies share their strings, each string is looked at once.
        """
        return np.array(flag(self.strings()), np.bool_)

    def strings(self) -> Sequence[str]:
        """Return all strings, in the order of their codes."""
        return self._strings
