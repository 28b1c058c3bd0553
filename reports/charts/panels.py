"""Values with intervals in rows, the series of a row below each other; panels side by side share the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from crossbank.reports.charts.chart import HOVER, VegaChart, layer, ordinal, quantitative
from crossbank.reports.charts.theme import series_styles

WIDTH, STEP = 190, 15
"""Width of a panel and height of a series in its row, in pixels."""


class PanelValue(NamedTuple):
    """A value in one panel: its row, its series, and its interval if there is one."""

    panel: int
    row: str
    series: str
    value: float
    low: float | None = None
    high: float | None = None


def build_panel_chart(values: Sequence[PanelValue], title: str, axis_titles: Sequence[str]) -> VegaChart:
    """Return a chart with a panel for each of some axes; panels without a value are left out."""
    if not values:
        return VegaChart()
    data = [{**value._asdict(), "hover": _description(value, axis_titles)} for value in values]
    panels = sorted({value.panel for value in values})
    series = list(dict.fromkeys(value.series for value in values))
    rows = list(dict.fromkeys(value.row for value in values))
    views = [_view(panel, axis_titles[panel], rows, series, first=panel == panels[0]) for panel in panels]
    return VegaChart(title, data, {"hconcat": views, "spacing": 16})


def _view(
    panel: int, axis_title: str, rows: Sequence[str], series: Sequence[str], *, first: bool
) -> dict[str, Any]:
    colour, shapes, _ = series_styles(len(series))

    def style(values: Sequence[str]) -> dict[str, Any]:
        return ordinal("series", scale={"domain": list(series), "range": list(values)}, legend={})

    # Names of rows are beside the first panel only.
    axis = {"grid": False, "labelFontSize": 12} if first else None
    y = ordinal("row", axis=axis, scale={"domain": list(rows), "paddingInner": 0.3})
    offset = ordinal("series", scale={"domain": list(series)})
    x = quantitative("value", axis_title, axis={"tickCount": 4}, scale={"zero": True})
    ends: dict[str, Any] = {
        "x": quantitative("low", axis_title, scale={"zero": True}),
        "x2": {"field": "high"},
    }
    where = {"y": y, "yOffset": offset, "color": style(colour)}
    return {
        "transform": [{"filter": f"datum.panel == {panel}"}],
        "width": WIDTH,
        "height": {"step": STEP, "for": "offset"},
        "layer": [
            layer("rule", {"strokeWidth": 1.6}, **ends, **where),
            layer("point", {"size": 60}, x=x, **where, shape=style(shapes), description=HOVER),
        ],
    }


def _description(value: PanelValue, axis_titles: Sequence[str]) -> str:
    interval = "" if value.low is None or value.high is None else f" ({value.low:.2f} to {value.high:.2f})"
    return f"{value.row}, {value.series}, {axis_titles[value.panel]}: {value.value:.2f}{interval}"
