"""Of a study that is killed nothing is left, however it was started, and the same command goes on."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from crossbank.parsers.command import ParserCommand
from crossbank.workflow import process_supervision
from tests.workflow.test_faults import (
    HUNG,
    candidates,
    folder,
    is_at_work,
    posix,
    processes_in,
    start,
    wait_for,
)

__all__ = ["folder"]

pytestmark = posix

IN_A_CONTAINER = ("unshare", "--pid", "--fork", "--mount-proc")


def is_refused(*command: str) -> bool:
    """Return whether the machine has no such command, or does not allow to run it."""
    with suppress(OSError):
        return subprocess.run([*command, "true"], check=False, capture_output=True).returncode != 0
    return True


STARTS = {
    "from a script, with &": ("sh", "-c", '"$@" & echo started; exec sleep 600', "sh"),
    "with nohup": ("nohup",),
    "with setsid": ("setsid", "--wait"),
    # The first process of the container collects no dead ones.
    "in a container without init": (*IN_A_CONTAINER, "sh", "-c", '"$@" & exec sleep 600', "sh"),
    "as the first process of a container": IN_A_CONTAINER,
}


def of_the_study(folder: Path, word: str) -> list[psutil.Process]:
    """Return the processes of a folder with a word in their command, without those that wrap others."""
    here = str(folder.resolve())
    return [
        process
        for process in psutil.process_iter(["cwd", "cmdline"])
        if process.info["cwd"] == here
        and Path((process.info["cmdline"] or [""])[0]).name.startswith("python")
        and word in process.info["cmdline"]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM], ids=lambda end: end.name)
@pytest.mark.parametrize("way", STARTS)
def test_nothing_is_left_of_a_killed_command(folder: Path, way: str, end: signal.Signals) -> None:
    before = STARTS[way]
    if way.startswith(("in", "as")) and is_refused(*IN_A_CONTAINER):
        pytest.skip("this machine does not let us make a container (unshare)")
    if is_refused(before[0]) and before[0] in ("nohup", "setsid"):
        pytest.skip(f"this machine has no {before[0]}")
    started = start(folder, *before, ignored=way.startswith("with"))
    try:
        wait_for(lambda: is_at_work(folder))
        (command,) = of_the_study(folder, "study")
        began = time.monotonic()
        command.send_signal(end)
        snakemake = "crossbank.workflow.supervised_snakemake"
        wait_for(lambda: not of_the_study(folder, snakemake) and not of_the_study(folder, "--log"))
        assert time.monotonic() - began < process_supervision.GRACE_SECONDS
    finally:
        for process in reversed([*psutil.Process(started.pid).children(recursive=True), started]):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        started.communicate()
    wait_for(lambda: processes_in(folder) == [])
    again = start(folder)
    output, _ = again.communicate(timeout=HUNG)
    assert again.returncode == 0, output
    assert candidates(folder) == {"good", "broken"}
    (file,) = (folder / process_supervision.FOLDER).iterdir()
    assert file.read_text(encoding="utf-8") == ""


def test_a_session_that_ignores_all_but_a_kill_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_supervision, "GRACE_SECONDS", 0.2)
    deaf = "trap '' INT TERM; sleep 600 & echo started; while true; do wait; done"
    leader = subprocess.Popen(["sh", "-c", deaf], start_new_session=True, stdout=subprocess.PIPE)
    assert leader.stdout is not None
    assert leader.stdout.readline() == b"started\n"
    process_supervision.end_session(leader.pid)
    assert leader.wait() == -signal.SIGKILL
    assert leader.stdout.read() == b""  # nobody has the other end any more
    leader.stdout.close()


def test_only_the_leader_of_a_session_is_interrupted() -> None:
    """Jobs get SIGTERM, at which no interpreter prints a traceback, whatever it is doing."""
    job = "import time; print('started', flush=True); time.sleep(600)"
    wait = "trap 'wait; exit 7' INT; \"$@\" & wait"
    leader = subprocess.Popen(
        ["sh", "-c", wait, "sh", sys.executable, "-c", job],
        start_new_session=True,
        # Where tests run in the background, shells have it ignored, and a shell cannot trap it then.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert leader.stdout is not None
    assert leader.stdout.readline() == b"started\n"
    process_supervision.end_session(leader.pid)
    assert leader.wait() == 7
    assert leader.stdout.read() == b""
    leader.stdout.close()


BEGIN = """\
from crossbank.workflow.process_supervision import supervised_run
with supervised_run("small") as run:
    print(run.identifier, run.was_killed, sep="\\n", flush=True)
    input()
"""


def begin_run(folder: Path) -> tuple[subprocess.Popen[str], str, bool]:
    """Return a process with a run, the run's identifier, and whether the run before was killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", BEGIN], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, process.stdout.readline().strip(), process.stdout.readline() == "True\n"


def test_a_run_has_ended_when_nobody_holds_its_lock(tmp_path: Path) -> None:
    process, identifier, was_killed = begin_run(tmp_path)
    file = tmp_path / process_supervision.FOLDER / "small"
    assert not was_killed
    assert not process_supervision.has_ended(file, identifier)
    process.kill()
    wait_for(lambda: psutil.Process(process.pid).status() == psutil.STATUS_ZOMBIE)
    assert process_supervision.has_ended(file, identifier)  # though nobody has collected the process
    process.communicate()
    after, identifier_after, was_killed = begin_run(tmp_path)
    assert was_killed
    assert process_supervision.has_ended(file, identifier)
    assert not process_supervision.has_ended(file, identifier_after)
    after.communicate("\n")
    assert process_supervision.has_ended(file, identifier_after)
    last, _, was_killed = begin_run(tmp_path)
    assert not was_killed
    last.communicate("\n")


def test_of_two_runs_of_a_study_the_second_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, _, _ = begin_run(tmp_path)
    monkeypatch.chdir(tmp_path)
    with (
        pytest.raises(process_supervision.RunningError) as caught,
        process_supervision.supervised_run("small"),
    ):
        pass
    assert caught.value.process == process.pid
    with process_supervision.supervised_run("another") as run:
        assert not run.was_killed
    process.communicate("\n")


def test_a_run_on_another_machine_is_not_known_to_be_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = process_supervision.FOLDER / "small"
    file.parent.mkdir(parents=True)
    file.write_text("elsewhere boot 1 1", encoding="utf-8")
    with process_supervision.supervised_run("small") as run:
        assert not run.was_killed


def test_a_command_of_a_parser_does_not_outlive_its_job(tmp_path: Path) -> None:
    call = (
        "from crossbank.parsers.command import ParserCommand\n"
        "command = ParserCommand('{train} {model}', '{model} {input} {output}')\n"
        "command._call('parse', 'trap \"\" INT TERM; sleep 600 & echo $$ > started; wait', {})"
    )
    job = subprocess.Popen([sys.executable, "-c", call], cwd=tmp_path, stderr=subprocess.DEVNULL)
    wait_for(lambda: (tmp_path / "started").is_file())
    assert len(processes_in(tmp_path)) > 1
    job.kill()
    job.wait()
    wait_for(lambda: processes_in(tmp_path) == [])


def test_what_a_command_of_a_parser_leaves_running_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ParserCommand("{train} {model}", "{model} {input} {output}")._call(
        "parse", "sleep 600 & cat; echo done > done", {}
    )
    assert (tmp_path / "done").read_text() == "done\n"
    wait_for(lambda: [number for number in processes_in(tmp_path) if number != os.getpid()] == [])
