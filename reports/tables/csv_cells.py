"""Cells of CSV files that a spreadsheet takes for formulas, and must not: ``=1+2``, ``@name``, ``-LRB-``.

As OWASP recommends (CSV Injection), an apostrophe comes before the sign. Parquet has the strings alone.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

NUMBERS = re.compile(r"[-+][0-9.,]+(e[-+]?[0-9]+)?( to [-+−][0-9.,]+)?")
"""A number, or an interval: ``+1.20 to +3.40``."""

SIGNS = ("=", "+", "-", "@", "\t", "\r")


def escape_formula(cell: object) -> object:
    """A cell with an apostrophe before a sign with which formulas begin; numbers and all else as they are."""
    if not isinstance(cell, str) or not cell.startswith(SIGNS) or NUMBERS.fullmatch(cell):
        return cell
    return f"'{cell}"


def unescape_formula(cell: str) -> str:
    """A cell of a file that ``format_csv`` made, without the apostrophe."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(SIGNS) else cell


def format_csv(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV with cells that are no formulas; lines end with LF."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(escape_formula, row) for row in rows)
    return text.getvalue()
