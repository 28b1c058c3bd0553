"""Two trees of one sentence: a small gold treebank and a candidate that attaches a phrase elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crossbank.treebanks import Treebank

GOLD = "(S (NP (DT The) (NN doctor)) (VP (VBZ reads) (NP (DT the) (NN tree))) (. .))"
CANDIDATE = "(S (NP (DT The) (NN doctor)) (VP (VBZ reads)) (NP (DT the) (NN tree)) (. .))"

F1 = 3 / 4
"""Parseval's F1: of four brackets on each side all but the verb phrase are the same."""


def example() -> tuple[Treebank, Treebank]:
    """Return gold and candidate as treebanks."""
    from crossbank.treebanks.formats.bracket import loads

    return loads(GOLD), loads(CANDIDATE)
