"""Supervision of a study's processes: none remain after a run is killed or interrupted.

``crossbank study`` is the supervisor. It starts Snakemake in a session of its own, which the jobs share
(``workflow.supervised_snakemake``). Whichever process is killed, the others end:

- the supervisor: Snakemake reads from a pipe of which only the supervisor has the other end, and ends the
  session when the system closes it;
- Snakemake: the supervisor ends the session;
- both at once: each job checks the run's file once a second, whose lock both of them hold.

A session is ended by SIGINT to Snakemake, which then cancels jobs of a cluster and removes its lock, and by
SIGTERM to the jobs, which print nothing at it. SIGKILL follows. Plain ``snakemake`` is not supervised.
"""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

RUN = "CROSSBANK_RUN"
"""The environment variable with the run that a job belongs to: its identifier, and its file."""

PIPE = "CROSSBANK_PIPE"
"""The environment variable with the descriptor of the pipe that Snakemake reads from."""

FOLDER = Path(".snakemake") / "crossbank"
"""The folder with a file for each study that was run."""

BOOT = Path("/proc/sys/kernel/random/boot_id")

INTERVAL_SECONDS = 1.0
"""The seconds between two checks of a run's file."""

GRACE_SECONDS = 10.0
"""The seconds that processes have to end before SIGKILL."""


class RunningError(Exception):
    """Another run of the study is at work; ``process`` is its supervisor."""

    def __init__(self, process: int) -> None:
        super().__init__(process)
        self.process = process


@dataclass(frozen=True)
class Run:
    """A run of a study.

    file        locked while the run lasts, with what identifies the run; empty after it has ended
    identifier  machine, start of the machine, process and time of the supervisor
    was_killed  whether the run before it was killed
    """

    file: Path
    identifier: str
    stream: IO[str] | None
    was_killed: bool = False

    def end(self) -> None:
        """Declare that the run ends, so that running jobs end themselves."""
        if self.stream is not None:
            self.stream.truncate(0)

    def variables(self) -> Mapping[str, str]:
        """Return the environment variables by which jobs know the run."""
        return {RUN: f"{self.identifier} {self.file.absolute()}"} if self.stream is not None else {}


@contextmanager
def supervised_run(study: str) -> Iterator[Run]:
    """Begin a run of a study in the current folder, and end it after the block.

    A run that is ending is waited for. On other systems than POSIX's, and on file systems without locks, jobs
    do not notice that the run was killed.

    Raises
    ------
    RunningError
        If another run of the study is at work.
    OSError
        If the run's file cannot be written.

    """
    file = FOLDER / study
    identifier = " ".join([*_machine(), str(os.getpid()), str(time.time_ns())])
    if os.name != "posix":
        yield Run(file, identifier, None)
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    with file.open("a+", encoding="utf-8") as stream:
        if not _lock(stream):
            yield Run(file, identifier, None)
            return
        stream.seek(0)
        before = stream.read()
        stream.truncate(0)
        stream.write(identifier)
        stream.flush()
        # Whether a run on another machine has ended is unknown.
        run = Run(file, identifier, stream, before.partition(" ")[0] == platform.node())
        try:
            yield run
        finally:
            run.end()


def _lock(stream: IO[str]) -> bool:
    """Lock a run's file; False on a file system without locks. A run that is ending is waited for."""
    import fcntl

    latest = time.monotonic() + 3 * GRACE_SECONDS
    while True:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            stream.seek(0)
            *_, process, _ = ["0", "0", *stream.read().split()]
            is_ending = not _is_at_work(int(process))
            if not is_ending or time.monotonic() > latest:
                raise RunningError(int(process)) from None
            time.sleep(0.1)
        except OSError:
            return False


SAFE_PATH = "crossbank"
"""The value of ``PYTHONSAFEPATH`` where the study has set it. It concerns the project's own processes."""


def run_snakemake(
    arguments: Sequence[str], run: Run, *, stdout: int | None = None, stderr: int | None = None
) -> subprocess.Popen[bytes]:
    """Start Snakemake in a session of its own, which ends with this process."""
    command = [sys.executable, "-P", "-m", "crossbank.workflow.supervised_snakemake", *arguments]
    # Jobs of a cluster start with `python -m snakemake`, which would look for modules in this folder first.
    variables = {"PYTHONSAFEPATH": SAFE_PATH, **os.environ, **run.variables()}
    if os.name != "posix":
        return subprocess.Popen(command, env=variables)
    reading, writing = os.pipe()
    descriptors = [reading, *([run.stream.fileno()] if run.stream is not None else [])]
    # An interrupt is delayed until Snakemake's process can handle it.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return subprocess.Popen(
            command,
            stdout=stdout,
            stderr=stderr,
            env={**variables, PIPE: str(reading)},
            pass_fds=descriptors,
            start_new_session=True,
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(reading)
        _open_pipe_ends.append(writing)


