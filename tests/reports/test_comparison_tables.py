"""Differences and ranks: what is printed is what the tests found, corrected over the right pairs."""

from dataclasses import replace

import numpy as np
import pytest

from crossbank.metrics.pairing.pair import Status
from crossbank.reports.estimates.candidates import compare_candidates
from crossbank.reports.estimates.questions import CANDIDATES, TREEBANKS, describe_family
from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.pages.page import list_warnings
from crossbank.reports.results.sentence_facts import SentenceFacts
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.comparisons import (
    build_differences_table,
    build_tests_table,
    build_treebank_differences_table,
)
from crossbank.reports.sections.leaderboard import build_leaderboards
from crossbank.reports.tables.table import ReportTable, format_signed
from tests.reports.counted import BRACKETS, both, brackets, study_of


@pytest.fixture
def study() -> StudyResults:
    good, fair, poor = both(0.9, 1), both(0.89, 2), both(0.5, 3)
    return study_of({"klein": {"good": good, "poor": poor, "fair": fair}})


def column(table: ReportTable, heading: str) -> int:
    return [c.heading for c in table.columns].index(heading)


def test_differences_are_those_of_the_paired_tests(study: StudyResults) -> None:
    table = build_differences_table(study)
    assert [row[1].text for row in table.rows] == ["good − poor", "good − fair", "poor − fair"]
    rows = compare_candidates(study.scored, trials=500, seed=1, alpha=0.05)
    known = {f"{row.candidate} − {row.other}": row for row in rows if row.measure.name == "f1"}
    index = column(table, "F1")
    for row in table.rows:
        cell, estimate = row[index], known[row[1].text]
        assert (cell.value, cell.low, cell.high) == (estimate.value, estimate.low, estimate.high)
        assert cell.text.endswith("*") == estimate.significant == (estimate.p_corrected <= 0.05)
        assert cell.below.removeprefix("p = ").removeprefix("p < ")[:5] in f"{estimate.p_corrected:.3f} 0.001"
    assert [row[index].text[0] for row in table.rows] == ["+", "−", "−"]


def test_the_caption_names_the_family(study: StudyResults) -> None:
    assert describe_family(CANDIDATES, study) in build_differences_table(study).caption
    assert describe_family(TREEBANKS, study) in build_treebank_differences_table(study).caption


def test_every_test_is_listed_with_its_probabilities(study: StudyResults) -> None:
    table = build_tests_table(study)
    assert len(table.rows) == 3 * 4
    for row in table.rows:
        assert 0 < row[column(table, "p")].value <= row[column(table, "Corrected p")].value
        assert row[column(table, "Sentences")].value == 120


def test_the_leaderboard_has_letters_in_the_order_of_the_scores(study: StudyResults) -> None:
    table = next(iter(build_leaderboards(study)))
    assert [row[0].text for row in table.rows][2] == "poor"
    assert [row[1].text.split()[1] for row in table.rows] == ["a", "a", "b"]
    values = [row[1].value for row in table.rows]
    assert values == sorted(values, reverse=True)
    assert [row[1].best for row in table.rows] == [True, False, False]


def test_the_leaderboard_has_the_mean_over_the_treebanks_that_all_have() -> None:
    scored = {"a": {n: both(q, 1) for n, q in (("x", 0.9), ("y", 0.6), ("z", 0.8))}}
    scored["b"] = {n: both(q, 2) for n, q in (("x", 0.5), ("y", 0.55), ("z", 0.9))}
    table = next(iter(build_leaderboards(study_of(scored))))
    assert [column.heading for column in table.columns] == ["System", "Mean over 2 treebanks", "a", "b"]
    assert [row[0].text for row in table.rows] == ["z", "x", "y"]
    for row in table.rows:
        of = [scored[t][row[0].text]["brackets"].value("f1") for t in "ab"]
        assert row[1].value == pytest.approx(np.mean(of))
        assert [cell.value for cell in row[2:]] == pytest.approx(of)


def test_identical_candidates_are_named() -> None:
    study = study_of({"klein": {"one": both(0.8), "copy": both(0.8)}})
    assert list_warnings(study) == [
        "klein: one and copy have the same counts in every sentence under every metric."
    ]
    (row,) = build_differences_table(study).rows
    assert {cell.text for cell in row[2:]} == {"0.00"}
    assert {cell.below for cell in row[2:]} == {""}


def test_all_candidates_that_are_the_same_are_named_together() -> None:
    candidates = {"one": both(0.8), "other": both(0.7), "copy": both(0.8), "again": both(0.8)}
    assert list_warnings(study_of({"klein": candidates})) == [
        "klein: one, copy and again have the same counts in every sentence under every metric."
    ]


