"""Average ranks on one axis, with lines that join the candidates that do not differ significantly.

Demšar, Janez (2006): Statistical Comparisons of Classifiers over Multiple Data Sets. Journal of Machine
Learning Research 7, Figure 1 (a). Best ranks are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor

from crossbank.metrics.statistics.ranks_over_treebanks import AverageRanks
from crossbank.reports.charts.axes import Axis, opening
from crossbank.reports.charts.figure import Drawing, layer, nominal, quantitative

AXIS, ROW, LINE, LETTER = 300, 17, 7, 7.2
"""Width of the axis, height of a candidate's row and of a joining line, a letter's width; pixels."""

TICKS = 10
"""About the number of ranks that are printed."""


def critical_difference_chart(title: str, names: Sequence[str], test: AverageRanks) -> Drawing:
    """Return the candidates at their average ranks as an ``<svg>`` element.

    names  those of ``test.averages``, the best first

    The better half is named at the left, the other half at the right, each with its average rank.
    """
    averages = [float(rank) for rank in test.averages]
    half = (len(names) + 1) // 2
    groups = test.groups()
    side = round(LETTER * max(map(len, names))) + 56
    first, last = floor(averages[0]), max(ceil(averages[-1]), floor(averages[0]) + 1)
    step = max(1, round((last - first) / TICKS))
    x = Axis(first, last, side, side + AXIS, [*range(first, last + 1, step)])
    axis_y, begin = 62, 62 + 12 + LINE * len(groups) + 8
    width, height = AXIS + 2 * side, begin + ROW * half + 8
    parts = [
        *opening("ranks", title, width, height),
        f'<text class="label" x="{width / 2:g}" y="14">average rank (1 is best)</text>',
        f'<path class="axis" d="M{x(first):.1f} {axis_y}H{x(last):.1f}"/>',
    ]
    for tick in x.ticks:
        parts.append(f'<path class="axis" d="M{x(tick):.1f} {axis_y - 5}v5"/>')
        parts.append(f'<text class="tick" x="{x(tick):.1f}" y="{axis_y - 9}">{tick:g}</text>')
    reach = min(x(first + test.critical), float(x.end))
    parts += [
        f'<path class="reach" d="M{x(first):.1f} 32H{reach:.1f}M{x(first):.1f} 28v8M{reach:.1f} 28v8"/>',
        f'<text class="name" x="{reach + 6:.1f}" y="36">critical difference {test.critical:.2f}</text>',
    ]
    for place, (name, rank) in enumerate(zip(names, averages, strict=True)):
        better = place < half
        row = place if better else len(names) - 1 - place
        y = begin + ROW * row + ROW / 2
        edge = side - 8 if better else side + AXIS + 8
        beside = edge - 4 if better else edge + 4
        parts.append(f'<path class="stem" d="M{x(rank):.1f} {axis_y}V{y:.1f}H{edge}"/>')
        texts = f"{name} {rank:.2f}" if better else f"{rank:.2f} {name}"
        kind = "left" if better else "right"
        parts.append(f'<text class="{kind}" x="{beside}" y="{y + 4:.1f}">{escape(texts)}</text>')
    for place, group in enumerate(groups):
        y = axis_y + 12 + LINE * place
        begin_x, end_x = x(averages[group[0]]) - 3, x(averages[group[-1]]) + 3
        joined = escape(f"{names[group[0]]} to {names[group[-1]]}: no significant difference")
        line = f'<path class="joined" d="M{begin_x:.1f} {y}H{end_x:.1f}">'
        parts.append(f"{line}<title>{joined}</title></path>")
    rows = [
        {"candidate": name, "average rank": rank, "reach": rank + test.critical}
        for name, rank in zip(names, averages, strict=True)
    ]
    # Two candidates differ significantly where one lies beyond the other's reach.
    where = {"x": quantitative("average rank"), "y": nominal("candidate")}
    arm = layer("rule", x2={"field": "reach"}, **where)
    return Drawing.of(parts, rows, [arm, layer("point", of={"filled": True}, **where)])
