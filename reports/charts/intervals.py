"""Scores, or differences, with their intervals on one axis, a row for each."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from crossbank.metrics.counting.counts import Measure, shown
from crossbank.metrics.counting.presentation import measure_title
from crossbank.reports.charts.axes import LETTER, apart, axis, fitted, opening
from crossbank.reports.charts.figure import Drawing, layer, nominal, quantitative
from crossbank.reports.results.summary import Score

AXIS, VALUE, TITLE = 215, 60, 18
"""Width of the axis and of the printed scores; height of a title; pixels."""

ROW, DENSE, MANY = 24, 15, 30
"""Height of a row, and of one where there are many, in pixels."""

LEAST, MOST = 90, 420
"""The least and the greatest width of the names; pixels."""


class Row(NamedTuple):
    """A row of the chart: its name, its value as a number and as printed, its interval if there is one."""

    name: str
    value: float
    text: str
    low: float | None = None
    high: float | None = None


def interval_chart(scores: Sequence[Score], measure: Measure) -> Drawing:
    """One measure's scores as an ``<svg>`` element; the empty string if none of them has a value.

    A dot is a score, the line through it its interval. The axis spans the intervals, so it need not
    begin at zero; its ends are printed.
    """
    unit = 100 if measure.proportion else 1
    rows = []
    for score in (score for score in scores if score.value is not None):
        ends = (None if end is None else unit * end for end in (score.value, score.low, score.high))
        value, low, high = ends
        name = f"{score.treebank} · {score.candidate}"
        rows.append(Row(name, value or 0.0, shown(score.value, measure), low, high))
    if not rows:
        return Drawing()
    title = f"{measure_title(scores[0].metric, measure)} with intervals"
    return row_chart(rows, title, axis_label(measure), names=apart([row.name for row in rows]))


def axis_label(measure: Measure) -> str:
    """Return the title of a measure's axis, with the unit."""
    return f"{measure.heading}, per cent" if measure.proportion else measure.heading


def row_chart(
    rows: Sequence[Row], title: str, axis_title: str, *, names: Sequence[str] = (), zero_line: bool = False
) -> Drawing:
    """Rows as an ``<svg>`` element, on request with a line at zero; the empty string without rows.

    names  shorter names of the rows, where the chart has no need of the whole ones
    """
    if not rows:
        return Drawing()
    ends = [end if end is not None else row.value for row in rows for end in (row.low, row.high)]
    names = names or [row.name for row in rows]
    label = round(min(max(LEAST, LETTER * max(map(len, names)) + 20), MOST))
    x = axis([*ends, *([0.0] if zero_line else [])], label, label + AXIS, least=1.0)
    step = ROW if len(rows) <= MANY else DENSE
    width, bottom = label + AXIS + VALUE, step * len(rows) + 28
    height = bottom + TITLE
    parts = opening("intervals dense" if step == DENSE else "intervals", title, width, height)
    for tick in x.ticks:
        kind = "zero" if zero_line and tick == 0 else "grid"
        parts.append(f'<path class="{kind}" d="M{x(tick):.1f} 4V{bottom - 22}"/>')
        parts.append(f'<text class="tick" x="{x(tick):.1f}" y="{bottom - 6}">{tick:g}</text>')
    middle = label + AXIS / 2
    parts.append(f'<text class="label" x="{middle:g}" y="{height - 5}">{escape(axis_title)}</text>')
    for place, (row, name) in enumerate(zip(rows, names, strict=True)):
        y = step * place + 16
        fit = fitted(name, label - 16)
        parts.append(f'<text class="name" x="{label - 12}" y="{y + 4}"{fit}>{escape(name)}</text>')
        if row.low is not None and row.high is not None:
            low, high = x(row.low), x(row.high)
            parts.append(f'<path class="interval" d="M{low:.1f} {y}H{high:.1f}M{low:.1f} {y - 4}v8')
            parts[-1] += f'M{high:.1f} {y - 4}v8"/>'
        parts.append(f'<circle cx="{x(row.value):.1f}" cy="{y}" r="{4.5 if step == ROW else 3.5}"/>')
        parts.append(f'<text class="value" x="{width - 6}" y="{y + 4}">{escape(row.text)}</text>')
    dot = layer("point", of={"filled": True}, x=quantitative("value", axis_title), y=nominal("name"))
    line = layer("rule", x=quantitative("low", axis_title), x2={"field": "high"}, y=nominal("name"))
    return Drawing.of(parts, [row._asdict() for row in rows], [line, dot])
