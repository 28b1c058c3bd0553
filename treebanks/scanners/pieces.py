"""A text cut into pieces, which are scanned side by side."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.ranges import is_watched, side_by_side, threads, work

Scan = TypeVar("Scan")

SMALLEST = 1 << 20
"""The number of bytes that a piece has at least: below that, joining takes longer than scanning saves."""

WATCHED = 16 * SMALLEST
"""The number of bytes of a piece where somebody watches the progress and a file has more."""


def rough_bounds(size: int) -> list[int]:
    """Beginnings of equal pieces of ``size`` bytes, about as many as there are threads; last the end."""
    count = max(min(threads(), size // SMALLEST), size // WATCHED if is_watched() else 1, 1)
    return [size * piece // count for piece in range(count + 1)]


def scan_pieces(
    scan: Callable[[int, int], Scan], bounds: list[int], joined: Callable[[list[Scan]], Scan]
) -> Scan:
    """Return what ``joined`` makes of the results of ``scan(first, last)`` for each piece that has a byte.

    If a piece has a problem, the text is scanned as a whole: the problem may begin in an earlier piece.
    """
    pieces = [(first, last) for first, last in pairwise(bounds) if first < last]
    with work("", bounds[-1], "bytes") as begun:

        def scanned(first: int, last: int) -> Scan:
            found = scan(first, last)
            begun.add(last - first)
            return found

        scans: list[Any] = side_by_side([partial(scanned, *piece) for piece in pieces or [(0, 0)]])
    if len(scans) > 1 and any(piece.problem for piece in scans):
        return scan(0, bounds[-1])
    return joined(scans) if len(scans) > 1 else scans[0]


def recoded(columns: list[Int32Array], codes: list[Int32Array | None]) -> Int32Array:
    """Columns of all pieces end to end, in the codes of the first, which has none. Empties ``columns``."""
    whole = np.empty(sum(map(len, columns)), np.int32)
    first = 0
    for new in codes:
        column = columns.pop(0)
        rows = whole[first : first + len(column)]
        if new is None:
            rows[:] = column
        else:
            np.take(new, column, out=rows, mode="clip")
        first += len(column)
    return whole
