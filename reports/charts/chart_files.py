"""The report's charts as files: SVG that stands alone, PDF made from it, the values as CSV, and Vega-Lite."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from crossbank.reports.charts.figure import Drawing, Figure
from crossbank.reports.tables.csv_cells import as_csv
from crossbank.reports.tables.table_files import file_name

TEMPLATES = Path(__file__).parents[1] / "pages" / "templates"

NAMESPACE = "http://www.w3.org/2000/svg"

# One font and no transparency: the program that makes PDFs writes several of them in no fixed order.
FONT = "Palatino, 'URW Palladio L', P052, Georgia, 'Liberation Serif', serif"


def write_figures(figures: Iterable[Figure], folder: str | PathLike[str]) -> None:
    """Write each chart as ``KEY.svg`` and ``KEY.pdf``; files of an earlier run are deleted.

    Its values are ``KEY.csv``, and ``KEY.vl.json`` draws these with Vega-Lite.
    """
    from vl_convert import svg_to_pdf

    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for kind in ("*.svg", "*.pdf", "*.csv", "*.vl.json"):
        for old in target.glob(kind):
            old.unlink()
    for figure in figures:
        path = target / f"{file_name(figure.key)}.svg"
        svg = standalone(figure.svg)
        path.write_text(svg, encoding="utf-8")
        path.with_suffix(".pdf").write_bytes(svg_to_pdf(svg))
        if isinstance(figure.svg, Drawing) and figure.svg.rows:
            rows = figure.svg.rows
            values = as_csv([rows[0], *(row.values() for row in rows)])
            path.with_suffix(".csv").write_text(values, "utf-8", newline="")
            spec = json.dumps(figure.svg.vega_lite(figure.title), ensure_ascii=False)
            path.with_suffix(".vl.json").write_text(spec, encoding="utf-8")


def standalone(svg: str) -> str:
    """A chart of the page as a document that stands alone, with its style in light colours."""
    style = f".chart {{ font-family: {FONT}; }}\n{chart_style()}"
    opening, _, rest = svg.partition(">")
    return f'{opening} xmlns="{NAMESPACE}"><style>{style}</style>{rest}\n'


def chart_style() -> str:
    """The charts' style sheet, with the page's variables replaced by their first values in ``report.css``."""
    colours = dict(
        reversed(re.findall(r"--([\w-]+): ([^;]+);", (TEMPLATES / "report.css").read_text("utf-8")))
    )
    charts = (TEMPLATES / "charts.css").read_text("utf-8")
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found.group(1)], charts)
