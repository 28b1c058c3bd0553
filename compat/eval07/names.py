"""Names of words, tags and contexts, and their layout in lists."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import Int64Array

LARGEST = 2**63 - 1


class NamedColumn(NamedTuple):
    """Word or tag at one place beside each token: codes, shape ``(tokens,)``, and their names."""

    codes: NDArray[np.integer]
    names: Sequence[str]

    def of(self, rows: NDArray[np.generic]) -> NamedColumn:
        """Return the same of some of the tokens."""
        return NamedColumn(self.codes[rows], self.names)


def joined(first: NamedColumn, second: NamedColumn, between: str) -> NamedColumn:
    """Two places as one, with the names of both: words and their tags, or a word and the one before."""
    codes, examples = groups(first.codes, second.codes)
    pairs = zip(first.codes[examples].tolist(), second.codes[examples].tolist(), strict=True)
    return NamedColumn(codes, [f"{first.names[one]}{between}{second.names[other]}" for one, other in pairs])


def groups(*columns: NDArray[np.integer]) -> tuple[Int64Array, Int64Array]:
    """Return the groups of rows that are equal in all columns.

    Returns each row's group, from 0, and one row of each group. Columns have no negative numbers.
    """
    keys, size = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        values = int(column.max(initial=0)) + 1
        if size * values > LARGEST:
            distinct, keys = np.unique(keys, return_inverse=True)
            size = len(distinct)
        keys, size = keys * values + column, size * values
    _, examples, codes = np.unique(keys, return_index=True, return_inverse=True)
    return codes, examples


def distinct(*columns: NDArray[np.integer]) -> tuple[tuple[NDArray[np.integer], ...], Int64Array]:
    """Return the distinct rows of some columns, as columns again, and how often each occurs."""
    sizes = [int(column.max(initial=0)) + 1 for column in columns]
    if prod(sizes) > LARGEST:
        codes, examples = groups(*columns)
        return tuple(column[examples] for column in columns), np.bincount(codes)
    keys, counts = np.unique(np.ravel_multi_index(columns, sizes), return_counts=True)
    return np.unravel_index(keys, sizes), counts


def commonest(counts: Mapping[str, int], most: int) -> list[str]:
    """Return the names with the highest counts, and those that have as much as the last of them.

    The scorer leaves names with the same count in the order of Perl's hashes, which changes from run to
    run; here they are in the order of their bytes.
    """
    ordered = sorted(counts.values(), reverse=True)
    threshold = ordered[most - 1] if len(ordered) >= most else 0
    return by_count({name: count for name, count in counts.items() if count >= threshold})


def by_count(counts: Mapping[str, int]) -> list[str]:
    """Names, those with the highest count first, then in the order of their bytes."""
    return sorted(counts, key=lambda name: (-counts[name], name))


def displayed(string: str) -> int:
    """Number of characters that a string of bytes shows; non-spacing marks have no place of their own."""
    if string.isascii():
        return len(string)
    text = string.encode("latin-1").decode("utf-8", "replace")
    return sum(unicodedata.category(character) != "Mn" for character in text)


def padded(string: str, width: int) -> str:
    """A string of bytes with spaces after it, up to a number of characters."""
    return string + " " * (width - displayed(string))


def widest(strings: Iterable[str]) -> int:
    """Return the most characters that one of some strings shows; 0 without strings."""
    return max(map(displayed, strings), default=0)
