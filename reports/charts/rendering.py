"""Charts as pictures: one SVG, drawn by vl-convert, from which page, PNG and PDF are made."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import partial
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crossbank.reports.charts.theme import colours
from crossbank.reports.escaped_output import escape_text
from crossbank.reports.tables.table_files import file_name, format_csv
from crossbank.treebanks.ranges import side_by_side

if TYPE_CHECKING:
    from crossbank.reports.charts.chart import Figure, VegaChart

VEGA_LITE = "5.21"
"""Version of Vega-Lite that draws: a newer one may draw the same chart differently."""

PIXELS_PER_POINT = 2
"""Pixels of a PNG for each pixel of the chart, for printing and for screens of high density."""

MIN_SCALE = 0.92
"""A narrow window shrinks a chart as far as this, to letters of 11 pixels; then the chart scrolls."""

REDUNDANT = re.compile(
    r' (?:role|aria-roledescription|aria-hidden|pointer-events|xmlns:xlink|version)="[^"]*"'
    r'| (?:opacity="1"|stroke-miterlimit="10")'
    r'|<path class="(?:background|foreground)"[^<>]*/>'
)
"""What Vega writes and no program needs that displays the picture."""

CIRCLE = re.compile(
    r'<path([^<>]*) transform="translate\(([-\d.]+),([-\d.]+)\)"'
    r' d="M([\d.]+),0A\4,\4,0,1,1,-\4,0A\4,\4,0,1,1,\4,0"([^<>]*)>(.*?)</path>'
)
"""A circle, which Vega writes as a path of two arcs."""

MARK = re.compile(r'<(path|text|rect|line)([^<>]*?) aria-label="([^"]*)"([^<>]*?)(/>|>([^<]*)</\1>)')


def render_svg(chart: VegaChart) -> str:
    """Return a chart as an ``<svg>`` element in light colours.

    Descriptions of marks become ``<title>`` elements, which browsers display on hover.
    """
    import vl_convert

    specification = _escape_strings(chart.specification)
    drawn = vl_convert.vegalite_to_svg(specification, vl_version=VEGA_LITE)
    drawn = re.sub(r"<g class=\"mark-group role-axis\"[^>]* aria-label=\"[^\"]*\"[^>]*>", "<g>", drawn)
    drawn = re.sub(r"(<g [^>]*?) aria-label=\"[^\"]*\"", r"\1", drawn)
    drawn = MARK.sub(_with_title, drawn)
    drawn = REDUNDANT.sub("", drawn)
    drawn = re.sub(r"<[^<>]*>", _with_short_numbers, drawn)
    drawn = CIRCLE.sub(r'<circle\1 cx="\2" cy="\3" r="\4"\5>\6</circle>', drawn)
    while (shorter := re.sub(r"<g(?: [^<>]*)?></g>|<g(?: [^<>]*)?/>", "", drawn)) != drawn:
        drawn = shorter
    opening = _opening(escape_text(chart.title))
    return drawn.replace('<svg xmlns="http://www.w3.org/2000/svg"', opening, 1).strip()


def _escape_strings(value: Any) -> Any:
    """Return a specification whose names and labels have no characters that XML does not allow."""
    if isinstance(value, str):
        return escape_text(value)
    if isinstance(value, dict):
        return {key: _escape_strings(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_escape_strings(member) for member in value]
    return value


def _with_short_numbers(tag: re.Match[str]) -> str:
    """Return a tag with coordinates of one decimal; text between tags is unchanged."""
    return re.sub(r"\d+\.\d{2,}", lambda n: f"{float(n[0]):.1f}".removesuffix(".0"), tag[0])


def _opening(title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" overflow="visible" aria-label="{escape(title)}"'
    )


def _with_title(mark: re.Match[str]) -> str:
    name, before, label, after, _, text = mark.groups()
    return f"<{name}{before}{after}><title>{label}</title>{text or ''}</{name}>"


def render_for_page(chart: VegaChart) -> str:
    """Return a chart as an element of the page, whose colours follow the page into dark mode and print."""
    names = {value: name for name, value in colours().items()}
    drawn_width = re.search(r' width="(\d+)', chart.svg)
    assert drawn_width is not None
    style = f"min-width: {MIN_SCALE * int(drawn_width[1]):.0f}px"
    opening = f' class="chart" style="{style}"'
    svg = chart.svg.replace(' xmlns="http://www.w3.org/2000/svg"', opening, 1)
    svg = re.sub(r' class="marks"| font-family="[^"]*"', "", svg)
    return re.sub(
        r"#[0-9a-f]{6}", lambda colour: f"var(--{names[colour[0]]})" if colour[0] in names else colour[0], svg
    )


def write_figures(figures: Iterable[Figure], folder: str | PathLike[str]) -> None:
    """Write each chart as ``KEY.svg``, ``KEY.png`` and ``KEY.pdf``; files of an earlier run are deleted.

    Its data are ``KEY.csv``; its specification is ``KEY.vl.json``.
    """
    side_by_side(figure_writers(figures, folder))


def figure_writers(figures: Iterable[Figure], folder: str | PathLike[str]) -> list[Callable[[], object]]:
    """Return a call for each chart that writes its files; the folder is made, and its old files deleted.

    The calls can be side by side, and beside other work: charts are drawn without Python's lock.
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for pattern in ("*.svg", "*.png", "*.pdf", "*.csv", "*.vl.json"):
        for old in target.glob(pattern):
            old.unlink()
    drawn = [(figure.chart, target / f"{file_name(figure.key)}.svg") for figure in figures if figure.chart]
    return [partial(_write_chart, chart, path) for chart, path in drawn]


def _write_chart(chart: VegaChart, path: Path) -> None:
    import vl_convert

    path.write_text(f"{chart.svg}\n", encoding="utf-8")
    path.with_suffix(".pdf").write_bytes(vl_convert.svg_to_pdf(chart.svg))
    path.with_suffix(".png").write_bytes(vl_convert.svg_to_png(chart.svg, scale=PIXELS_PER_POINT))
    values = format_csv([list(chart.rows[0]), *(row.values() for row in chart.rows)])
    path.with_suffix(".csv").write_text(values, "utf-8", newline="")
    specification = json.dumps(chart.specification, ensure_ascii=False)
    path.with_suffix(".vl.json").write_text(specification, encoding="utf-8")
