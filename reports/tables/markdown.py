"""A table as Markdown: for a terminal, a commit or an issue."""

from __future__ import annotations

import re

from crossbank.reports.tables.table import Cell, ReportTable, end_with_stop


def format_markdown(table: ReportTable) -> str:
    """Return the table under its title, followed by its notes."""
    headings = [_escape_markdown(f"{column.group} {column.heading}".strip()) for column in table.columns]
    rows = [[_format_cell(cell) for cell in row] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    rules = [
        "-" * (width - 1) + ":" if column.numeric else "-" * width
        for column, width in zip(table.columns, widths, strict=True)
    ]
    lines = [_format_line(headings, widths, table), _format_line(rules, widths, table)]
    lines += [_format_line(row, widths, table) for row in rows]
    notes = [f"[{number}] {note}" for number, note in enumerate(table.notes, 1)]
    return "\n".join([f"**{end_with_stop(table.title)}** {table.caption}", "", *lines, "", *notes, ""])


def _format_cell(cell: Cell) -> str:
    text = _escape_markdown(f"{cell.text} ({cell.below})" if cell.below else cell.text)
    return f"{text} [{cell.note}]" if cell.note else text


def _format_line(cells: list[str], widths: list[int], table: ReportTable) -> str:
    placed = [
        cell.rjust(width) if column.numeric else cell.ljust(width)
        for cell, width, column in zip(cells, widths, table.columns, strict=True)
    ]
    return f"| {' | '.join(placed)} |"


def _escape_markdown(text: str) -> str:
    """Return a cell's text that does not end the cell, or the line, and is no tag of HTML."""
    return re.sub(r"[|]|<(?=[A-Za-z/!])", r"\\\g<0>", " ".join(text.split("\n")))
