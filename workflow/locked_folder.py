"""Message where Snakemake finds its folder locked: who is at work, or the command that unlocks it."""

from __future__ import annotations

import logging
import os
import shlex
import sys


def tell_who_locks() -> None:
    """Put one sentence in place of Snakemake's message that the folder is locked."""
    from snakemake.logging import logger

    def name_remedy(record: logging.LogRecord) -> bool:
        if record.__dict__.get("exception") == "LockException":
            record.msg, record.args = locked_by(_at_work(), sys.argv[1:]), ()
        return True

    logger.addFilter(name_remedy)


def locked_by(others: list[int], arguments: list[str]) -> str:
    """Message: the processes that are at work, or the command that removes the lock of a killed run.

    arguments  those with which Snakemake was called
    """
    if others:
        named = ", ".join(map(str, others))
        return f"This folder is locked by another run (process {named}): try again when it has ended."
    said = "This folder is locked by a run that was killed. Unlock it, and then run the study again"
    return f"{said}: {shlex.join(['snakemake', *arguments, '--unlock'])}"


def _at_work() -> list[int]:
    """Return the processes of other runs that are at work in this folder."""
    import psutil

    from crossbank.workflow.lifeline import leaders

    own = {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}
    return sorted({one.process for one in leaders() if one.process not in own and not one.has_ended()})
