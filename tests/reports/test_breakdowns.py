"""Scores by length and by what is known of sentences; what is known is read from gold."""

from dataclasses import replace

import numpy as np
import pytest

from crossbank.reports.results.sentence_facts import Grouping, SentenceFacts, collect_facts
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.breakdowns import BreakdownsSection, build_length_classes
from crossbank.treebanks.builder import TreebankBuilder
from tests.reports.counted import SIZE, both, study_of

LENGTHS = np.resize(np.array([1, 10, 11, 20, 61, 99], np.int32), SIZE)


@pytest.fixture
def study() -> StudyResults:
    facts = SentenceFacts(
        LENGTHS, str, {"genre": Grouping(("news", "novel"), (np.arange(SIZE) % 2).astype(np.int32))}
    )
    actual = study_of({"klein": {"parser": both(0.8)}})
    return replace(actual, treebanks=[replace(actual.treebanks[0], sentences=facts)])


def test_classes_of_length_cover_all_sentences_once() -> None:
    classes = build_length_classes(SentenceFacts(LENGTHS, str))
    assert [(actual.name, actual.rows.sum(), actual.position) for actual in classes] == [
        ("1 – 10", 40, 5.5), ("11 – 20", 40, 15.5), ("61 and more", 40, 80.0),
    ]  # fmt: skip


def test_scores_of_a_class_are_those_of_its_sentences(study: StudyResults) -> None:
    by_length, by_genre = BreakdownsSection(study).tables
    counts = study.treebanks[0].candidates[0].counts["brackets"]
    assert [row[2].text for row in by_length.rows] == ["1 – 10", "11 – 20", "61 and more"]
    cell = by_length.rows[0][6]
    assert cell.value == counts.value("f1", LENGTHS <= 10)
    assert cell.low < cell.value < cell.high
    assert [(row[2].text, row[3].text) for row in by_genre.rows] == [("news", "60"), ("novel", "60")]
    assert by_genre.rows[1][6].value == counts.value("f1", np.arange(SIZE) % 2 == 1)


def test_length_is_an_axis_with_a_chart_for_each_metric(study: StudyResults) -> None:
    figures = BreakdownsSection(study).figures
    assert [figure.key for figure in figures] == ["by-length-brackets", "by-length-lineages"]
    rows = figures[0].chart.rows
    assert {row["series"] for row in rows} == {"klein · parser"}
    assert any(row["hover"].startswith("length 11 – 20, n = 40: ") for row in rows)
    assert not any(row["few"] for row in rows)


def test_a_class_of_one_sentence_is_grey_and_the_line_leaves_it_out(study: StudyResults) -> None:
    """It had the weight of a class of a thousand sentences, mostly at 100 %."""
    (treebank,) = study.treebanks
    lengths = np.where(np.arange(SIZE) == 0, 35, np.where(LENGTHS > 20, 5, LENGTHS)).astype(np.int32)
    treebank = replace(treebank, sentences=SentenceFacts(lengths, str))
    rows = BreakdownsSection(replace(study, treebanks=[treebank])).figures[0].chart.rows
    (few,) = (row["hover"] for row in rows if row["few"])
    assert few.startswith("length 31 – 40, n = 1: ")
    assert len(rows) == 3


def test_attributes_with_a_value_for_every_other_sentence_make_no_table() -> None:
    """TIGER-XML's art_id and orig_id filled pages."""
    facts = bank(*(f"# art_id = {index // 3}\n# genre = {index % 2}" for index in range(120)))
    assert list(facts.groupings) == ["genre"]


def test_without_facts_a_sentence_says_so() -> None:
    section = BreakdownsSection(study_of({"klein": {"parser": both(0.8)}}))
    assert section.figures == []
    assert not section.has_content()


def test_a_class_in_which_nothing_is_scored_has_dashes(study: StudyResults) -> None:
    counts = both(0.8, policy="skip")
    for actual in counts.values():
        actual.status[LENGTHS > 20] = 1
    (treebank,) = study.treebanks
    candidate = replace(treebank.candidates[0], counts=counts)
    section = BreakdownsSection(replace(study, treebanks=[replace(treebank, candidates=[candidate])]))
    assert {cell.text for cell in section.tables[0].rows[2][4:]} == {"–"}
    assert not any("61 and more" in row["hover"] for row in section.figures[0].chart.rows)


def bank(*comments: str) -> SentenceFacts:
    builder = TreebankBuilder(source="a.conllu")
    for index, comment in enumerate(comments):
        builder.sentence(id=str(index), comments=comment)
        builder.token(form=f"wort{index}", parent=-1)
    return collect_facts(builder.build())


def groups(facts: SentenceFacts, name: str) -> list[str]:
    actual = facts.groupings[name]
    return [actual.groups[index] for index in actual.group]


def test_comments_group_sentences() -> None:
    facts = bank(
        "# newdoc id = d1\n# meta::genre = news\n# sent_id = 1\n# speaker = A",
        "# sent_id = 2",
        "# newdoc id = d2\n# meta::genre = novel\n# sent_id = 3\n# speaker = B",
        "# sent_id = 4\n# speaker = A",
    )
    assert groups(facts, "document") == ["d1", "d1", "d2", "d2"]
    assert groups(facts, "genre") == ["news", "news", "novel", "novel"]
    assert "sent_id" not in facts.groupings
    assert "source file" not in facts.groupings
    assert "speaker" not in facts.groupings  # three groups of four sentences
    assert facts.text(2) == "wort2"
    assert facts.lengths.tolist() == [1, 1, 1, 1]


def test_a_digest_tells_whether_sentences_are_the_same() -> None:
    assert bank("", "").digest == bank("x = 1", "").digest != ""
    assert bank("", "").digest != bank("", "", "").digest
    assert bank().digest == ""


def test_sentences_of_which_nothing_is_said_are_a_group() -> None:
    facts = bank("# genre = news", "", "genre = news", "nothing")
    assert groups(facts, "genre") == ["news", "(none)", "news", "(none)"]


def test_source_files_group_sentences() -> None:
    from crossbank.treebanks.treebank import Treebank

    banks = []
    for source in ("x/one.mrg", "x/two.mrg"):
        builder = TreebankBuilder(source=source)
        for index in range(2):
            builder.sentence(id=str(index))
            builder.token(form="wort", parent=-1)
        banks.append(builder.build())
    facts = collect_facts(Treebank.concatenate(banks))
    assert groups(facts, "source file") == ["one.mrg", "one.mrg", "two.mrg", "two.mrg"]
