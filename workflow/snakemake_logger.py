"""Snakemake's logger for ``crossbank study``: one plain sentence for each failure, and events of jobs.

A plug-in of Snakemake (``snakemake-interface-logger-plugins``), which the command registers. A job on this
machine prints itself why it failed. But a job that was killed prints nothing, and what a job of a cluster
prints is in a log on the disk, among all that Snakemake prints there.
"""

import json
import logging
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.settings import LogHandlerSettingsBase

from crossbank.workflow.process_supervision import other_snakemakes
from crossbank.workflow.study_progress import step_name

KILLED = ": the job was killed (kill -9)"
BY_SIGKILL = "died with <Signals.SIGKILL"
BY_SLURM = re.compile(r"slurmstepd\S*: error: ")
"""The beginning of Slurm's lines in the log of a job that it ends: for memory, for time, or cancelled."""

EXPLAINED = re.compile(r"-m crossbank\.workflow\.steps\..* returned non-zero exit status 2\b", re.DOTALL)
"""Snakemake's message about a step that has printed in one sentence why it ended."""

VANISHED = re.compile(r"^(.+) \(missing locally", re.MULTILINE)
"""The files in Snakemake's message about inputs that are missing after a job."""

SCHEDULING = ("Select jobs to execute", "Execute ")
"""The beginnings of messages about each choice of jobs."""


@dataclass
class LogHandlerSettings(LogHandlerSettingsBase):
    """Options of the logger on Snakemake's command line."""

    events: str = field(
        default="", metadata={"help": "File to which events of jobs are written, one line of JSON each."}
    )


class LogHandler(LogHandlerBase):
    """Prints messages, and writes events of jobs to a file."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = False
    needs_rulegraph = False

    def __post_init__(self) -> None:
        """Have the messages that Snakemake would print, by its options."""
        from snakemake.logging import DefaultFilter

        common = self.common_settings
        self.is_printed = DefaultFilter(
            common.quiet, common.debug_dag, common.verbose, common.dryrun, common.printshellcmds
        ).filter
        self.stream = sys.stdout if common.stdout else sys.stderr
        self.killed: set[int | None] = set()
        assert isinstance(self.settings, LogHandlerSettings)
        self.events = self.settings.events

    def emit(self, record: logging.LogRecord) -> None:
        """Print a message, and write an event."""
        fields = record.__dict__
        if self.events and (event := event_of(fields)):
            with open(self.events, "a", encoding="utf-8") as file:
                file.write(f"{json.dumps(event)}\n")
        text = self.text_of(record)
        if text is None:
            text = self.format(record) if self.is_printed(record) else ""
        if text and text != "None":
            print(text, file=self.stream, flush=True)

    def text_of(self, record: logging.LogRecord) -> str | None:
        """Return the text in place of Snakemake's, which may be empty; None for a message that stays."""
        fields, message = record.__dict__, record.getMessage()
        event, exception = _event(fields), fields.get("exception")
        if message.startswith(SCHEDULING):
            return ""
        if exception == "LockException":
            return locked(other_snakemakes())
        if exception and "Missing files after" in message:
            return vanished(VANISHED.findall(message))
        if exception and EXPLAINED.search(message):
            return ""
        if BY_SIGKILL in message:
            self.killed.add(record.thread)
        elif event == "job_error" and record.thread in self.killed and fields["log"]:
            # The message about a process and the one about its job come from the same thread.
            self.killed.remove(record.thread)
            return (
                f"{step_name(fields['log'][0])}{KILLED}. Where nobody killed it, memory has run out: "
                "with --cores 1 the other jobs wait until it is done."
            )
        if event == "group_error" and fields["aux_logs"]:
            (log,) = fields["aux_logs"]
            return failed_in_cluster(log, [path for job in fields["job_error_info"] for path in job["log"]])
        if event == "job_error" and "/slurm_logs/" in "".join(fields["log"][-1:]):
            *logs, log = fields["log"]
            return failed_in_cluster(log, logs)
        return None


def _event(fields: Mapping[str, Any]) -> str:
    return str(getattr(fields.get("event"), "value", ""))


def event_of(fields: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the event of a record: a job that begins or ends, or the number of steps."""
    event = _event(fields)
    if event == "job_info" and fields["log"]:
        return {"job": fields["jobid"], "begins": step_name(fields["log"][0])}
    if event in ("job_finished", "job_error"):
        return {"job": fields.get("job_id", fields.get("jobid")), "begins": ""}
    if event == "progress":
        return {"done": fields["done"], "total": fields["total"]}
    if event == "run_info":
        return {"done": 0, "total": fields["stats"].get("total", 0)}
    return None


def failed_in_cluster(log: str, logs: Iterable[str]) -> str:
    """Return the message for a failed job of a cluster: its output, and where its log is.

    log   what the job printed
    logs  of its steps: an error is there and in ``log``, notes are there alone
    """
    own = {line for path in logs for line in _lines(path)}
    printed = [
        line
        for line in _lines(log)
        if line.strip() and (line in own or KILLED in line or BY_SLURM.match(line))
    ]
    return "\n".join([f"A job of the cluster failed: {log}", *dict.fromkeys(printed)])


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def vanished(files: list[str]) -> str:
    """Return the message for files that were there when the run began and are gone."""
    return "\n".join(
        f"{file}: no such file any more, expected the same files throughout a run "
        "(the same command goes on when it is there)"
        for file in dict.fromkeys(files)
    )


def locked(processes: list[int]) -> str:
    """Return the message for a locked folder: its processes, or how to remove a killed one's lock."""
    if processes:
        named = ", ".join(map(str, processes))
        return f"This folder is locked by another run (process {named}): try again when it has ended."
    return (
        "This folder is locked by a run of Snakemake that was killed: "
        "run the same command with --unlock, and then again without."
    )
