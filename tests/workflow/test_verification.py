"""A finished report is verified from its counts: what was changed on a page, or in a file, is reported."""

import ast
import csv
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from html import escape
from pathlib import Path

import pytest
from pyarrow import parquet

from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.stored_sources import SourceWriter, stored_sources
from crossbank.workflow.commands.cli import main
from crossbank.workflow.steps.here import run_here, study_content
from crossbank.workflow.steps.manifest import write_manifest
from crossbank.workflow.verification.page_statements import statements_on
from crossbank.workflow.verification.verify import study_folder, verify
from tests.conftest import needs_other_results

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study with statements over all sentences and over those that are scored in both."""
    folder = tmp_path_factory.mktemp("verified") / "results"
    files = [str(ROOT / "examples" / f"tiger.{name}") for name in ("export", "alpha.mrg", "beta.mrg")]
    metrics = ["parseval", "leaf_ancestor", "dependencies"]
    content = study_content(files[0], files[1:], metrics, {"labels": "no"}, scheme="tiger")
    run_here({**content, "bootstrap": {"samples": 20}, "tests": {"trials": 500}}, folder)
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """Return a copy that a test may change."""
    return Path(shutil.copytree(made, tmp_path / "copy"))


def page_of(folder: Path) -> Path:
    return folder / "report" / "index.html"


def changed(folder: Path, change: Callable[[str], str]) -> list[str]:
    """Return what is wrong with a page after a change, which must change it."""
    text = page_of(folder).read_text(encoding="utf-8")
    other = change(text)
    assert other != text
    page_of(folder).write_text(other, encoding="utf-8")
    return verify(folder)[2]


def test_a_report_is_as_recomputed(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    statements, scores, wrong = verify(made)
    assert wrong == []
    assert statements > 4
    assert scores > 20
    by_type = {(one.type, one.attributes["population"]) for one in statements_on(page_of(made))}
    assert {("better", "all"), ("errors", "scored in both")} <= by_type
    assert main(["report", "--verify", str(page_of(made))]) == 0
    assert "all as recomputed from the counts" in capsys.readouterr().out


@pytest.mark.parametrize("number", range(6))
def test_every_change_of_a_statement_is_reported(folder: Path, number: int) -> None:
    """Names, numbers, populations and measures, in the sentence and in the attributes, one at a time."""
    original = page_of(folder).read_text(encoding="utf-8")
    statements = statements_on(page_of(folder))
    one = statements[number % len(statements)]
    items = re.findall(r"<li data-statement=.*?</li>", original, re.S)
    item = next(item for item in items if escape(one.text, quote=False) in item)
    a, b = one.attributes["candidate"], one.attributes["other"]
    text = one.text
    numbers = re.search(r"interval (\S+) to ([^,]+),", text)
    assert numbers
    low, high = numbers.groups()
    sentences = {
        "labels": text.replace(a, "\0").replace(b, a).replace("\0", b),
        "interval": text.replace(f"{low} to {high}", f"{high} to {low}"),
        "bound": text.replace(f"to {high}", f"to {high}1"),
        "value": re.sub(r": ([+−])\d", r": \g<1>9", text, count=1),
        "sentences": re.sub(r"; \d+ sentence", "; 7 sentence", text, count=1),
        "p": re.sub(r"corrected p (< 0.001|= [\d.]+)", "corrected p = 0.049", text),
        "population": text.replace(", scored in both", "") if "scored in both" in text
        else text.replace(" sentences)", " sentences, scored in both)"),
        "measure": re.sub(r"(under|fewer) (\w+)", r"\1 Other \2", text, count=1),
    }  # fmt: skip
    for what, other in sentences.items():
        if other == text:
            continue
        assert escape(text, quote=False) in item
        page_of(folder).write_text(
            original.replace(item, item.replace(escape(text, quote=False), escape(other, quote=False))),
            encoding="utf-8",
        )
        assert verify(folder)[2], (what, other)
    for name in (
        "candidate",
        "value",
        "low",
        "high",
        "p-corrected",
        "n",
        "population",
        "measure",
        "treebank",
    ):
        value = re.search(rf' data-{name}="([^"]*)"', item)
        assert value
        other = {"population": "matched length", "measure": "recall", "n": "7"}.get(name, "1" + value[1])
        page_of(folder).write_text(
            original.replace(item, item.replace(value[0], f' data-{name}="{other}"')), encoding="utf-8"
        )
        assert verify(folder)[2], name


def test_a_row_of_another_statement_is_reported(folder: Path) -> None:
    def swap(text: str) -> str:
        first, second = re.findall(r' data-row="\d+"', text)[:2]
        return text.replace(first, "\0").replace(second, first).replace("\0", second)

    assert changed(folder, swap)


def test_a_changed_score_is_reported(folder: Path) -> None:
    summary = folder / "summary.csv"
    with summary.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    rows[1][rows[0].index("value")] = "0.5"
    with summary.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(rows)
    (wrong,) = verify(folder)[2]
    assert "summary.csv" in wrong
    assert "0.5" in wrong


def test_changed_counts_are_reported(folder: Path) -> None:
    """Counts of another candidate in place of one's own make all of its statements wrong."""
    scores = next((folder / "scores").iterdir())
    (path,) = scores.glob("*.parseval.parquet")
    one, other = stored_sources(path).values()
    with parquet.ParquetFile(path) as file:
        rows = file.read_row_groups(one.groups).select(file.schema_arrow.names[2:])
    with SourceWriter(path, rows.schema) as writer:
        for source in (one, other):
            writer.write_rows(source.name, rows)
            writer.finish_source(source.name, one.about)
    assert len(verify(folder)[2]) > 5


