"""Many candidates over many treebanks: ranks, their test, the matrix, and what a large report leaves out."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from lxml import html
from scipy import stats

from crossbank.metrics.statistics.estimates import ALL, Estimate
from crossbank.reports.charts.critical_difference import build_critical_difference_chart
from crossbank.reports.estimates.questions import CANDIDATES
from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.pages import page as pages
from crossbank.reports.pages.page import render_page, write_page
from crossbank.reports.results import study_results as studies
from crossbank.reports.results.rankings import _rank_candidates, rankings_of
from crossbank.reports.results.study_results import StudyResults, TreebankResults
from crossbank.reports.sections.cite import compile_bibliography, describe_method
from crossbank.reports.sections.comparisons import DifferencesSection, build_differences_table
from crossbank.reports.sections.over_treebanks import OverTreebanksSection
from crossbank.reports.tables.table import ReportTable
from tests.metrics.test_ranks_over_treebanks import RANKS
from tests.reports.toy import candidate_bank, gold_bank, results

NAMES = ["right", "wrong", "worse", "none"]
SCORES = {"right": 0.9, "wrong": 0.7, "worse": 0.7, "none": 0.1}


def study_of(treebanks: int, missing: tuple[str, str] | None = None) -> StudyResults:
    """Return the toy study's candidates in several treebanks, with scores of their own in the summary."""
    study = results({"right": gold_bank(), "wrong": candidate_bank()})
    (one,) = study.treebanks
    banks = [replace(one, name=f"t{index}") for index in range(treebanks)]
    template = next(s for s in study.scores if (s.metric, s.measure) == ("brackets", "f1"))
    scores = [
        replace(template, treebank=bank.name, candidate=name, value=SCORES[name] - 0.01 * index)
        for index, bank in enumerate(banks)
        for name in NAMES
        if (bank.name, name) != missing
    ]
    return replace(study, treebanks=banks, scores=scores)


def table(section: OverTreebanksSection, key: str) -> ReportTable:
    (actual,) = (table for table in section.tables if table.key == key)
    return actual


def whole(study: StudyResults) -> list[Estimate]:
    """Return the pairs of candidates over all sentences."""
    return [row for row in estimates_of(study).of(CANDIDATES) if row.population == ALL]


def test_candidates_are_sorted_by_average_rank_and_treebanks_by_their_mean() -> None:
    (ranking,) = rankings_of(study_of(5))
    assert ranking.candidates == ("right", "wrong", "worse", "none")
    assert ranking.treebanks == ("t0", "t1", "t2", "t3", "t4")
    assert ranking.test.averages.tolist() == [1, 2.5, 2.5, 4]
    assert ranking.test.chi2 == pytest.approx(12 * 5 / 20 * (1 + 6.25 + 6.25 + 16 - 25))
    assert ranking.best_in() == [5, 0, 0, 0]
    assert (ranking.letters[0], ranking.letters[3]) == ("a", "b")


def test_where_a_score_is_missing_the_treebank_or_the_candidate_is_not_ranked() -> None:
    (ranking,) = rankings_of(study_of(6, missing=("t3", "worse")))
    assert ranking.unranked == ("worse",) or "t3" not in ranking.compared
    section = OverTreebanksSection(study_of(6, missing=("t3", "worse")))
    assert "not ranked since scores are missing" in table(section, "friedman").caption
    matrix = table(section, "matrix-brackets")
    row = next(row for row in matrix.rows if row[0].text == "worse")
    assert [cell.text for cell in row].count("–") >= 1


def test_few_treebanks_are_not_ranked() -> None:
    assert not OverTreebanksSection(study_of(2)).has_content()


def test_the_matrix_holds_the_scores_and_marks_the_best() -> None:
    section = OverTreebanksSection(study_of(4))
    matrix = section.tables[0]
    assert matrix.key == "matrix-brackets"
    assert [cell.text for cell in matrix.rows[0]] == [
        "right",
        "1.00",
        "a",
        "90.00",
        "89.00",
        "88.00",
        "87.00",
    ]
    assert [[cell.best for cell in row[3:]] for row in matrix.rows] == [[True] * 4, *[[False] * 4] * 3]
    assert [[cell.shade for cell in row[3:]] for row in matrix.rows] == [[1] * 4, [2] * 4, [2] * 4, [4] * 4]
    (heat,) = (figure.chart for figure in section.figures if figure.key == "ranks-brackets")
    assert [row["row"] for row in heat.rows if row["best"]] == 4 * [heat.rows[0]["row"]]
    assert "right in t0: 90.00, rank 1" in [row["hover"] for row in heat.rows]


