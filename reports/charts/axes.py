"""Axes with round ticks, a frame for values against values, and the marks of series.

Charts are ``<svg>`` elements written as text, with classes that ``templates/charts.css`` paints, so the
same chart follows the page's light or dark colours and can stand alone in a file (``charts.chart_files``).
Colour is never the only sign: the marks of a series have their own shape, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

SERIES = 6
"""The number of series with their own colours and marks; further series repeat them with open marks."""

WIDTH, HEIGHT = 400, 280
LEFT, RIGHT, TOP, BOTTOM = 54, 10, 14, 48
LEGEND = 20
"""Size of a framed chart, of the margins around its frame, and of a line of the legend; pixels.

So wide it can be read on a phone and in a column of 84 mm."""

ACROSS, UP = (LEFT + 14, WIDTH - RIGHT - 14), (HEIGHT - BOTTOM, TOP)
"""The ends of a framed chart's horizontal axis, with room for the marks there, and of its vertical axis."""

LETTER = 7.2
"""The width of a name's letter; pixels."""


@dataclass(frozen=True)
class Axis:
    """A linear or logarithmic scale from values to places in pixels.

    ticks  the values that are printed, in order
    """

    first: float
    last: float
    begin: float
    end: float
    ticks: Sequence[float]
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """Return the place of a value in pixels."""
        first, last = self.first, self.last
        if self.logarithmic:
            first, last, value = log10(first), log10(last), log10(value)
        return self.begin + (self.end - self.begin) * (value - first) / (last - first)


def opening(kind: str, title: str, width: float, height: float) -> list[str]:
    """Beginning of a chart: its element, and the title that is read aloud and shown on hover."""
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return [f'<svg class="chart {kind}" role="img" {size}>', f"<title>{escape(title)}</title>"]


def axis(values: Sequence[float], begin: float, end: float, *, least: float = 0.0) -> Axis:
    """A linear axis with round ends that holds all values and spans at least ``least``.

    It need not begin at zero. ``values`` has at least one value.
    """
    step = _step(max(max(values) - min(values), least) or 1.0)
    first, last = floor(min(values) / step + 1e-9) * step, ceil(max(values) / step - 1e-9) * step
    last = last if last > first else first + step
    ticks = [round(first + tick * step, 10) for tick in range(round((last - first) / step) + 1)]
    return Axis(ticks[0], ticks[-1], begin, end, ticks)


def logarithmic_axis(values: Sequence[float], begin: float, end: float) -> Axis:
    """A logarithmic axis with ticks at the values that there is room for; all values are above zero."""
    distinct = sorted(set(values))
    first, last = distinct[0], distinct[-1]
    room = log10(last / first) / 7
    ticks = [first]
    for value in distinct[1:]:
        if log10(value / ticks[-1]) >= room:
            ticks.append(value)
    return Axis(first, last, begin, end, ticks, True)


def spread(values: Sequence[float]) -> bool:
    """True if values belong on a logarithmic scale: all are above zero, the largest is 30 times the least."""
    return min(values) > 0 and max(values) >= 30 * min(values)


def _step(extent: float) -> float:
    """A round distance that gives about five ticks: 1, 2 or 5 times a power of ten."""
    step = 10.0 ** floor(log10(extent) - 1)
    while step * 6 < extent:
        step *= 2.5 if f"{step:e}".startswith("2") else 2
    return step


def frame(
    kind: str, title: str, x: Axis, y: Axis, x_label: str, y_label: str, *, legend: Sequence[str] = ()
) -> list[str]:
    """Beginning of a framed chart: title, grid, ticks, labels of the axes, and the legend below."""
    names, half = apart(legend), (WIDTH - RIGHT - LEFT) / 2
    sides = 2 if len(names) > 4 and all(LETTER * len(name) <= half - 22 for name in names) else 1
    parts = opening(kind, title, WIDTH, HEIGHT + LEGEND * ceil(len(names) / sides))
    for tick in y.ticks:
        parts.append(f'<path class="grid" d="M{LEFT} {y(tick):.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text class="tick end" x="{LEFT - 8}" y="{y(tick) + 4:.1f}">{tick:,g}</text>')
    for tick in x.ticks:
        parts.append(f'<path class="grid" d="M{x(tick):.1f} {TOP}V{HEIGHT - BOTTOM}"/>')
        shown = f"{tick:,.0f}" if float(tick).is_integer() else f"{tick:,g}"
        parts.append(f'<text class="tick" x="{x(tick):.1f}" y="{HEIGHT - BOTTOM + 18}">{shown}</text>')
    across, middle = (LEFT + WIDTH - RIGHT) / 2, (TOP + HEIGHT - BOTTOM) / 2
    upright = f'transform="translate(14 {middle:.1f}) rotate(-90)"'
    parts.append(f'<text class="label" x="{across:.1f}" y="{HEIGHT - 8}">{escape(x_label)}</text>')
    parts.append(f'<text class="label" {upright}>{escape(y_label)}</text>')
    for series, name in enumerate(names):
        left, row = LEFT + half * (series % sides), HEIGHT + LEGEND * (series // sides) + LEGEND // 2
        parts.append(mark(series, left + 8, row))
        fit = fitted(name, WIDTH - RIGHT - left - 22)
        parts.append(f'<text class="name" x="{left + 22:g}" y="{row + 4}"{fit}>{escape(name)}</text>')
    return parts


def apart(names: Sequence[str]) -> list[str]:
    """Names as a chart shows them: without the treebank's where it is the same for several.

    >>> apart(["tiger · lstm", "tiger · pcfg"]), apart(["tiger · lstm", "tuba · lstm"]), apart(["tiger"])
    (['lstm', 'pcfg'], ['tiger · lstm', 'tuba · lstm'], ['tiger'])
    """
    found = [name.partition(" · ") for name in names]
    same = len(names) > 1 and len({treebank for treebank, _, _ in found}) == 1 and all(f[2] for f in found)
    return [rest for _, _, rest in found] if same else list(names)


def fitted(name: str, room: float) -> str:
    """Attributes that press a name into its room in pixels, so that none is cut; empty if it has room."""
    if LETTER * len(name) <= room:
        return ""
    return f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"'


def paint(series: int) -> str:
    """Return the classes that give a series its colour and the kind of its line and marks.

    From the thirteenth series on a shape has another colour.
    """
    again, place = divmod(series, 2 * SERIES)
    return f"s{(place + again) % SERIES + 1}{' open' if place >= SERIES else ''}"


def mark(series: int, x: float, y: float, size: float = 4.5) -> str:
    """Return the mark of a series at a place; each of 72 series has its own."""
    place = series % SERIES
    kind = f"mark {paint(series)}"
    if place == 0:
        return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{size}"/>'
    corners = {
        1: ((-1, -1), (1, -1), (1, 1), (-1, 1)),
        2: ((0, -1.3), (1.2, 0.9), (-1.2, 0.9)),
        3: ((0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)),
        4: ((0, 1.3), (1.2, -0.9), (-1.2, -0.9)),
        5: ((-0.4, -1.3), (0.4, -1.3), (0.4, -0.4), (1.3, -0.4), (1.3, 0.4), (0.4, 0.4),
            (0.4, 1.3), (-0.4, 1.3), (-0.4, 0.4), (-1.3, 0.4), (-1.3, -0.4), (-0.4, -0.4)),
    }[place]  # fmt: skip
    points = " ".join(f"{x + size * dx * 0.95:.1f},{y + size * dy * 0.95:.1f}" for dx, dy in corners)
    return f'<polygon class="{kind}" points="{points}"/>'
