"""summary.csv and problems.csv: full precision, seeded intervals, empty fields for what is not known."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np

from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.results.summary import (
    PROBLEM_COLUMNS,
    SUMMARY_COLUMNS,
    compute_scores,
    read_summary,
    write_problems,
    write_summary,
)
from crossbank.reports.study.model import Settings
from crossbank.treebanks.errors import FormatError
from tests.errors import raises


def test_scores_stand_at_full_precision_with_their_intervals(study: StudyResults, tmp_path: Path) -> None:
    write_summary(study.scores, tmp_path / "summary.csv")
    assert read_summary(tmp_path / "summary.csv") == list(study.scores)
    with (tmp_path / "summary.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == list(SUMMARY_COLUMNS)
    assert rows[2]["measure"] == "f1"
    assert float(rows[2]["value"]) == study.treebanks[0].candidates[0].counts["brackets"].value("f1")
    assert float(rows[2]["low"]) <= float(rows[2]["value"]) <= float(rows[2]["high"])
    assert rows[2]["n"] == "4"
    assert rows[2]["signature"] == "brackets|conversions:none|unscored:empty:2|v1.0"


def test_the_same_seed_gives_the_same_interval(study: StudyResults) -> None:
    counts = study.treebanks[0].candidates[0].counts["lineages"]
    settings = [Settings("s", samples=100, seed=seed) for seed in (1, 1, 2)]
    rows = [compute_scores(counts, one, "t", "c", "lineages")[0].low for one in settings]
    assert rows[0] == rows[1]
    assert rows[0] is not None


def test_what_is_not_known_is_empty(study: StudyResults, tmp_path: Path) -> None:
    counts = study.treebanks[0].candidates[0].counts["brackets"]
    none = replace(counts, status=np.full(4, 1, np.int8)).under("skip")
    one = replace(counts, status=np.array([0, 1, 1, 1], np.int8)).under("skip")
    scores = [
        *compute_scores(none, Settings("s", samples=10), "t", "none", "brackets"),
        *compute_scores(one, Settings("s", samples=10), "t", "one", "brackets"),
    ]
    write_summary(scores, tmp_path / "summary.csv")
    lines = (tmp_path / "summary.csv").read_text().splitlines()
    assert lines[1] == "s,t,none,brackets,precision,,,,0,brackets|conversions:none|unscored:skip:4|v1.0"
    assert lines[4] == "s,t,one,brackets,precision,0.5,,,1,brackets|conversions:none|unscored:skip:3|v1.0"
    assert read_summary(tmp_path / "summary.csv") == scores


def test_another_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "summary.csv").write_text("a,b\n1,2\n")
    with raises(
        FormatError,
        file="summary.csv",
        line=1,
        actual="the columns a,b",
        expected="study,treebank,candidate,metric,measure,value,low,high,n,signature",
    ):
        read_summary(tmp_path / "summary.csv")


def test_problems_say_where_and_what(study: StudyResults, tmp_path: Path) -> None:
    actual = [("klein", "raw", problem) for problem in study.treebanks[0].candidates[0].problems]
    write_problems(actual, tmp_path / "problems.csv")
    with (tmp_path / "problems.csv").open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == list(PROBLEM_COLUMNS)
    assert rows[1] == ["klein", "raw", "s3", "parsed.export", "no parse", "no parse"]
    assert rows[2][-1] == "word 1: found 'Nein', expected 'Ja'"