def test_more_groups_than_letters_hide_no_difference_from_the_best() -> None:
    study = study_of(300)
    template, names = study.scores[0], [f"c{index:02}" for index in range(40)]
    scores = [
        replace(template, treebank=bank.name, candidate=name, value=0.9 - 0.01 * index)
        for bank in study.treebanks
        for index, name in enumerate(names)
    ]
    (ranking,) = rankings_of(replace(study, scores=scores))
    near = int(ranking.test.critical)
    assert ranking.candidates == tuple(names)
    assert ranking.alike() == names[1 : near + 1]
    groups = ranking.test.groups()
    assert len(groups) > 26
    assert ranking.letters[0] == "a"
    assert len(set(ranking.letters)) == len(names)


def test_the_diagram_has_every_candidate_and_a_line_for_each_group() -> None:
    from crossbank.metrics.statistics.ranks_over_treebanks import average_ranks

    order = np.argsort(RANKS.mean(axis=0))
    names = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
    test = average_ranks(RANKS[:, order], 0.10)
    chart = build_critical_difference_chart("AUC", [names[index] for index in order], test)
    assert {"C4.5+m+cf 1.96", "3.14 C4.5", "critical difference 1.12"} <= {row["text"] for row in chart.rows}
    assert sum(row["kind"] == "joined" for row in chart.rows) == 2


def test_the_page_begins_with_the_candidates_over_treebanks() -> None:
    root = html.document_fromstring(render_page(study_of(4)))
    assert [h.text for h in root.iter("h2")][:3] == ["Main results", "Candidates over treebanks", "Scores"]
    assert root.xpath("//figure[@id='ranking']")


def test_a_large_study_compares_main_measures_and_says_what_it_leaves_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(studies, "MAX_SMALL_STUDY", 5)
    monkeypatch.setattr(studies, "MAX_TESTS", 3)
    monkeypatch.setattr(pages, "MAX_OPEN_ROWS", 1)
    study = study_of(4)
    assert study.is_large
    rows = estimates_of(study).of(CANDIDATES)
    assert {(row.candidate, row.other) for row in rows} == {("right", "wrong")}
    assert {row.measure.name for row in rows} == {"f1", "uas", "mean"}
    root = html.document_fromstring(render_page(study))
    # The matrix has the scores: the table of all of them, with intervals, is folded, and not printed.
    (folded,) = root.xpath("//figure[@id='comparison']/ancestor::details")
    assert folded.get("open") is None
    assert not root.xpath("//figure[@id='matrix-brackets']/ancestor::details")
    text = root.text_content()
    assert "under the main measure of each metric alone" in text
    assert "per-candidate sections are omitted" in text
    assert "scatter-" not in render_page(study)
    assert "Error types" in text


def test_where_there_are_too_many_tests_main_measures_are_compared_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    banks = {"right": gold_bank(), "wrong": candidate_bank(), "again": candidate_bank()}
    study = results(banks)
    measures = sum(len(of) for of in study.measures().values())
    assert len(whole(study)) == 3 * measures
    monkeypatch.setattr(studies, "MAX_TESTS", 3 * measures - 1)
    fewer = results(banks)
    assert not fewer.tests_every_measure
    main = {metric: measure.name for metric, measure in fewer.headlines.items()}
    rows = whole(fewer)
    assert len(rows) == 3 * len(main)
    assert {(row.metric, row.measure.name) for row in rows} == set(main.items())
    known = {(row.candidate, row.other, row.metric, row.measure.name): row for row in whole(study)}
    for row in rows:
        same = known[row.candidate, row.other, row.metric, row.measure.name]
        assert (row.value, row.p) == (same.value, same.p)
    section = DifferencesSection(fewer)
    assert "under the main measure of each metric alone" in " ".join(section.introduction())
    for table in (build_differences_table(fewer),):
        assert len([column for column in table.columns if column.group]) == len(main)
        assert "–" not in {cell.text for row in table.rows for cell in row[-len(main) :]}


