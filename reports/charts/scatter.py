"""Sentences by two measures: one value against the other, with the sentences on hover.

After Roark (2002), Figure 5, and Sampson and Babarczy (2003), Figures 1 and 2. Sentences in the same cell of
a fine grid are one dot, whose area grows with their number: the chart stays small however many sentences
there are, and every sentence is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from crossbank.metrics.statistics.agreement_of_measures import Values
from crossbank.reports.charts.chart import HOVER, VegaChart, layer, quantitative
from crossbank.reports.charts.theme import colours
from crossbank.treebanks.quantities import quantity

CELLS = 24
"""Number of cells along each axis; the sentences of a cell are one dot, at their mean."""

MAX_LISTED_SENTENCES = 2
"""Number of a dot's sentences that are listed on hover."""

WIDTH, HEIGHT = 320, 230
"""Size of the area inside the axes, in pixels."""


def build_scatter_chart(
    x_values: Values,
    y_values: Values,
    title: str,
    x_label: str,
    y_label: str,
    describe: Callable[[int], str],
    *,
    diagonal: bool = False,
) -> VegaChart:
    """Return a chart with the sentences as dots.

    x_values, y_values  shape ``(sentences,)``
    describe            gives the text on hover, from a sentence's index
    diagonal            whether to draw the line on which both values are the same
    """
    if not len(x_values):
        return VegaChart()
    cells = _assign_cells(x_values) * (CELLS + 1) + _assign_cells(y_values)
    order = np.argsort(cells, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(cells[order])) + 1)
    rows = []
    for group in sorted(groups, key=len, reverse=True):
        hover = "; ".join(describe(int(sentence)) for sentence in group[:MAX_LISTED_SENTENCES])
        if len(group) > 1:
            more = " …" if len(group) > MAX_LISTED_SENTENCES else ""
            hover = f"{quantity(len(group), 'sentence')}: {hover}{more}"
        x, y = float(x_values[group].mean()), float(y_values[group].mean())
        rows.append({"x": x, "y": y, "sentences": len(group), "hover": hover})
    x_channel = quantitative("x", x_label, axis={"tickCount": 6})
    y_channel = quantitative("y", y_label, axis={"tickCount": 6})
    size = quantitative("sentences", scale={"type": "linear", "range": [18, 320]}, legend=None)
    dot = {"color": colours()["dot"], "stroke": colours()["accent"], "strokeWidth": 0.7}
    layers = [layer("circle", dot, x=x_channel, y=y_channel, size=size, description=HOVER)]
    if diagonal and (ends := _find_common_range(x_values, y_values)):
        broken = {"color": colours()["soft"], "strokeDash": [5, 4]}
        line = layer("line", broken, x=x_channel, y=y_channel)
        layers.insert(0, {**line, "data": {"values": [{"x": end, "y": end} for end in ends]}})
    return VegaChart(title, rows, {"width": WIDTH, "height": HEIGHT, "layer": layers})


def _assign_cells(values: Values) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    first, extent = float(values.min()), float(values.max() - values.min()) or 1.0
    return np.floor(CELLS * (values - first) / extent).astype(np.int64)


def _find_common_range(x_values: Values, y_values: Values) -> Sequence[float]:
    first = max(float(x_values.min()), float(y_values.min()))
    last = min(float(x_values.max()), float(y_values.max()))
    return (first, last) if first < last else ()
