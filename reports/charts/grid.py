"""Chart of groups of columns over the same rows: the larger a number in its group, the darker its cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from crossbank.reports.charts.chart import HOVER, VegaChart, layer, ordinal
from crossbank.reports.charts.theme import colours

CELL_WIDTH, CELL_HEIGHT, LETTER = 40, 20, 6.8
"""Least width and height of a cell, and width of a letter, in pixels."""

SHADES = ("paper", "m5", "m4", "m3", "m2", "m1")
"""Colours of cells, from the least to the largest fifth; the first is for cells without a number."""


class GridColumn(NamedTuple):
    """A column: its heading, and for each row the number, None if there is none, and its text."""

    heading: str
    values: Sequence[float | None]
    texts: Sequence[str]


class ColumnGroup(NamedTuple):
    """Columns with a common heading and scale; a plain group has no shades."""

    heading: str
    columns: Sequence[GridColumn]
    plain: bool = False


def build_grid_chart(title: str, rows: Sequence[str], groups: Sequence[ColumnGroup]) -> VegaChart:
    """Return the cells of all groups, side by side over the same rows."""
    data = [
        {
            "group": index,
            "row": row,
            "column": column.heading,
            "value": value,
            "text": text,
            "shade": 0 if group.plain else _shade(value, group),
            "hover": f"{row}, {group.heading}, {column.heading}: {text}",
        }
        for index, group in enumerate(groups)
        for column in group.columns
        for row, value, text in zip(rows, column.values, column.texts, strict=True)
    ]
    if not data:
        return VegaChart()
    views = [_view(index, group) for index, group in enumerate(groups) if group.columns]
    return VegaChart(title, data, {"hconcat": views, "spacing": 14})


def _shade(value: float | None, group: ColumnGroup) -> int:
    largest = max((v for column in group.columns for v in column.values if v is not None), default=0.0)
    if value is None or largest <= 0:
        return 0
    return min(1 + int((len(SHADES) - 1) * max(value, 0.0) / largest), len(SHADES) - 1)


def _view(index: int, group: ColumnGroup) -> dict[str, Any]:
    longest = max(len(text) for column in group.columns for text in column.texts)
    width = max(
        CELL_WIDTH, round(LETTER * longest) + 8, round(LETTER * len(group.heading) / len(group.columns))
    )
    # Row names are beside the first group only; upright headings do not collide.
    row_names = {"labelFontSize": 12.5, "grid": False} if index == 0 else None
    y = ordinal("row", axis=row_names)
    headings = {"orient": "top", "labelAngle": -90, "grid": False, "labelLimit": 120, "titlePadding": 16}
    x = ordinal("column", group.heading, axis=headings)
    shades = {"domain": list(range(len(SHADES))), "range": [colours()[name] for name in SHADES]}
    shade = ordinal("shade", scale=shades, legend=None)
    cells = layer("rect", {"stroke": colours()["paper"]}, x=x, y=y, color=shade, description=HOVER)
    return {
        "transform": [{"filter": f"datum.group == {index}"}],
        "width": {"step": width},
        "height": {"step": CELL_HEIGHT},
        "layer": [cells, layer("text", x=x, y=y, text={"field": "text"})],
    }
