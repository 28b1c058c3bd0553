"""Processes that end with the one that started them.

A killed process cannot stop its children. So a child looks once a second whether its parent is there.
The parent's machine and number are in an environment variable, which every process sets anew for those
below it. A job on another machine of a cluster is looked after there.
"""

from __future__ import annotations

import os
import platform
import threading
import time
from collections.abc import Callable

PARENT = "CROSSBANK_PARENT"
INTERVAL = 1.0


def is_alive(process: int) -> bool:
    """True if a process of this machine is there."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def follow_parent(end: Callable[[], object]) -> None:
    """Call ``end`` when the process that started this one is gone; do nothing where none is named."""
    machine, _, number = os.environ.get(PARENT, "").rpartition(":")
    if os.name == "posix" and number.isdecimal() and machine == platform.node():
        threading.Thread(target=_watch, args=(int(number), end), daemon=True).start()


def follow_slurm(end: Callable[[], object]) -> None:
    """Call ``end`` when Slurm's process that started this job is gone; do nothing outside of Slurm.

    A job runs on where that process is killed. But for Slurm it is lost, and started anew.
    """
    if "SLURM_JOB_ID" in os.environ:
        import psutil

        for process in psutil.Process().parents():
            if process.name() == "slurmstepd":
                threading.Thread(target=_watch, args=(process.pid, end), daemon=True).start()


def lead_children() -> None:
    """Name this process as the parent of all that it starts."""
    os.environ[PARENT] = f"{platform.node()}:{os.getpid()}"


def _watch(parent: int, end: Callable[[], object]) -> None:
    while is_alive(parent):
        time.sleep(INTERVAL)
    end()
