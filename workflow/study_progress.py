"""Progress of a study on the terminal: steps that are done, what runs now, the time left.

Snakemake's logger (``workflow.snakemake_logger``) writes what happens to jobs to a file, a line of JSON for
each event. The command that started Snakemake follows the file, and passes on what Snakemake prints above its
own line.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, TextIO

from crossbank.treebanks.progress import Watch, bar, duration
from crossbank.treebanks.quantities import listed

NAMED = 3
"""The number of running steps that are named."""


def step_name(log: str | os.PathLike[str]) -> str:
    """Return the work of a job and its object, by the name of its log: ``score tiger/alpha``."""
    *_, parts = str(Path(log).with_suffix("").as_posix()).partition("/logs/")
    return parts.replace("/", " ", 1)


class StudyWatch(Watch):
    """Line that shows how far a study is."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self.running: dict[int, str] = {}
        self.done, self.total = 0, 0
        self.began = self.reached = monotonic()

    def take(self, event: Mapping[str, Any], now: float) -> None:
        """Take notice of an event."""
        with self.lock:
            if "job" in event:
                self.running.pop(event["job"], None)
                if event["begins"]:
                    self.running[event["job"]] = event["begins"]
            elif event["total"]:
                if not self.total:
                    self.began = now
                self.done, self.total, self.reached = event["done"], event["total"], now

    def line(self, now: float) -> str:
        """Return a line of progress: steps done, a bar, running steps, and the time left.

        The time left is estimated from the time that steps took so far.
        """
        if not self.total or self.done >= self.total:
            return ""
        columns = [f"{self.done} of {self.total} steps", bar(self.done / self.total)]
        if self.done:
            left = (self.reached - self.began) * (self.total / self.done - 1) - (now - self.reached)
            columns.append(f"{duration(max(left, 0))} left")
        return "  ".join([*columns, listed(list(self.running.values()), NAMED)]).rstrip()


@contextmanager
def show_progress(stream: TextIO, events: Path) -> Iterator[Callable[[bytes], None]]:
    """Show the progress of the Snakemake that is started inside the block.

    events  the file of events, which is made here

    Gives a function that prints above the line, whole lines at a time.
    """
    watch, over = StudyWatch(stream), threading.Event()
    events.write_text("", encoding="utf-8")

    def follow() -> None:
        with events.open(encoding="utf-8") as file:
            while True:
                ended = over.wait(0.1)
                while line := file.readline():
                    watch.take(json.loads(line), monotonic())
                if ended:
                    return

    waiting = bytearray()

    def print_above(data: bytes) -> None:
        waiting.extend(data)
        end = waiting.rfind(b"\n") + 1 if data else len(waiting)
        if end:
            with watch.lock:
                watch.clear()
                stream.write(waiting[:end].decode(errors="replace").replace("\r\n", "\n"))
                stream.flush()
            del waiting[:end]

    thread = threading.Thread(target=follow, daemon=True)
    try:
        with watch.drawn():
            thread.start()
            yield print_above
            print_above(b"")
    finally:
        over.set()
        thread.join()
