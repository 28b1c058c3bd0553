"""Bracketed trees, scanned in pieces on all cores."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import accumulate, pairwise

import numpy as np

from crossbank.treebanks.arrays import ByteArray
from crossbank.treebanks.ranges import side_by_side
from crossbank.treebanks.scanners.bracketed_trees import Scan, end_of_tree
from crossbank.treebanks.scanners.pieces import rough_bounds, scan_pieces, whole_columns

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
    """Return the scans of pieces that follow each other as one scan."""
    spanning = sum(piece.spanning for piece in scans)
    for piece, token in zip(scans, accumulate((len(piece.form) for piece in scans), initial=0), strict=False):
        piece.spaced[:, 0] += token
    columns = whole_columns(scans, dict.fromkeys(CODES, 0), OTHERS, ("token_offsets", "node_offsets"))
    columns |= dict.fromkeys(("problem_line", "place", "depth", "margin_line"), 0)
    return Scan(**columns, spanning=spanning, problem="")