def test_a_changed_file_is_reported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_manifest(folder)
    assert main(["report", "--verify", str(folder)]) == 0
    table = next((folder / "report" / "tables").glob("*.csv"))
    table.write_text("changed", encoding="utf-8")
    assert main(["report", "--verify", str(folder)]) == 1
    assert table.name in capsys.readouterr().err


def test_what_is_no_finished_report_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CrossbankError, match="no finished report"):
        study_folder(tmp_path)
    assert main(["report", "--verify", str(tmp_path)]) == 2
    assert "no finished report" in capsys.readouterr().err


def test_verification_imports_neither_reports_nor_their_statistics() -> None:
    for path in (ROOT / "workflow" / "verification").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not [
                n for n in names if n.startswith(("crossbank.reports", "crossbank.metrics.statistics"))
            ]


ESTIMATED = ("conll18", "farpahc", "german", "three_styles")
"""The studies whose time is estimated: the same run is verified, in ``test_study_estimate``."""

CONFIGS = sorted(
    path.name
    for path in (ROOT / "config").glob("*.yaml")
    if path.name not in ("config.yaml", "conll18_all.yaml", "ud_sud.yaml")
    and path.stem not in ESTIMATED
    and "parser:" not in path.read_text(encoding="utf-8")
)
"""Studies of the project; those that train parsers, and of the whole of CoNLL 2018, take minutes each."""


def verify_report(project: Path) -> None:
    """Verify the report of the one study of a project."""
    (folder,) = (path.parent.parent for path in project.glob("results/*/report/index.html"))
    statements, scores, wrong = verify(folder)
    assert wrong == []
    assert scores or not statements


@pytest.mark.slow
@pytest.mark.parametrize("name", CONFIGS)
def test_every_study_is_as_recomputed(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Studies whose data are there: a wrong path in a study fails."""
    path = ROOT / "config" / name
    if "../shared/data" in path.read_text(encoding="utf-8"):
        request.getfixturevalue("shared_data")
    project = tmp_path / "project"
    project.mkdir()
    needs_other_results(path, project)
    (tmp_path / "shared").symlink_to(ROOT.parent / "shared")
    for linked in ("examples", "config"):
        (project / linked).symlink_to(ROOT / linked)
    command = [sys.executable, "-m", "crossbank", "study", f"config/{name}"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    verify_report(project)
