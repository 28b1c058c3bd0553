"""Scores with their intervals on one axis, a row for each treebank and candidate."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor

from metrics.counts import Measure
from reports.summary import Score
from reports.tables import named, shown

LABEL, AXIS, VALUE, ROW = 210, 420, 70, 24
"""Width of the names, of the axis and of the printed scores; height of a row; pixels."""


def interval_chart(scores: Sequence[Score], measure: Measure) -> str:
    """One measure's scores as an ``<svg>`` element; nothing where none of them has a value.

    A dot is a score, the line through it its interval. The axis spans what there is to see, so it
    need not begin at nought; its ends are printed.
    """
    known = [(score, score.value) for score in scores if score.value is not None]
    if not known:
        return ""
    unit = 100 if measure.share else 1
    ends = [unit * (end if end is not None else value) for s, value in known for end in (s.low, s.high)]
    step = _step(max(max(ends) - min(ends), 1.0))
    first, last = floor(min(ends) / step) * step, ceil(max(ends) / step) * step
    last = last if last > first else first + step

    def x(value: float) -> float:
        return LABEL + AXIS * (value - first) / (last - first)

    width, height = LABEL + AXIS + VALUE, ROW * len(known) + 28
    parts = [
        f'<svg class="intervals" role="img" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}">',
        f"<title>{escape(named(scores[0].metric))} {escape(named(measure.name))} with intervals</title>",
    ]
    for tick in range(round((last - first) / step) + 1):
        value = first + tick * step
        parts.append(f'<path class="grid" d="M{x(value):.1f} 4V{height - 22}"/>')
        parts.append(f'<text class="tick" x="{x(value):.1f}" y="{height - 6}">{value:g}</text>')
    for row, (score, value) in enumerate(known):
        y = ROW * row + 16
        name = f"{score.treebank} · {score.candidate}"
        parts.append(f'<text class="name" x="{LABEL - 12}" y="{y + 4}">{escape(name)}</text>')
        if score.low is not None and score.high is not None:
            low, high = x(unit * score.low), x(unit * score.high)
            parts.append(f'<path class="interval" d="M{low:.1f} {y}H{high:.1f}M{low:.1f} {y - 4}v8')
            parts[-1] += f'M{high:.1f} {y - 4}v8"/>'
        parts.append(f'<circle cx="{x(unit * value):.1f}" cy="{y}" r="4.5"/>')
        parts.append(f'<text class="value" x="{width - 6}" y="{y + 4}">{shown(value, measure)}</text>')
    return "".join([*parts, "</svg>"])


def _step(extent: float) -> float:
    """A round distance between ticks that gives about five of them: 1, 2 or 5 times a power of ten."""
    step = 0.01
    while step * 6 < extent:
        step *= 2.5 if f"{step:e}".startswith("2") else 2
    return step
