"""Strings that a notation has no way to write: they would be read as something else, or not at all."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from crossbank.treebanks.errors import excerpt
from crossbank.treebanks.treebank import Treebank

LINE_BREAK = r"[\r\n]"

WHITE_SPACE = r"[\t\n\v\f\r]"
"""White space that separates words or lines, without the space, which words may have."""

NAMES = {
    "form": "word",
    "pos": "tag",
    "xpos": "further tag",
    "id": "identifier",
    "initial_gr": "initial relation",
}
"""What messages call a column, where its name does not say it."""


def refuse_strings(bank: Treebank, format: str, patterns: Mapping[str, str]) -> None:
    """Raise ConversionError for the first string that a format cannot hold.

    patterns  regular expressions by ``table.column``: a string in which one is found cannot be written there
    """
    for where, pattern in patterns.items():
        table, _, column = where.partition(".")
        rows = getattr(bank, table)
        codes = getattr(rows, column)
        refused = np.flatnonzero(bank.vocabulary.matching(re.compile(pattern).search)[codes])
        if not len(refused):
            continue
        first = int(refused[0])
        name = NAMES.get(column, column.replace("_", " "))
        actual = f"the {name} {excerpt(bank.vocabulary[int(codes[first])])}"
        raise bank.refused(rows.sentence_of(first), f"found {actual}, which {format} cannot hold")
