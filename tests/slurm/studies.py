"""Studies as jobs of Slurm, on one node that is brought up for them: `make test-slurm`.

The same bytes as without a cluster are expected, also where a job is cancelled or killed for memory, and
where a daemon of Slurm is killed.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
import pytest

from tests.slurm.one_node import Node, cancel, job_fields, jobs, keepers, one_node, submissions, wait

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
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    # Where the time is up, the cluster is taken down before the end.
    signal.signal(signal.SIGTERM, lambda *_: pytest.exit("the time is up", returncode=1))
    with one_node(tmp_path_factory.mktemp("node")) as node:
        yield node


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the results of the small study without a cluster."""
    folder = tmp_path_factory.mktemp("here")
    _write(folder)
    finished(study(folder, "--configfile", "small.yaml"))
    return results(folder, "small")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder in which the project's studies can be run, like the checkout."""
    _write(tmp_path)
    return tmp_path


def _write(folder: Path) -> None:
    for name in ("workflow", "config", "examples"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "gold.mrg").write_text("(S (NP (PRP She)) (VP (VBD slept)) (. .))\n" * 3, encoding="utf-8")
    (folder / "small.yaml").write_text(SMALL, encoding="utf-8")


def study(folder: Path, *arguments: str, module: Sequence[str] = ("snakemake",)) -> subprocess.Popen[str]:
    """Return Snakemake, or another command, on its way with a study."""
    command = [sys.executable, "-m", *module, *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    pipe, same = subprocess.PIPE, subprocess.STDOUT
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, stderr=same, text=True)


def finished(process: subprocess.Popen[str], seconds: float = 300) -> str:
    """Return what a study printed, which must have succeeded."""
    try:
        printed, _ = process.communicate(timeout=seconds)
    finally:
        process.kill()
    assert process.returncode == 0, printed
    return printed


def results(folder: Path, name: str) -> dict[str, bytes]:
    """Return the summary and the problems of a study; the folder is emptied for the next run."""
    index = folder / "results" / name
    actual = {file: (index / file).read_bytes() for file in ("summary.csv", "problems.csv")}
    index.rename(folder / f"before-{time.monotonic_ns()}")
    return actual


def both_ways(folder: Path, name: str, *arguments: str) -> tuple[float, float, int]:
    """Seconds of a study on this machine and on the cluster, and its jobs there; its bytes must agree."""
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


def test_a_small_study_is_one_job_with_the_same_bytes(folder: Path) -> None:
    _, _, number = both_ways(folder, "three_styles", "--configfile", "config/three_styles.yaml")
    assert number == 1


def test_parser_output_is_scored_with_the_same_bytes(folder: Path, shared_data: Path) -> None:
    data = ["--config", f"data={shared_data / 'farpahc'}"]
    both_ways(folder, "farpahc", "--configfile", "config/farpahc.yaml", *data)


def submitted(folder: Path, *further: str) -> tuple[subprocess.Popen[str], str]:
    """Return the small study on its way, and the number of its job, which is at work."""
    process = study(folder, *SLURM, *SOON, "--configfile", "small.yaml", *further)
    wait(lambda: jobs("running"), "a running job", seconds=60)
    (job,) = jobs("running")
    wait(lambda: len(keepers()) == 2, "the job's step", seconds=60)
    return process, job


def test_a_cancelled_job_is_submitted_again(folder: Path, small: dict[str, bytes]) -> None:
    before = submissions()
    process, first = submitted(folder)
    cancel(first)
    finished(process)
    assert jobs("cancelled") == [first]
    assert submissions() - before == 2
    assert results(folder, "small") == small