_open_pipe_ends: list[int] = []
"""Writing ends of pipes: they are closed when this process ends."""


def wait_for(process: subprocess.Popen[bytes], run: Run) -> int:
    """Return Snakemake's exit code, 130 after SIGINT or SIGTERM; its session has ended by then."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        code = process.wait()
    except KeyboardInterrupt:
        code = 130
        run.end()
    finally:
        if os.name == "posix":
            end_session(process.pid)
        process.wait()
        signal.signal(signal.SIGTERM, before)
    return code


def end_session(leader: int) -> None:
    """End a session: its leader by SIGINT, all others by SIGTERM, and the remaining ones by SIGKILL.

    An interrupt while this waits sends SIGKILL at once.
    """
    this = os.getpid()
    try:
        jobs = _session(leader) - {leader, this}
        _send(leader, signal.SIGINT)
        for process in jobs:
            _send(process, signal.SIGTERM)
        latest = time.monotonic() + GRACE_SECONDS
        while _session(leader) - {this} and time.monotonic() < latest:
            time.sleep(0.05)
    except KeyboardInterrupt:
        pass
    while left := _session(leader):
        # This process, where it is of the session, ends last.
        for process in sorted(left, key=lambda process: process == this):
            _send(process, signal.SIGKILL)
        with suppress(KeyboardInterrupt):
            time.sleep(0.05)


def end_with_run(end: Callable[[], object]) -> None:
    """Call ``end`` when the run that this job belongs to has ended; do nothing outside of a run.

    A job on another machine of a cluster is looked after by the cluster.
    """
    *identifier, file = os.environ.get(RUN, "").split(" ", 4)
    if len(identifier) == 4 and _is_here(*identifier[:2]):
        _watch(lambda: has_ended(Path(file), " ".join(identifier)), end)


def is_ending() -> bool:
    """Return whether the run that this process belongs to has been asked to end."""
    *identifier, file = os.environ.get(RUN, "").split(" ", 4)
    return len(identifier) == 4 and _content(Path(file)) != " ".join(identifier)


def has_ended(file: Path, identifier: str) -> bool:
    """Return whether a run has ended: its file has another content, or nobody holds its lock."""
    return _content(file) != identifier or _is_free(file)


def other_snakemakes() -> list[int]:
    """Return the processes of this machine that run Snakemake in the current folder, without this one's."""
    import psutil

    own = {process.pid for process in [psutil.Process(), *psutil.Process().parents()]}
    here = str(Path().absolute())
    return sorted(
        process.pid
        for process in psutil.process_iter(["cwd", "cmdline", "status"])
        if process.info["cwd"] == here
        and process.pid not in own
        and any("snakemake" in word for word in (process.info["cmdline"] or [])[:5])
    )


def _content(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError:
        return ""


def _is_free(file: Path) -> bool:
    """Return whether no process holds the lock on a file, or the file is gone."""
    import fcntl

    try:
        with file.open("rb") as stream:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _session(leader: int) -> set[int]:
    """Return the running processes of a session, without zombies."""
    import psutil

    members = set()
    for process in psutil.pids():
        with suppress(OSError):
            if os.getsid(process) == leader and _is_at_work(process):
                members.add(process)
    return members


def _is_at_work(process: int) -> bool:
    import psutil

    try:
        return bool(psutil.Process(process).status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def _send(process: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, number)


def _watch(is_gone: Callable[[], bool], end: Callable[[], object]) -> None:
    def wait() -> None:
        while not is_gone():
            time.sleep(INTERVAL_SECONDS)
        end()

    threading.Thread(target=wait, daemon=True).start()


def _machine() -> tuple[str, str]:
    """Return the machine's name, and the number of its start, which all its containers share."""
    with suppress(OSError):
        return platform.node(), BOOT.read_text(encoding="ascii").strip()
    return platform.node(), "-"


def _is_here(node: str, boot: str) -> bool:
    """Return whether a run is on this machine, perhaps in another container."""
    return boot == _machine()[1] if boot != "-" else node == platform.node()
