"""A picture of a sentence as lines, framed labels and texts, with coordinates in pixels.

``svg`` paints a drawing for pages and notebooks. The page of all sentences lays out and paints the same lists
by its own script (``reports/pages/templates/layout.js``), since it has too many sentences to draw them
beforehand; a test compares the two.
"""

from __future__ import annotations

import unicodedata
from html import escape
from typing import NamedTuple

LETTER, CAPITAL = 6.6, 8.8
"""Width of a letter and of a capital in pixels."""

SIGNS = {"same": "", "relabelled": " ≠", "missing": " −", "additional": " +"}
"""The sign after a label, by its mark: how the other side's analysis differs."""

STYLE = (
    ".crossbank-drawing{color:CanvasText;background:Canvas;font:13px sans-serif}"
    ".crossbank-drawing text{text-anchor:middle;fill:currentColor}"
    ".crossbank-drawing path{fill:none;stroke:currentColor;stroke-opacity:.5}"
    ".crossbank-drawing rect{fill:Canvas;stroke:currentColor;stroke-opacity:.2}"
    ".crossbank-drawing circle{fill:currentColor}"
    ".crossbank-drawing .tag,.crossbank-drawing .arc{font-size:11px;fill-opacity:.7}"
)
"""The style of a drawing that stands alone, in light and dark notebooks."""


class Drawing(NamedTuple):
    """Parts of a picture, in pixels; the last entry of each tuple is its class.

    css_class  ``tree`` or ``arcs``
    paths   path data
    labels  middle, height of the middle, half the width of the frame, and text
    texts   rows of texts: baseline, the middle of each text, and the texts
    dots    middle and height
    """

    css_class: str
    width: int
    height: int
    paths: list[tuple[str, str]]
    labels: list[tuple[int, int, int, str, str]]
    texts: list[tuple[int, list[int], list[str], str]]
    dots: list[tuple[int, int, str]]


def svg(drawing: Drawing, *, title: str = "", alone: bool = False) -> str:
    """Return a drawing as an ``<svg>`` element.

    title  the text for screen readers and on hover
    alone  whether the element brings its own style, for pages without the report's style sheet
    """
    size = f'width="{drawing.width}" height="{drawing.height}"'
    css_class = f"crossbank-drawing {drawing.css_class}" if alone else drawing.css_class
    space = ' xmlns="http://www.w3.org/2000/svg"' if alone else ""
    parts = [
        f'<svg{space} class="{css_class}" role="img" {size} viewBox="0 0 {drawing.width} {drawing.height}">',
        f"<title>{escape(title)}</title>" if title else "",
        f"<style>{STYLE}</style>" if alone else "",
    ]
    parts += [f'<path class="{css_class}" d="{d}"/>' for d, css_class in drawing.paths]
    parts += [f'<circle class="{css_class}" cx="{x}" cy="{y}" r="2.5"/>' for x, y, css_class in drawing.dots]
    for x, y, half, text, css_class in drawing.labels:
        parts.append(
            f'<g class="{css_class}"><rect x="{x - half}" y="{y - 9}" width="{2 * half}" height="18" rx="4"/>'
            f'<text x="{x}" y="{y + 4}">{escape(text)}</text></g>'
        )
    for y, middles, texts, css_class in drawing.texts:
        for x, text in zip(middles, texts, strict=True):
            parts.append(f'<text class="{css_class}" x="{x}" y="{y}">{escape(text)}</text>')
    return "".join([*parts, "</svg>"])


def text_width(text: str) -> float:
    """Return about the width of a text in pixels, by the number of its letters."""
    return sum(_letter_width(letter) for letter in text)


def _letter_width(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 2 * LETTER
    return CAPITAL if letter.isupper() else LETTER
