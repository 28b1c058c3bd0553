"""Files that are damaged, vanish, or have no room on the disk."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workflow.test_faults import RESULTS, candidates, finished, folder, run_once
from tests.workflow.test_study_run import ROOT, snakemake

__all__ = ["finished", "folder", "run_once"]


@pytest.mark.slow
def test_a_damaged_file_that_others_are_made_of_is_taken_away(finished: Path) -> None:
    view = finished / RESULTS / "converted/t/good.constituents.parquet"
    whole = view.read_bytes()
    view.write_bytes(whole[:100])
    study = finished / "s.yaml"
    study.write_text(study.read_text(encoding="utf-8").replace("[parseval]", "[parseval, leaf_ancestor]"))
    stopped = snakemake(finished, "--configfile", "s.yaml")
    assert stopped.returncode != 0
    assert "good.constituents.parquet: found other content than was written there" in (
        stopped.stdout + stopped.stderr
    )
    again = snakemake(finished, "--configfile", "s.yaml")
    assert again.returncode == 0, again.stdout + again.stderr
    assert view.read_bytes() == whole
    assert candidates(finished) == {"good", "broken"}


@pytest.mark.slow
@pytest.mark.parametrize("damaged", ["treebanks/t/gold.parquet", "scores/t/good.parseval.parquet"])
def test_a_damaged_file_that_the_report_is_made_of_is_taken_away(finished: Path, damaged: str) -> None:
    summary = (finished / RESULTS / "summary.csv").read_bytes()
    path = finished / RESULTS / damaged
    whole = path.read_bytes()
    path.write_bytes(whole[:100])
    stopped = snakemake(finished, "--configfile", "s.yaml")
    assert stopped.returncode != 0
    said = stopped.stdout + stopped.stderr
    assert f"results/small/{damaged}: found other content than was written there" in said
    again = snakemake(finished, "--configfile", "s.yaml")
    assert again.returncode == 0, again.stdout + again.stderr
    assert path.read_bytes() == whole
    assert (finished / RESULTS / "summary.csv").read_bytes() == summary


@pytest.mark.slow
def test_an_input_that_vanishes_is_named(finished: Path) -> None:
    (finished / "broken.mrg").unlink()
    command = [sys.executable, "-m", "crossbank.workflow.steps.report", "--results", str(RESULTS)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    step = subprocess.run(
        [*command, "--log", "log"], cwd=finished, env=environment, capture_output=True, text=True, check=False
    )
    assert (step.returncode, step.stderr) == (2, "broken.mrg: No such file or directory\n")
    run = snakemake(finished, "--configfile", "s.yaml")
    assert run.returncode != 0
    assert "no such file: broken.mrg" in run.stdout + run.stderr


@pytest.fixture
def small_disk(folder: Path) -> Iterator[Path]:
    """Folder of results on a disk of its own with 32 kB."""
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
    said = full.stdout + full.stderr
    assert full.returncode != 0
    assert re.search(r"results/small/\S+: (found )?no space left on device", said, re.I)
    assert "Traceback" not in said
    assert not (folder / RESULTS / "summary.csv").exists()
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    again = snakemake(folder, "--configfile", "s.yaml")
    assert again.returncode == 0, again.stdout + again.stderr
    assert candidates(folder) == {"good", "broken"}
