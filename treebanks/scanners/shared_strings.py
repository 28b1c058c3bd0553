"""Strings that the vocabularies of many chunks share: each string is decoded and examined once.

A chunk of a file has a vocabulary of its own, whose codes are those of its text alone. If the strings
of two vocabularies are in the same store, the vocabularies are compared by the strings' numbers, and results
of functions of strings are cached for the following chunks. A store with ``LIMIT`` strings is replaced by a
new one, so that memory does not depend on the size of a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.scanners.interning import StringTable
from crossbank.treebanks.vocabulary import Flag, Vocabulary

LIMIT = 1 << 16
"""Number of strings after which a new store begins."""

MAX_CACHED_FUNCTIONS = 16
"""Number of functions whose results a store caches."""


class StringStore:
    """Distinct strings by their numbers; 0 is the empty string. A string keeps its number."""

    def __init__(self) -> None:
        self.strings = [""]
        self._numbers = {"": 0}
        self._table = _empty_table()
        # By function: its results by the numbers of strings, and whether each is known.
        self._results: dict[Callable[..., object], tuple[Int32Array, BoolArray]] = {}
        self._lock = RLock()

    def __len__(self) -> int:
        return len(self.strings)

    def number(self, string: str) -> int:
        """Return the number of a string, or -1 if the store does not have it."""
        return self._numbers.get(string, -1)

    def take_in(self, table: StringTable, separator: str, first: int = 0) -> Int32Array:
        """Return the number of each string of a scanner's table from the code ``first`` on.

        ``separator`` is an ASCII character that none of the strings has. Raises UnicodeDecodeError if a
        string is not UTF-8; the store is then unchanged.
        """
        with self._lock:
            size = self._table.size
            numbers = self._table.take_in(table, first)
            if self._table.size > size:
                try:
                    new = self._table.strings(ord(separator), size).decode().split(separator)[1:]
                except UnicodeDecodeError:
                    self._table = _empty_table()
                    self._table.take_in(_table_of(self.strings[1:]))
                    raise
                self._name(new)
            return numbers

    def numbers(self, strings: Iterable[str]) -> Int32Array:
        """Return the number of each string; new strings are added."""
        strings = list(strings)
        known = [self._numbers.get(string, -1) for string in strings]
        if -1 in known:
            with self._lock:
                self._add([*dict.fromkeys(string for string in strings if string not in self._numbers)])
            known = [self._numbers[string] for string in strings]
        return np.array(known, np.int32)

    def flagged(self, numbers: Int32Array, flag: Flag) -> BoolArray:
        """Return a mask of the numbers whose strings ``flag`` accepts; it sees each string once."""
        return self._cached(numbers, flag, flag).astype(np.bool_)

    def valued(self, numbers: Int32Array, value: Callable[[str], Any]) -> Int32Array:
        """Return ``value(string)``, a flag or a whole number, called once for each string, by its number."""
        return self._cached(numbers, value, lambda strings: list(map(value, strings)))

    def changed(self, numbers: Int32Array, change: Callable[[str], str]) -> Int32Array:
        """Return the number of ``change(string)``, called once for each string, by the string's number."""
        return self._cached(numbers, change, lambda strings: self.numbers(map(change, strings)))

    def _cached(
        self,
        numbers: Int32Array,
        function: Callable[..., object],
        compute: Callable[[list[str]], Sequence[int] | Int32Array | BoolArray],
    ) -> Int32Array:
        with self._lock:
            values, known = self._results.get(function, (np.zeros(0, np.int32), np.zeros(0, np.bool_)))
            if len(known) < len(self):
                while function not in self._results and len(self._results) >= MAX_CACHED_FUNCTIONS:
                    del self._results[next(iter(self._results))]
                more = 2 * len(self) - len(known)
                values, known = np.pad(values, (0, more)), np.pad(known, (0, more))
                self._results[function] = values, known
            new = numbers[~known[numbers]]
            if len(new):
                values[new] = compute([self.strings[number] for number in new.tolist()])
                known[new] = True
            return values[numbers]

    def _add(self, strings: list[str]) -> None:
        """Add strings that are all new."""
        self._table.take_in(_table_of(strings))
        self._name(strings)

    def _name(self, strings: list[str]) -> None:
        """Number the strings that were added to the table."""
        first = len(self.strings)
        self.strings += strings
        self._numbers.update(zip(strings, range(first, len(self.strings)), strict=True))


def _empty_table() -> StringTable:
    return StringTable(np.zeros(0, np.uint8), 1 << 12)


def _table_of(strings: list[str]) -> StringTable:
    """Return a table of distinct strings."""
    encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
    table, end = StringTable(np.frombuffer(b"".join(encoded), np.uint8), len(encoded)), 0
    for one in encoded:
        table.code(end, end + len(one))
        end += len(one)
    return table


