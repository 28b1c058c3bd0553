"""Pages of single candidates, warnings that are said once, and names of every kind."""

import csv
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from lxml import etree, html

from crossbank.reports.charts.rendering import write_figures
from crossbank.reports.pages.page import list_warnings, render_page, write_page
from crossbank.reports.results import study_results
from crossbank.reports.results.sentence_facts import NO_VALUE, Grouping
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.results.summary import read_summary, write_summary
from crossbank.reports.sections import worst
from crossbank.reports.sections.breakdowns import BreakdownsSection
from crossbank.reports.sections.section import all_figures, all_tables
from crossbank.reports.sections.worst import WorstSentencesSection
from crossbank.reports.tables.table_files import unescape_formula, write_table_files
from crossbank.reports.texts.terminal_summary import format_summary
from crossbank.treebanks import Treebank
from crossbank.treebanks.builder import TreebankBuilder
from tests.reports.toy import candidate_bank, gold_bank, results

NAMES = ["<script>alert(1)</script>", "quotes'\"&amp;", "a_b%$#{}~^\\", "äöüß", "עברית", "x" * 200]


def headings(text: str) -> list[str | None]:
    return [h.text for h in html.document_fromstring(text).iter("h2")]


@pytest.mark.parametrize("pages", ["all", ["wrong"], "none"])
def test_candidates_have_pages_when_asked_for(tmp_path: Path, pages: str | list[str]) -> None:
    study = replace(results({"right": gold_bank(), "wrong": candidate_bank()}), pages=pages)
    write_page(study, tmp_path / "index.html")
    written = sorted(path.name for path in tmp_path.glob("candidate-*.html"))
    chosen = {"all": ["right", "wrong"], "none": []}.get(str(pages), ["wrong"])
    assert written == [f"candidate-{name}.html" for name in chosen]
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    for name in ("right", "wrong"):
        assert (f'<a href="candidate-{name}.html">{name}</a>' in index) == (name in chosen)
    assert ("Worst sentences" in headings(index)) == (pages != "all")
    for file in written:
        text = (tmp_path / file).read_text(encoding="utf-8")
        actual = headings(text)
        assert {"Scores", "Worst sentences"} <= set(actual)
        assert "Differences" not in actual
        root = html.document_fromstring(text)
        ids = set(root.xpath("//@id"))
        links = root.xpath("//a/@href")
        assert {link[1:] for link in links if link.startswith("#")} <= ids
        assert {link for link in links if link.startswith("candidate-")} <= {
            f"candidate-{name}.html" for name in chosen
        }


def test_a_page_of_one_candidate_says_nothing_of_the_others(tmp_path: Path) -> None:
    study = results({"right": gold_bank(), "wrong": candidate_bank()})
    assert "right" not in headings(render_page(study.of_candidate("wrong")))
    assert {score.candidate for score in study.of_candidate("wrong").scores} == {"wrong"}
    assert [c.name for t in study.of_candidate("wrong").treebanks for c in t.candidates] == ["wrong"]


def test_a_candidates_own_page_has_few_pictures_and_leads_to_the_page_that_has_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = results({"right": gold_bank(), "wrong": candidate_bank()}).of_candidate("wrong")
    first = render_page(study)
    drawn = WorstSentencesSection(study).cards
    assert first.count('class="card"') == len(drawn) > 1
    monkeypatch.setattr(worst, "MAX_PICTURE_BYTES", drawn[0].size() + 1)
    section = WorstSentencesSection(replace(study))
    assert len(section.cards) == 1
    assert section.undrawn > 0
    text = render_page(section.study)
    assert text.count('class="card"') == 1
    assert 'page of <a href="sentences.html">all sentences</a>, which draws their trees' in text
    listed = html.document_fromstring(text).xpath("//section[@aria-labelledby='worst']//li//a/@href")
    assert sum(link.startswith("sentences.html#treebank=klein&candidate=wrong") for link in listed) > 0
    assert len(listed) == text.count('class="score"')


def test_pages_of_many_candidates_lead_to_no_page_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    study = results({"right": gold_bank(), "wrong": candidate_bank()})
    assert 'href="sentences.html' in render_page(study.of_candidate("wrong"))
    monkeypatch.setattr(study_results, "VERY_LARGE", 1)
    assert 'href="sentences.html' not in render_page(replace(study).of_candidate("wrong"))


