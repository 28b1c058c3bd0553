"""Cells that a spreadsheet would take for formulas."""

import csv
import io
from pathlib import Path

import pytest

from crossbank.reports.results.summary import Score, read_summary, write_summary
from crossbank.reports.tables.table_files import escape_formula, format_csv, unescape_formula


@pytest.mark.parametrize("cell", ["=1+2", "+A1", "-LRB-", "@SUM(A1)", "\t=1", '=HYPERLINK("x")', "--"])
def test_formulas_become_text(cell: str) -> None:
    assert escape_formula(cell) == f"'{cell}"
    assert unescape_formula(f"'{cell}") == cell


@pytest.mark.parametrize(
    "cell", ["-1.5", "+2", "-1e-9", "+24.41 to +31.35", "a=b", "NP", "'s", "", -1.5, None, 3]
)
def test_all_else_stays(cell: object) -> None:
    assert escape_formula(cell) == cell
    assert not isinstance(cell, str) or unescape_formula(cell) == cell


def test_rows_are_written_with_it() -> None:
    written = format_csv([["=a", 1], ["-x", -2.5]])
    assert list(csv.reader(io.StringIO(written))) == [["'=a", "1"], ["'-x", "-2.5"]]


def test_a_summary_is_read_as_it_was(tmp_path: Path) -> None:
    score = Score("s", "-t", "-c", "m", "f1", -0.5, None, None, 3, "m|v1")
    write_summary([score], tmp_path / "summary.csv")
    assert "'-t,'-c,m,f1,-0.5" in (tmp_path / "summary.csv").read_text(encoding="utf-8")
    assert read_summary(tmp_path / "summary.csv") == [score]
