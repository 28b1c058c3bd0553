"""Differences and ranks: what is printed is what the tests found, corrected over the right pairs."""

from dataclasses import replace

import numpy as np
import pytest

from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics import significance
from crossbank.metrics.statistics.significance import Contrast, Side
from crossbank.reports.findings.family import family
from crossbank.reports.pages.page import remarks
from crossbank.reports.results.sentence_facts import SentenceFacts
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.comparisons import differences, differences_between, every_test, ranks
from crossbank.reports.tables.table import Table, signed
from tests.reports.counted import BRACKETS, both, brackets, study_of


@pytest.fixture
def study() -> StudyResults:
    good, fair, poor = both(0.9, 1), both(0.89, 2), both(0.5, 3)
    return study_of({"klein": {"good": good, "poor": poor, "fair": fair}})


def column(table: Table, heading: str) -> int:
    return [c.heading for c in table.columns].index(heading)


def test_differences_are_those_of_the_paired_tests(study: StudyResults) -> None:
    table = differences(study)
    assert [row[1].text for row in table.rows] == ["good − poor", "good − fair", "poor − fair"]
    (treebank,) = study.treebanks
    counts = {candidate.name: candidate.counts["brackets"] for candidate in treebank.candidates}
    found = [
        of["f1"]
        for of in significance.differences(
            [
                Contrast(Side(counts[one], "klein"), Side(counts[other], "klein"), ["f1"], "brackets", True)
                for one, other in (("good", "poor"), ("good", "fair"), ("poor", "fair"))
            ],
            samples=200,
            trials=500,
        )
    ]
    place = column(table, "F1")
    for row, difference in zip(table.rows, found, strict=True):
        cell = row[place]
        assert (cell.value, cell.low, cell.high) == (difference.value, difference.low, difference.high)
        known = next(
            c.difference for c in family(study).comparisons if c.difference.value == difference.value
        )
        assert known.p == difference.p <= known.corrected
        assert cell.text.endswith("*") == (known.corrected <= 0.05)
        assert cell.below == f"p = {known.corrected:.3f}".rstrip("0")
    assert [row[place].text[0] for row in table.rows] == ["+", "−", "−"]


def test_the_caption_says_the_family(study: StudyResults) -> None:
    said = "corrected for all 12 tests of this report as one family (step-down maxima, Romano and Wolf 2005)"
    assert said in differences(study).caption
    assert said in every_test(study).caption


def test_every_test_is_listed_with_its_probabilities(study: StudyResults) -> None:
    table = every_test(study)
    assert len(table.rows) == 3 * 4 == family(study).tests
    for row in table.rows:
        assert 0 < row[column(table, "p")].value <= row[column(table, "Corrected p")].value
        assert row[column(table, "Sentences")].text == "all"


def test_ranks_are_shared_where_candidates_cannot_be_told_apart(study: StudyResults) -> None:
    table = ranks(study)
    found = {row[1].text: row[column(table, "F1")].text for row in table.rows}
    assert found == {"good": "1 a", "fair": "1 a", "poor": "3 b"}
    assert [cell.text for cell in table.rows[0][2:5]] == ["10.00", "5.00", "0.50"]


def test_ranks_are_in_the_order_of_the_scores() -> None:
    study = study_of({"klein": {f"p{place}": both(0.5 + place / 30, 1) for place in (3, 0, 9, 10, 2)}})
    assert [row[1].text for row in ranks(study).rows] == ["p10", "p9", "p3", "p2", "p0"]


def test_identical_candidates_share_a_rank_and_are_named() -> None:
    study = study_of({"klein": {"one": both(0.8), "copy": both(0.8)}})
    assert remarks(study) == [
        "klein: one and copy have the same counts in every sentence under every metric."
    ]
    (row,) = differences(study).rows
    assert {cell.text for cell in row[2:]} == {"0.00"}
    assert {cell.below for cell in row[2:]} == {"p = 1"}
    assert {cell.text for row in ranks(study).rows for cell in row[5:]} == {"1 a"}