def test_the_page_of_many_candidates_is_light_and_leaves_each_to_its_own_page(tmp_path: Path) -> None:
    few, many = (results({f"wrong_{n}": candidate_bank() for n in range(size)}) for size in (4, 24))
    assert {"Worst sentences", "Do the measures agree?"} <= set(headings(render_page(few)))
    text = render_page(many)
    assert "Worst sentences" not in headings(text)
    assert "worst sentences" in text  # it says what is left out, and how to have it
    assert 'class="card"' not in text
    assert len(text) < 2.5 * len(render_page(few))
    write_page(replace(many, pages=["wrong_3"]), tmp_path / "index.html")
    own = (tmp_path / "candidate-wrong_3.html").read_text(encoding="utf-8")
    assert "Worst sentences" in headings(own)
    assert 'class="card"' in own


@pytest.mark.parametrize("candidates", [4, 5])
def test_worst_sentences_of_many_candidates_are_all_folded(candidates: int) -> None:
    study = results({f"wrong_{number}": candidate_bank() for number in range(candidates)})
    (section,) = html.document_fromstring(render_page(study)).xpath("//section[@aria-labelledby='worst']")
    folds = section.xpath("details")
    assert len(folds) == candidates
    assert [fold.get("open") is not None for fold in folds] == [candidates == 4] * candidates


def test_a_fact_is_said_once_for_a_system_over_all_treebanks() -> None:
    study = results({"wrong": candidate_bank()})
    (treebank,) = study.treebanks
    message = [
        replace(
            treebank,
            name=f"t{number}",
            candidates=[replace(treebank.candidates[0], warnings=[f"{number} of 4 sentences look odd"])],
        )
        for number in range(1, 4)
    ]
    messages = [text for text in list_warnings(replace(study, treebanks=message)) if "look odd" in text]
    assert messages == ["t1, t2 and t3, wrong: 1 of 4 sentences look odd; the numbers are those of t1."]


def test_what_two_metrics_notice_in_one_sentence_is_said_once() -> None:
    study = results({"wrong": candidate_bank()})
    (treebank,) = study.treebanks
    warnings = [
        f"1 of 4 sentences has other words (word {at}: found '{word}')" for at, word in [(6, ","), (8, "x")]
    ]
    (candidate,) = treebank.candidates
    message = replace(treebank, candidates=[replace(candidate, warnings=[*warnings, "2 of 4 look odd"])])
    messages = [text for text in list_warnings(replace(study, treebanks=[message])) if " of 4 " in text]
    assert messages == [
        f"{treebank.name}, wrong: {warnings[0]}.",
        f"{treebank.name}, wrong: 2 of 4 look odd.",
    ]


def test_a_fact_that_is_the_same_of_all_candidates_is_said_once() -> None:
    study = results({name: candidate_bank() for name in ("one", "two", "three")})
    (treebank,) = study.treebanks
    about_gold, own = "7 of 9 signs have another tag", "2 of 4 sentences look odd"
    message = replace(
        treebank,
        candidates=[
            replace(candidate, warnings=[about_gold, own] if candidate.name == "two" else [about_gold])
            for candidate in treebank.candidates
        ],
    )
    messages = [
        text for text in list_warnings(replace(study, treebanks=[message])) if "have the same" not in text
    ]
    assert messages == [
        f"{treebank.name}, one, two and three: {about_gold}.",
        f"{treebank.name}, two: {own}.",
    ]


def with_attribute(known: int) -> StudyResults:
    study = results({"wrong": candidate_bank()})
    (treebank,) = study.treebanks
    assert treebank.sentences is not None
    group = np.array([0 if index < known else 1 for index in range(4)], np.int32)
    facts = replace(treebank.sentences, groupings={"ToDo": Grouping(("yes", NO_VALUE), group)})
    return replace(study, treebanks=[replace(treebank, sentences=facts)])


def test_attributes_that_most_sentences_lack_are_broken_down_only_when_asked_for() -> None:
    tables = [
        [table.key for table in BreakdownsSection(study).tables]
        for study in (with_attribute(1), with_attribute(2), replace(with_attribute(1), breakdowns=["ToDo"]))
    ]
    assert tables == [["by-length"], ["by-length", "by-ToDo"], ["by-length", "by-ToDo"]]


def named(name: str) -> StudyResults:
    """Return a study of which the treebank and a candidate have this name."""
    study = results({name: gold_bank(), "other": candidate_bank()})
    study = replace(study, treebanks=[replace(t, name=name) for t in study.treebanks])
    return replace(study, scores=[replace(score, treebank=name) for score in study.scores])


