"""A chart as it is drawn, with the values that it shows and how Vega-Lite draws them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


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
