"""Text at the end of a run stays readable with many candidates."""

from crossbank.reports.sections.scores import build_headlines_table
from crossbank.reports.texts.terminal_summary import format_summary
from tests.reports.test_over_treebanks import study_of
from tests.reports.toy import candidate_bank, gold_bank, results


def test_candidates_of_one_treebank_stand_in_order_with_letters() -> None:
    banks = {"wrong": candidate_bank(), "right": gold_bank(), "again": candidate_bank()}
    table = build_headlines_table(results(banks))
    assert [row[1].text for row in table.rows] == ["right", "wrong", "again"]
    assert [row[-2].text.split()[-1] for row in table.rows] == ["a", "a", "a"]
    assert "share a letter" in table.caption


def test_two_candidates_stand_as_the_study_has_them_without_letters() -> None:
    table = build_headlines_table(results({"wrong": candidate_bank(), "right": gold_bank()}))
    assert [row[1].text for row in table.rows] == ["wrong", "right"]
    assert table.rows[0][-2].text.count(" ") == 0


def test_over_several_treebanks_the_average_ranks_are_shown() -> None:
    text = format_summary(study_of(5))
    assert "**Average ranks.**" in text
    assert text.count("\n| right ") == 1
