"""Candidates by treebanks as a field of cells: the darker a cell, the better the rank that it prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

import numpy as np

from crossbank.metrics.statistics.agreement_of_measures import Values
from crossbank.reports.charts.axes import opening
from crossbank.reports.charts.figure import Drawing, layer, nominal, quantitative

SHADES = 6
"""The number of shades, from the best sixth of the ranks to the worst."""

WIDE, NARROW, HIGH, LETTER, MARGIN = 30, 13, 16, 7.0, 12
"""Width of a cell where there is room and where there is not, its height, and a letter's width; pixels."""

ROOM = 900
"""The width of all cells, in pixels, up to which cells are wide."""


def heat_map(
    title: str,
    rows: Sequence[tuple[str, str]],
    columns: Sequence[str],
    ranks: Values,
    describe: Callable[[int, int], str],
) -> Drawing:
    """Return the cells as an ``<svg>`` element.

    rows      the name of each row and the number after it
    ranks     shape ``(rows, columns)``: the rank in the column, NaN where there is none
    describe  gives the text shown on hover, from a row and a column

    The best of a column has a frame. So nothing is told by colour alone.
    """
    left = round(LETTER * max(len(name) for name, _ in rows)) + MARGIN + 44
    cell = max(NARROW, min(WIDE, ROOM // max(len(columns), 1)))
    top = round(LETTER * 0.92 * max(map(len, columns))) + MARGIN
    width, height = left + cell * len(columns) + MARGIN, top + HIGH * len(rows) + 6
    parts = opening("heat", title, width, height)
    for place, name in enumerate(columns):
        x = left + cell * place + cell / 2 + 4
        upright = f'transform="translate({x:.1f} {top - 6}) rotate(-90)"'
        parts.append(f'<text class="head" {upright}>{escape(name)}</text>')
    with np.errstate(invalid="ignore"):
        best = np.nanmin(ranks, axis=0)
    cells: list[dict[str, str | float]] = []
    steps = max(len(rows) / SHADES, 1.0)
    for row, (name, number) in enumerate(rows):
        y = top + HIGH * row
        parts.append(f'<text class="name" x="{left - 44}" y="{y + 12}">{escape(name)}</text>')
        parts.append(f'<text class="tick" x="{left - 8}" y="{y + 12}">{escape(number)}</text>')
        for column in range(len(columns)):
            rank = float(ranks[row, column])
            if np.isnan(rank):
                continue
            shade = min(int((rank - 1) / steps), SHADES - 1)
            x = left + cell * column
            first = rank == best[column]
            cells.append({"row": name, "column": columns[column], "rank": rank})
            inset = 1 if first else 0
            size = f'width="{cell - 2 * inset}" height="{HIGH - 2 * inset}"'
            kind = f"h{shade + 1}{' first' if first else ''}"
            parts.append(
                f'<g class="{kind}"><title>{escape(describe(row, column))}</title><rect x="{x + inset}" '
                f'y="{y + inset}" {size}/><text x="{x + cell / 2:g}" y="{y + 11.5:g}">{rank:.0f}</text></g>'
            )
    where = {"x": nominal("column"), "y": nominal("row")}
    field = layer("rect", of={"opacity": 0.5}, color=quantitative("rank", scale={"reverse": True}), **where)
    return Drawing.of(parts, cells, [field, layer("text", text={"field": "rank"}, **where)])
