"""Scores over an axis (training size, sentence length), a line for each series, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from crossbank.reports.charts.chart import HOVER, VegaChart, layer, ordinal, quantitative
from crossbank.reports.charts.intervals import drop_common_treebank
from crossbank.reports.charts.theme import colours, series_styles

WIDTH, HEIGHT = 320, 210
"""Size of the area inside the axes, in pixels: with its labels it fits on a phone."""

MIN_LOGARITHMIC_RATIO = 30
"""An axis is logarithmic if its largest value is this many times its least."""


@dataclass(frozen=True)
class Point:
    """A position on the axis with its score and interval, and the text on hover.

    few  whether it rests on so few sentences that it says little: it is grey, and the line skips it
    """

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    hover: str = ""
    few: bool = False


@dataclass(frozen=True)
class Series:
    """A line: its name and its points from left to right."""

    name: str
    points: Sequence[Point]


def build_line_chart(series: Sequence[Series], title: str, x_label: str, y_label: str) -> VegaChart:
    """Return a chart of series. The horizontal axis is logarithmic, and its title says so, for a wide range.

    Raises ValueError if two series have the same name: they would become one line.
    """
    series = [line for line in series if line.points]
    if not series:
        return VegaChart()
    names = [line.name for line in series]
    if len(set(names)) < len(names):
        raise ValueError(f"two series have the same name: {names}")
    names = drop_common_treebank(names)
    rows = [
        {"series": name, "x": p.x, "y": p.y, "low": p.low, "high": p.high, "few": p.few, "hover": p.hover}
        for name, line in zip(names, series, strict=True)
        for p in line.points
    ]
    positions = sorted({point.x for line in series for point in line.points})
    logarithmic = positions[0] > 0 and positions[-1] >= MIN_LOGARITHMIC_RATIO * positions[0]
    x = quantitative("x", f"{x_label} (logarithmic)" if logarithmic else x_label, axis={"tickCount": 6})
    if logarithmic:
        x["scale"] |= {"type": "log", "nice": False}
        x["axis"] = {"values": _select_spaced(positions), "format": ",~r"}
    colour, shapes, dashes = series_styles(len(names))
    legend = {"columns": 2 if len(names) > 4 and max(map(len, names)) <= 18 else 1}

    def style(values: Sequence[Any]) -> dict[str, Any]:
        return ordinal("series", scale={"domain": names, "range": list(values)}, legend=legend)

    y = quantitative("y", y_label, axis={"tickCount": 5})
    grey = {"condition": {"test": "datum.few", "value": colours()["rule"]}, **style(colour)}
    of_line = {"x": x, "y": y, "color": style(colour), "strokeDash": style(dashes)}
    ends = {"y": quantitative("low", y_label), "y2": {"field": "high"}}
    layers = [
        layer("rule", {"strokeWidth": 1.1}, x=x, **ends, color=grey),
        {**layer("line", **of_line), "transform": [{"filter": "!datum.few"}]},
        layer("point", {"size": 60}, x=x, y=y, color=grey, shape=style(shapes), description=HOVER),
    ]
    return VegaChart(title, rows, {"width": WIDTH, "height": HEIGHT, "layer": layers})


def _select_spaced(positions: Sequence[float]) -> list[float]:
    """Return the positions whose labels do not overlap on a logarithmic axis."""
    least_ratio = (positions[-1] / positions[0]) ** (1 / 7)
    spaced = [positions[0]]
    for position in positions[1:]:
        if position >= spaced[-1] * least_ratio:
            spaced.append(position)
    return spaced
