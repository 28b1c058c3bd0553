"""Files that are damaged, vanish, or have no room on the disk."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crossbank.reports.study.reading import study_of
from crossbank.treebanks.errors import CrossbankError
from crossbank.workflow.settings import ReadSettings
from crossbank.workflow.steps.read import read
from crossbank.workflow.steps.report import check_inputs
from tests.workflow.test_faults import RESULTS, candidates, finished, folder, run_once
from tests.workflow.test_study_run import ROOT, snakemake

__all__ = ["finished", "folder", "run_once"]


def test_an_input_is_checked_again_before_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("gold", "parsed"):
        Path(f"{name}.mrg").write_text("(S (N a))\n", encoding="utf-8")
    candidates = [{"name": "parsed", "path": "parsed.mrg"}]
    treebank = {"name": "t", "gold": {"path": "gold.mrg"}, "candidates": candidates}
    study, results = study_of({"study": "s", "treebanks": [treebank]}, "s.yaml"), Path("results/s")

    def read_one(name: str, batch: str) -> None:
        sources = {name: ([Path(f"{name}.mrg")], ReadSettings("bracket"))}
        read(sources, results / "treebanks" / "t" / f"{batch}.parquet")

    read_one("gold", "gold")
    with pytest.raises(
        CrossbankError, match=r"^parsed\.mrg: found a file that was not there when the run began"
    ):
        check_inputs(study, results, Path())
    read_one("parsed", "candidates-1-of-1")
    check_inputs(study, results, Path())
    Path("parsed.mrg").write_text("(S (N b))\n", encoding="utf-8")
    with pytest.raises(CrossbankError, match=r"^parsed\.mrg: found other content than when it was read"):
        check_inputs(study, results, Path())
    assert not (results / "treebanks/t/candidates-1-of-1.parquet").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "damaged", ["treebanks/t/gold.parquet", "converted/t/gold.constituents.parquet", "summary.csv"]
)
def test_a_study_makes_a_damaged_file_again(finished: Path, damaged: str) -> None:
    path, summary = finished / RESULTS / damaged, finished / RESULTS / "summary.csv"
    whole, scores = path.read_bytes(), summary.read_bytes()
    path.write_bytes(whole[:100])
    command = [sys.executable, "-m", "crossbank", "study", "s.yaml"]
    again = subprocess.run(command, cwd=finished, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stdout + again.stderr
    assert damaged in again.stderr
    assert path.read_bytes() == whole
    assert summary.read_bytes() == scores


@pytest.mark.slow
def test_an_input_that_vanishes_is_named(finished: Path) -> None:
    (finished / "broken.mrg").unlink()
    command = [sys.executable, "-m", "crossbank.workflow.steps.report", "--results", str(RESULTS)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    step = subprocess.run(
        [*command, "--log", "log"], cwd=finished, env=environment, capture_output=True, text=True, check=False
    )
    assert (step.returncode, step.stderr.casefold()) == (2, "broken.mrg: no such file or directory\n")
    run = snakemake(finished, "--configfile", "s.yaml")
    assert run.returncode != 0
    assert "no such file: broken.mrg" in run.stdout + run.stderr


@pytest.fixture
def small_disk(folder: Path) -> Iterator[Path]:
    """Yield the folder of results on a disk of its own with 32 kB."""
    results = folder / "results"
    results.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", str(results)]
    if sys.platform != "linux" or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a disk that can be filled needs Linux and its superuser")
    yield results
    subprocess.run(["umount", str(results)], check=True)


@pytest.mark.slow
def test_a_full_disk_is_named_and_nothing_half_written_stays(folder: Path, small_disk: Path) -> None:
    full = snakemake(folder, "--configfile", "s.yaml")
    message = full.stdout + full.stderr
    assert full.returncode != 0
    assert re.search(r"results/small/\S+: (found )?no space left on device", message, re.I)
    assert "Traceback" not in message
    assert not (folder / RESULTS / "summary.csv").exists()
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    again = snakemake(folder, "--configfile", "s.yaml")
    assert again.returncode == 0, again.stdout + again.stderr
    assert candidates(folder) == {"good", "broken"}
