"""Study of the README: the price of an error depends on the scheme, under some measures.

It has the same bytes whatever the shards, cores, date, locale, time zone, hash seed, threads and umask.
"""

import csv
import html
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from crossbank.reports.results.study_results import load_results
from crossbank.reports.study.reading import load_study
from tests.workflow.test_study_run import ROOT, contents, snakemake

pytestmark = pytest.mark.slow

FILE = "tiger_vs_tuba.yaml"

CLOCK = """\
import datetime, time

AHEAD = 700_000_000
now = time.time
time.time = lambda: now() + AHEAD

class Later(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return super().now(tz) + datetime.timedelta(seconds=AHEAD)

class LaterDate(datetime.date):
    @classmethod
    def today(cls):
        return super().today() + datetime.timedelta(seconds=AHEAD)

datetime.datetime, datetime.date = Later, LaterDate
"""
"""A ``sitecustomize`` for all processes of a run: the clock is 22 years ahead. Files' dates stay."""

ODD = {
    "a hash seed, a zone of half hours and an ASCII locale": (
        {"PYTHONHASHSEED": "1", "TZ": "Asia/Kolkata", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
        {"cores": 1, "shard_sentences": 40, "umask": 0o077, "threads": "1"},
    ),
    "a clock that is ahead, the zone with the latest date, a locale that is not there": (
        {
            "PYTHONHASHSEED": "4242",
            "TZ": "Pacific/Kiritimati",
            "LC_ALL": "tr_TR.ISO-8859-9",
            "PYTHONUTF8": "0",
            "SOURCE_DATE_EPOCH": "1",
            "CLOCK": "ahead",
        },
        {"cores": 3, "shard_sentences": 18, "umask": 0o000, "threads": "5"},
    ),
}


OF_LOCALES = ("LC_ALL", "PYTHONCOERCECLOCALE", "PYTHONUTF8")


def with_the_study(folder: Path) -> Path:
    """Return a folder in which the command can be typed."""
    for name in ("examples", "config", FILE):
        (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the results of the command that the design names, as it is typed in the repository's root."""
    folder = with_the_study(tmp_path_factory.mktemp("flagship"))
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
    def score_difference(metric: str, measure: str) -> float:
        computed = scores(results, metric, measure)
        return abs(computed["tiger", candidate] - computed["tuba", candidate])

    assert score_difference("parseval", "f1") > 4 * score_difference("dependencies", "f1")


def test_the_same_error_costs_the_same_under_relations_and_not_under_brackets(results: Path) -> None:
    study = load_results(results, load_study(results / "study.yaml", present=False))
    losses = {(floor.treebank, floor.metric): 100 * floor.loss for floor in study.floors}
    assert len(losses) == 12
    assert losses["tiger", "relations"] < 5 < losses["tiger", "dependencies"] < 8
    assert losses["tiger", "conformance"] < losses["tuba", "conformance"] < 16
    assert losses["tiger", "parseval"] > 40
    page = (results / "report" / "index.html").read_text(encoding="utf-8")
    assert (
        "The costs differ most under Parseval, where an error costs more in tiger than in tuba: +7." in page
    )
    assert "They differ least under Grammatical relations" in page
    assert len(page.encode()) < 1_050_000


def test_the_page_says_first_what_is_constructed(results: Path) -> None:
    page = (results / "report" / "index.html").read_text(encoding="utf-8")
    text = html.unescape(re.sub(r"<[^>]+>", "", page.partition('id="statements"')[0]))
    assert "alpha and beta are not parsers" in text
    assert "config/public/" in text
    assert "@misc{crossbank-examples" in page


def test_what_is_constructed_is_not_tested_and_parsers_are(results: Path) -> None:
    from crossbank.reports.estimates.questions import CANDIDATES
    from crossbank.reports.estimates.table import estimates_of

    study = load_results(results, load_study(results / "study.yaml", present=False))
    assert [c.name for c in study.treebanks[0].candidates if c.constructed] == ["alpha", "beta"]
    within = {(row.candidate, row.other) for row in estimates_of(study).of(CANDIDATES)}
    assert within == {("pcfg_tags", "pcfg_words")}


def test_every_sentence_has_a_parse_of_the_trained_parsers(results: Path) -> None:
    study = load_results(results, load_study(results / "study.yaml", present=False))
    for treebank in study.treebanks:
        for candidate in treebank.candidates:
            scored = candidate.counts["parseval"].status_counts()["scored"]
            assert scored == (119 if candidate.constructed else 120)


@pytest.mark.skipif(os.name != "posix", reason="umask and time zones are those of POSIX")
@pytest.mark.parametrize("name", ODD)
def test_how_it_is_run_changes_no_byte(results: Path, tmp_path: Path, name: str) -> None:
    inputs, odd = ODD[name]
    if not str(ROOT).isascii():
        # In these locales Python does not start from an environment in a folder of such a name.
        inputs = {variable: value for variable, value in inputs.items() if variable not in OF_LOCALES}
    path = [str(ROOT)]
    if "CLOCK" in inputs:
        (tmp_path / "clock").mkdir()
        (tmp_path / "clock/sitecustomize.py").write_text(CLOCK, encoding="utf-8")
        path.insert(0, str(tmp_path / "clock"))
    environment = {**os.environ, **inputs, "PYTHONPATH": os.pathsep.join(path)}
    command = [sys.executable, "-m", "crossbank", "study", FILE]
    command += ["--cores", str(odd["cores"]), "--config", f"shard_sentences={odd['shard_sentences']}"]
    done = subprocess.run(
        command,
        cwd=with_the_study(tmp_path),
        env={**environment, "CROSSBANK_THREADS": str(odd["threads"])},
        umask=odd["umask"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    expected, actual = contents(results.parents[1]), contents(tmp_path)
    assert len(expected) > 150
    assert actual.keys() == expected.keys()
    assert [file for file, content in expected.items() if actual[file] != content] == []
