"""Report in files: CSV and Parquet at full precision, charts that stand alone, the summary."""

import csv
import re
from pathlib import Path

import pytest

from crossbank.reports.charts.rendering import write_figures
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.section import all_figures, all_tables, paper_tables
from crossbank.reports.tables.markdown import format_markdown
from crossbank.reports.tables.table import Cell, Column, ReportTable
from crossbank.reports.tables.table_files import file_name, table_columns, write_table_files
from crossbank.reports.texts.terminal_summary import format_summary
from tests.reports.counted import both, study_of
from tests.reports.toy import results


@pytest.fixture
def two() -> StudyResults:
    return study_of({"klein": {"good": both(0.9, 1), "poor": both(0.6, 2)}})


TABLE = ReportTable(
    "t", "A table", "", [Column("Name", numeric=False), Column("F1", "Parseval"), Column("n"), Column("p")],
    [
        [
            Cell("a|b"),
            Cell("81.20", "80.00 – 82.00", value=0.812, low=0.8, high=0.82),
            Cell("1,234", value=1234),
            Cell("< 0.001"),
        ],
        [Cell("c"), Cell("–"), Cell("7", value=7), Cell("–")],
    ],
)  # fmt: skip


def test_columns_hold_the_numbers_of_the_texts() -> None:
    assert table_columns(TABLE) == {
        "Name": ["a|b", "c"],
        "Parseval F1": [0.812, None],
        "Parseval F1 low": [0.8, None],
        "Parseval F1 high": [0.82, None],
        "n": [1234, 7],
        "p": ["< 0.001", None],
    }


def test_csv_and_parquet_hold_the_same(tmp_path: Path, two: StudyResults) -> None:
    from pyarrow import parquet

    (tmp_path / "old.csv").write_text("old")
    write_table_files(all_tables(two), tmp_path)
    assert not (tmp_path / "old.csv").exists()
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv", ".parquet"}
    for path in tmp_path.glob("*.csv"):
        with path.open(newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        table = parquet.read_table(path.with_suffix(".parquet")).to_pylist()
        assert [
            {name: "" if value is None else str(value) for name, value in row.items()} for row in table
        ] == rows
    with (tmp_path / "comparison.csv").open(newline="", encoding="utf-8") as stream:
        first = next(csv.DictReader(stream))
    assert float(first["brackets F1"]) == two.treebanks[0].candidates[0].counts["brackets"].value("f1")
    assert float(first["brackets F1 low"]) < float(first["brackets F1"]) < float(first["brackets F1 high"])


def test_a_second_run_writes_the_same_bytes(tmp_path: Path, two: StudyResults) -> None:
    for folder, study in (("one", two), ("two", study_of(two.scored))):
        write_table_files(all_tables(study), tmp_path / folder)
        write_figures(all_figures(study), tmp_path / folder)
    actual = {
        folder: {path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()}
        for folder in ("one", "two")
    }
    assert actual["one"] == actual["two"]
    assert {Path(name).suffix for name in actual["one"]} == {
        ".csv",
        ".parquet",
        ".svg",
        ".png",
        ".pdf",
        ".json",
    }


def test_a_title_ends_with_one_full_stop() -> None:
    for title in ("Leaf-ancestor, Avg.", "Leaf-ancestor, Avg"):
        table = ReportTable("scores", title, "A caption.", [Column("Candidate")], [[Cell("alpha")]])
        assert format_markdown(table).startswith("**Leaf-ancestor, Avg.** A caption.")


def test_columns_without_anything_to_tell_are_left_out() -> None:
    words, nodes, score = Column("Words/sent."), Column("Nodes/sent."), Column("LAS")
    rows = [[Cell("17.00"), Cell("–"), Cell("–")], [Cell("21.00"), Cell("–"), Cell("–")]]
    table = ReportTable("scores", "Scores", "", [words, nodes, score], rows).without_blank([words, nodes])
    assert table.columns == [words, score]
    assert [cell.text for cell in table.rows[1]] == ["21.00", "–"]


def test_keys_become_names_of_files() -> None:
    assert file_name("deciles-a_b-Ü.x") == "deciles-a_b-Ü.x"
    alike = [file_name(f"deciles-a{sign}b") for sign in "_/ :"]
    assert len(set(alike)) == 4
    assert all(re.fullmatch(r"deciles-a_b-[0-9a-f]{8}", name) for name in alike[1:])
    long = [file_name("scatter-" + 300 * letter + end) for letter in ("x", "Ü", "ע") for end in ("1", "2")]
    assert len(set(long)) == 6
    assert max(len(name.encode()) for name in long) <= 200


def test_a_paper_prints_differences_ranks_and_correlations(two: StudyResults) -> None:
    assert [table.key for table in paper_tables(two)] == [
        "comparison", "perfect-sentences", "schemes", "differences", "correlations", "order", "unscored",
    ]  # fmt: skip


def test_the_summary_is_short_markdown(two: StudyResults) -> None:
    text = format_summary(two)
    assert text.startswith("# counted\n\n2 systems on 1 treebank (klein)")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert len({len(line) for line in lines}) == 1
    assert lines[0].split("|")[1:4] == [" Treebank ", " Candidate ", " Nodes/word "]
    assert "- In klein good is better than poor under brackets F1: +" in text
    assert len(text.splitlines()) < 30


def test_candidates_that_do_not_differ_stand_side_by_side() -> None:
    study = study_of({"klein": {"one": both(0.9, 1), "copy": both(0.9, 1), "poor": both(0.5, 2)}})
    messages = format_summary(study)
    assert "- In klein one is better than poor under brackets F1: +" in messages
    assert "is better than copy" not in messages


def test_a_study_without_candidates_has_a_summary_too() -> None:
    study = results({})
    assert "described without candidates" in format_summary(study)
    assert [table.key for table in all_tables(study) if table.rows] == ["schemes", "conversions", "versions"]
    assert list(all_figures(study)) == []


def test_many_candidates_are_cut_on_the_terminal() -> None:
    study = study_of({"klein": {f"c{number}": both(0.8, number, size=5) for number in range(50)}})
    text = format_summary(study)
    assert "The first 40 of 50; all are in the report." in text
    assert text.count("\n| klein ") == 40