@pytest.mark.parametrize("name", NAMES)
def test_names_of_every_kind_are_shown_as_they_are(name: str) -> None:
    study = named(name)
    text = render_page(study)
    root = html.document_fromstring(text)
    assert root.xpath("//figure[@id='comparison']//tbody/tr/th")[0].text_content() == name
    assert not re.search(r"<script>alert", text)
    for figure in all_figures(study):
        etree.fromstring(figure.chart.svg)


ALL = [*NAMES, 'it\'s "50 % of_a" #1 $x^2$ ~ {b} \\cmd `', "a|b", "</script><b>"]


def bank_of(labels: list[str], words: list[str]) -> Treebank:
    """Return a sentence for each word, alone below a label."""
    builder = TreebankBuilder(source="odd")
    for number, (label, word) in enumerate(zip(labels, words, strict=True)):
        builder.sentence(id=f"{number} {word}")
        builder.token(form=word, pos=label, parent=0, head=-1, relation=label)
        builder.node(label=label, parent=-1)
    return builder.build()


def all_odd(names: list[str]) -> StudyResults:
    """Return treebanks, candidates, labels, words and sentences that all have odd names."""
    gold = bank_of(names, names)
    study = results({name: bank_of([*names[1:], names[0]], names) for name in names}, gold)
    (treebank,) = study.treebanks
    return replace(
        study,
        treebanks=[replace(treebank, name=name) for name in names[:2]],
        scores=[replace(score, treebank=name) for name in names[:2] for score in study.scores],
        title=" ".join(names),
        about=names[0],
    )


def test_odd_treebanks_candidates_labels_and_words_are_all_shown_as_they_are(tmp_path: Path) -> None:
    study = all_odd(ALL)
    write_page(replace(study, pages="all"), tmp_path / "index.html")
    for path in tmp_path.glob("*.html"):
        root = html.document_fromstring(path.read_text(encoding="utf-8"))
        assert "alert(1)" not in [script.text for script in root.iter("script")]
    root = html.document_fromstring(render_page(study))
    drawn = ("".join(text.itertext()) for text in root.xpath("//svg//text"))
    seen = {*(cell.text_content() for cell in root.iter("td", "th")), *drawn}
    listed = {words.text_content() for words in root.xpath("//span[@class='words']")}
    assert set(ALL) <= {cell.text_content() for cell in root.xpath("//figure[@id='comparison']//td")}
    assert set(ALL) <= {cell.text_content() for cell in root.xpath("//figure[contains(@id, '-label')]//th")}
    assert set(ALL) <= seen
    assert set(ALL) <= listed
    write_table_files(all_tables(study), tmp_path / "tables")
    labels = set()
    for file in (tmp_path / "tables").glob("*label*.csv"):
        with file.open(newline="", encoding="utf-8") as stream:
            labels |= {unescape_formula(row[0]) for row in csv.reader(stream)}
    assert set(ALL) <= labels
    lines = [line for line in format_summary(study).splitlines() if line.startswith("| ")]
    assert {len(re.findall(r"(?<!\\)[|]", line)) for line in lines} == {lines[0].count("|")}
    assert not re.search(r"(?<!\\)</?script>", "".join(lines))


@pytest.mark.parametrize("name", [*NAMES, "a,b;c", "two\nlines", "=1+2"])
def test_names_of_every_kind_stand_in_csv_as_they_are(tmp_path: Path, name: str) -> None:
    study = named(name)
    write_table_files(all_tables(study), tmp_path / "tables")
    with (tmp_path / "tables" / "comparison.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert {unescape_formula(row["Treebank"]) for row in rows} == {name}
    assert [unescape_formula(row["Candidate"]) for row in rows] == [name, "other"]
    write_summary(study.scores, tmp_path / "summary.csv")
    assert read_summary(tmp_path / "summary.csv") == study.scores


@pytest.mark.parametrize("name", NAMES)
def test_names_of_every_kind_stand_in_charts_as_they_are(tmp_path: Path, name: str) -> None:
    figures = list(all_figures(named(name)))
    displayed = []
    write_figures(figures, tmp_path)
    for path in tmp_path.iterdir():
        if path.suffix == ".svg":
            root = etree.parse(path).getroot()
            assert root.xpath("//*[local-name()='script']") == []
            displayed += ["".join(text.itertext()) for text in root.xpath("//*[local-name()='text']")]
        elif path.suffix == ".pdf":
            assert path.read_bytes().startswith(b"%PDF")
        elif path.name == "scores-brackets.csv":
            with path.open(newline="", encoding="utf-8") as stream:
                assert f"{name} · {name}" in {unescape_formula(row["name"]) for row in csv.DictReader(stream)}
    assert name in displayed
