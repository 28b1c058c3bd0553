"""A chart with its caption."""

from __future__ import annotations

import re
from dataclasses import dataclass

HALF = 590
"""The width of half a page in pixels; a wider chart that stood there would have letters too small to read."""


@dataclass(frozen=True)
class Figure:
    """A chart with its caption.

    key      its name in addresses and files
    svg      the chart as an ``<svg>`` element; empty where there is nothing to draw
    on_page  whether the page shows it; if not, it is only in the folder of figures
    open     whether it stands open on the page; if not, it is folded
    among    the title of the small multiples to which it belongs; they share the first one's caption
    """

    key: str
    title: str
    caption: str
    svg: str
    on_page: bool = True
    open: bool = True
    among: str = ""

    @property
    def wide(self) -> bool:
        """True if two such figures have no room side by side."""
        found = re.search(r' width="(\d+)"', self.svg)
        return found is not None and int(found[1]) > HALF
