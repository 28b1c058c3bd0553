"""A cluster of one node: munge and Slurm's two daemons on this machine, for as long as a test takes."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

PROCESSORS = 2
MEGABYTES = 8000

CONFIGURATION = Path("/etc/slurm/slurm.conf")
"""Where a job step looks for the cluster: Snakemake's plugin takes SLURM_CONF out of its environment."""

SLURM_CONF = """\
ClusterName=crossbank
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
# A job that uses more memory than it asked for is killed, also where there are no control groups.
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
MpiDefault=none
# No job is forgotten before the tests have counted it, however slow the machine is.
MinJobAge=7200
ReturnToService=2
# The node has what is here, not what the machine has.
SlurmdParameters=config_overrides
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} RealMemory={megabytes} State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Node:
    """Munge, Slurm's controller (slurmctld) and the daemon of the node (slurmd)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.daemons = {"munged": _munge(folder)}
        for daemon in ("slurmctld", "slurmd"):
            self.start(daemon)

    def start(self, daemon: str) -> None:
        """Start one of Slurm's two daemons."""
        self.daemons[daemon] = _started(daemon, "-D")

    def kill(self, daemon: str) -> None:
        """Kill a daemon with -9."""
        self.daemons[daemon].kill()
        self.daemons[daemon].wait()

    def saved(self) -> float:
        """Return when the controller last wrote its jobs to disk, in seconds since 1970."""
        return (self.folder / "state/job_state").stat().st_mtime

    def stop(self) -> None:
        """Stop all, the last one first."""
        for process in reversed(self.daemons.values()):
            process.terminate()
        for process in reversed(self.daemons.values()):
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()


@contextmanager
def one_node(folder: Path) -> Iterator[Node]:
    """A cluster that keeps all its files in a folder; it is taken down at the end, whatever happens."""
    node = None
    try:
        _write(folder)
        node = Node(folder)
        wait(lambda: "idle" in _said("sinfo", "--noheader", "--format", "%t"), "an idle node")
        yield node
    finally:
        _said("scancel", "--user", "root")
        with suppress(TimeoutError):
            wait(lambda: not jobs("pending,running,completing"), "no job", seconds=15)
        if node is not None:
            node.stop()
        CONFIGURATION.unlink(missing_ok=True)


def jobs(state: str) -> list[str]:
    """Return the numbers of the jobs in a state."""
    return _said("squeue", "--noheader", "--states", state, "--format", "%i").split()


def submissions() -> int:
    """Return how many jobs were submitted, retries included."""
    return len(jobs("all"))


def job_fields(job: str) -> dict[str, str]:
    """Return what Slurm knows of a job: ``JobState``, ``MinMemoryNode`` and so on."""
    words = _said("scontrol", "show", "job", "--oneliner", job).split()
    return {name: value for name, _, value in (word.partition("=") for word in words)}


def keepers() -> list[psutil.Process]:
    """Return Slurm's processes that start jobs and look after them (slurmstepd)."""
    return [process for process in psutil.process_iter(["name"]) if process.info["name"] == "slurmstepd"]


def cancel(job: str) -> None:
    """Cancel a job, as its user would."""
    subprocess.run(["scancel", job], check=True)


def _write(folder: Path) -> None:
    for name in ("state", "spool"):
        (folder / name).mkdir()
    (folder / "munge.key").write_bytes(os.urandom(1024))
    (folder / "munge.key").chmod(0o600)
    controller, daemon = _free_ports()
    (folder / "slurm.conf").write_text(
        SLURM_CONF.format(
            folder=folder,
            host=socket.gethostname().partition(".")[0],
            controller=controller,
            daemon=daemon,
            processors=PROCESSORS,
            megabytes=MEGABYTES,
        ),
        encoding="utf-8",
    )
    CONFIGURATION.parent.mkdir(exist_ok=True)
    CONFIGURATION.unlink(missing_ok=True)  # of a run that was killed: what it pointed to is gone
    CONFIGURATION.symlink_to(folder / "slurm.conf")


def _started(*command: str) -> subprocess.Popen[bytes]:
    """Return a daemon on its way; what it has to say is in its log."""
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _munge(folder: Path) -> subprocess.Popen[bytes]:
    files = {"key-file": "munge.key", "socket": "munge.socket", "pid-file": "munge.pid", "seed-file": "seed"}
    options = [f"--{option}={folder / file}" for option, file in files.items()]
    process = _started("munged", "--foreground", "--force", *options)
    wait((folder / "munge.socket").exists, "munge's socket")
    return process


def _free_ports() -> list[int]:
    with socket.socket() as first, socket.socket() as second:
        for each in (first, second):
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in (first, second)]


def _said(*command: str) -> str:
    """Return what a command of Slurm prints; nothing where it fails."""
    if shutil.which(command[0]) is None:
        return ""
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30).stdout


def wait(seen: Callable[[], object], expected: str, seconds: float = 30) -> None:
    """Return when a call returns something true. Raises TimeoutError where it does not in time."""
    end = time.monotonic() + seconds
    while not seen():
        if time.monotonic() > end:
            raise TimeoutError(f"found nothing after {seconds:.0f} s, expected {expected}")
        time.sleep(0.2)
