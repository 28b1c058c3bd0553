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

from crossbank.parsers.command import Command
from crossbank.workflow import lifeline
from tests.workflow.test_faults import candidates, folder, is_at_work, posix, processes_in, start, wait_for

__all__ = ["folder"]

pytestmark = posix

IN_A_CONTAINER = ("unshare", "--pid", "--fork", "--mount-proc")


def is_refused(*command: str) -> bool:
    """True where the machine has no such command, or does not let us run it."""
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
        (command,) = of_the_study(folder, "crossbank")
        began = time.monotonic()
        command.send_signal(end)
        wait_for(lambda: not of_the_study(folder, "snakemake") and not of_the_study(folder, "--log"))
        assert time.monotonic() - began < sum(seconds for _, seconds in lifeline.SIGNALS)
    finally:
        for process in reversed([*psutil.Process(started.pid).children(recursive=True), started]):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        started.communicate()
    wait_for(lambda: processes_in(folder) == [])
    again = start(folder)
    said, _ = again.communicate(timeout=120)
    assert again.returncode == 0, said
    assert candidates(folder) == {"good", "broken"}
    assert list((folder / lifeline.FOLDER).iterdir()) == []


def test_a_group_that_ignores_all_but_a_kill_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifeline, "SIGNALS", (("SIGINT", 0.2), ("SIGTERM", 0.2), ("SIGKILL", 10.0)))
    deaf = "trap '' INT TERM; sleep 600 & echo started; wait"
    group = subprocess.Popen(["sh", "-c", deaf], process_group=0, stdout=subprocess.PIPE)
    assert group.stdout is not None
    assert group.stdout.readline() == b"started\n"
    lifeline.end_group(group.pid)
    assert group.wait() == -signal.SIGKILL
    assert group.stdout.read() == b""  # nobody has the other end any more
    group.stdout.close()


def test_a_leader_that_nobody_collects_has_ended(tmp_path: Path) -> None:
    lead = "from crossbank.workflow.lifeline import lead; print(lead()); input()"
    process = subprocess.Popen(
        [sys.executable, "-c", lead], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    file = Path(process.stdout.readline().strip())
    leader = lifeline.Leader(file, lifeline._machine(), process.pid, below=False)
    assert not leader.has_ended()
    process.kill()
    wait_for(lambda: psutil.Process(process.pid).status() == psutil.STATUS_ZOMBIE)
    assert leader.has_ended()
    process.communicate()


def test_a_leader_of_another_machine_is_not_known_to_have_ended(tmp_path: Path) -> None:
    (tmp_path / "leader").touch()
    node, boot = lifeline._machine()
    elsewhere = lifeline.Leader(tmp_path / "leader", ("elsewhere", "b"), 1, below=False)
    assert not elsewhere.has_ended()
    restarted = lifeline.Leader(tmp_path / "leader", (node, f"not {boot}"), 1, below=False)
    assert restarted.has_ended()


def test_a_command_of_a_parser_does_not_outlive_its_job(tmp_path: Path) -> None:
    call = (
        "from crossbank.parsers.command import Command\n"
        "command = Command('{train} {model}', '{model} {input} {output}')\n"
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
    Command("{train} {model}", "{model} {input} {output}")._call(
        "parse", "sleep 600 & cat; echo done > done", {}
    )
    assert (tmp_path / "done").read_text() == "done\n"
    wait_for(lambda: [number for number in processes_in(tmp_path) if number != os.getpid()] == [])
