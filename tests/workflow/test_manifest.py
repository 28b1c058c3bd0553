"""What differs from the checksums of what was made is named, and made again by the same command."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from crossbank.treebanks.errors import CrossbankError
from crossbank.workflow.steps.manifest import (
    NAME,
    differing_files,
    read_manifest,
    remove_differing_files,
    write_manifest,
)
from tests.workflow.test_faults import RESULTS, finished, run_once
from tests.workflow.test_study_run import ROOT

__all__ = ["finished", "run_once"]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    for name in (
        "summary.csv",
        "problems.csv",
        "report/index.html",
        "report/tables/scores.csv",
        "scores/t.parquet",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    for name in ("logs/report.json", "scores/.t.parquet.part", "scores/notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("not in the manifest")
    write_manifest(tmp_path)
    return tmp_path


def test_nothing_differs_from_what_was_made(results: Path) -> None:
    assert differing_files(results) == []
    (results / "report/notes.txt").write_text("mine")
    assert remove_differing_files(results) == []
    assert len(read_manifest(results)) == 5


@pytest.mark.parametrize("name", ["summary.csv", "report/tables/scores.csv", "scores/t.parquet"])
def test_a_changed_file_is_removed_with_the_page(results: Path, name: str) -> None:
    before = (results / name).stat()
    (results / name).write_text("x" * before.st_size)
    os.utime(results / name, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert differing_files(results) == [results / name]
    assert remove_differing_files(results) == [results / name]
    assert not (results / name).exists()
    assert not (results / "report/index.html").exists()


def test_a_file_that_is_missing_differs(results: Path) -> None:
    (results / "report/tables/scores.csv").unlink()
    assert remove_differing_files(results) == [results / "report/tables/scores.csv"]


@pytest.mark.parametrize("content", ["", "{}", "[" * 100_000, '{"sha256": 5}', "\0"])
def test_a_damaged_manifest(results: Path, content: str) -> None:
    (results / NAME).write_text(content)
    with pytest.raises(CrossbankError, match="the manifest is damaged"):
        read_manifest(results)
    assert remove_differing_files(results) == [results / NAME]


@pytest.mark.slow
def test_a_study_makes_a_changed_summary_again(finished: Path) -> None:
    def study(*further: str) -> str:
        command = [sys.executable, "-m", "crossbank", "study", "s.yaml", *further]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            command, cwd=finished, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout + done.stderr

    summary = finished / RESULTS / "summary.csv"
    made, manifest = summary.read_bytes(), json.loads((finished / RESULTS / NAME).read_text())
    summary.write_bytes(made.replace(b"1.0", b"0.9"))
    assert "summary.csv: not as it was made" in study("-n")
    assert summary.read_bytes() != made
    assert "summary.csv: not as it was made" in study()
    assert summary.read_bytes() == made
    shutil.rmtree(finished / RESULTS / "report/tables")
    assert "not as it was made" in study()
    assert json.loads((finished / RESULTS / NAME).read_text()) == manifest
    assert "not as it was made" not in study()
