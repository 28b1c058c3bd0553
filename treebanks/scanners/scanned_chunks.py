"""A text cut into chunks, which are scanned side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, TypeVar

import numpy as np

from crossbank.treebanks.arrays import Int32Array, offsets_of
from crossbank.treebanks.ranges import is_watched, side_by_side, threads, work

Scan = TypeVar("Scan")

SMALLEST = 1 << 20
"""Minimal number of bytes of a chunk: for smaller ones, joining takes longer than parallel scanning saves."""

WATCHED = 16 * SMALLEST
"""Maximal number of bytes of a chunk if progress is displayed."""


def rough_bounds(size: int) -> list[int]:
    """Return the offsets of equal chunks of a text of ``size`` bytes, about one for each thread."""
    count = max(min(threads(), size // SMALLEST), size // WATCHED if is_watched() else 1, 1)
    return [size * chunk // count for chunk in range(count + 1)]


def scan_chunks(
    scan: Callable[[int, int], Scan], bounds: list[int], joined: Callable[[list[Scan]], Scan]
) -> Scan:
    """Return the results of ``scan(first, last)`` for each chunk that is not empty, combined by ``joined``.

    If a chunk has a problem, the text is scanned as a whole: the problem may begin in an earlier chunk.
    """
    chunks = [(first, last) for first, last in pairwise(bounds) if first < last]
    with work("", bounds[-1], "bytes") as begun:

        def scanned(first: int, last: int) -> Scan:
            scanned_chunk = scan(first, last)
            begun.add(last - first)
            return scanned_chunk

        scans: list[Any] = side_by_side([partial(scanned, *chunk) for chunk in chunks or [(0, 0)]])
    if len(scans) > 1 and any(chunk.problem for chunk in scans):
        return scan(0, bounds[-1])
    return joined(scans) if len(scans) > 1 else scans[0]


def whole_columns(
    scans: list[Any], codes: Mapping[str, int], uncoded_columns: Sequence[str], offsets: Sequence[str]
) -> dict[str, Any]:
    """Return the joined columns of adjacent chunks without problems.

    codes    the columns of codes, shape ``(rows,)``, and tables of them, shape ``(columns, rows)``; each with
             the number of a table's first columns that hold no codes
    uncoded_columns  the columns without codes; ``line`` is counted from the first line of the text
    offsets  the columns that say where sentences begin

    The result does not depend on the chunks. Codes count up in the order in which strings are first met, and
    the chunks are joined in the order of the text, so the codes are those that one scan would give.

    ``scans`` is emptied column by column, so that there are never two copies of all columns in memory.
    """
    strings = scans[0].strings
    own = np.arange(strings.size, dtype=np.int32)
    known = [own, *(strings.take_in(chunk.strings) for chunk in scans[1:])]
    lines = list(accumulate((chunk.lines for chunk in scans), initial=0))
    parts: list[dict[str, Any]] = [chunk._asdict() for chunk in scans]
    scans.clear()
    for part, first in zip(parts, lines, strict=False):
        part["line"] += first

    def column(name: str) -> list[Any]:
        return [part.pop(name) for part in parts]

    columns: dict[str, Any] = {
        name: _recoded(column(name), known, uncoded) for name, uncoded in codes.items()
    }
    columns |= {name: np.concatenate(column(name)) for name in uncoded_columns}
    for name in offsets:
        columns[name] = offsets_of(np.concatenate([np.diff(values) for values in column(name)]))
    return columns | {"strings": strings, "lines": lines[-1]}


def _recoded(columns: list[Int32Array], known: list[Int32Array], uncoded: int) -> Int32Array:
    """Return the joined columns of all chunks, in the codes of the first chunk, and empty ``columns``."""
    shape = *columns[0].shape[:-1], sum(column.shape[-1] for column in columns)
    whole, first = np.empty(shape, np.int32), 0
    for codes in known:
        column = columns.pop(0)
        rows = whole[..., first : first + column.shape[-1]]
        rows[:uncoded] = column[:uncoded]
        rows[uncoded:] = codes[column[uncoded:]]
        first += column.shape[-1]
    return whole
