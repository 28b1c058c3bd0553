"""Long work: loops side by side on all cores, sentences in ranges and files in chunks, and how far it is.

A loop over sentences writes only what belongs to the sentences of its range. So the result does not
depend on how many ranges there are, nor on which core takes which.

Work tells how much of it is done by adding to a number, at which somebody may look (``progress``).
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from itertools import islice, pairwise
from time import monotonic
from typing import Any, Protocol, TypeVar

from crossbank.treebanks.loops.interrupts import STOPPED

Result = TypeVar("Result")
Item = TypeVar("Item")
Workspace = TypeVar("Workspace")

THREADS = "CROSSBANK_THREADS"
"""The environment variable that sets the number of threads; by default one for each core."""

WORTH_A_THREAD = 2000
"""A range has at least this many sentences: below that, starting a thread takes longer than the loop."""


WATCHED_RANGES = 16
"""The number of ranges for each thread where somebody watches the progress."""


PATIENCE = 1.0
"""The seconds for which threads are awaited after Ctrl-C."""


class Work:
    """Work that is under way.

    what   what is done: ``reading gold.mrg``; empty for a loop inside other work
    total  the number of units; 0 if it is unknown
    unit   of what
    done   how much is done; no part of it is taken back
    """

    __slots__ = ("began", "done", "thread", "total", "unit", "what")

    def __init__(self, what: str, total: int, unit: str) -> None:
        self.what, self.total, self.unit = what, total, unit
        self.done = 0
        self.thread = threading.get_ident()
        self.began = monotonic()

    def add(self, amount: int = 1) -> None:
        """Say that so much more is done."""
        self.done += amount


class Watching(Protocol):
    """An observer of work in progress."""

    def begin(self, work: Work) -> None:
        """Report that a work begins."""

    def end(self, work: Work) -> None:
        """Report that a work has ended."""


_watch: Watching | None = None


@contextmanager
def watching(watch: Watching) -> Iterator[None]:
    """Tell somebody of the work that is begun until the end of the block."""
    global _watch
    before, _watch = _watch, watch
    try:
        yield
    finally:
        _watch = before


def is_watched() -> bool:
    """Return whether somebody watches."""
    return _watch is not None


@contextmanager
def work(what: str, total: int = 0, unit: str = "") -> Iterator[Work]:
    """Work on ``total`` units; call ``add()`` as work proceeds."""
    begun, watch = Work(what, total, unit), _watch
    if watch is None:
        yield begun
        return
    watch.begin(begun)
    try:
        yield begun
    finally:
        watch.end(begun)


def each(items: Sequence[Item], what: str | Callable[[Item], str], unit: str) -> Iterator[Item]:
    """Yield the items one after the other; each is a unit of work, done when the next one is requested.

    what  the name of the work, or a function that gives it for each item
    """
    if _watch is None:
        yield from items
        return
    with work("" if callable(what) else what, len(items), unit) as begun:
        for item in items:
            if callable(what):
                begun.what = what(item)
            yield item
            begun.add()


class _Own(threading.local):
    """Number of threads that the call of this thread may use; 0 outside of ``side_by_side``."""

    threads = 0


_own = _Own()


def for_each(
    items: Sequence[Item],
    allocate: Callable[[], Workspace],
    find: Callable[[Item, Workspace], Result],
    least: int = 1,
) -> list[Result]:
    """Return ``find(item, workspace)`` of each item, on all cores; each thread allocates one workspace.

    least  number of items for which starting a thread pays
    """
    results: list[Any] = [None] * len(items)

    def find_each(first: int, last: int) -> None:
        workspace = allocate()
        for index in range(first, last):
            results[index] = find(items[index], workspace)

    in_ranges(find_each, len(items), least)
    return results


def in_ranges(loop: Callable[[int, int], None], sentences: int, smallest: int = WORTH_A_THREAD) -> None:
    """Call ``loop(first, last)`` for ranges that together hold all sentences, side by side.

    The loop runs without Python's lock and writes to its own sentences alone. ``smallest`` is the
    number of sentences that a range has at least. The first error of a range is raised.
    """
    most = sentences // max(smallest, 1)
    if _watch is None and (most < 2 or threads() < 2):
        loop(0, sentences)
        return
    ranges = min(threads(), most)
    # More ranges than threads even out sentences of different length; each that is done is progress.
    ranges = max(min(WATCHED_RANGES * threads() if is_watched() else 4 * ranges, most), 1)
    bounds = [sentences * number // ranges for number in range(ranges + 1)]
    with work("", sentences, "sentences") as begun:

        def done(first: int, last: int) -> None:
            loop(first, last)
            begun.add(last - first)

        side_by_side([partial(done, first, last) for first, last in pairwise(bounds)])


def side_by_side(calls: Sequence[Callable[[], Result]]) -> list[Result]:
    """Run calls in parallel, on as many threads as there are cores, and return their results in order.

    What a call does must not depend on the others. The first error, in the order of the calls, is raised.
    A call that has calls of its own side by side shares the cores with the other calls.
    """
    results: dict[int, Result] = {}
    errors: dict[int, BaseException] = {}
    waiting = deque(enumerate(calls))
    available = threads()
    workers = max(min(available, len(calls)), 1)

    def take_calls() -> None:
        before, _own.threads = _own.threads, available // workers
        while waiting:
            try:
                index, call = waiting.popleft()
            except IndexError:
                break
            try:
                results[index] = call()
            except BaseException as error:
                errors[index] = error
                if isinstance(error, KeyboardInterrupt):
                    waiting.clear()
                    STOPPED.set()
        _own.threads = before

    # A thread whose loop does not check for signals must not keep the process from its end.
    helpers = [
        threading.Thread(target=copy_context().run, args=(take_calls,), daemon=True)
        for _ in range(workers - 1)
    ]
    for thread in helpers:
        thread.start()
    try:
        take_calls()
        for thread in helpers:
            thread.join()
    except KeyboardInterrupt as error:
        errors[-1] = error
        waiting.clear()
        STOPPED.set()
    if STOPPED.is_set() and threading.current_thread() is threading.main_thread():
        for thread in helpers:
            thread.join(PATIENCE)
        STOPPED.clear()
    if errors:
        for first_error in errors.values():
            if isinstance(first_error, KeyboardInterrupt):
                raise first_error
        raise errors[min(errors)]
    return [results[index] for index in range(len(calls))]


def map_side_by_side(call: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Yield ``call(item)`` of each item, in order; as many items are taken at once as there are cores.

    Memory does not depend on the number of items.
    """
    remaining = iter(items)
    while taken := list(islice(remaining, threads())):
        results = deque(side_by_side([partial(call, item) for item in taken]))
        del taken
        while results:
            yield results.popleft()


def begun(call: Callable[[], Result]) -> Callable[[], Result]:
    """Begin a call in a thread. The function that is returned waits for its result, or raises its error."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            results.append(call())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=copy_context().run, args=(work,), daemon=True)
    thread.start()

    def awaited() -> Result:
        thread.join()
        if errors:
            raise errors[0]
        return results[0]

    return awaited


def threads() -> int:
    """Return the number of threads: ``CROSSBANK_THREADS``, else the cores that this process may use.

    Within a call of ``side_by_side`` it is the share of that call.
    """
    if _own.threads:
        return _own.threads
    chosen = os.environ.get(THREADS, "")
    if chosen.isdigit() and int(chosen) > 0:
        return int(chosen)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
