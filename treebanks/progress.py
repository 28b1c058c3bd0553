"""Progress of long work on the terminal: what is done, the rate, the time left.

Nothing is written outside of ``watched``, or for work that lasts less than a second. A separate thread draws
the line a few times a second, so that no loop waits for the terminal.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from time import monotonic
from typing import TextIO

from crossbank.treebanks.ranges import Work, watching

PATIENCE = 1.0
"""Seconds after which work is displayed."""

INTERVAL = 0.2
"""Seconds between two updates of the line."""

MIN_UNITS_FOR_RATE = 100
"""Number of units from which on the rate is displayed instead of the number."""

BAR_WIDTH = 20
"""The width of the bar in characters."""

CLEAR = "\r\x1b[K"
"""The characters that clear the line of the terminal."""


class Watch:
    """A line of a terminal that displays progress.

    ``line`` returns its text, which is empty while there is nothing to display.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.lock = threading.RLock()
        self.is_drawn = False

    def line(self, now: float) -> str:
        """Return the text of the line at a time."""
        raise NotImplementedError

    def clear(self) -> None:
        """Clear the line."""
        with self.lock:
            if self.is_drawn:
                self.stream.write(CLEAR)
                self.stream.flush()
                self.is_drawn = False

    def draw(self) -> None:
        """Replace the line by its current text."""
        from shutil import get_terminal_size

        with self.lock:
            line = cut(self.line(monotonic()), get_terminal_size().columns - 1)
            if line:
                self.stream.write(f"{CLEAR}{line}")
                self.stream.flush()
                self.is_drawn = True

    @contextmanager
    def drawn(self) -> Iterator[None]:
        """Draw the line a few times a second until the end of the block, and then clear it."""
        finished = threading.Event()

        def look() -> None:
            while not finished.wait(INTERVAL):
                self.draw()

        thread = threading.Thread(target=look, daemon=True)
        thread.start()
        try:
            yield
        finally:
            finished.set()
            thread.join()
            self.clear()


class WatchOfWork(Watch):
    """Line that displays the work in progress.

    active             the works in progress, the outermost first
    furthest, reached  the largest proportion displayed so far, and its time
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self.active: list[Work] = []
        self.furthest, self.reached = 0.0, 0.0

    def begin(self, work: Work) -> None:
        """Display a work from now on."""
        with self.lock:
            if not self.active:
                self.furthest, self.reached = 0.0, work.began
            self.active.append(work)

    def end(self, work: Work) -> None:
        """Stop displaying a work; after the last one, clear the line for what is printed next."""
        with self.lock:
            self.active.remove(work)
            if not self.active:
                self.clear()

    def line(self, now: float) -> str:
        """Return the outermost work, how far it is, the rate of the innermost one, and the time left."""
        if not self.active or now - self.active[0].began < PATIENCE:
            return ""
        outermost, *inner = self.active
        # If several files are read in parallel, the first one is displayed.
        same_thread = [work for work in inner if work.thread == inner[0].thread]
        lasting = [outermost, *(work for work in same_thread if now - work.began >= PATIENCE)]
        proportion = 0.0
        for work in reversed(lasting):
            # The proportion of the inner work counts as a fraction of the next unit of the outer work.
            proportion = min((work.done + proportion) / work.total, 1.0) if work.total else proportion
        if proportion > self.furthest:
            self.furthest, self.reached = proportion, now
        names = [work.what for work in lasting if work.what]
        cells = [": ".join(name for name, below in pairwise([*names, ""]) if not below.startswith(name))]
        if not self.furthest:
            return "  ".join([*cells, duration(now - outermost.began)])
        cells.append(bar(self.furthest))
        counted = next((work for work in reversed(lasting) if work.done and work.unit), None)
        if counted is not None:
            cells.append(_format_count(counted, now))
        # The time left decreases between two steps as well.
        left = (self.reached - outermost.began) * (1 / self.furthest - 1) - (now - self.reached)
        cells.append(f"{duration(max(left, 0))} left")
        return "  ".join(cells)


@contextmanager
def watched(stream: TextIO) -> Iterator[None]:
    """Display progress on a terminal until the end of the block, then clear the line."""
    watch = WatchOfWork(stream)
    with watching(watch), watch.drawn():
        yield


def bar(proportion: float) -> str:
    """Return a proportion as a bar with its percentage."""
    full = round(BAR_WIDTH * proportion)
    return f"[{'#' * full}{'.' * (BAR_WIDTH - full)}] {100 * proportion:3.0f} %"


def cut(text: str, columns: int) -> str:
    """Return the beginning of a text that fits into columns, with ``?`` for unprintable characters."""
    from unicodedata import combining, east_asian_width

    written = []
    for character in text:
        wide = east_asian_width(character) in ("W", "F")
        columns -= 0 if combining(character) else 2 if wide else 1
        if columns < 0:
            break
        written.append(character if character.isprintable() else "?")
    return "".join(written)


def duration(seconds: float) -> str:
    """Return a time in hours, minutes and seconds: ``1:02:03``, ``2:03`` or ``3 s``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{rest:02}"
    return f"{minutes}:{rest:02}" if minutes else f"{rest} s"


def _format_count(work: Work, now: float) -> str:
    """Return the rate of a work with ``MIN_UNITS_FOR_RATE`` units or more, else the number of units done."""
    if work.total < MIN_UNITS_FOR_RATE:
        return f"{work.done:,} of {work.total:,} {work.unit}"
    per_second = work.done / max(now - work.began, 1e-9)
    return f"{per_second / 1e6:,.1f} MB/s" if work.unit == "bytes" else f"{per_second:,.0f} {work.unit}/s"
