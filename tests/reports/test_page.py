"""Page says what was compared and found, whatever there is to say, and never NaN."""

import re
from dataclasses import replace

import numpy as np
import pytest
from lxml import html

from crossbank.reports.pages import page as pages
from crossbank.reports.pages import paper
from crossbank.reports.pages.page import arrange_blocks, render_page
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections import scores as score_tables
from crossbank.reports.sections import worst
from crossbank.reports.sections.parts import build_breakdown_tables
from crossbank.reports.sections.section import sections_of
from crossbank.reports.sections.treebanks import build_schemes_table
from crossbank.reports.tables import latex
from crossbank.treebanks.builder import TreebankBuilder
from tests.metrics.trees import labelled
from tests.reports.toy import candidate_bank, gold_bank, results


def opened(study: StudyResults) -> html.HtmlElement:
    """Return the page, parsed, after the checks that hold for every page."""
    text = render_page(study)
    assert not re.search(r"\bnan\b", text, re.IGNORECASE)
    assert "http:" not in text
    assert "https:" not in text
    assert "src=" not in text
    root = html.document_fromstring(text)
    ids = root.xpath("//@id")
    assert len(ids) == len(set(ids))
    links = root.xpath("//a/@href")
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    assert all(link.startswith(("#", "sentences.html")) for link in links)
    return root


def cells(root: html.HtmlElement, key: str) -> list[list[str]]:
    (figure,) = root.xpath(f"//figure[@id='{key}']")
    return [
        [" ".join(cell.itertext()).strip() for cell in row.xpath("./th|./td")]
        for row in figure.xpath(".//tbody/tr")
    ]


def test_every_part_of_the_report_is_there(study: StudyResults) -> None:
    root = opened(study)
    assert root.findtext(".//h1") == "A small study"
    assert "1 system on 1 treebank (klein), scored by brackets, heads, lineages." in root.text_content()
    assert [h.text for h in root.iter("h2")] == [
        "Scores", "Error types", "Treebanks", "Do the measures agree?", "By length and text",
        "By label and relation", "Unscored sentences", "Conversions", "Worst sentences",
        "How this was scored",
        "Provenance",
    ]  # fmt: skip


def test_tables_hold_the_scores(study: StudyResults) -> None:
    root = opened(study)
    (row,) = cells(root, "comparison")
    assert row[:5] == ["klein", "raw&ready", "3.50", "2.00", "0.57"]
    assert [cell.split()[0] for cell in row[5:7]] == ["75.0", "50.00"]
    assert row[8].split()[0] == f"{100 * study.scores[2].value:.2f}"
    assert "–" in row[8]
    assert cells(root, "schemes")[0][3:] == ["4", "14", "8", "3.50", "2.00", "0.57", "1", "–"]
    assert cells(root, "unscored")[0] == [
        "klein", "raw&ready", "brackets, heads, lineages", "empty", "4", "2", "1", "1",
    ]  # fmt: skip
    assert [row[2] for row in cells(root, "problems")] == ["s3", "s4"]
    assert cells(root, "conversions")[0][3:] == ["raise", "children raised", "3", "1", "s2"]
    labels = cells(root, "klein-brackets-label")
    assert labels[0] == ["S", "3", "100.00", "66.67", "80.00"]
    signatures = [row[-1] for row in cells(root, "signatures")]
    assert signatures == [str(c.full_signature) for c in study.treebanks[0].candidates[0].counts.values()]


