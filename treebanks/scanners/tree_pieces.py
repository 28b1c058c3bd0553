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
from crossbank.treebanks.scanners.bracketed_trees import Scan, end_of_tree
from crossbank.treebanks.scanners.pieces import recoded, rough_bounds, scan_pieces

CODES = ("form", "pos", "label")
OTHERS = ("token_parent", "node_parent", "line", "wordless", "untagged", "margin", "spaced")
"""The columns that are joined end to end: codes, which differ between pieces, and other numbers."""


def scan_in_pieces(data: bytes, scan_piece: Callable[[int, int], Scan], *, by_line: bool) -> Scan:
    """Read the trees of a text; ``scan_piece`` reads those from a byte up to another.

    A piece ends with the line or the tree that a rough bound cuts; the number of open brackets tells where a
    tree ends.
    """
    rough = rough_bounds(len(data))
    if by_line:
        inner = [data.find(b"\n", place) + 1 or len(data) for place in rough[1:-1]]
    else:
        text = np.frombuffer(data, np.uint8)
        opened = side_by_side([partial(brackets_opened, text[slice(*piece)]) for piece in pairwise(rough)])
        inner = list(map(partial(end_of_tree, text), rough[1:-1], accumulate(opened)))
    return scan_pieces(scan_piece, [0, *accumulate(inner, max), len(data)], _joined)


def brackets_opened(text: ByteArray) -> int:
    """Return how many more brackets a text opens than it closes."""
    return int(np.count_nonzero(text == ord("(")) - np.count_nonzero(text == ord(")")))


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
        problem="",
        problem_line=0,
        place=0,
        depth=0,
        margin_line=0,
    )
