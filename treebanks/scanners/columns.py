"""Files of ten columns, scanned in pieces on all cores.

The result does not depend on the pieces. Codes count up in the order in which strings are first met, and the
pieces are joined in the order of the text, so the codes are those that one scan of the whole text would give.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.scanners.pieces import rough_bounds, scan_pieces
from crossbank.treebanks.scanners.ten_column_bytes import FINE, Scan, scan

POSITIONS = {"tokens": 0, "multiword": 2, "empty": 2}
"""The number of columns of each table that hold no codes; they are its first ones."""

OTHERS = ("head", "line", "blank", "left_out", "loose")
"""The columns that are joined end to end."""


def scan_columns(data: bytes, *, plain: bool) -> Scan:
    """Read the sentences of a text in UTF-8 with ``\\n`` as line end.

    ``plain`` is CoNLL-X: lines of 6, 8 or 10 columns, neither comments, ranges nor empty nodes, and the
    last two columns are one string. Pieces begin after empty lines. If a piece has a problem, the text is
    scanned as a whole.
    """
    text = np.frombuffer(data, np.uint8)

    def scan_piece(first: int, last: int) -> Scan:
        return scan(text, first, last, plain)

    rough = rough_bounds(len(data))
    inner = (data.find(b"\n\n", place) + 2 for place in rough[1:-1])
    bounds = [0, *accumulate((place if place > 1 else len(data) for place in inner), max), len(data)]
    scans = scan_pieces(scan_piece, bounds)
    if len(scans) == 1:
        return scans[0]
    if any(piece.problem != FINE for piece in scans):
        return scan_piece(0, len(data))
    return _joined(scans)


def _joined(scans: list[Scan]) -> Scan:
    """Return the scans of pieces that follow each other, none of which has a problem, as one scan.

    The pieces give their columns away one by one and ``scans`` is emptied, so that there are never two
    copies of all columns in memory.
    """
    strings = scans[0].strings
    codes = [np.arange(strings.size, dtype=np.int32)]
    codes += [strings.take_in(piece.strings) for piece in scans[1:]]
    lines = list(accumulate((piece.lines for piece in scans), initial=0))
    carry_blank_lines(scans)
    parts: list[dict[str, Any]] = [piece._asdict() for piece in scans]
    scans.clear()
    for part, first in zip(parts, lines, strict=False):
        part["line"] += first

    def column(name: str) -> list[Any]:
        return [part.pop(name) for part in parts]

    def offsets(name: str) -> NDArray[np.int64]:
        lengths = [np.diff(values) for values in column(name)]
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate(lengths))])

    return Scan(
        strings,
        **{name: _table(column(name), codes, positions) for name, positions in POSITIONS.items()},
        **{name: np.concatenate(column(name)) for name in OTHERS},
        **{
            name: np.concatenate([new[old] for new, old in zip(codes, column(name), strict=True)])
            for name in ("id", "comments")
        },
        token_offsets=offsets("token_offsets"),
        multiword_offsets=offsets("multiword_offsets"),
        empty_offsets=offsets("empty_offsets"),
        lines=lines[-1],
        problem=FINE,
        problem_line=0,
        words=0,
        label=slice(0, 0),
        pending=0,
    )


def carry_blank_lines(scans: list[Scan]) -> None:
    """Add the blank lines behind a piece's last sentence to the first sentence of the pieces behind it."""
    pending = 0
    for piece in scans:
        if len(piece.loose):
            piece.loose[0] += pending
            pending = 0
        pending += piece.pending


def _table(tables: list[Int32Array], codes: list[Int32Array], positions: int) -> Int32Array:
    """Return the tables of all pieces side by side, in the codes of the first; ``tables`` is emptied."""
    joined = np.empty((len(tables[0]), sum(table.shape[1] for table in tables)), np.int32)
    first = 0
    for new in codes:
        table = tables.pop(0)
        rows = slice(first, first + table.shape[1])
        joined[:positions, rows] = table[:positions]
        joined[positions:, rows] = new[table[positions:]]
        first = rows.stop
    return joined