def test_the_worst_sentences_are_shown_with_trees_lineages_and_arcs(study: StudyResults) -> None:
    root = opened(study)
    ranked = [
        [" ".join(item.text_content().split()) for item in part.xpath(".//li")]
        for part in root.xpath("//div[@class='worst']/div")
    ]
    assert ranked[0][0].startswith("40.00 s2 Darüber muss")
    assert ranked[0][1].startswith("57.14 s1")
    (card,) = root.xpath("//details[@id='klein-raw&ready-1']")
    assert len(card.xpath(".//svg")) == 2
    words = card.xpath(".//table")[0].xpath(".//tbody/tr")
    assert [row.xpath("string(./th)") for row in words] == ["Sie", "sieht", "den", "Mann", "mit", "Brille"]
    arcs = [[c.text_content() for c in row] for row in card.xpath(".//table")[1].xpath(".//tbody/tr")]
    assert arcs == [["5", "mit", "A ← Mann 4", "A ← sieht 2", "head"]]
    assert "Differing: 1 missing, 2 additional, 1 tag." in card.text_content()


def test_words_that_look_like_markup_stay_words() -> None:
    study = results({"a<b": gold_bank()})
    assert "a&lt;b" in render_page(study)
    assert "<&>" not in render_page(study)


def test_a_study_without_candidates_reports_schemes_and_conversions() -> None:
    study = results({})
    root = opened(study)
    text = root.text_content()
    assert "1 treebank (klein), described without candidates to score." in text
    assert [h.text for h in root.iter("h2")] == ["Treebanks", "Conversions", "Provenance"]
    assert cells(root, "conversions")
    assert paper.render_latex_tables(study).count(r"\begin{table*}") == 1


def test_a_candidate_that_is_right_throughout() -> None:
    root = opened(results({"same": gold_bank()}))
    assert "All 4 scored sentences are perfect." in root.text_content()
    assert not root.xpath("//figure[@id='problems']")


@pytest.mark.parametrize("policy", ["empty", "skip"])
def test_a_candidate_with_no_scored_sentence(policy: str) -> None:
    builder = TreebankBuilder("nothing.export")
    for index in range(4):
        builder.sentence(id=str(index))
    study = results({"silent": builder.build()}, policy=policy)
    text = opened(study).text_content()
    consequence = "its scores are those of 4 empty parses" if policy == "empty" else "it has no score"
    assert f"klein, silent, brackets: none of 4 sentences could be scored; {consequence}." in text
    assert "No sentence could be scored." in text
    (row,) = cells(opened(study), "comparison")
    assert row[7].split()[0] == ("0.00" if policy == "empty" else "–")


def test_one_sentence_has_a_score_and_no_interval() -> None:
    gold, candidate = gold_bank().select([0]), candidate_bank().select([0])
    study = results({"one": candidate}, gold)
    root = opened(study)
    assert "one sentence enters the score, so there is no interval" in root.text_content()
    assert cells(root, "comparison")[0][7] == "57.14"


def test_stages_of_a_treebank_that_are_alike_share_a_row(study: StudyResults) -> None:
    (treebank,) = study.treebanks
    same = treebank.ratios["as read"]
    other = {**same, "nodes": 9, "nodes_per_token": 9 / 14}
    ratios = {"as read": same, "constituents": other, "dependencies": same}
    table = build_schemes_table(replace(study, treebanks=[replace(treebank, ratios=ratios)]))
    assert [(row[2].text, row[5].text) for row in table.rows] == [
        ("as read, dependencies", "8"), ("constituents", "9"),
    ]  # fmt: skip


def test_discontinuous_sentences_before_and_after_punctuation_is_attached(study: StudyResults) -> None:
    (treebank,) = study.treebanks
    ratios = {"as read": {**treebank.ratios["as read"], "discontinuous_sentences": 5}}
    ratios["constituents"] = {**ratios["as read"], "nodes": 9, "discontinuous_with_punctuation_attached": 2}
    table = build_schemes_table(replace(study, treebanks=[replace(treebank, ratios=ratios)]))
    assert [[cell.text for cell in row[-2:]] for row in table.rows] == [["5", "–"], ["5", "2"]]


def test_the_same_results_give_the_same_bytes(study: StudyResults) -> None:
    assert render_page(study) == render_page(results())
    assert paper.render_latex_tables(study) == paper.render_latex_tables(results())