def test_a_job_that_is_killed_for_memory_gets_more_at_its_next_attempt(
    folder: Path, small: dict[str, bytes]
) -> None:
    before = jobs("all")
    rules = ("read", "constituents", "dependencies", "relations", "score", "report")
    # Python alone takes more than the first attempt has.
    sizes = [f"{rule}:mem_mb=30 if attempt == 1 else 1000" for rule in rules]
    more = ["--set-resources", *sizes]
    printed = finished(study(folder, "small.yaml", *SLURM, *SOON, *more, module=["crossbank", "study"]))
    first, second = sorted(set(jobs("all")) - set(before), key=int)
    (log,) = (folder / ".snakemake/slurm_logs").rglob(f"{first}.log")
    assert "Exceeded job memory limit" in log.read_text("utf-8")
    assert [job_fields(job)["JobState"] for job in (first, second)] == ["FAILED", "COMPLETED"]
    assert [job_fields(job)["MinMemoryNode"] for job in (first, second)] == ["60M", "2000M"]
    assert f"A job of the cluster failed: {log}\n" in printed
    assert "slurmstepd" in printed
    assert "Exceeded job memory limit" in printed
    assert results(folder, "small") == small


def test_a_job_outlives_the_daemon_of_its_node(folder: Path, node: Node, small: dict[str, bytes]) -> None:
    before = submissions()
    process, _ = submitted(folder)
    node.kill("slurmd")
    time.sleep(2)
    node.start("slurmd")
    finished(process)
    assert submissions() - before == 1
    assert results(folder, "small") == small


def test_a_job_outlives_the_controller(folder: Path, node: Node, small: dict[str, bytes]) -> None:
    before = submissions()
    process, _ = submitted(folder)
    seen = time.time()
    # Slurm writes down what it knows, but some seconds later. Killed before that, it starts the job a second
    # time, finds the first one on the node, and gives the node no more jobs until its administrator does.
    wait(lambda: node.saved() > seen, "the running job on disk")
    node.kill("slurmctld")
    time.sleep(8)
    node.start("slurmctld")
    finished(process)
    assert submissions() - before == 1
    assert results(folder, "small") == small


def test_a_job_that_is_lost_with_its_node_is_submitted_again(
    folder: Path, node: Node, small: dict[str, bytes]
) -> None:
    before = submissions()
    # Slurm would start the job anew by itself, but two minutes later.
    process, first = submitted(folder, "--slurm-no-requeue")
    seen = time.monotonic()
    node.kill("slurmd")
    for keeper in keepers():
        keeper.kill()
    for number in running_in(folder):
        if number != process.pid:
            os.kill(number, signal.SIGKILL)
    wait(lambda: running_in(folder) == [process.pid], "nothing of the job")
    # A job that began less than 20 seconds ago is not yet missed by Slurm.
    time.sleep(max(0.0, seen + 22 - time.monotonic()))
    node.start("slurmd")
    finished(process)
    assert job_fields(first)["JobState"] == "NODE_FAIL"
    assert submissions() - before == 2
    assert results(folder, "small") == small


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL], ids=lambda end: end.name)
def test_of_a_command_that_is_killed_nothing_is_left(
    folder: Path, small: dict[str, bytes], end: signal.Signals
) -> None:
    # As a script starts it with &: SIGINT is ignored.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = study(folder, "small.yaml", *SLURM, *SOON, module=["crossbank", "study"])
    finally:
        signal.signal(signal.SIGINT, before)
    wait(lambda: jobs("running"), "a running job", seconds=60)
    process.send_signal(end)
    wait(lambda: not jobs("pending,running,completing"), "no job", seconds=60)
    wait(lambda: running_in(folder) == [], "nothing of the study", seconds=60)
    process.communicate(timeout=60)
    finished(study(folder, "small.yaml", *SLURM, *SOON, module=["crossbank", "study"]))
    assert results(folder, "small") == small


def running_in(folder: Path) -> list[int]:
    """Processes of a study and of its jobs, without Slurm's own, which end when Slurm misses the job."""
    here = str(folder.resolve())
    processes = psutil.process_iter(["cwd", "name"])
    return [
        each.pid for each in processes if each.info["cwd"] == here and each.info["name"].startswith("python")
    ]
