"""Identifiers of sentences that are made only where they are requested.

Half a million identifiers take longer to make than their sentences to score, and few are read.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from typing import overload


class Identifiers(Sequence[str]):
    """A sequence of strings with a length and an item for each index."""

    @abstractmethod
    def at(self, index: int) -> str:
        """Return the identifier at an index."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(other) == len(self) and list(other) == list(self)

    __hash__ = None  # type: ignore[assignment]  # equal to lists and tuples of the same identifiers

    def __iter__(self) -> Iterator[str]:
        return map(self.at, range(len(self)))

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self.at(i) for i in range(*index.indices(len(self)))]
        return self.at(range(len(self))[index])


class SelectedIdentifiers(Identifiers):
    """Identifiers at some indices of a sequence."""

    def __init__(self, identifiers: Sequence[str], indices: Sequence[int]) -> None:
        self._identifiers, self._indices = identifiers, indices

    def __len__(self) -> int:
        return len(self._indices)

    def at(self, index: int) -> str:
        """Return the identifier that an index selects."""
        return self._identifiers[self._indices[index]]


class JoinedIdentifiers(Identifiers):
    """Identifiers of several sequences, one after the other."""

    def __init__(self, parts: Sequence[Sequence[str]]) -> None:
        # Joined identifiers are flattened: a thousand nested levels would exceed the recursion limit.
        self._parts: list[Sequence[str]] = [
            inner
            for part in parts
            for inner in (part._parts if isinstance(part, JoinedIdentifiers) else [part])
        ]
        self._ends = list(accumulate(map(len, self._parts)))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self._parts)

    def at(self, index: int) -> str:
        """Return the identifier at an index, in the sequence that holds it."""
        part = bisect_right(self._ends, index)
        return self._parts[part][index - (self._ends[part - 1] if part else 0)]
