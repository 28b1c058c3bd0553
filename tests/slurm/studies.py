"""Studies as jobs of Slurm, on one node that is brought up for them: `make test-slurm`.

The same bytes as without a cluster are expected, also where a job is cancelled, or killed for memory.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.slurm.one_node import cancel, jobs, one_node, submissions, wait

ROOT = Path(__file__).resolve().parents[2]
SLURM = ["--profile", "workflow/profiles/slurm"]
SOON = ["--slurm-init-seconds-before-status-checks", "1"]
"""Asks Slurm sooner and more often than a user's study should."""

SMALL = """\
study: small
treebanks:
  - {name: t, scheme: ptb, gold: {path: gold.mrg}, candidates: [{name: same, path: gold.mrg}]}
metrics: [parseval]
bootstrap: {samples: 10}
"""


@pytest.fixture(scope="module", autouse=True)
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    # Where the time is up, the cluster is taken down before the end.
    signal.signal(signal.SIGTERM, lambda *_: pytest.exit("the time is up", returncode=1))
    with one_node(tmp_path_factory.mktemp("node")):
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which the project's studies can be run, like the checkout."""
    for name in ("workflow", "config", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "gold.mrg").write_text("(S (NP (PRP She)) (VP (VBD slept)) (. .))\n" * 3, encoding="utf-8")
    (tmp_path / "small.yaml").write_text(SMALL, encoding="utf-8")
    return tmp_path


def study(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Snakemake on its way with a study."""
    command = [sys.executable, "-m", "snakemake", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    pipe, same = subprocess.PIPE, subprocess.STDOUT
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, stderr=same, text=True)


def finished(process: subprocess.Popen[str], seconds: float = 420) -> str:
    """What a study printed, which must have succeeded."""
    try:
        printed, _ = process.communicate(timeout=seconds)
    finally:
        process.kill()
    assert process.returncode == 0, printed
    return printed


def results(folder: Path, name: str) -> dict[str, bytes]:
    """The summary and the problems of a study; the folder is emptied for the next run."""
    place = folder / "results" / name
    found = {file: (place / file).read_bytes() for file in ("summary.csv", "problems.csv")}
    place.rename(folder / f"before-{time.monotonic_ns()}")
    return found


def both_ways(folder: Path, name: str, *arguments: str) -> tuple[float, float, int]:
    """The seconds of a study on this machine and on the cluster, and its jobs there; its bytes must agree."""
    began = time.monotonic()
    finished(study(folder, *arguments))
    here = time.monotonic() - began
    expected, before = results(folder, name), submissions()
    began = time.monotonic()
    finished(study(folder, *SLURM, *arguments))
    there, number = time.monotonic() - began, submissions() - before
    assert results(folder, name) == expected
    print(f"{name}: here {here:.0f} s, on the cluster {there:.0f} s in {number} jobs")
    return here, there, number


def test_the_example_is_one_job_with_the_same_bytes(folder: Path) -> None:
    _, _, number = both_ways(folder, "tiger_vs_tuba", "--configfile", "config/tiger_vs_tuba.yaml")
    assert number == 1


def test_parser_output_is_scored_with_the_same_bytes(folder: Path, shared_data: Path) -> None:
    data = ["--config", f"data={shared_data / 'farpahc'}"]
    both_ways(folder, "farpahc", "--configfile", "config/farpahc.yaml", *data)


def test_a_cancelled_job_is_submitted_again(folder: Path) -> None:
    finished(study(folder, "--configfile", "small.yaml"))
    expected, before = results(folder, "small"), submissions()
    process = study(folder, *SLURM, *SOON, "--configfile", "small.yaml")
    wait(lambda: jobs("running"), "a running job", seconds=60)
    (first,) = jobs("running")
    cancel(first)
    finished(process)
    assert jobs("cancelled") == [first]
    assert submissions() - before == 2
    assert results(folder, "small") == expected


def test_a_job_that_is_killed_for_memory_gets_more_at_its_next_attempt(folder: Path) -> None:
    before = submissions()
    rules = ("convert_gold", "convert_candidates", "score", "report")
    # Python alone takes more than the first attempt has.
    sizes = [f"{rule}:mem_mb=30 if attempt == 1 else 1000" for rule in rules]
    finished(study(folder, *SLURM, *SOON, "--configfile", "small.yaml", "--set-resources", *sizes))
    assert submissions() - before == 2
    assert results(folder, "small")
