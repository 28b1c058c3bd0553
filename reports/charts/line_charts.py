"""Scores over an axis (training size, sentence length), a line for each series, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from crossbank.reports.charts.axes import ACROSS, UP, axis, frame, logarithmic_axis, mark, paint, spread
from crossbank.reports.charts.figure import Drawing, layer, nominal, quantitative


@dataclass(frozen=True)
class Point:
    """A place on the axis with its score and interval, and the text shown on hover.

    few  whether it rests on so few sentences that it says little: it is grey, and the line leaves it out
    """

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    said: str = ""
    few: bool = False


@dataclass(frozen=True)
class Series:
    """A line: its name and its points from left to right."""

    name: str
    points: Sequence[Point]


def line_chart(series: Sequence[Series], title: str, x_label: str, y_label: str) -> Drawing:
    """Return the series as an ``<svg>`` element; the empty string without points.

    The horizontal axis is logarithmic, and says so, if the largest value is 30 times the least.
    """
    drawn = [line for line in series if line.points]
    if not drawn:
        return Drawing()
    places = [point.x for line in drawn for point in line.points]
    ends = [
        point.y if end is None else end
        for line in drawn
        for point in line.points
        for end in (point.low, point.high)
    ]
    x = (logarithmic_axis if spread(places) else axis)(places, *ACROSS)
    y = axis(ends, *UP, least=1.0)
    shown = f"{x_label} (logarithmic)" if x.logarithmic else x_label
    parts = frame("lines", title, x, y, shown, y_label, legend=[line.name for line in drawn])
    for number, line in enumerate(drawn):
        for point in line.points:
            if point.low is not None and point.high is not None:
                bar = f"M{x(point.x):.1f} {y(point.low):.1f}V{y(point.high):.1f}"
                kind = f"interval {paint(number)}{' few' if point.few else ''}"
                parts.append(f'<path class="{kind}" d="{bar}"/>')
        path = "L".join(f"{x(point.x):.1f} {y(point.y):.1f}" for point in line.points if not point.few)
        if path:
            parts.append(f'<path class="line {paint(number)}" d="M{path}"/>')
        for point in line.points:
            dot = mark(number, x(point.x), y(point.y))
            group = '<g class="few">' if point.few else "<g>"
            parts.append(f"{group}<title>{escape(point.said)}</title>{dot}</g>")
    rows = [
        {"series": line.name, "x": p.x, "y": p.y, "low": p.low, "high": p.high, "few": p.few}
        for line in drawn
        for p in line.points
    ]
    across = quantitative("x", x_label, scale={"type": "log" if x.logarithmic else "linear"})
    where = {"x": across, "color": nominal("series")}
    layers = [layer("rule", y=quantitative("low", y_label), y2={"field": "high"}, **where)]
    layers += [layer(kind, y=quantitative("y", y_label), **where) for kind in ("line", "point")]
    return Drawing.of(parts, rows, layers)
