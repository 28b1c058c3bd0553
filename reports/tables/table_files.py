"""Every table as CSV and Parquet, for other programs, with numbers at full precision.

A cell's interval becomes two more columns, ``... low`` and ``... high``. A column's name is its group and its
heading. A missing value is an empty field.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from crossbank.reports.tables.table import ReportTable

Value: TypeAlias = str | float | int | None

MISSING = "–"
"""The sign of the report for a missing value."""


def write_table_files(tables: Iterable[ReportTable], folder: str | PathLike[str]) -> None:
    """Write each table that has rows as ``KEY.csv`` and ``KEY.parquet``, after deleting older files."""
    import pyarrow as pa
    from pyarrow import parquet

    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for old in (*target.glob("*.csv"), *target.glob("*.parquet")):
        old.unlink()
    for table in tables:
        if not table.rows:
            continue
        content = table_columns(table)
        path = target / f"{file_name(table.key)}.csv"
        path.write_text(format_csv([content, *zip(*content.values(), strict=True)]), "utf-8", newline="")
        parquet.write_table(pa.table(content), path.with_suffix(".parquet"), compression="zstd")


MAX_NAME_BYTES = 180
"""Maximal number of bytes of a key in a file name: file systems allow 255, with suffix and prefix."""


def file_name(key: str) -> str:
    """Return a key as a file name: other characters than letters, digits, ``.``, ``-``, ``_`` become ``_``.

    A name in which characters were replaced, or that is cut to ``MAX_NAME_BYTES`` bytes, ends with digits of
    the key's checksum, so that two keys never have one name.
    """
    name = re.sub(r"[^\w.-]", "_", key)
    if name == key and len(name.encode()) <= MAX_NAME_BYTES:
        return name
    return f"{name.encode()[:MAX_NAME_BYTES].decode(errors='ignore')}-{sha256(key.encode()).hexdigest()[:8]}"


def table_columns(table: ReportTable) -> dict[str, list[Value]]:
    """Return a table's columns by name. A column holds values if any of its cells has one, else texts."""
    content: dict[str, list[Value]] = {}
    for index, column in enumerate(table.columns):
        cells = [row[index] for row in table.rows]
        name = _find_free_name(f"{column.group} {column.heading}".strip() or f"column {index + 1}", content)
        known = [cell.value is not None or cell.text in (MISSING, "") for cell in cells]
        numeric = column.numeric and all(known) and any(cell.value is not None for cell in cells)
        values = [cell.value for cell in cells]
        if any(isinstance(value, float) for value in values):
            values = [None if value is None else float(value) for value in values]
        content[name] = [*values] if numeric else [None if c.text == MISSING else c.text for c in cells]
        if any(cell.low is not None for cell in cells):
            content[f"{name} low"] = [cell.low for cell in cells]
            content[f"{name} high"] = [cell.high for cell in cells]
    return content


def _find_free_name(name: str, taken: Iterable[str]) -> str:
    number, candidate = 2, name
    while candidate in taken:
        number, candidate = number + 1, f"{name} {number}"
    return candidate


NUMBERS = re.compile(r"[-+][0-9.,]+(e[-+]?[0-9]+)?( to [-+−][0-9.,]+)?")
"""A number, or an interval: ``+1.20 to +3.40``."""

SIGNS = ("=", "+", "-", "@", "\t", "\r")


def escape_formula(cell: object) -> object:
    """Return a cell; text that begins like a formula has an apostrophe before it, numbers are unchanged."""
    if not isinstance(cell, str) or not cell.startswith(SIGNS) or NUMBERS.fullmatch(cell):
        return cell
    return f"'{cell}"


def unescape_formula(cell: str) -> str:
    """Return a cell of a file that ``format_csv`` made, without the apostrophe."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(SIGNS) else cell


def format_csv(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV; lines end with LF.

    A spreadsheet must not take a cell such as ``=1+2``, ``@name`` or ``-LRB-`` for a formula: an apostrophe
    comes before its sign, as OWASP recommends (CSV Injection). Parquet has the strings alone.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(escape_formula, row) for row in rows)
    return text.getvalue()