def test_a_page_stops_drawing_before_it_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = "[S " + " ".join(f"[NP wort{index} ]" for index in range(20)) + " ]"
    gold, candidate = labelled(*[tree] * 20), labelled(*[tree.replace("NP", "PP")] * 20)
    banks = {"one": candidate, "other": candidate}
    monkeypatch.setattr(worst, "MAX_PICTURE_BYTES", 1_000_000)
    whole = render_page(results(banks, gold))
    assert "the other sentences are links" not in whole
    monkeypatch.setattr(worst, "MAX_PICTURE_BYTES", len(whole) // 10)
    part = render_page(results(banks, gold))
    assert "the other sentences are links" in part
    assert len(part) < 0.8 * len(whole)


def test_many_small_multiples_are_folded(study: StudyResults, monkeypatch: pytest.MonkeyPatch) -> None:
    (section,) = (actual for actual in sections_of(study) if actual.key == "agreement")
    (block,) = (actual for actual in arrange_blocks(section)[0] if actual.figures and actual.among)
    assert not block.folded
    monkeypatch.setattr(pages, "MAX_OPEN_MULTIPLES", len(block.figures) - 1)
    (block,) = (actual for actual in arrange_blocks(section)[0] if actual.figures and actual.among)
    assert block.folded
    assert block.title == f"Sentences by two measures ({len(block.figures)})"


def test_latex_escapes_what_is_special(study: StudyResults) -> None:
    text = paper.render_latex_tables(study)
    assert r"raw\&ready" in text
    assert r"toy\_study" in paper.render_paper(replace(study, title="toy_study"))
    assert r"brackets\textbar\allowbreak{}conversions:none" in text
    assert text.count(r"\begin{table") == text.count(r"\end{table") == 5
    assert text.count(r"\newcommand") == 1 + 5
    assert r"\cmidrule(lr){7-9} \cmidrule(lr){10-11}" in text
    assert latex.escape_latex("50 % & $_{x}^~#\\<>") == (
        r"50 \% \& \$\_\{x\}\textasciicircum{}\textasciitilde{}\#\textbackslash{}\textless{}\textgreater{}"
    )
    assert "matched brackets / brackets of gold" in text


def test_every_row_of_a_latex_table_has_every_column(study: StudyResults) -> None:
    table = score_tables.build_comparison_table(study)
    numeric = sum(column.numeric for column in table.columns)
    parts = latex.format_latex(table).split(r"\end{tabular}")[:-1]
    actual = []
    for part in parts:
        rows = [line for line in part.splitlines() if line.endswith(r"\\") and "multi" not in line]
        (columns,) = {line.replace(r"\&", "").count("&") + 1 for line in rows}
        actual.append(columns)
    assert sum(actual) == numeric + len(parts) * (len(table.columns) - numeric)


def test_parts_that_only_one_candidate_has_are_dashes_for_the_other() -> None:
    study = results({"right": gold_bank(), "wrong": candidate_bank()})
    (table,) = build_breakdown_tables(study)
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in table.rows}
    assert rows["VZ"] == ["0", "–", "–", "–", "0.00", "0.00", "0.00"]
    assert table.groups() == [("", 2), ("right", 3), ("wrong", 3)]


def test_sentences_of_equal_score_are_ordered_by_size_and_place() -> None:
    from crossbank.reports.sections.worst import select_worst_rows

    counts = results().treebanks[0].candidates[0].counts["brackets"]
    equal = replace(
        counts,
        status=np.zeros(4, np.int8),
        columns={
            "gold": np.array([2.0, 4.0, 4.0, 1.0]),
            "candidate": np.array([2.0, 4.0, 4.0, 1.0]),
            "matched": np.array([1.0, 2.0, 2.0, 1.0]),
        },
    )
    assert select_worst_rows(equal, 10) == [1, 2, 0]
    assert select_worst_rows(equal, 1) == [1]
