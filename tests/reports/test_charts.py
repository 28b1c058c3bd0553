"""Charts: one specification of Vega-Lite each, whose data are the numbers, and the pictures drawn from it."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from crossbank.metrics.counting.counts import Measure, ratio
from crossbank.metrics.statistics.ranks_over_treebanks import average_ranks
from crossbank.reports.charts.chart import Figure, VegaChart
from crossbank.reports.charts.critical_difference import build_critical_difference_chart
from crossbank.reports.charts.grid import ColumnGroup, GridColumn, build_grid_chart
from crossbank.reports.charts.heat_map import build_heat_map
from crossbank.reports.charts.intervals import (
    MAX_LINE_LETTERS,
    IntervalRow,
    build_interval_chart,
    build_row_chart,
    split_name,
)
from crossbank.reports.charts.line_charts import Point, Series, build_line_chart
from crossbank.reports.charts.rendering import render_for_page, write_figures
from crossbank.reports.charts.scatter import build_scatter_chart
from crossbank.reports.charts.theme import STYLE_SHEET, colours, series_styles
from crossbank.reports.results.summary import Score
from crossbank.reports.tables.table_files import file_name

MEASURE = Measure("f1", lambda sums: ratio(sums["a"], sums["b"]), "a / b")
NAMESPACE = "{http://www.w3.org/2000/svg}"


def score(value: float | None, low: float | None = None, high: float | None = None) -> Score:
    return Score("study", "klein", "raw", "parseval", "f1", value, low, high, 9, "parseval|v1.0")


RANKS = np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0], [1.0, 2.0, 3.0]])
CHARTS = {
    "rows": build_row_chart(
        [IntervalRow("a <b>", 81.25, "81.25", 80.0, 82.0), IntervalRow("c", 5.0, "5.00")], "Title", "F1"
    ),
    "lines": build_line_chart(
        [Series("x", [Point(10, 1.5, 1.0, 2.0), Point(1000, 3)])], "Title", "size", "LAS"
    ),
    "scatter": build_scatter_chart(RANKS[0], RANKS[1], "Title", "one", "other", "sentence {}".format),
    "heat": build_heat_map(
        "Title", [("a", "1"), ("b", "2"), ("c", "3")], ["t", "u", "v"], RANKS, "{} {}".format
    ),
    "ranks": build_critical_difference_chart("Title", ["a", "b", "c"], average_ranks(RANKS, 0.05)),
    "grid": build_grid_chart("Title", ["PP"], [ColumnGroup("loss", [GridColumn("all", [0.25], ["25"])])]),
}


def texts(chart: VegaChart) -> list[str]:
    """Return the text of each label, joined where it has several lines."""
    return ["".join(text.itertext()) for text in etree.fromstring(chart.svg).iter(f"{NAMESPACE}text")]


def titles(chart: VegaChart) -> list[str | None]:
    """Return the texts on hover."""
    return [title.text for title in etree.fromstring(chart.svg).iter(f"{NAMESPACE}title")]


def test_charts_hold_the_numbers_that_they_show() -> None:
    rows = build_interval_chart([score(0.8, 0.75, 0.9), score(0.5), score(None)], MEASURE).rows
    assert [(row["value"], row["low"], row["high"]) for row in rows] == [(80, 75, 90), (50, None, None)]
    assert [row["y"] for row in CHARTS["lines"].rows] == [1.5, 3]
    assert sum(row["sentences"] for row in CHARTS["scatter"].rows) == 3
    assert {(row["row"], row["column"]): row["rank"] for row in CHARTS["heat"].rows}["b  2", "v"] == 2.0
    assert CHARTS["ranks"].rows[0]["rank"] == pytest.approx(RANKS.mean(axis=0)[0])
    assert [(row["row"], row["column"], row["value"]) for row in CHARTS["grid"].rows] == [("PP", "all", 0.25)]


@pytest.mark.parametrize("kind", CHARTS)
def test_a_chart_is_written_as_picture_data_and_specification(tmp_path: Path, kind: str) -> None:
    chart = CHARTS[kind]
    write_figures([Figure(kind, "The title", "", chart)], tmp_path)
    specification = json.loads((tmp_path / f"{kind}.vl.json").read_text(encoding="utf-8"))
    with (tmp_path / f"{kind}.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    values = specification["data"]["values"]
    assert [{name: "" if v is None else str(v) for name, v in row.items()} for row in values] == rows
    assert (tmp_path / f"{kind}.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / f"{kind}.png").read_bytes().startswith(b"\x89PNG")
    root = etree.parse(tmp_path / f"{kind}.svg").getroot()
    assert root.tag == f"{NAMESPACE}svg"
    assert root.get("aria-label") == "Title"


@pytest.mark.parametrize("kind", CHARTS)
def test_text_is_drawn_as_it_is_in_the_data(kind: str) -> None:
    """Coordinates are shortened to one decimal; printed values are not."""
    chart = CHARTS[kind]
    drawn = texts(chart)
    assert {row["text"] for row in chart.rows if row.get("text") and row.get("kind") != "joined"} <= set(
        drawn
    )
    hover = {row["hover"] for row in chart.rows if row.get("hover")}
    assert hover <= set(titles(chart))


def test_characters_that_xml_does_not_allow_are_escaped(tmp_path: Path) -> None:
    name = "a\x00\x1b[31m\x9b\u202e\ufffe\uffffb"
    chart = build_row_chart([IntervalRow(name, 81.25, "81.25", 80.0, 82.0)], name, "F1")
    write_figures([Figure("rows", "The title", "", chart)], tmp_path)
    assert (tmp_path / "rows.pdf").read_bytes().startswith(b"%PDF")
    escaped = r"a\u0000\u001b[31m\u009b\u202e\ufffe\uffffb"
    assert escaped in texts(chart)
    assert etree.fromstring(chart.svg).get("aria-label") == escaped


@pytest.mark.parametrize("kind", CHARTS)
def test_colours_on_the_page_are_those_of_its_style_sheet(kind: str) -> None:
    drawn = render_for_page(CHARTS[kind])
    assert "var(--" in drawn
    assert not [value for value in colours().values() if value in drawn]


def test_each_colour_of_the_style_sheet_has_one_name() -> None:
    names = [name for name in colours() if name not in ("ink", "strong")]
    assert len({colours()[name] for name in names}) == len(names)
    assert STYLE_SHEET.is_file()


def test_a_chart_of_nothing_is_false() -> None:
    assert not build_interval_chart([score(None)], MEASURE)
    assert not build_line_chart([Series("x", [])], "Title", "size", "LAS")
    assert not build_scatter_chart(RANKS[0, :0], RANKS[1, :0], "Title", "one", "other", str)
    assert not build_heat_map("Title", [("a", "1")], ["t"], np.array([[np.nan]]), "{} {}".format)
    assert not build_grid_chart("Title", [], [ColumnGroup("loss", [GridColumn("all", [], [])])])
    assert VegaChart().svg == ""


def test_two_candidates_never_become_one_line() -> None:
    rows = build_row_chart([IntervalRow("same", 1, "1"), IntervalRow("same", 2, "2")], "Title", "F1")
    assert texts(rows).count("same") == 2
    with pytest.raises(ValueError, match="same name"):
        build_line_chart([Series("x", [Point(1, 1)]), Series("x", [Point(1, 2)])], "Title", "size", "LAS")


def test_many_series_differ_in_colour_shape_or_dashes() -> None:
    styles = list(zip(*series_styles(108), strict=True))
    assert len({(colour, shape, tuple(dashes)) for colour, shape, dashes in styles}) == 108
    assert all(one[1:] != other[1:] for one, other in zip(styles, styles[6:], strict=False))


@given(name=st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=200))
@settings(max_examples=200, deadline=None)
def test_names_in_lines_lose_no_letter(name: str) -> None:
    lines = split_name(name)
    assert "".join("".join(lines).split()) == "".join(name.split())
    assert all(len(line) <= MAX_LINE_LETTERS for line in lines)


def test_a_class_of_few_sentences_is_not_on_the_line() -> None:
    points = [Point(10, 80, 70, 90), Point(20, 100, few=True), Point(30, 82, 75, 88)]
    line = build_line_chart([Series("x", points)], "Title", "length", "F1")
    paths = [p.get("d", "") for p in etree.fromstring(line.svg).iter(f"{NAMESPACE}path")]
    assert sum(path.startswith("M0,") and path.count("L") == 1 for path in paths) == 1


def test_the_same_charts_have_the_same_bytes(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        figures = [Figure(kind, kind, "", VegaChart(c.title, c.rows, c.view)) for kind, c in CHARTS.items()]
        write_figures(figures, tmp_path / folder)
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()} for folder in ("one", "two")
    )
    assert one == two


def test_old_figures_are_deleted_and_keys_become_file_names(tmp_path: Path) -> None:
    (tmp_path / "old.svg").write_text("old")
    write_figures([Figure("a/b", "", "", CHARTS["rows"]), Figure("none", "", "", VegaChart())], tmp_path)
    assert [path.name for path in tmp_path.glob("*.svg")] == [f"{file_name('a/b')}.svg"]
