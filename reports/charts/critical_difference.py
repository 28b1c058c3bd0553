"""Average ranks on one axis, with lines that join the candidates that do not differ significantly.

Demšar, Janez (2006): Statistical Comparisons of Classifiers over Multiple Data Sets. Journal of Machine
Learning Research 7, Figure 1 (a). Best ranks are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from typing import Any

from crossbank.metrics.statistics.ranks_over_treebanks import AverageRanks
from crossbank.reports.charts.chart import VegaChart, layer, quantitative
from crossbank.reports.charts.theme import colours

WIDTH, ROW_HEIGHT, LINE_HEIGHT = 300, 17, 8
"""Width of the axis, height of a candidate's row and of a joining line, in pixels."""

MAX_TICKS = 10
"""Approximate number of ranks at the axis."""


def build_critical_difference_chart(title: str, names: Sequence[str], test: AverageRanks) -> VegaChart:
    """Return the candidates at their average ranks.

    names  the candidates of ``test.averages``, the best first

    The better half is named at the left, the other half at the right, each with its average rank.
    """
    averages = [float(rank) for rank in test.averages]
    half = (len(names) + 1) // 2
    groups = test.groups()
    first, last = floor(averages[0]), max(ceil(averages[-1]), floor(averages[0]) + 1)
    top = 14 + LINE_HEIGHT * len(groups) + 8
    rows: list[dict[str, Any]] = []
    for index, (name, rank) in enumerate(zip(names, averages, strict=True)):
        better = index < half
        row = index if better else len(names) - 1 - index
        text = f"{name} {rank:.2f}" if better else f"{rank:.2f} {name}"
        edge = first if better else last
        kind = "left" if better else "right"
        rows.append(_make_row(kind, rank, edge, top + ROW_HEIGHT * (row + 0.5), text))
    for line, group in enumerate(groups):
        joined = f"{names[group[0]]} to {names[group[-1]]}: no significant difference"
        ends = averages[group[0]], averages[group[-1]]
        rows.append(_make_row("joined", *ends, 14.0 + LINE_HEIGHT * line, joined))
    height = top + ROW_HEIGHT * half + 40
    label = f"critical difference {test.critical:.2f}"
    rows.append(_make_row("critical", first, min(first + test.critical, last), height - 22, label))
    step = max(1, round((last - first) / MAX_TICKS))
    axis: dict[str, Any] = {"orient": "top", "grid": False, "domain": True, "ticks": True, "format": "d"}
    axis["values"] = list(range(first, last + 1, step))
    x = quantitative("rank", "average rank (1 is best)", domain=(first, last), axis=axis)
    y = quantitative("y", axis=None, domain=(height, 0))
    thin = {"color": colours()["soft"], "strokeWidth": 0.8}
    candidates = "datum.kind == 'left' || datum.kind == 'right'"
    layers = [
        _filter_rows(candidates, layer("rule", thin, x=x, y=y, y2={"value": 0})),
        _filter_rows(candidates, layer("rule", thin, x=x, x2={"field": "end"}, y=y)),
        _filter_rows("datum.kind == 'left'", _build_text_layer("right", -6, y)),
        _filter_rows("datum.kind == 'right'", _build_text_layer("left", WIDTH + 6, y)),
        _filter_rows("datum.kind == 'joined'", _build_line_layer(3.4, "accent", x, y)),
        _filter_rows("datum.kind == 'critical'", _build_line_layer(1.6, "ink", x, y)),
        _filter_rows("datum.kind == 'critical'", _build_text_layer("left", 0, y, dy=11)),
    ]
    return VegaChart(title, rows, {"width": WIDTH, "height": height, "layer": layers})


def _make_row(kind: str, rank: float, end: float, y: float, text: str) -> dict[str, Any]:
    return {"kind": kind, "rank": rank, "end": end, "y": y, "text": text}


def _filter_rows(test: str, drawn: Any) -> dict[str, Any]:
    return {**drawn, "transform": [{"filter": test}]}


def _build_text_layer(align: str, x: float, y: dict[str, Any], **more: Any) -> Any:
    return layer("text", {"align": align, **more}, x={"value": x}, y=y, text={"field": "text"})


def _build_line_layer(width: float, colour: str, x: dict[str, Any], y: dict[str, Any]) -> Any:
    description = {"field": "text", "type": "nominal"}
    properties = {"strokeWidth": width, "color": colours()[colour]}
    return layer("rule", properties, x=x, x2={"field": "end"}, y=y, description=description)
