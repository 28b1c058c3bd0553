"""How to cite a study: sentences with every signature, and BibTeX of what was used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import html

from crossbank.metrics.counting.metric import METRICS, metric_class
from crossbank.reports.pages.page import render_page
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.cite import (
    compile_bibliography,
    describe_method,
    entry,
    load_entries,
)
from crossbank.workflow.steps.here import run_here, study_content
from tests.reports.test_over_treebanks import study_of
from tests.reports.toy import results as toy_results

ROOT = Path(__file__).resolve().parents[2]
OURS = {name: reference for name, reference in METRICS.items() if reference.startswith("crossbank.")}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> StudyResults:
    folder = tmp_path_factory.mktemp("cited")
    files = [str(ROOT / "examples" / f"tiger.{name}") for name in ("export", "alpha.mrg", "beta.mrg")]
    content = study_content(files[0], files[1:], ["parseval", "leaf_ancestor"], {}, scheme="tiger")
    return run_here({**content, "bootstrap": {"samples": 50}}, folder)


def test_the_sentences_name_what_was_done(study: StudyResults) -> None:
    text = describe_method(study)
    assert text.startswith(
        "We compare tiger_alpha and tiger_beta with the gold trees of tiger (120 sentences, "
    )
    for _, _, _, counts in study.counted():
        assert str(counts.full_signature) in text
    assert "50 bootstrap resamples" in text
    assert "random signs of the sentences (Noreen 1989" in text
    assert "counts as one without a match" in text


def test_the_papers_are_those_of_the_measures_and_tests(study: StudyResults) -> None:
    matches = re.findall(r"^@\w+\{([^,]+),", compile_bibliography(study), re.M)
    assert {"black-etal-1991", "sampson-babarczy-2003", "efron-tibshirani-1993", "noreen-1989"} <= set(
        matches
    )
    assert {"westfall-young-1993", "chernozhukov-etal-2013", "kummerfeld-etal-2012"} <= set(matches)
    assert matches == sorted(matches)
    assert "zeman-etal-2018" not in matches


@pytest.mark.parametrize("treebanks", [0, 4])
def test_all_that_the_report_cites_has_an_entry(study: StudyResults, treebanks: int) -> None:
    displayed = study_of(treebanks) if treebanks else study
    text = html.document_fromstring(render_page(displayed)).text_content()
    cited = re.findall(r"(\w[\w-]+)(?:,| et al\.| and [\w ]+?)? \(?((?:19|20)\d\d)\b", text)
    known = compile_bibliography(displayed).replace(r"{\v{s}}", "š")
    actual = {(name, year) for name, year in cited if name not in ("in", "CoNLL")}
    assert {("Noreen", "1989"), ("Westfall", "1993"), ("Chernozhukov", "2013")} <= actual
    for name, year in actual:
        entries_of = [entry for entry in known.split("\n\n") if f"{{{year}}}" in entry]
        assert any(name in entry for entry in entries_of), (name, year)


def test_nothing_is_cited_where_nothing_was_scored() -> None:
    empty = StudyResults("empty", [])
    assert describe_method(empty) == compile_bibliography(empty) == ""
    assert "Cite this" not in render_page(empty)


def test_a_metric_of_others_has_no_paper_of_ours() -> None:
    matches = re.findall(r"^@\w+\{([^,]+),", compile_bibliography(toy_results()), re.M)
    assert "efron-tibshirani-1993" in matches  # intervals are ours
    assert "black-etal-1991" not in matches


@pytest.mark.parametrize("name", OURS)
def test_every_metric_names_papers_that_are_there(name: str) -> None:
    papers = metric_class(name).papers
    assert papers
    for paper in papers:
        assert re.fullmatch(ENTRY, entry(paper))


ENTRY = r"@\w+\{[a-z-]+\d{4},\n(  \w+ += \{.+\},?\n)+\}"


def test_every_entry_is_whole() -> None:
    for key, text in load_entries().items():
        assert re.fullmatch(ENTRY, text), key
        assert text.count("{") == text.count("}")
        assert "author" in text
        assert "and others" not in text, key
        assert "year" in text
        assert all(re.fullmatch(r"\d+--\d+", pages) for pages in re.findall(r"pages += \{(.+)\}", text)), key
        assert all(doi.startswith("10.") for doi in re.findall(r"doi += \{(.+)\}", text)), key


def test_the_page_shows_both(study: StudyResults) -> None:
    text = render_page(study)
    assert '<h2 id="cite">How this was scored</h2>' in text
    assert "@article{sampson-babarczy-2003," in text
