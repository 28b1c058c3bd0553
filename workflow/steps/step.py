"""Beginning and the end of a step's process: arguments by name, one plain line for a wrong input."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr
from pathlib import Path

from crossbank.reports.escaped_output import escaped_output
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.memory import MEMORY
from crossbank.treebanks.named_arguments import ArgumentSpelling, spelled
from crossbank.treebanks.ranges import THREADS
from crossbank.workflow.interrupts import unwrapped_interrupts
from crossbank.workflow.process_supervision import SAFE_PATH, end_with_run
from crossbank.workflow.study_progress import step_name


def run(job: Callable[[argparse.Namespace], None], *options: str) -> None:
    """Run a job with its arguments, each a list, and leave with its exit code.

    ``--threads`` is the number of processors, ``--memory`` the megabytes that the job has reserved. What it
    prints on stderr goes to the file of ``--log``. The console gets errors, and a line that says which job is
    done. A wrong input is answered in one line (exit code 2). The job ends with its run.
    """
    arguments = given_to((*options, "threads", "memory", "log"), sys.argv[1:])
    gc.disable()  # a short job's arrays hold no cycles of references
    end_with_run(lambda: os._exit(1))
    if os.environ.get("PYTHONSAFEPATH") == SAFE_PATH:
        del os.environ["PYTHONSAFEPATH"]  # parsers that a study trains may need their own folder
    if arguments.threads:
        os.environ[THREADS] = arguments.threads[0]
    if arguments.memory:
        os.environ.setdefault(MEMORY, f"{arguments.memory[0]}M")
    (file,) = map(Path, arguments.log)
    began = time.monotonic()
    try:
        with (
            file.open("w", encoding="utf-8") as log,
            redirect_stderr(log),
            escaped_output(),
            spelled(ArgumentSpelling("in_study")),
        ):
            code, message = _done(job, arguments)
            print(message, file=sys.stderr, end="")
    except OSError as error:
        code, message = 2, f"{file}: {error.strerror or error}\n"
    text = message or f"{step_name(file)}: done in {time.monotonic() - began:.1f} s\n"
    with escaped_output():
        print(text, file=sys.stderr, end="", flush=True)
    sys.exit(code)


def given_to(options: Sequence[str], words: Sequence[str]) -> argparse.Namespace:
    """Return the words after each option. What begins with a hyphen and is no option is a file's name."""
    values: dict[str, list[str]] = {option: [] for option in options}
    for word in words:
        if word.removeprefix("--") in values and word.startswith("--"):
            option = word.removeprefix("--")
        else:
            values[option].append(word)
    return argparse.Namespace(**values)


def _done(job: Callable[[argparse.Namespace], None], arguments: argparse.Namespace) -> tuple[int, str]:
    """Return the exit code of a job, and what to say of an error."""
    try:
        with unwrapped_interrupts():
            job(arguments)
    except CrossbankError as error:
        return 2, f"{error}\n"
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return 2, f"{where}{error.strerror or error}\n"
    except MemoryError:
        return 2, "memory ran out: run fewer jobs at once (--cores 1)\n"
    except KeyboardInterrupt:
        return 130, ""
    except Exception:
        return 1, traceback.format_exc()
    return 0, ""
