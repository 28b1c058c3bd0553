"""Groups of columns over the same rows, as cells with numbers: the darker, the larger in its group."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from crossbank.reports.charts.axes import opening
from crossbank.reports.charts.figure import Drawing, layer, nominal, quantitative

NAME, LETTER, HIGH, GAP, MARGIN = 8.3, 6.6, 20, 14, 6
"""Widths of a letter of a name and of a heading; height of a row; the gap between groups; margin; pixels."""

NARROWEST, SHADES, LONGEST = 38, 5, 24
"""The least width of a column in pixels, the number of shades, and the letters shown of a heading."""


class GridColumn(NamedTuple):
    """A column: its heading, and for each row the number, which is None where there is none, and its text."""

    heading: str
    values: Sequence[float | None]
    texts: Sequence[str]


class Group(NamedTuple):
    """Columns that share a heading and a scale; those that are plain have no shades."""

    heading: str
    columns: Sequence[GridColumn]
    plain: bool = False


def grid_chart(title: str, rows: Sequence[str], groups: Sequence[Group]) -> Drawing:
    """Return the cells as an ``<svg>`` element; the empty string without rows."""
    if not rows:
        return Drawing()
    left = round(NAME * max(map(len, rows))) + 2 * MARGIN
    headings = [column.heading for group in groups for column in group.columns]
    top = 26 + round(LETTER * min(max(map(len, headings)), LONGEST) * 0.72) + 2 * MARGIN
    parts: list[str] = []
    for place, name in enumerate(rows):
        y = top + HIGH * place + HIGH - 6
        parts.append(f'<text class="name" x="{left - MARGIN}" y="{y}">{escape(name)}</text>')
    x: float = left
    for group in groups:
        wide = max(NARROWEST, *(LETTER * len(t) + 8 for column in group.columns for t in column.texts))
        wide = max(wide, (LETTER * len(group.heading) + 4) / len(group.columns))
        width = wide * len(group.columns)
        parts.append(f'<text class="group" x="{x + width / 2:.1f}" y="14">{escape(group.heading)}</text>')
        parts.append(f'<path class="rule" d="M{x + 2:.1f} 20H{x + width - 2:.1f}"/>')
        most = max((v for column in group.columns for v in column.values if v is not None), default=0.0)
        for column in group.columns:
            parts += _column(column, x, wide, top, 0.0 if group.plain else most)
            x += wide
        x += GAP
    # Headings are slanted: the last one reaches beyond its column.
    width = round(x - GAP + LETTER * min(len(headings[-1]), LONGEST) * 0.72 + MARGIN)
    cells = [
        {"row": name, "column": f"{group.heading}: {column.heading}", "value": value, "text": text}
        for group in groups
        for column in group.columns
        for name, value, text in zip(rows, column.values, column.texts, strict=True)
    ]
    where = {"x": nominal("column"), "y": nominal("row")}
    layers = [
        layer("rect", of={"opacity": 0.5}, color=quantitative("value"), **where),
        layer("text", text={"field": "text"}, **where),
    ]
    head = opening("grids", title, width, top + HIGH * len(rows) + MARGIN)
    return Drawing.of([*head, *parts], cells, layers)


def _column(column: GridColumn, x: float, wide: float, top: int, most: float) -> list[str]:
    middle = x + wide / 2
    name = column.heading
    name = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    parts = [
        f'<text class="head" transform="translate({middle - 4:.1f} {top - MARGIN}) rotate(-46)">'
        f"<title>{escape(column.heading)}</title>{escape(name)}</text>"
    ]
    for row, (value, text) in enumerate(zip(column.values, column.texts, strict=True)):
        y = top + HIGH * row
        if value is not None and most > 0:
            shade = min(SHADES - int(SHADES * max(value, 0.0) / most), SHADES)
            place = f'x="{x + 1:.1f}" y="{y + 1}" width="{wide - 2:.1f}" height="{HIGH - 2}"'
            parts.append(f'<rect class="m{max(shade, 1)}" {place}/>')
        parts.append(f'<text class="cell" x="{middle:.1f}" y="{y + HIGH - 6}">{escape(text)}</text>')
    return parts
