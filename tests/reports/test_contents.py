"""List of sections: another package adds to it, and all forms of a report go through it."""

import sys
from pathlib import Path

import pytest

from crossbank.reports.pages.page import render_page
from crossbank.reports.pages.paper import render_latex_tables
from crossbank.reports.sections.section import (
    all_figures,
    all_tables,
    paper_tables,
    section_classes,
    sections_of,
)
from crossbank.reports.study.reading import load_study
from crossbank.reports.texts.terminal_summary import format_summary
from crossbank.treebanks import OptionError
from crossbank.treebanks.registry import no_code_of_others
from crossbank.workflow.study_check import check_study
from tests.errors import raises
from tests.reports.toy import results

SECTION = """
from crossbank.reports.charts.chart import Figure
from crossbank.reports.charts.intervals import IntervalRow, build_row_chart
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, ReportTable


class Weather(Section):
    key, heading = "weather", "The weather"
    printed_tables = ("rain",)
    position = 89

    def introduction(self):
        yield "It rained."

    def build_content(self):
        chart = build_row_chart([IntervalRow("a", 1.0, "1")], "Drops", "mm")
        yield Figure("drops", "Drops", "One drop.", chart)
        yield ReportTable("rain", "Rain", "In mm.", [Column("Rain")], [[Cell("7.50", value=7.5)]])
        yield ReportTable("snow", "Snow", "None.", [Column("Snow")], [])

    def summary_table(self):
        return self.tables[0]
"""


@pytest.fixture
def weather(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that adds a section: a module, and an entry point."""
    (tmp_path / "weather.py").write_text(SECTION)
    information = tmp_path / "weather-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: weather\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[crossbank.plugins]\nweather = weather\n")
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("weather")
def test_a_section_of_another_package_is_in_every_form_of_the_report() -> None:
    study = results()
    keys = [section.key for section in sections_of(study)]
    assert keys[keys.index("weather") + 1] == "agreement"
    text = render_page(study)
    assert '<h2 id="weather">The weather</h2>' in text
    assert "It rained." in text
    assert "Snow" not in text
    assert r"\label{tab:rain}" in render_latex_tables(study)
    assert "| 7.50 |" in format_summary(study)
    assert "rain" in [table.key for table in paper_tables(study)]
    assert "snow" not in [table.key for table in all_tables(study)]
    assert "drops" in [figure.key for figure in all_figures(study)]


@pytest.mark.usefixtures("weather")
def test_a_section_that_cannot_be_imported_is_reported_before_the_study_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).resolve().parents[2])
    study = load_study("config/config.yaml")
    monkeypatch.delitem(sys.modules, "weather", raising=False)
    (tmp_path / "weather.py").write_text(f"import nowhere_at_all\n{SECTION}")
    with raises(OptionError, kind="section", value="weather"):
        section_classes()
    with no_code_of_others():  # an installed package is no code of the study
        assert any("nowhere_at_all" in text and not fits for text, fits in check_study(study))


def test_each_section_has_a_key_and_a_heading_of_its_own() -> None:
    actual = section_classes()
    for of in ("key", "heading"):
        names = [getattr(section, of) for section in actual]
        assert len(set(names)) == len(names)


def test_a_section_without_content_has_no_heading() -> None:
    study = results()
    assert "Learning curves" not in render_page(study)
    assert all(section.content or section.template for section in sections_of(study))