def test_the_same_candidates_are_named_once_for_all_treebanks() -> None:
    alike = {"one-1": both(0.8), "one-2": both(0.8)}
    others = {"two-1": both(0.8), "two-2": both(0.8)}
    assert list_warnings(study_of({"klein": alike, "neu": alike, "alt": others})) == [
        "klein and neu: one-1 and one-2 have the same counts in every sentence under every metric.",
        "alt: two-1 and two-2 have the same counts in every sentence under every metric.",
    ]


def test_a_candidate_without_a_scored_sentence_is_not_compared() -> None:
    silent = brackets(0.8, policy="skip")
    silent.status[:] = Status.NO_PARSE
    study = study_of({"klein": {"silent": {"brackets": silent}, "other": {"brackets": brackets(0.8)}}})
    assert build_differences_table(study).rows == []
    assert "none of 120 sentences could be scored; it has no score" in list_warnings(study)[0]


def test_one_sentence_is_no_evidence() -> None:
    study = study_of({"klein": {"a": both(0.9, 1, size=1), "b": both(0.1, 2, size=1)}})
    (row,) = build_differences_table(study).rows
    assert {cell.below for cell in row[2:]} == {""}
    assert all(cell.low is None for cell in row)
    assert "one sentence enters the score, so there is no interval and no test" in list_warnings(study)[0]
    assert "nan" not in str(build_tests_table(study).rows).lower()


def test_candidates_of_two_treebanks_are_compared_unpaired() -> None:
    one, other = both(0.9, 1), both(0.6, 2, size=80, gold_seed=4)
    study = study_of({"tiger": {"alpha": one}, "tuba": {"alpha": other}})
    table = build_treebank_differences_table(study)
    (row,) = table.rows
    assert [cell.text for cell in row[:2]] == ["tiger − tuba", "alpha"]
    assert row[column(table, "F1")].value == one["brackets"].value("f1") - other["brackets"].value("f1")
    assert row[column(table, "F1")].text.endswith("*")
    assert build_differences_table(study).rows == []


def test_schemes_differ_where_they_do() -> None:
    study = study_of({"tiger": {"alpha": both(0.9, 1)}, "tuba": {"alpha": both(0.85, 2)}})
    first, second = study.treebanks
    for scheme in ("ud", "ptb"):
        treebanks = [replace(first, scheme="ud"), replace(second, scheme=scheme)]
        caption = build_treebank_differences_table(replace(study, treebanks=treebanks)).caption
        assert (f"The schemes of {first.name} and {second.name} differ" in caption) == (scheme == "ptb")


def test_treebanks_of_the_same_sentences_are_compared_in_pairs() -> None:
    one, other = both(0.9, 1), both(0.85, 2)
    study = study_of({"tiger": {"alpha": one}, "tuba": {"alpha": other}})
    facts = [SentenceFacts(np.ones(120, np.int32), str, digest=digest) for digest in ("x", "x", "y")]
    alike, others = (
        replace(
            study, treebanks=[replace(t, sentences=f) for t, f in zip(study.treebanks, pair, strict=True)]
        )
        for pair in (facts[:2], facts[1:])
    )
    of_alike, of_others = (estimates_of(one).of(TREEBANKS) for one in (alike, others))
    assert {row.contrast.is_paired for row in of_alike} == {True}
    assert {row.contrast.is_paired for row in of_others} == {False}
    assert "are the same" in build_treebank_differences_table(alike).caption
    assert "sentences differ" in build_treebank_differences_table(others).caption
    (paired,) = (row for row in of_alike if row.measure.name == "f1")
    (unpaired,) = (row for row in of_others if row.measure.name == "f1")
    assert paired.value == unpaired.value
    assert paired.low != unpaired.low
    assert (paired.n, unpaired.n) == (120, 240)


def test_candidates_of_one_treebank_on_other_sentences_are_compared_unpaired() -> None:
    study = study_of({"klein": {"all": both(0.9), "some": both(0.9, size=60)}})
    assert {row.contrast.is_paired for row in estimates_of(study).of(CANDIDATES)} == {False}


def test_differences_have_signs() -> None:
    f1 = BRACKETS[2]
    assert [format_signed(value, f1) for value in (0.0123, -0.5, 0.0, -0.00001)] == [
        "+1.23",
        "−50.00",
        "0.00",
        "0.00",
    ]


def test_a_second_run_gives_the_same_tables(study: StudyResults) -> None:
    again = study_of(study.scored)
    for table in (build_differences_table, build_treebank_differences_table, build_tests_table):
        assert table(study) == table(again)
    assert np.isfinite(
        [cell.value for row in build_tests_table(study).rows for cell in row if cell.value is not None]
    ).all()
