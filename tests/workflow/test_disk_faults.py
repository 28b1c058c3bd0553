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
from crossbank.workflow.steps.product import Product
from crossbank.workflow.steps.report import check_inputs
from tests.workflow.test_faults import RESULTS, candidates, finished, folder, run_once
from tests.workflow.test_study_run import ROOT, snakemake

__all__ = ["finished", "folder", "run_once"]


def test_a_product_that_is_damaged_is_taken_away_where_another_is_made_of_it(tmp_path: Path) -> None:
    source, view, score = tmp_path / "a.mrg", tmp_path / "view", tmp_path / "score"
    source.write_text("(S (N a))", encoding="utf-8")
    made, other = Product(view, [source], "digest"), Product(score, [view], "digest", forgiven=True)
    made.make(lambda part: part.write_text("whole", encoding="utf-8"))
    view.write_text("wh", encoding="utf-8")
    with pytest.raises(CrossbankError, match=r"view: found other content than was written there.*taken away"):
        other.make(lambda part: pytest.fail("made of a damaged file"))
    assert not view.exists()
    assert made.make(lambda part: part.write_text("whole", encoding="utf-8"))
    assert other.make(lambda part: part.write_text("score", encoding="utf-8"))


def test_an_input_is_checked_again_before_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("gold", "parsed"):
        Path(f"{name}.mrg").write_text("(S (N a))\n", encoding="utf-8")
    candidates = [{"name": "parsed", "path": "parsed.mrg"}]
    treebank = {"name": "t", "gold": {"path": "gold.mrg"}, "candidates": candidates}
    study, results = study_of({"study": "s", "treebanks": [treebank]}, "s.yaml"), Path("results/s")

    def read(name: str) -> None:
        path = results / "treebanks" / "t" / f"{name}.parquet"
        Product(path, [Path(f"{name}.mrg")], "digest").make(lambda part: part.write_bytes(b"as read"))

    read("gold")
    with pytest.raises(
        CrossbankError, match=r"^parsed\.mrg: found a file that was not there when the run began"
    ):
        check_inputs(study, results, Path())
    read("parsed")
    check_inputs(study, results, Path())
    Path("parsed.mrg").write_text("(S (N b))\n", encoding="utf-8")
    with pytest.raises(CrossbankError, match=r"^parsed\.mrg: found other content than when it was read"):
        check_inputs(study, results, Path())
    assert not (results / "treebanks/t/parsed.parquet").exists()


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
