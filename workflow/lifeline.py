"""Processes that end with the one that started them, and process groups of which nothing is left.

A killed process cannot stop its children. So a process that leads others holds a lock on a file in the
study's folder. The system releases it when the process ends, whatever ends it, also where nobody collects
the dead process, as in a container without init, and where another process has its number now. The file's
place is in an environment variable, which every leader sets anew for those below it. They look once a second
whether the lock is free. A job on another machine of a cluster is looked after there.
"""

from __future__ import annotations

import atexit
import json
import os
import platform
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PARENT = "CROSSBANK_PARENT"
"""The environment variable with the machine and the file of the leader above: ``node boot file``."""

ABOVE = os.environ.get(PARENT, "")
"""The leader that started this process."""

FOLDER = Path(".snakemake") / "crossbank"
"""Where a run's leaders have their files: the command, Snakemake, and Snakemake in the jobs of a cluster."""

BOOT = Path("/proc/sys/kernel/random/boot_id")
INTERVAL = 1.0

SIGNALS = (("SIGINT", 5.0), ("SIGTERM", 5.0), ("SIGKILL", 10.0))
"""How a process group is ended, each time with the seconds until the next signal.

Snakemake releases its lock, and cancels jobs of a cluster, when it gets SIGINT.
"""


@dataclass(frozen=True)
class Leader:
    """A process that has others below it.

    file     the file whose lock it holds
    machine  the machine's name, and what tells this start of it from others; nothing where that is not known
    process  its number there
    below    whether another leader started it
    """

    file: Path
    machine: tuple[str, str]
    process: int
    below: bool

    @property
    def is_here(self) -> bool:
        """True on its machine, also in another container there."""
        (node, boot), (own, now) = self.machine, _machine()
        return boot == now if boot and now else node == own

    def has_ended(self) -> bool:
        """True if it is known to have ended: its lock is free, or its machine has been started anew."""
        return _is_free(self.file) if self.is_here else self.machine[0] == platform.node()


def lead() -> Path | None:
    """Make this process the leader of all that it starts; return its file, which is removed when it ends.

    None where there are no locks: on other systems than POSIX's, and on file systems without them. Raises
    OSError where the file cannot be written.
    """
    if os.name != "posix":
        return None
    import fcntl

    FOLDER.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=FOLDER, prefix=f".{os.getpid()}-")
    machine = _machine()
    told = {"machine": machine, "process": os.getpid(), "below": bool(ABOVE)}
    os.write(number, json.dumps(told).encode())
    try:
        fcntl.flock(number, fcntl.LOCK_EX)  # the file stays open, and locked, until the process ends
    except OSError:
        os.close(number)
        os.unlink(name)
        os.environ.pop(PARENT, None)
        return None
    # Under its own name the file is locked from the beginning.
    file = Path(name).with_name(Path(name).name.removeprefix(".")).absolute()
    os.replace(name, file)
    atexit.register(file.unlink, missing_ok=True)
    os.environ[PARENT] = " ".join([*machine, str(file)])
    return file


def leaders() -> list[Leader]:
    """Return the leaders of the runs in this folder, also those that were killed."""
    found = []
    for file in FOLDER.absolute().glob("[!.]*"):
        with suppress(OSError, ValueError, KeyError, TypeError):
            told = json.loads(file.read_text(encoding="utf-8"))
            found.append(Leader(file, tuple(told["machine"]), told["process"], told["below"]))
    return found


def others_at_work(own: Collection[int]) -> list[Leader]:
    """Return the leaders of other runs that are at work in this folder; ``own`` are processes of this run."""
    return [one for one in leaders() if one.process not in own and not one.has_ended()]


def follow_parent(end: Callable[[], object]) -> None:
    """Call ``end`` when the leader above is gone; do nothing where there is none on this machine."""
    node, _, rest = ABOVE.partition(" ")
    boot, _, file = rest.partition(" ")
    leader = Leader(Path(file), (node, boot), 0, below=False)
    if leader.file.is_file() and leader.is_here:
        _watch(leader.has_ended, end)


def follow_slurm(end: Callable[[], object]) -> None:
    """Call ``end`` when Slurm's process that started this job is gone; do nothing outside of Slurm.

    A job runs on where that process is killed. But for Slurm it is lost, and started anew.
    """
    if "SLURM_JOB_ID" in os.environ:
        import psutil

        for process in psutil.Process().parents():
            if process.name() == "slurmstepd":
                _watch(lambda keeper=process: not _is_at_work(keeper), end)  # type: ignore[misc]


def heed_interrupts() -> None:
    """Take note of SIGINT where a leader will send it, though shells have background jobs ignore it."""
    if ABOVE and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end_group(group: int) -> None:
    """Send a process group SIGINT, then SIGTERM, then SIGKILL, until nothing of it is left.

    An interrupt while this waits is passed on at once as the next signal.
    """
    for name, seconds in SIGNALS:
        try:
            os.killpg(group, getattr(signal, name))
            latest = time.monotonic() + seconds
            while _is_left(group) and time.monotonic() < latest:
                time.sleep(0.05)
        except KeyboardInterrupt:
            continue
        except ProcessLookupError:
            return


def _is_left(group: int) -> bool:
    """True if a process of a group is at work. Dead ones that nobody collects are not."""
    import psutil

    os.killpg(group, 0)
    for number in psutil.pids():
        with suppress(OSError, psutil.Error):
            if os.getpgid(number) == group and _is_at_work(psutil.Process(number)):
                return True
    return False


def _is_at_work(process: object) -> bool:
    import psutil

    assert isinstance(process, psutil.Process)
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def _watch(is_gone: Callable[[], bool], end: Callable[[], object]) -> None:
    def wait() -> None:
        while not is_gone():
            time.sleep(INTERVAL)
        end()

    threading.Thread(target=wait, daemon=True).start()


def _machine() -> tuple[str, str]:
    """Return the machine's name, and the number of its start, which all its containers share."""
    with suppress(OSError):
        return platform.node(), BOOT.read_text(encoding="ascii").strip()
    return platform.node(), ""


def _is_free(file: Path) -> bool:
    """True if no process holds the lock on a file, or the file is gone."""
    import fcntl

    try:
        with file.open("rb") as stream:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
