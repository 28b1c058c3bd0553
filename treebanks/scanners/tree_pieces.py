"""Bracketed trees, scanned in pieces on all cores.

The result does not depend on the pieces. Codes count up in the order in which strings are first met, and the
pieces are joined in the order of the text, so the codes are those that one scan of the whole text would give.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from crossbank.treebanks.arrays import ByteArray
from crossbank.treebanks.ranges import side_by_side
from crossbank.treebanks.scanners.bracketed_trees import FINE, Scan, count_brackets, end_of_line, end_of_tree
from crossbank.treebanks.scanners.pieces import recoded, rough_bounds, scan_pieces

CODES = ("form", "pos", "label")
OTHERS = ("token_parent", "node_parent", "line", "wordless", "untagged", "margin", "spaced")
"""The columns that are joined end to end: codes, which differ between pieces, and other numbers."""


def scan_in_pieces(text: ByteArray, scan_piece: Callable[[int, int], Scan], *, by_line: bool) -> Scan:
    """Read the trees of a text, shape ``(bytes,)``; ``scan_piece`` reads those from a byte up to another."""
    bounds = rough_bounds(len(text))
    if len(bounds) > 2:
        bounds = _line_bounds(text, bounds) if by_line else _tree_bounds(text, bounds)
    return scan_pieces(scan_piece, bounds, _joined)


def _line_bounds(text: ByteArray, rough: list[int]) -> list[int]:
    """Return the ends of the lines that the rough bounds cut."""
    inner = (end_of_line(text, place) for place in rough[1:-1])
    return [0, *accumulate(inner, max), len(text)]


def _tree_bounds(text: ByteArray, rough: list[int]) -> list[int]:
    """Return the ends of the trees that the rough bounds cut, as the number of open brackets tells them."""
    counts = side_by_side([partial(count_brackets, text, *piece) for piece in pairwise(rough)])
    depths = accumulate(opened - closed for opened, closed in counts)
    inner = (end_of_tree(text, place, depth) for place, depth in zip(rough[1:-1], depths, strict=False))
    return [0, *accumulate(inner, max), len(text)]


def _joined(scans: list[Scan]) -> Scan:
    """Return the scans of pieces that follow each other, none of which has a problem, as one scan.

    The pieces give their columns away one by one and ``scans`` is emptied, so that there are never two
    copies of all columns in memory.
    """
    strings, spanning = scans[0].strings, sum(piece.spanning for piece in scans)
    codes = [None, *(strings.take_in(piece.strings) for piece in scans[1:])]
    tokens = list(accumulate((len(piece.form) for piece in scans), initial=0))
    nodes = list(accumulate((len(piece.label) for piece in scans), initial=0))
    lines = list(accumulate((piece.lines for piece in scans), initial=0))
    parts: list[dict[str, Any]] = [piece._asdict() for piece in scans]
    scans.clear()
    for part, token, node, line in zip(parts, tokens, nodes, lines, strict=False):
        part["token_offsets"] += token
        part["node_offsets"] += node
        part["line"] += line
        part["spaced"][:, 0] += token

    def column(name: str) -> list[Any]:
        return [part.pop(name) for part in parts]

    columns: dict[str, Any] = {name: recoded(column(name), codes) for name in CODES}
    columns |= {name: np.concatenate(column(name)) for name in OTHERS}
    for name in ("token_offsets", "node_offsets"):
        first, *further = column(name)
        columns[name] = np.concatenate([first, *(offsets[1:] for offsets in further)])
    return Scan(
        strings,
        **columns,
        spanning=spanning,
        lines=lines[-1],
        problem=FINE,
        problem_line=0,
        place=0,
        depth=0,
        margin_line=0,
    )
