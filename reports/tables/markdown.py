"""A table as Markdown: for a terminal, a commit or an issue."""

from __future__ import annotations

import re

from crossbank.reports.tables.table import Cell, Table, sentence


def markdown(table: Table) -> str:
    """Return the table under its title, followed by its notes."""
    headings = [_escaped(f"{column.group} {column.heading}".strip()) for column in table.columns]
    rows = [[_text(cell) for cell in row] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    rules = [
        "-" * (width - 1) + ":" if column.numeric else "-" * width
        for column, width in zip(table.columns, widths, strict=True)
    ]
    lines = [_line(headings, widths, table), _line(rules, widths, table)]
    lines += [_line(row, widths, table) for row in rows]
    notes = [f"[{number}] {note}" for number, note in enumerate(table.notes, 1)]
    return "\n".join([f"**{sentence(table.title)}** {table.caption}", "", *lines, "", *notes, ""])


def _text(cell: Cell) -> str:
    text = _escaped(f"{cell.text} ({cell.below})" if cell.below else cell.text)
    return f"{text} [{cell.note}]" if cell.note else text


def _line(cells: list[str], widths: list[int], table: Table) -> str:
    placed = [
        cell.rjust(width) if column.numeric else cell.ljust(width)
        for cell, width, column in zip(cells, widths, table.columns, strict=True)
    ]
    return f"| {' | '.join(placed)} |"


def _escaped(text: str) -> str:
    """A cell's text that does not end the cell, or the line, and is no tag of HTML."""
    return re.sub(r"[|]|<(?=[A-Za-z/!])", r"\\\g<0>", " ".join(text.split("\n")))
