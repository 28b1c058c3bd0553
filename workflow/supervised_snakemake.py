"""Snakemake as ``crossbank study`` runs it: it ends with the command, and prints plain sentences."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading

from crossbank.workflow.interrupts import unwrapped_interrupts
from crossbank.workflow.process_supervision import PIPE, end_session, is_ending


def _end_with_supervisor(pipe: int) -> None:
    os.read(pipe, 1)  # until the other end is closed
    end_session(os.getpid())


def _main() -> None:
    """Run Snakemake with the arguments of this process."""
    if os.name == "posix":
        # Until Snakemake catches interrupts one ends the process, without a traceback.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        pipe = int(os.environ.pop(PIPE))
        threading.Thread(target=_end_with_supervisor, args=(pipe,), daemon=True).start()
    from snakemake.cli import main
    from snakemake_interface_logger_plugins.registry import LoggerPluginRegistry

    from crossbank.workflow import snakemake_logger

    # Jobs fail since the run ends, and so does Snakemake where it is interrupted in an event loop. It has no
    # handler of messages any more then: Python would print them, with tracebacks.
    logging.getLogger("snakemake.logging").addFilter(
        lambda record: record.levelno < logging.ERROR or not is_ending()
    )
    LoggerPluginRegistry().register_plugin("snakemake_logger_plugin_crossbank", snakemake_logger)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # a locale may lack a character of a name
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with unwrapped_interrupts():
            main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        # Python's own end, in which it waits for threads, must not be interrupted.
        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    _main()
