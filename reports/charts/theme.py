"""Colours, letters and lines of the charts: those of the page's style sheet, in its light colours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

STYLE_SHEET = Path(__file__).parents[1] / "pages" / "templates" / "report.css"

SERIES_COLOURS = ("s1", "s2", "s3", "s4", "s5", "s6")
"""Colours of series, in order."""

SERIES_SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross")
SERIES_DASHES = ([1, 0], [7, 3], [2, 3])

FONT = "Arial, 'Liberation Sans', Helvetica, sans-serif"

MARGIN = 12
"""Pixels at the left and right: where a browser has a wider font than the one measured, names have room."""


@cache
def colours() -> Mapping[str, str]:
    """Return the page's light colours by their name in the style sheet."""
    declared = re.findall(r"--([\w-]+): (#\w{6});", STYLE_SHEET.read_text("utf-8"))
    return dict(reversed(declared))


def series_styles(count: int) -> tuple[list[str], list[str], list[list[int]]]:
    """Return colour, shape and dashes of each of ``count`` series: 108 series differ in one of them.

    Colour is never the only difference between two of them.
    """
    colour = [colours()[SERIES_COLOURS[n % 6]] for n in range(count)]
    shapes = [SERIES_SHAPES[(n + n // 6) % 6] for n in range(count)]
    dashes = [SERIES_DASHES[(n + n // 36) % 3] for n in range(count)]
    return colour, shapes, dashes


def theme() -> dict[str, Any]:
    """Return the configuration that all charts share."""
    colour = colours()
    text = {"labelFontSize": 12, "titleFontSize": 12.5, "titleFontWeight": "normal"}
    axis = {"gridColor": colour["rule"], "domain": False, "ticks": False, "labelPadding": 6, "labelLimit": 0}
    axis["titlePadding"] = 8
    letters = {"labelColor": colour["ink"], "titleColor": colour["ink"], **text}
    return {
        "background": None,
        "font": FONT,
        "padding": {"left": MARGIN, "right": MARGIN, "top": 4, "bottom": 4},
        "view": {"stroke": None},
        "axis": {**axis, **letters},
        "legend": {
            **letters,
            "orient": "bottom",
            "symbolLimit": 0,
            "labelLimit": 0,
            "title": None,
            "offset": 6,
        },
        "header": letters,
        "text": {"color": colour["ink"], "fontSize": 12},
        "rule": {"color": colour["accent"]},
        "point": {"color": colour["accent"], "filled": True, "opacity": 1},
        "circle": {"opacity": 1},
        "line": {"strokeWidth": 1.8},
    }
