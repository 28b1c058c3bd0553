"""A chart as it is drawn, with the values that it shows, how Vega-Lite draws them, and its caption."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"

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


class Drawing(str):
    """An ``<svg>`` element as text; empty where there is nothing to draw.

    rows    the values that it shows, a row for each mark, all with the same columns
    layers  Vega-Lite's marks with their encodings, which name these columns
    """

    __slots__ = ("layers", "rows")

    rows: Sequence[Mapping[str, Any]]
    layers: Sequence[Mapping[str, Any]]

    @classmethod
    def of(
        cls, svg: Sequence[str], rows: Sequence[Mapping[str, Any]], layers: Sequence[Mapping[str, Any]]
    ) -> Self:
        """A chart from the parts of its ``<svg>`` element, which is closed here, its rows and its layers."""
        drawn = cls("".join([*svg, "</svg>"]))
        drawn.rows, drawn.layers = rows, layers
        return drawn

    def vega_lite(self, title: str) -> dict[str, Any]:
        """Return the chart as a specification of Vega-Lite that holds its values."""
        return {
            "$schema": SCHEMA,
            "title": title,
            "data": {"values": list(self.rows)},
            "layer": list(self.layers),
        }


def layer(mark: str, *, of: Mapping[str, Any] | None = None, **channels: Any) -> dict[str, Any]:
    """A mark of Vega-Lite with its channels: the column of each, with its type and title, or a mapping.

    of  further properties of the mark
    """
    encoding = {name: channel for name, channel in channels.items() if channel is not None}
    return {"mark": {"type": mark, "tooltip": True, **(of or {})}, "encoding": encoding}


def quantitative(column: str, title: str = "", **more: Any) -> dict[str, Any]:
    """A channel of numbers; its scale need not begin at zero."""
    scale = {"zero": False, **more.pop("scale", {})}
    return {"field": column, "type": "quantitative", "title": title or column, "scale": scale, **more}


def nominal(column: str, title: str | None = None) -> dict[str, Any]:
    """A channel of names in the order of the rows."""
    return {"field": column, "type": "nominal", "title": title, "sort": None}
