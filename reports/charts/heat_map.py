"""Heat map of the ranks of candidates in treebanks: the darker a cell, the better the rank."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from crossbank.metrics.statistics.agreement_of_measures import Values
from crossbank.reports.charts.chart import HOVER, VegaChart, layer, ordinal
from crossbank.reports.charts.theme import colours

SHADES = ("h1", "h2", "h3", "h4", "h5", "h6")
"""Colours from the best sixth of the ranks to the worst."""

CELL_HEIGHT, WIDEST_CELL, NARROWEST_CELL, WIDEST_CHART = 16, 30, 13, 900
"""Sizes in pixels. Cells are narrower than WIDEST_CELL if the chart would be wider than WIDEST_CHART."""


def build_heat_map(
    title: str,
    rows: Sequence[tuple[str, str]],
    columns: Sequence[str],
    ranks: Values,
    describe: Callable[[int, int], str],
) -> VegaChart:
    """Return the chart of ranks; the best of a column also has a frame, not only a colour.

    rows      the name of each row, and the text after the name
    ranks     shape ``(rows, columns)``: the rank in the column, NaN if there is none
    describe  gives the text on hover, from the indices of a row and a column
    """
    best = np.fmin.reduce(ranks, axis=0)
    step = max(len(rows) / len(SHADES), 1.0)
    cells = [
        {
            "row": f"{name}  {number}",
            "column": columns[column],
            "rank": float(ranks[row, column]),
            "shade": min(int((float(ranks[row, column]) - 1) / step), len(SHADES) - 1),
            "best": bool(ranks[row, column] == best[column]),
            "hover": describe(row, column),
        }
        for row, (name, number) in enumerate(rows)
        for column in range(len(columns))
        if not np.isnan(ranks[row, column])
    ]
    if not cells:
        return VegaChart()
    shades = {"domain": list(range(len(SHADES))), "range": [colours()[name] for name in SHADES]}
    names = [f"{name}  {number}" for name, number in rows]
    x = ordinal("column", axis={"orient": "top", "labelAngle": -90}, scale={"domain": list(columns)})
    y = ordinal("row", axis={"grid": False}, scale={"domain": names})
    frame = {"condition": {"test": "datum.best", "value": colours()["focus"]}, "value": colours()["paper"]}
    text_colour = {
        "condition": {"test": "datum.shade < 2", "value": colours()["paper"]},
        "value": colours()["ink"],
    }
    layers = [
        layer(
            "rect",
            {"strokeWidth": 1.6},
            x=x,
            y=y,
            color=ordinal("shade", scale=shades, legend=None),
            stroke=frame,
            description=HOVER,
        ),
        layer(
            "text", {"fontSize": 9.5}, x=x, y=y, text={"field": "rank", "format": ".0f"}, color=text_colour
        ),
    ]
    width = max(NARROWEST_CELL, min(WIDEST_CELL, WIDEST_CHART // max(len(columns), 1)))
    return VegaChart(
        title, cells, {"width": {"step": width}, "height": {"step": CELL_HEIGHT}, "layer": layers}
    )
