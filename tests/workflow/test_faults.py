"""What goes wrong in a study is said plainly, and the same command goes on."""

import contextlib
import csv
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.workflow.test_study_run import GOLD, POOR, ROOT, snakemake

STUDY = """\
study: small
treebanks:
  - name: t
    scheme: ptb
    gold: {path: gold.mrg}
    candidates:
      - {name: good, path: good.mrg}
      - {name: broken, path: broken.mrg}
metrics: [parseval]
bootstrap: {samples: 10}
tests: {trials: 10}
"""
RESULTS = Path("results/small")

HUNG = 600
"""Seconds after which a process counts as hung, however busy the machine is."""


def with_files(folder: Path) -> Path:
    """Write a study and what it reads."""
    for name, content in {"gold.mrg": GOLD, "good.mrg": GOLD, "broken.mrg": POOR, "s.yaml": STUDY}.items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a study that has not been run."""
    return with_files(tmp_path)


@pytest.fixture(scope="session")
def run_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the study, run once for all tests that begin after a run."""
    folder = with_files(tmp_path_factory.mktemp("run"))
    done = snakemake(folder, "--configfile", "s.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture
def finished(run_once: Path, tmp_path: Path) -> Path:
    """Return a folder with a study that has been run, a copy with the dates of all files."""
    return Path(shutil.copytree(run_once, tmp_path, dirs_exist_ok=True))


def candidates(folder: Path) -> set[str]:
    """Return the candidates that have scores."""
    with open(folder / RESULTS / "summary.csv", encoding="utf-8", newline="") as stream:
        return {row["candidate"] for row in csv.DictReader(stream)}


def f1(folder: Path) -> dict[str, str]:
    """Return Parseval's F1 by candidate."""
    with open(folder / RESULTS / "summary.csv", encoding="utf-8", newline="") as stream:
        return {row["candidate"]: row["value"] for row in csv.DictReader(stream) if row["measure"] == "f1"}


def report_step(folder: Path) -> subprocess.CompletedProcess[str]:
    """Return the step of the report, as a run ends with it."""
    command = [sys.executable, "-m", "crossbank.workflow.steps.report", "--results", str(RESULTS)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [*command, "--log", "log"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


BROKEN = {
    "unbalanced": ("(S (NP a)\n", "broken.mrg:1: "),
    "fewer sentences": ("(S (NP (NN a)))\n", "has 1 sentence, "),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", BROKEN)
def test_a_candidate_that_cannot_be_scored_is_named_and_the_others_are_scored(
    folder: Path, kind: str
) -> None:
    content, message = BROKEN[kind]
    (folder / "broken.mrg").write_text(content, encoding="utf-8")
    done = snakemake(folder, "--configfile", "s.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert candidates(folder) == {"good"}
    with open(folder / RESULTS / "problems.csv", encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert (row["candidate"], row["status"]) == ("broken", "failed")
    assert message in row["detail"]
    for text in (done.stdout, (folder / RESULTS / "report/index.html").read_text(encoding="utf-8")):
        assert "t, broken: not scored. " in text
    (folder / "broken.mrg").write_text(POOR, encoding="utf-8")
    again = snakemake(folder, "--configfile", "s.yaml")
    assert again.returncode == 0, again.stdout + again.stderr
    assert candidates(folder) == {"good", "broken"}


@pytest.mark.slow
def test_a_study_may_stop_at_the_first_error(folder: Path) -> None:
    (folder / "s.yaml").write_text(f"{STUDY}on_error: stop\n", encoding="utf-8")
    (folder / "broken.mrg").write_text("(S (NP a)\n", encoding="utf-8")
    stopped = snakemake(folder, "--configfile", "s.yaml")
    assert stopped.returncode != 0
    message = stopped.stdout + stopped.stderr
    assert "\nbroken.mrg:1: " in message
    assert "The study stopped" in message
    assert "Traceback" not in message


@pytest.mark.slow
def test_gold_that_cannot_be_read_stops_the_study(folder: Path) -> None:
    (folder / "gold.mrg").write_text("(S (NP a)\n", encoding="utf-8")
    stopped = snakemake(folder, "--configfile", "s.yaml")
    assert stopped.returncode != 0
    assert "\ngold.mrg:1: " in stopped.stdout + stopped.stderr


@pytest.mark.slow
def test_an_input_that_changes_during_the_run_is_noticed_and_read_again(folder: Path) -> None:
    path = folder / "broken.mrg"
    path.write_text(POOR.rstrip().ljust(len(GOLD)), encoding="utf-8")  # of the size that it will have
    first = snakemake(folder, "--configfile", "s.yaml", "--until", "score", "study")
    assert first.returncode == 0, first.stdout + first.stderr
    assert "The report was not part of it." in first.stdout
    assert "The report:" not in first.stdout
    before = path.stat()
    path.write_text(GOLD, encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    refused = report_step(folder)
    assert refused.returncode == 2
    assert refused.stderr.startswith("broken.mrg: found other content than when it was read")
    again = snakemake(folder, "--configfile", "s.yaml")
    assert again.returncode == 0, again.stdout + again.stderr
    assert f1(folder)["good"] == f1(folder)["broken"]


@pytest.mark.slow
def test_a_candidate_that_is_added_during_the_run_is_named(folder: Path) -> None:
    study = (folder / "s.yaml").read_text(encoding="utf-8").partition("    candidates:")[0]
    study += '    candidates: {path: "{system}.mrg"}\nmetrics: [parseval]\n'
    study += "bootstrap: {samples: 10}\ntests: {trials: 10}\n"
    study = study.replace("gold: {path: gold.mrg}", "gold: {path: gold/gold.mrg}")
    (folder / "gold").mkdir()
    (folder / "gold.mrg").rename(folder / "gold" / "gold.mrg")
    (folder / "s.yaml").write_text(study, encoding="utf-8")
    until_scored = snakemake(folder, "--configfile", "s.yaml", "--until", "score", "study")
    assert until_scored.returncode == 0, until_scored.stdout + until_scored.stderr
    (folder / "late.mrg").write_text(GOLD, encoding="utf-8")
    step = report_step(folder)
    assert step.returncode == 2
    assert step.stderr.startswith("late.mrg: found a file that was not there when the run began, expected ")
    again = snakemake(folder, "--configfile", "s.yaml")
    assert again.returncode == 0, again.stdout + again.stderr
    assert candidates(folder) == {"good", "broken", "late"}


@pytest.mark.slow
def test_dates_in_the_future_are_named(finished: Path) -> None:
    later = time.time() + 1e6
    summary = finished / RESULTS / "summary.csv"
    before = summary.read_bytes()
    os.utime(summary, (later, later))
    output, _ = (refused := start(finished)).communicate(timeout=HUNG)
    assert refused.returncode != 0
    assert re.match(r"\S+summary\.csv is dated \S+, in the future", output), output
    assert summary.read_bytes() == before
    os.utime(summary)
    os.utime(finished / "good.mrg", (later, later))
    plain = snakemake(finished, "--configfile", "s.yaml")
    assert plain.returncode != 0
    assert re.search(r"good\.mrg is dated \S+, in the future", plain.stdout + plain.stderr)


@pytest.mark.slow
def test_an_input_that_is_replaced_by_an_older_file_is_read_again(finished: Path) -> None:
    assert f1(finished)["good"] != f1(finished)["broken"]
    (finished / "broken.mrg").write_text(GOLD, encoding="utf-8")
    os.utime(finished / "broken.mrg", (1e9, 1e9))
    again = snakemake(finished, "--configfile", "s.yaml")
    assert again.returncode == 0, again.stdout + again.stderr
    assert f1(finished)["good"] == f1(finished)["broken"]
    done = snakemake(finished, "--configfile", "s.yaml")
    assert "Nothing to be done" in done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--dry-run", "--lint", "--list", "--rulegraph", "--summary"])
def test_reading_the_rules_writes_nothing(folder: Path, option: str) -> None:
    before = {path.name for path in folder.iterdir()}
    done = snakemake(folder, "--configfile", "s.yaml", option)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {path.name for path in folder.iterdir()} - {".snakemake"} == before
    assert not (folder / ".snakemake" / "crossbank").exists()


@pytest.mark.slow
def test_a_name_that_repeats_itself_is_refused(folder: Path) -> None:
    (folder / "s.yaml").write_text(STUDY.replace("name: t\n", f"name: {'ab' * 20}\n"), encoding="utf-8")
    refused = snakemake(folder, "--configfile", "s.yaml", "--dry-run")
    assert refused.returncode != 0
    assert "abab: the name ends with 'ab' 20 times or more" in refused.stdout + refused.stderr
    (folder / "s.yaml").write_text(STUDY.replace("name: t\n", f"name: {'ab' * 19}\n"), encoding="utf-8")
    assert snakemake(folder, "--configfile", "s.yaml", "--dry-run").returncode == 0


def test_results_that_cannot_be_written_are_named(folder: Path) -> None:
    (folder / "results").write_text("a file in the way", encoding="utf-8")
    output, _ = (refused := start(folder)).communicate(timeout=HUNG)
    assert refused.returncode != 0
    assert "results: expected a folder to write to" in output
    assert "Traceback" not in output


@pytest.mark.slow
def test_a_damaged_file_is_made_again_where_its_job_runs(finished: Path) -> None:
    score = finished / RESULTS / "scores/t/candidates-1-of-1.parseval.parquet"
    before = score.read_bytes()
    score.write_bytes(before[:100])
    done = snakemake(finished, "--configfile", "s.yaml", "--forcerun", "score")
    assert done.returncode == 0, done.stdout + done.stderr
    assert score.read_bytes() == before


posix = pytest.mark.skipif(os.name != "posix", reason="process groups and signals are those of POSIX")


def start(folder: Path, *before: str, ignored: bool = False) -> subprocess.Popen[str]:
    """Run the study with ``crossbank study``; jobs are so long that there is time to stop them.

    before   words before the command, such as ``nohup``
    ignored  whether SIGINT is ignored, as a shell has it for what a script starts with ``&``
    """
    command = [*before, sys.executable, "-m", "crossbank", "study", "s.yaml"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.SIG_DFL)
    try:
        return subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    finally:
        signal.signal(signal.SIGINT, previous)


def tracebacks_of_crossbank(text: str) -> list[str]:
    """Return the tracebacks of a text that Crossbank could have prevented.

    Python prints one where it is interrupted before it has come to the first line of Crossbank: it begins in
    a module that is frozen into the interpreter, and names no file of Crossbank.
    """
    tracebacks = text.split("Traceback (most recent call last):\n")[1:]
    own_files = f'File "{ROOT / "crossbank"}{os.sep}'
    return [one for one in tracebacks if not one.startswith('  File "<frozen ') or own_files in one]


def wait_for(condition: Callable[[], bool]) -> None:
    latest = time.monotonic() + HUNG
    while not condition():
        if time.monotonic() > latest:
            pytest.fail(f"waited {HUNG} s in vain")
        time.sleep(0.05)


def is_at_work(folder: Path) -> bool:
    return (folder / ".snakemake/locks").is_dir() and any((folder / RESULTS).glob("logs/*/*/*.log"))


def processes_in(folder: Path) -> list[int]:
    here = str(folder.resolve())
    return [process.pid for process in psutil.process_iter(["cwd"]) if process.info["cwd"] == here]


def send(number: signal.Signals, processes: list[int]) -> None:
    """Send a signal to processes, some of which may have ended."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)


@pytest.mark.slow
@posix
def test_an_interrupt_ends_all_and_the_same_command_goes_on(folder: Path) -> None:
    process = start(folder)
    wait_for(lambda: is_at_work(folder))
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=HUNG)
    assert process.returncode == 130, output
    assert "the same command goes on: crossbank study s.yaml" in output
    assert "Traceback" not in output
    assert processes_in(folder) == []
    again = start(folder)
    output, _ = again.communicate(timeout=HUNG)
    assert again.returncode == 0, output
    assert candidates(folder) == {"good", "broken"}


@pytest.mark.slow
@posix
def test_a_killed_run_leaves_no_job_behind_and_its_lock_is_taken_over(folder: Path) -> None:
    process = start(folder)
    wait_for(lambda: is_at_work(folder))
    snakemakes = [child.pid for child in psutil.Process(process.pid).children()]
    send(signal.SIGKILL, [process.pid, *snakemakes])
    process.communicate(timeout=HUNG)
    wait_for(lambda: processes_in(folder) == [])
    assert any((folder / ".snakemake/locks").glob("*"))
    again = start(folder)
    output, _ = again.communicate(timeout=HUNG)
    assert again.returncode == 0, output
    assert "its lock is taken over" in output
    assert candidates(folder) == {"good", "broken"}


@pytest.mark.slow
@posix
def test_after_a_kill_of_plain_snakemake_a_study_says_how_to_unlock(folder: Path) -> None:
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "workflow" / "Snakefile")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    first = subprocess.Popen(
        [*command, "--configfile", "s.yaml"],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    wait_for(lambda: is_at_work(folder))
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate(timeout=HUNG)
    wait_for(lambda: processes_in(folder) == [])
    output, _ = (refused := start(folder)).communicate(timeout=HUNG)
    assert refused.returncode != 0
    (line,) = [line for line in output.splitlines() if "--unlock" in line]
    assert line.startswith("This folder is locked by a run of Snakemake that was killed")
    assert "Traceback" not in output
    unlocked = snakemake(folder, "--configfile", "s.yaml", "--unlock")
    assert unlocked.returncode == 0
    output, _ = (again := start(folder)).communicate(timeout=HUNG)
    assert again.returncode == 0, output
    assert candidates(folder) == {"good", "broken"}


@pytest.mark.slow
@posix
def test_two_runs_on_one_folder(folder: Path) -> None:
    first = start(folder)
    wait_for(lambda: is_at_work(folder))
    # However fast the machine is, the first is at work until the second has ended.
    held = processes_in(folder)
    send(signal.SIGSTOP, held)
    second, _ = (process := start(folder)).communicate(timeout=HUNG)
    send(signal.SIGCONT, held)
    assert process.returncode != 0
    assert f"another run of the study is running in this folder (process {first.pid})" in second
    output, _ = first.communicate(timeout=HUNG)
    assert first.returncode == 0, output
    assert candidates(folder) == {"good", "broken"}


@pytest.mark.slow
@posix
@pytest.mark.parametrize("change", ["deleted", "replaced"])
def test_a_candidate_that_changes_during_the_run_is_named_in_one_sentence(folder: Path, change: str) -> None:
    process = start(folder)
    counts = folder / RESULTS / "scores/t/candidates-1-of-1.parseval.parquet"
    if change == "deleted":
        wait_for(lambda: any((folder / ".snakemake/locks").glob("*")))
        (folder / "broken.mrg").unlink()
    else:
        wait_for(counts.exists)
        (folder / "broken.mrg").write_text(GOLD, encoding="utf-8")
    output, _ = process.communicate(timeout=HUNG)
    if process.returncode == 0:
        pytest.skip("the run was over before the file was changed")
    (line,) = [one for one in output.splitlines() if one.startswith("broken.mrg: ")]
    assert "no such file" in line or "throughout a run" in line
    assert ".smk" not in output


@pytest.mark.slow
@posix
@pytest.mark.parametrize("seconds", [0.2, 0.5, 0.8, 1.2, 1.7, 2.5])
def test_an_interrupt_while_snakemake_starts_gives_no_traceback(folder: Path, seconds: float) -> None:
    process = start(folder)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=HUNG)
    # An interpreter that cannot import its own modules returns 1.
    assert process.returncode in (0, 130, -signal.SIGINT, *([1] if "Traceback" in output else [])), output
    assert tracebacks_of_crossbank(output) == []
