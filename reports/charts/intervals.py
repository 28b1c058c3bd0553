"""Scores, or differences, with their intervals on one axis, a row for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from crossbank.metrics.counting.counts import Measure, format_value
from crossbank.metrics.counting.presentation import measure_title
from crossbank.reports.charts.chart import HOVER, VegaChart, layer, ordinal, quantitative
from crossbank.reports.charts.theme import colours
from crossbank.reports.results.summary import Score

WIDTH = 160
"""Width of the axis in pixels: names, axis and values fit on a phone."""

HEIGHT, DENSE_HEIGHT, LINE_HEIGHT, MAX_SPACED_ROWS = 24, 15, 14, 30
"""Height of a row, of one where there are more than MANY, and of each further line of a name, in pixels."""

MAX_LINE_LETTERS = 22
"""Letters of a line of a row's name; longer names have two lines or more."""


class IntervalRow(NamedTuple):
    """A row of the chart: its name, its value as a number and as text, its interval if there is one."""

    name: str
    value: float
    text: str
    low: float | None = None
    high: float | None = None


def build_interval_chart(scores: Sequence[Score], measure: Measure) -> VegaChart:
    """Return one measure's scores: a dot is a score, the line through it its interval."""
    unit = 100 if measure.proportion else 1
    rows = []
    for score in scores:
        if score.value is None:
            continue
        low, high = (None if end is None else unit * end for end in (score.low, score.high))
        name = f"{score.treebank} · {score.candidate}"
        rows.append(IntervalRow(name, unit * score.value, format_value(score.value, measure), low, high))
    if not rows:
        return VegaChart()
    title = f"{measure_title(scores[0].metric, measure)} with intervals"
    return build_row_chart(
        rows, title, axis_label(measure), names=drop_common_treebank([row.name for row in rows])
    )


def axis_label(measure: Measure) -> str:
    """Return the title of a measure's axis, with the unit."""
    return f"{measure.heading}, per cent" if measure.proportion else measure.heading


def drop_common_treebank(names: Sequence[str]) -> list[str]:
    """Return names without the treebank's if it is the same for all of several.

    >>> short_names(["tiger · lstm", "tiger · pcfg"]), short_names(["tiger · lstm", "tuba · lstm"])
    (['lstm', 'pcfg'], ['tiger · lstm', 'tuba · lstm'])
    """
    parts = [name.partition(" · ") for name in names]
    is_same = len(names) > 1 and len({treebank for treebank, _, _ in parts}) == 1 and all(p[2] for p in parts)
    return [candidate for _, _, candidate in parts] if is_same else list(names)


def split_name(name: str) -> list[str]:
    """Return a name in lines of at most LONGEST letters, broken after a separator where there is one."""
    lines = []
    while len(name) > MAX_LINE_LETTERS:
        end = (
            max((name.rfind(sign, 1, MAX_LINE_LETTERS) + 1 for sign in " _-/."), default=0)
            or MAX_LINE_LETTERS
        )
        lines.append(name[:end].rstrip())
        name = name[end:]
    return [*lines, name]


def build_row_chart(
    rows: Sequence[IntervalRow],
    title: str,
    axis_title: str,
    *,
    names: Sequence[str] = (),
    zero_line: bool = False,
) -> VegaChart:
    """Return a chart of rows, on request with a line at zero.

    names  shorter names of the rows, where the chart does not need the whole ones
    """
    if not rows:
        return VegaChart()
    labels = [split_name(name) for name in names or [row.name for row in rows]]
    # A row is identified by its index: two candidates may have the same short name.
    data = [{"row": index, **row._asdict(), "hover": _description(row)} for index, row in enumerate(rows)]
    height = HEIGHT if len(rows) <= MAX_SPACED_ROWS else DENSE_HEIGHT
    height += LINE_HEIGHT * (max(map(len, labels)) - 1)
    axis = {"labelExpr": "labels[datum.value]", "grid": False, "labelFontSize": 12}
    y = ordinal("row", axis=axis)
    x = quantitative("value", axis_title, axis={"tickCount": 4})
    ends: dict[str, Any] = {"x": quantitative("low", axis_title), "x2": {"field": "high"}, "y": y}
    cap = {"color": colours()["accent"], "size": 8, "thickness": 1.6, "opacity": 1}
    zero = [layer("rule", {"color": colours()["ink"]}, x={"datum": 0})] if zero_line else []
    layers = [
        *zero,
        layer("rule", {"strokeWidth": 1.6}, **ends),
        layer("tick", cap, x=ends["x"], y=y),
        layer("tick", cap, x=quantitative("high", axis_title), y=y),
        layer("point", {"size": 70}, x=x, y=y, description=HOVER),
        layer("text", {"align": "left"}, x={"value": WIDTH + 8}, y=y, text={"field": "text"}),
    ]
    view = {
        "params": [{"name": "labels", "value": labels}],
        "width": WIDTH,
        "height": {"step": height},
        "layer": layers,
    }
    return VegaChart(title, data, view)


def _description(row: IntervalRow) -> str:
    interval = "" if row.low is None or row.high is None else f" ({row.low:.2f} to {row.high:.2f})"
    return f"{row.name}: {row.text}{interval}"
