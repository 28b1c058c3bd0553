"""A chart as a Vega-Lite specification, and a figure: a chart with its key, title and caption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from crossbank.reports.charts.theme import theme

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"

HALF_PAGE = 590
"""Width of half a page in pixels; a wider chart gets a line of its own."""

Row: TypeAlias = Mapping[str, Any]
Layer: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class VegaChart:
    """A Vega-Lite specification with the rows of data that it draws; false if there is nothing to draw.

    rows    a row of data for each mark, all with the same columns
    view    the specification without its data, title and theme: ``layer`` or ``hconcat``, sizes, parameters
    """

    title: str = ""
    rows: Sequence[Row] = ()
    view: Mapping[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.rows)

    @cached_property
    def specification(self) -> dict[str, Any]:
        """The whole specification, which any Vega-Lite renderer draws."""
        return {
            "$schema": SCHEMA,
            "description": self.title,
            "config": theme(),
            "data": {"values": [dict(row) for row in self.rows]},
            **self.view,
        }

    @cached_property
    def svg(self) -> str:
        """The chart as an ``<svg>`` element; empty if there is nothing to draw."""
        from crossbank.reports.charts.rendering import render_svg

        return render_svg(self) if self else ""


@dataclass(frozen=True)
class Figure:
    """A chart with its caption.

    key      name in addresses and files
    on_page  whether the page has it; if not, it is only in the folder of figures
    open     whether it is open on the page; if not, it is folded
    among    the title of the small multiples to which it belongs; they share the first one's caption
    """

    key: str
    title: str
    caption: str
    chart: VegaChart
    on_page: bool = True
    open: bool = True
    among: str = ""

    @property
    def wide(self) -> bool:
        """Return whether two such figures do not fit side by side."""
        _, _, rest = self.chart.svg.partition(' width="')
        width, _, _ = rest.partition('"')
        return bool(width) and float(width) > HALF_PAGE


def layer(mark: str, properties: Mapping[str, Any] | None = None, **channels: Any) -> Layer:
    """Return a layer with one type of mark, its further properties and its encoding channels.

    Only marks with a channel ``description`` are read aloud and displayed on hover.
    """
    is_described = "description" in channels
    return {"mark": {"type": mark, "aria": is_described, **(properties or {})}, "encoding": channels}


def quantitative(
    column: str, title: str | None = None, *, domain: Sequence[float] | None = None, **more: Any
) -> dict[str, Any]:
    """Return a channel of numbers; its scale need not begin at zero.

    domain  the ends of the scale; without it the data decide
    """
    scale = {"zero": False, **({"domain": list(domain), "nice": False} if domain else {})}
    return {
        "field": column,
        "type": "quantitative",
        "title": title,
        "scale": scale | more.pop("scale", {}),
        **more,
    }


def ordinal(column: str, title: str | None = None, **more: Any) -> dict[str, Any]:
    """Return a channel of names in the order of the rows."""
    return {"field": column, "type": "ordinal", "title": title, "sort": None, **more}


HOVER: Mapping[str, Any] = {"field": "hover", "type": "nominal"}
"""Channel of the text that is displayed on hover and read aloud; column ``hover``."""
