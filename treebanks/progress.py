"""Progress of long work on the terminal: what is done, the rate, the time left.

Nothing is written unless somebody watches (``watched``), and nothing for work that lasts less than a second.
A thread of its own looks a few times a second at what is done, so that no loop waits for the terminal.
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
"""The seconds after which work is shown."""

INTERVAL = 0.2
"""The seconds between two looks at the work."""

MANY = 100
"""The number of units from which on their rate is shown."""

BAR = 20
"""The width of the bar in characters."""

CLEAR = "\r\x1b[K"
"""The characters that clear the line of the terminal."""


class Watch:
    """A line of a terminal that shows how far something is.

    ``line`` gives its text, which is empty while there is nothing to show.
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
        """Write the line anew."""
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
        over = threading.Event()

        def look() -> None:
            while not over.wait(INTERVAL):
                self.draw()

        thread = threading.Thread(target=look, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            self.clear()


class WatchOfWork(Watch):
    """Line that shows work while it lasts; the outermost work comes first."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self.works: list[Work] = []
        self.furthest, self.reached = 0.0, 0.0

    def begin(self, work: Work) -> None:
        """Show a work from now on."""
        with self.lock:
            if not self.works:
                self.furthest, self.reached = 0.0, work.began
            self.works.append(work)

    def end(self, work: Work) -> None:
        """Show a work no longer; after the last one what is printed next stands alone on its line."""
        with self.lock:
            self.works.remove(work)
            if not self.works:
                self.clear()

    def line(self, now: float) -> str:
        """Return the outermost work, how far it is, the rate of the innermost one, and the time left."""
        if not self.works or now - self.works[0].began < PATIENCE:
            return ""
        outermost, *inner = self.works
        # Of files that are read side by side the first one is shown.
        beside = [work for work in inner if work.thread == inner[0].thread]
        lasting = [outermost, *(work for work in beside if now - work.began >= PATIENCE)]
        parts = 0.0
        for work in reversed(lasting):
            # A part of the next chunk of a work is done: what is done of the work inside it.
            parts = min((work.done + parts) / work.total, 1.0) if work.total else parts
        if parts > self.furthest:
            self.furthest, self.reached = parts, now
        names = [work.what for work in lasting if work.what]
        cells = [": ".join(name for name, below in pairwise([*names, ""]) if not below.startswith(name))]
        if not self.furthest:
            return "  ".join([*cells, duration(now - outermost.began)])
        cells.append(bar(self.furthest))
        counted = next((work for work in reversed(lasting) if work.done and work.unit), None)
        if counted is not None:
            cells.append(_counted(counted, now))
        # Between two steps the time left goes down like the clock.
        left = (self.reached - outermost.began) * (1 / self.furthest - 1) - (now - self.reached)
        cells.append(f"{duration(max(left, 0))} left")
        return "  ".join(cells)


@contextmanager
def watched(stream: TextIO) -> Iterator[None]:
    """Show on a terminal the work that lasts, until the end of the block; then the line is clear."""
    watch = WatchOfWork(stream)
    with watching(watch), watch.drawn():
        yield


def bar(proportion: float) -> str:
    """Return a proportion as a bar with its percentage."""
    full = round(BAR * proportion)
    return f"[{'#' * full}{'.' * (BAR - full)}] {100 * proportion:3.0f} %"


def cut(text: str, columns: int) -> str:
    """Return as much of a text as fits into some columns of a terminal; what cannot be printed is ``?``."""
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


def _counted(work: Work, now: float) -> str:
    """Return the rate of a work of many units; of few units how many are done."""
    if work.total < MANY:
        return f"{work.done:,} of {work.total:,} {work.unit}"
    per_second = work.done / max(now - work.began, 1e-9)
    return f"{per_second / 1e6:,.1f} MB/s" if work.unit == "bytes" else f"{per_second:,.0f} {work.unit}/s"
