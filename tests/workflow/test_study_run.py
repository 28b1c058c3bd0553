"""Studies run for real: what they make, what they run again, what they answer to a wrong study file."""

import csv
import os
import re
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

STUDY = """\
study: small
treebanks:
  - name: t
    scheme: ptb
    gold: {path: gold.mrg}
    candidates:
      - {name: good, path: good.mrg}
      - {name: poor, path: poor.mrg, attributes: {training_size: 10}}
metrics: [parseval, leaf_ancestor]
bootstrap: {samples: 50}
"""

GOLD = """\
(ROOT (S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (DT a) (NN bird))) (. .)))
(ROOT (S (NP (PRP She)) (VP (VBD slept)) (. .)))
(ROOT (NP (NN Rain)))
"""
POOR = """\
(ROOT (S (NP (DT The) (NN cat)) (VBD saw) (NP (DT a) (NN bird)) (. .)))
(())
(ROOT (NP (NN Snow)))
"""


def snakemake(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "workflow" / "Snakefile")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [*command, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of the studies of a folder by their places, without the logs, which have times."""
    results = folder / "results"
    paths = [path for path in results.rglob("*") if path.is_file() and "logs" not in path.parts]
    return {str(path.relative_to(results)): path.read_bytes() for path in paths}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a small study that has been run. One of its files has a name like an option."""
    folder = tmp_path_factory.mktemp("study")
    study = STUDY.replace("good.mrg", ".//-good.mrg")
    for name, content in {"gold.mrg": GOLD, "-good.mrg": GOLD, "poor.mrg": POOR, "s.yaml": study}.items():
        (folder / name).write_text(content, encoding="utf-8")
    done = snakemake(folder, "--configfile", "s.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "inconsistent results" not in done.stderr  # as Snakemake says of ./ and //
    return folder


def test_the_summary_has_every_score(folder: Path) -> None:
    with open(folder / "results/small/summary.csv", encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    header = "study,treebank,candidate,metric,measure,value,low,high,n,signature"
    assert ",".join(rows[0]) == header
    values = {(row["candidate"], row["metric"], row["measure"]): float(row["value"]) for row in rows}
    assert values["good", "parseval", "f1"] == 1
    assert values["good", "leaf_ancestor", "mean"] == 1
    assert 0 < values["poor", "parseval", "recall"] < values["poor", "parseval", "precision"] <= 1
    assert all(float(row["low"]) <= float(row["value"]) <= float(row["high"]) for row in rows)
    assert all("|scheme:ptb|" in row["signature"] for row in rows)


def test_every_unscored_sentence_is_listed(folder: Path) -> None:
    with open(folder / "results/small/problems.csv", encoding="utf-8", newline="") as stream:
        rows = [(row["candidate"], row["sentence"], row["status"]) for row in csv.DictReader(stream)]
    assert rows == [("poor", "2", "no parse"), ("poor", "3", "words differ")]


def test_the_report_needs_nothing_else(folder: Path) -> None:
    page = (folder / "results/small/report/index.html").read_text(encoding="utf-8")
    assert "poor" in page
    assert 'src="http' not in page
    displayed = re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL)
    assert not re.search(r"\b(nan|inf)\b", displayed, re.IGNORECASE)
    tables = (folder / "results/small/report/tables.tex").read_text(encoding="utf-8")
    assert r"\toprule" in tables


@pytest.mark.slow
def test_nothing_is_run_twice(folder: Path) -> None:
    again = snakemake(folder, "--configfile", "s.yaml", "--dry-run")
    assert "Nothing to be done" in again.stdout + again.stderr


@pytest.mark.slow
def test_another_candidate_file_runs_what_depends_on_it(folder: Path) -> None:
    path = folder / "poor.mrg"
    path.write_text(POOR.replace("Snow", "Rain"), encoding="utf-8")
    dry = snakemake(folder, "--configfile", "s.yaml", "--dry-run", "--quiet", "host")
    listed = dry.stdout + dry.stderr
    path.write_text(POOR, encoding="utf-8")
    assert "output: results/small/treebanks/t/candidates-1-of-1.parquet" in listed
    assert "output: results/small/scores/t/candidates-1-of-1.parseval.parquet" in listed
    assert "output: results/small/treebanks/t/gold.parquet" not in listed


@pytest.mark.slow
def test_running_again_gives_the_same_bytes(folder: Path) -> None:
    names = ["summary.csv", "problems.csv"]
    names += [f"report/{name}" for name in ("index.html", "tables.tex", "summary.md", "tables/tests.csv")]
    before = [(folder / "results/small" / name).read_bytes() for name in names]
    done = snakemake(folder, "--configfile", "s.yaml", "--forceall")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [(folder / "results/small" / name).read_bytes() for name in names] == before


def test_wrong_study_files_are_answered_plainly(folder: Path) -> None:
    (folder / "wrong.yaml").write_text(STUDY.replace("scheme: ptb", "scheme: pbt"), encoding="utf-8")
    refused = snakemake(folder, "--configfile", "wrong.yaml")
    assert refused.returncode != 0
    assert "wrong.yaml:4: treebanks[0].scheme: " in refused.stderr
    assert "'pbt' is not a scheme" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_study_is_needed(folder: Path) -> None:
    refused = snakemake(folder)
    assert refused.returncode != 0
    assert "found no study, expected one: snakemake --configfile" in refused.stderr


@pytest.mark.slow
def test_snakemakes_own_report_shows_the_tables(folder: Path) -> None:
    done = snakemake(folder, "--configfile", "s.yaml", "--report", "snakemake-report.html")
    assert done.returncode == 0, done.stdout + done.stderr
    page = (folder / "snakemake-report.html").read_text(encoding="utf-8")
    summary = (folder / "results/small/summary.csv").read_bytes()
    assert b64encode(summary).decode()[:400] in page
