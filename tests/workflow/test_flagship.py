"""Study of the README: the price of an error depends on the scheme, under some measures."""

import csv
import html
import re
from pathlib import Path

import pytest

from crossbank.reports.results.study import load
from crossbank.reports.study.reading import load_study
from tests.workflow.test_study_run import ROOT, snakemake

FILE = "tiger_vs_tuba.yaml"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of the command that the design names, as it is typed in the repository's root."""
    folder = tmp_path_factory.mktemp("flagship")
    for name in ("examples", "config", FILE):
        (folder / name).symlink_to(ROOT / name)
    done = snakemake(folder, "--configfile", FILE)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "results" / "tiger_vs_tuba"


def scores(results: Path, metric: str, measure: str) -> dict[tuple[str, str], float]:
    with (results / "summary.csv").open(encoding="utf-8") as lines:
        return {
            (row["treebank"], row["candidate"]): float(row["value"])
            for row in csv.DictReader(lines)
            if row["metric"] == metric and row["measure"] == measure
        }


@pytest.mark.parametrize("candidate", ["alpha", "beta"])
def test_brackets_depend_on_the_scheme_four_times_as_much_as_dependencies(
    results: Path, candidate: str
) -> None:
    def apart(metric: str, measure: str) -> float:
        found = scores(results, metric, measure)
        return abs(found["tiger", candidate] - found["tuba", candidate])

    assert apart("parseval", "f1") > 4 * apart("dependencies", "f1")


def test_the_page_says_first_what_is_constructed(results: Path) -> None:
    page = (results / "report" / "index.html").read_text(encoding="utf-8")
    text = html.unescape(re.sub(r"<[^>]+>", "", page.partition('id="findings"')[0]))
    assert "alpha and beta are not parsers" in text
    assert "config/public/" in text
    assert "@misc{crossbank-examples" in page


def test_what_is_constructed_is_not_tested_and_parsers_are(results: Path) -> None:
    from crossbank.reports.findings.family import family

    study = load(results, load_study(results / "study.yaml", present=False))
    assert [c.name for c in study.treebanks[0].candidates if c.constructed] == ["alpha", "beta"]
    within = {(found.candidate, found.other) for found in family(study).comparisons}
    assert within == {("pcfg_tags", "pcfg_words")}


def test_every_sentence_has_a_parse_of_the_trained_parsers(results: Path) -> None:
    study = load(results, load_study(results / "study.yaml", present=False))
    for treebank in study.treebanks:
        for candidate in treebank.candidates:
            scored = candidate.counts["parseval"].status_counts()["scored"]
            assert scored == (119 if candidate.constructed else 120)


def test_the_figure_of_errors_shows_the_parts_that_the_findings_tell(results: Path) -> None:
    """Both leave out the constructed candidates: how many errors of each type they have was chosen."""
    with (results / "report/figures/errors-tiger.csv").open(encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if row["column"] == "part of the loss: all parsers"]
    page = html.unescape((results / "report/index.html").read_text("utf-8"))
    said = re.search(r"In tiger errors of the types .*? cost most under Parseval F1 \((.*?)\)", page)
    assert said
    told = re.findall(r"([\d.]+) %( of the parsers' loss)?", said[1])
    assert [f"{100 * float(row['value']):.2f}" for row in rows][: len(told)] == [part for part, _ in told]
    assert told[-1][1]