def test_a_very_large_study_leaves_out_errors_labels_and_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studies, "MAX_SMALL_STUDY", 3)
    monkeypatch.setattr(studies, "VERY_LARGE", 5)
    study = study_of(4)
    text = html.document_fromstring(render_page(study)).text_content()
    assert "So are types of errors, scores by label and the page of all sentences" in text
    assert "By label and relation" not in text
    assert "Error types" not in text
    assert "sentences.html" not in render_page(study)
    write_page(study, tmp_path / "index.html")
    assert not list((tmp_path / "data").iterdir())
    assert "too many candidates" in (tmp_path / "sentences.html").read_text(encoding="utf-8")


def test_friedman_on_a_study_is_scipys() -> None:
    study = study_of(7)
    random = np.random.default_rng(3)
    scores = [replace(score, value=float(random.random())) for score in study.scores]
    (ranking,) = rankings_of(replace(study, scores=scores))
    values = np.array([score.value for score in scores]).reshape(7, 4)
    assert ranking.test.chi2 == pytest.approx(stats.friedmanchisquare(*values.T).statistic)


def test_treebanks_without_candidates_do_no_harm() -> None:
    study = study_of(4)
    empty = TreebankResults("empty")
    (ranking,) = rankings_of(replace(study, treebanks=[*study.treebanks, empty]))
    assert "empty" not in ranking.treebanks


def test_the_citation_names_the_test_of_ranks() -> None:
    assert "Nemenyi's critical difference at 0.05 (Demšar 2006)" in describe_method(study_of(4))
    assert "@article{demsar-2006" in compile_bibliography(study_of(4))
    assert "demsar-2006" not in compile_bibliography(study_of(2))


def sparse(missing: str = "leave_out") -> StudyResults:
    """Return a candidate with the highest scores, in two of eight treebanks only."""
    study = study_of(8)
    two = [
        replace(score, candidate="sparse", value=0.95)
        for score in study.scores
        if score.candidate == "right" and score.treebank in ("t0", "t1")
    ]
    return replace(study, scores=[*study.scores, *two], missing=missing)


def standing(study: StudyResults) -> dict[str, dict[str, str]]:
    section = OverTreebanksSection(study)
    ranks = table(section, "ranking")
    headings = [column.heading for column in ranks.columns]
    return {row[0].text: dict(zip(headings, [cell.text for cell in row], strict=True)) for row in ranks.rows}


def test_no_mean_over_two_treebanks_stands_beside_means_over_eight() -> None:
    standings = standing(sparse())
    assert {name: row["Treebanks"] for name, row in standings.items()} == {
        **dict.fromkeys(NAMES, "8"),
        "sparse": "2",
    }
    assert standings["right"]["Mean"] == "86.50"
    assert (standings["sparse"]["Mean"], standings["sparse"]["Average rank"]) == ("–", "–")


def test_a_missing_score_counts_as_zero_where_the_study_says_so() -> None:
    study = sparse("zero")
    standings = standing(study)
    assert standings["sparse"]["Mean"] == "23.75"
    assert standings["sparse"]["Treebanks"] == "2"
    assert standings["right"]["Average rank"] == "1.25"
    (ranking,) = rankings_of(study)
    assert ranking.unranked == ()
    assert len(ranking.compared) == 8
    section = OverTreebanksSection(study)
    assert "a missing score counts as 0" in table(section, "ranking").caption


def test_where_less_is_better_a_missing_score_is_never_the_best() -> None:
    study = sparse("zero")
    (ranking,) = rankings_of(study)
    measure = replace(ranking.measure, better="less")
    turned = _rank_candidates(
        study, ranking.metric, measure, {(s.candidate, s.treebank): s.value for s in study.scores}
    )
    assert turned is not None
    assert turned.unranked == ("sparse",)
    assert (
        turned.treebanks == ranking.treebanks[::-1]
    )  # the hardest last: that with the highest mean of errors
    assert turned.candidates[:1] == ("none",)
    assert turned.best_in()[0] == 8
