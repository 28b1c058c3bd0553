"""Attach punctuation as Universal Dependencies do.

https://universaldependencies.org/u/dep/punct.html
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from crossbank.converters.loops.punctuation_heads import Marks, attach
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.ranges import in_ranges

PAIRS = ("()", "[]", "{}", "“”", "‘’", "«»", "»«", "„“", "„”", '""', "''", "``''", "<>")
"""Marks that come in pairs, by the first and the second half of each."""

UNITS = (
    "conj",
    "advcl",
    "acl",
    "appos",
    "parataxis",
    "ccomp",
    "csubj",
    "dislocated",
    "vocative",
    "discourse",
    "list",
)
"""Relations of units that take the punctuation at their edges."""


def attach_punctuation(
    bank: Treebank, head: Int32Array, is_mark: BoolArray, is_unit: BoolArray
) -> Int32Array:
    """Return the heads of all words, with those of punctuation as the guidelines say; shape ``(tokens,)``.

    is_mark  the words that are punctuation and not the root
    is_unit  the words that depend as units of their own: see ``UNITS``
    """
    opening = {pair[: len(pair) // 2]: number for number, pair in enumerate(PAIRS, 1)}
    closing = {pair[len(pair) // 2 :]: number for number, pair in enumerate(PAIRS, 1)}
    opens, closes = (
        np.where(is_mark, _numbers(bank, table.get), 0).astype(np.int32) for table in (opening, closing)
    )
    heads = head.copy()
    marks = Marks(is_mark, is_unit, opens, closes)
    in_ranges(lambda first, last: attach(bank.tokens.offsets, heads, marks, first, last), len(bank))
    return heads


def _numbers(bank: Treebank, number: Callable[[str], int | None]) -> Int32Array:
    table = np.fromiter((number(form) or 0 for form in bank.vocabulary), np.int32, len(bank.vocabulary))
    return table[bank.tokens.form]