def test_all_candidates_that_are_the_same_are_named_together() -> None:
    candidates = {"one": both(0.8), "other": both(0.7), "copy": both(0.8), "again": both(0.8)}
    assert remarks(study_of({"klein": candidates})) == [
        "klein: one, copy and again have the same counts in every sentence under every metric."
    ]


def test_the_same_candidates_are_named_once_for_all_treebanks() -> None:
    alike = {"one-1": both(0.8), "one-2": both(0.8)}
    others = {"two-1": both(0.8), "two-2": both(0.8)}
    assert remarks(study_of({"klein": alike, "neu": alike, "alt": others})) == [
        "klein and neu: one-1 and one-2 have the same counts in every sentence under every metric.",
        "alt: two-1 and two-2 have the same counts in every sentence under every metric.",
    ]


def test_a_candidate_without_a_scored_sentence_is_not_compared() -> None:
    silent = brackets(0.8, policy="skip")
    silent.status[:] = Status.NO_PARSE
    study = study_of({"klein": {"silent": {"brackets": silent}, "other": {"brackets": brackets(0.8)}}})
    assert differences(study).rows == []
    assert [[cell.text for cell in row[5:]] for row in ranks(study).rows] == [["–"] * 3, ["1 a"] * 3]
    assert "none of 120 sentences could be scored; it has no score" in remarks(study)[0]


def test_one_sentence_is_no_evidence() -> None:
    study = study_of({"klein": {"a": both(0.9, 1, size=1), "b": both(0.1, 2, size=1)}})
    (row,) = differences(study).rows
    assert {cell.below for cell in row[2:]} == {"p = 1"}
    assert all(cell.low is None for cell in row)
    assert "one sentence enters the score, so there is no interval and no test" in remarks(study)[0]
    assert "nan" not in str(every_test(study).rows).lower()


def test_candidates_of_two_treebanks_are_compared_unpaired() -> None:
    one, other = both(0.9, 1), both(0.6, 2, size=80, gold_seed=4)
    study = study_of({"tiger": {"alpha": one}, "tuba": {"alpha": other}})
    table = differences_between(study)
    (row,) = table.rows
    assert [cell.text for cell in row[:2]] == ["tiger − tuba", "alpha"]
    assert row[column(table, "F1")].value == one["brackets"].value("f1") - other["brackets"].value("f1")
    assert row[column(table, "F1")].text.endswith("*")
    assert differences(study).rows == []


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
    assert {comparison.paired for comparison in family(alike).between} == {True}
    assert {comparison.paired for comparison in family(others).between} == {False}
    assert "drawn in pairs" in differences_between(alike).caption
    assert "drawn separately" in differences_between(others).caption
    (paired,) = (c.difference for c in family(alike).between if c.measure.name == "f1")
    (unpaired,) = (c.difference for c in family(others).between if c.measure.name == "f1")
    assert paired.value == unpaired.value
    assert paired.low != unpaired.low


def test_candidates_of_one_treebank_on_other_sentences_are_compared_unpaired() -> None:
    study = study_of({"klein": {"all": both(0.9), "some": both(0.9, size=60)}})
    assert {comparison.paired for comparison in family(study).comparisons} == {False}


def test_differences_have_signs() -> None:
    f1 = BRACKETS[2]
    assert [signed(value, f1) for value in (0.0123, -0.5, 0.0, -0.00001)] == [
        "+1.23",
        "−50.00",
        "0.00",
        "0.00",
    ]


def test_a_second_run_gives_the_same_tables(study: StudyResults) -> None:
    again = study_of(study.scored)
    for table in (differences, differences_between, ranks, every_test):
        assert table(study) == table(again)
    assert np.isfinite(
        [cell.value for row in every_test(study).rows for cell in row if cell.value is not None]
    ).all()
