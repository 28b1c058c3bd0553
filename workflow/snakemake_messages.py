"""Messages beside Snakemake's: why a job failed that cannot print it itself, and who locks a folder.

A job on this machine prints why it failed. But a job that was killed prints nothing, and what a job of a
cluster prints is in a log on the disk, among all that Snakemake prints there.
"""

from __future__ import annotations

import logging
import os
import re
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

from crossbank.workflow.lifeline import others_at_work
from crossbank.workflow.study_progress import step_name

SIGNAL = "died with <Signals.SIGKILL"
KILLED = ": the job was killed (kill -9)"
OF_SLURM = re.compile(r"slurmstepd\S*: error: ")
"""What Slurm writes into the log of a job that it ends: for memory, for time, or since it was cancelled."""


def tell_failures() -> None:
    """Print why jobs of this process's Snakemake failed, where they do not."""
    from snakemake.logging import logger

    logger.addHandler(_Teller(logging.ERROR))


class _Teller(logging.Handler):
    """Follows the errors of Snakemake: how a process ended, and then, in the same thread, whose it was."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.killed: set[int | None] = set()

    def emit(self, record: logging.LogRecord) -> None:
        told = record.__dict__
        event = getattr(told.get("event"), "value", "")
        if event == "group_error" and told["aux_logs"]:
            (log,) = told["aux_logs"]
            tell_of_cluster(log, [path for job in told["job_error_info"] for path in job["log"]])
        elif event == "job_error" and "/slurm_logs/" in "".join(told["log"][-1:]):
            *logs, log = told["log"]
            tell_of_cluster(log, logs)
        elif event == "job_error" and told["log"] and record.thread in self.killed:
            self.killed.remove(record.thread)
            print(
                f"{step_name(told['log'][0])}{KILLED}. Where nobody killed it, memory has run out: "
                "with --cores 1 the other jobs wait until it is done.",
                file=sys.stderr,
            )
        elif SIGNAL in record.getMessage():
            self.killed.add(record.thread)


def tell_of_cluster(log: str, logs: Iterable[str]) -> None:
    """Print what a job of a cluster said when it failed, and where its log is.

    log   what the job printed
    logs  of its steps: an error is there and in ``log``, notes are there alone
    """
    own = {line for path in logs for line in _lines(path)}
    said = [
        line
        for line in _lines(log)
        if line.strip() and (line in own or KILLED in line or OF_SLURM.match(line))
    ]
    print("\n".join([f"A job of the cluster failed: {log}", *dict.fromkeys(said)]), file=sys.stderr)


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def tell_who_locks() -> None:
    """Put one sentence in place of Snakemake's message that the folder is locked."""
    import psutil
    from snakemake.logging import logger

    def name_remedy(record: logging.LogRecord) -> bool:
        if record.__dict__.get("exception") == "LockException":
            own = {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}
            at_work = sorted({one.process for one in others_at_work(own)})
            record.msg, record.args = locked_by(at_work, sys.argv[1:]), ()
        return True

    logger.addFilter(name_remedy)


VANISHED = re.compile(r"^(.+) \(missing locally", re.MULTILINE)


TOLD = re.compile(r"-m crossbank\.workflow\.steps\..* returned non-zero exit status 2\b", re.DOTALL)
"""What Snakemake says of a step that has said in one sentence why it ended."""


def tell_plainly() -> None:
    """Leave out what Snakemake says, with lines of its rules, of what is said in one sentence.

    A step has printed its own; of an input that is gone the sentence is put in place of Snakemake's message.
    """
    from snakemake.logging import logger

    def name_files(record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if not record.__dict__.get("exception"):
            return True
        if "Missing files after" in message:
            record.msg, record.args = vanished(VANISHED.findall(message)), ()
        return not TOLD.search(message)

    logger.addFilter(name_files)


def vanished(files: list[str]) -> str:
    """Message: the files that were there when the run began."""
    return "\n".join(
        f"{file}: no such file any more, expected the same files throughout a run "
        "(the same command goes on when it is there)"
        for file in dict.fromkeys(files)
    )


def locked_by(others: list[int], arguments: list[str]) -> str:
    """Message: the processes that are at work, or the command that removes the lock of a killed run.

    arguments  those with which Snakemake was called
    """
    if others:
        named = ", ".join(map(str, others))
        return f"This folder is locked by another run (process {named}): try again when it has ended."
    said = "This folder is locked by a run that was killed. Unlock it, and then run the study again"
    return f"{said}: {shlex.join(['snakemake', *arguments, '--unlock'])}"
