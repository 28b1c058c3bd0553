"""Columns of tables that compare measures can be chosen, for the page, for papers and for files."""

from dataclasses import replace

from crossbank.reports.pages.page import list_warnings
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.scores import build_comparison_table
from crossbank.reports.tables.latex import format_latex
from crossbank.reports.tables.table_files import table_columns
from tests.reports.toy import candidate_bank, gold_bank, results


def test_tables_have_the_chosen_columns_in_their_order(study: StudyResults) -> None:
    chosen = replace(study, columns=["lineages.mean", "brackets.f1", "nodes_per_word"])
    table = build_comparison_table(chosen)
    assert [column.heading for column in table.columns] == [
        "Treebank",
        "Candidate",
        "Nodes/word",
        "Avg.",
        "F1",
    ]
    assert table.rows[0][2].text == "0.57"
    assert r"{\shortstack[r]{Nodes/\\word}} & {Avg.} & {F1}" in format_latex(table)
    assert list(table_columns(table))[2:4] == ["Nodes/word", "lineages Avg."]


def test_the_best_score_is_marked_also_where_less_is_better() -> None:
    study = results({"wrong": candidate_bank(), "right": gold_bank()})
    table = build_comparison_table(replace(study, columns=["brackets.f1", "heads.errors"]))
    best = {row[1].text: [cell.best for cell in row[2:]] for row in table.rows}
    assert best == {"wrong": [False, False], "right": [True, True]}


def test_without_their_names_the_ratios_of_gold_are_left_out(study: StudyResults) -> None:
    chosen = replace(study, columns=["brackets.recall"])
    assert [column.heading for column in build_comparison_table(chosen).columns] == [
        "Treebank",
        "Candidate",
        "Rec.",
    ]


def test_a_column_that_was_not_counted_is_told(study: StudyResults) -> None:
    chosen = replace(study, columns=["brackets.f1", "heads.las"])
    assert any("No table has the column heads.las" in remark for remark in list_warnings(chosen))
