"""Sentences by two measures: one value against the other, with the sentence on hover.

After Roark (2002), Figure 5, and Sampson and Babarczy (2003), Figures 1 and 2. Sentences at the same place
are drawn as one dot, whose area grows with their number: so the chart stays small however many sentences
there are, and every sentence is in it.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from math import sqrt

import numpy as np

from crossbank.metrics.statistics.agreement_of_measures import Values
from crossbank.reports.charts.axes import ACROSS, UP, axis, frame
from crossbank.reports.charts.figure import Drawing, layer, quantitative
from crossbank.treebanks.quantities import quantity

CELLS = 48
"""The number of cells along each axis; the sentences of a cell are one dot, at their mean."""

SMALLEST, LARGEST = 2.2, 9.0
"""Radius of the dot of one sentence and of the fullest cell, in pixels."""

NAMED = 3
"""The number of a dot's sentences that are named on hover."""


def scatter_chart(
    x_values: Values,
    y_values: Values,
    title: str,
    x_label: str,
    y_label: str,
    describe: Callable[[int], str],
    *,
    diagonal: bool = False,
) -> Drawing:
    """Return the sentences as an ``<svg>`` element; the empty string without sentences.

    x_values, y_values  shape ``(sentences,)``
    describe            gives the text shown on hover, from a sentence's place
    diagonal            whether to draw the line on which both values are the same
    """
    if not len(x_values):
        return Drawing()
    x = axis([float(x_values.min()), float(x_values.max())], *ACROSS, least=1.0)
    y = axis([float(y_values.min()), float(y_values.max())], *UP, least=1.0)
    parts = frame("scatter", title, x, y, x_label, y_label)
    first, last = max(x.first, y.first), min(x.last, y.last)
    if diagonal and first < last:
        ends = f"M{x(first):.1f} {y(first):.1f}L{x(last):.1f} {y(last):.1f}"
        parts.append(f'<path class="diagonal" d="{ends}"/>')
    cells = _cells(x_values, x.first, x.last) * (CELLS + 1) + _cells(y_values, y.first, y.last)
    order = np.argsort(cells, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(cells[order])) + 1)
    fullest = max(len(group) for group in groups)
    rows = []
    for group in sorted(groups, key=len, reverse=True):
        radius = SMALLEST + (LARGEST - SMALLEST) * sqrt((len(group) - 1) / max(fullest - 1, 1))
        said = "; ".join(describe(int(sentence)) for sentence in group[:NAMED])
        if len(group) > 1:
            said = f"{quantity(len(group), 'sentence')}: {said}{' …' if len(group) > NAMED else ''}"
        across, up = float(x_values[group].mean()), float(y_values[group].mean())
        rows.append({"x": across, "y": up, "sentences": len(group), "of": said})
        place = f'cx="{x(across):.1f}" cy="{y(up):.1f}"'
        parts.append(f'<circle {place} r="{radius:.1f}"><title>{escape(said)}</title></circle>')
    where = {"x": quantitative("x", x_label), "y": quantitative("y", y_label)}
    size = quantitative("sentences", scale={"zero": True})
    return Drawing.of(parts, rows, [layer("circle", **where, size=size)])


def _cells(values: Values, first: float, last: float) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.floor(CELLS * (values - first) / (last - first)).astype(np.int64)