class SharedVocabulary(Vocabulary):
    """A vocabulary whose strings are in a store that several vocabularies share."""

    __slots__ = ("_code_of_number", "_numbers", "_store")

    def __init__(self, store: StringStore, numbers: Int32Array) -> None:
        """Take the number of each code's string; the first number is 0, and numbers are distinct."""
        self._store, self._numbers = store, numbers
        self._code_of_number: Int32Array | None = None
        self._codes = None
        self._translated = None

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, code: int) -> str:
        return self._store.strings[int(self._numbers[code])]

    def __iter__(self) -> Iterator[str]:
        return map(self._store.strings.__getitem__, self._numbers.tolist())

    def __reduce__(self) -> tuple[object, ...]:
        return Vocabulary, (tuple(self),)

    def code(self, string: str) -> int:
        """Return the code of a string, or -1 if the vocabulary does not have it."""
        number = self._store.number(string)
        return -1 if number < 0 else int(self._codes_of(np.array([number], np.int32))[0])

    def decode(self, codes: NDArray[np.integer]) -> list[str]:
        """Return the strings of an array of codes."""
        return list(map(self._store.strings.__getitem__, self._numbers[codes].tolist()))

    def only(self, codes: NDArray[np.integer]) -> Vocabulary:
        """Return a vocabulary of the strings with some codes, in their order; the first code is 0."""
        return SharedVocabulary(self._store, self._numbers[codes])

    def extended(self, strings: Iterable[str]) -> tuple[Vocabulary, Int32Array]:
        """Return this vocabulary with ``strings`` after its own, and the codes of ``strings`` in it."""
        return self._extended(self._numbers_of(strings))

    def _changed(
        self, codes: NDArray[np.intp], change: Callable[[str], str], *, keep: bool
    ) -> tuple[Vocabulary, NDArray[np.integer]]:
        if not keep:
            return super()._changed(codes, change, keep=keep)
        return self._extended(self._store.changed(self._numbers[codes], change))

    def _values(
        self, codes: NDArray[np.intp], value: Callable[[str], object], *, keep: bool
    ) -> Sequence[Any] | Int32Array:
        if not keep:
            return super()._values(codes, value, keep=keep)
        return self._store.valued(self._numbers[codes], value)

    def _extended(self, numbers: Int32Array) -> tuple[Vocabulary, Int32Array]:
        """Return this vocabulary with the strings of some numbers after its own, and their codes in it."""
        codes = self._codes_of(numbers)
        is_new = codes < 0
        if not is_new.any():
            return self, codes
        new = np.array([*dict.fromkeys(numbers[is_new].tolist())], np.int32)
        vocabulary = SharedVocabulary(self._store, np.concatenate((self._numbers, new)))
        return vocabulary, vocabulary._codes_of(numbers)

    def translation(self, other: Vocabulary, key: Callable[[str], str] | None = None) -> Int32Array:
        """Return the code in ``other`` of each string of this vocabulary, or -1: see ``Vocabulary``."""
        if not isinstance(other, SharedVocabulary) or other._store is not self._store:
            return super().translation(other, key)
        if key is None:
            return other._codes_of(self._numbers)
        left_keys, right_keys = (self._store.changed(one._numbers, key) for one in (self, other))
        index_of = np.full(len(self._store), -1, np.int32)
        index_of[right_keys[::-1]] = np.arange(
            len(right_keys) - 1, -1, -1, dtype=np.int32
        )  # reversed: the first of equal keys wins
        return index_of[left_keys]

    def flagged(self, flag: Flag) -> BoolArray:
        """Return a mask of the codes whose strings ``flag`` accepts: see ``Vocabulary``."""
        return self._store.flagged(self._numbers, flag)

    def strings(self) -> Sequence[str]:
        """Return all strings, in the order of their codes."""
        return tuple(self)

    def _numbers_of(self, strings: Iterable[str]) -> Int32Array:
        if isinstance(strings, SharedVocabulary) and strings._store is self._store:
            return strings._numbers
        return self._store.numbers(strings)

    def _codes_of(self, numbers: Int32Array) -> Int32Array:
        """Return the codes of the strings with some numbers, or -1."""
        codes = self._code_of_number
        if codes is None or numbers.max(initial=0) >= len(codes):
            codes = np.full(len(self._store), -1, np.int32)
            codes[self._numbers] = np.arange(len(self._numbers), dtype=np.int32)
            self._code_of_number = codes
        return codes[numbers]


_lock = RLock()
_current = StringStore()


def current_store() -> StringStore:
    """Return the store for the strings of the next chunk."""
    global _current
    with _lock:
        if len(_current) > LIMIT:
            _current = StringStore()
        return _current


class SourceStrings:
    """Strings of the chunks of one source: a scanner enters each once, and it has one code in all chunks.

    table  the scanner's table
    """

    def __init__(self) -> None:
        self.table = _empty_table()
        self._store = current_store()
        self._numbers = np.zeros(1, np.int32)

    @property
    def is_current(self) -> bool:
        """Return whether the next chunk still has its strings in the same store."""
        return self._store is current_store()

    def vocabulary(self, separator: str) -> SharedVocabulary:
        """Return the vocabulary of the table, with its codes; see ``StringStore.take_in``."""
        new = self._store.take_in(self.table, separator, len(self._numbers))
        if len(new):
            self._numbers = np.concatenate((self._numbers, new))
        return SharedVocabulary(self._store, self._numbers)
