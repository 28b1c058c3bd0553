"""Sentences in ranges, one after the other on each core: how the compiled loops use all cores.

A loop over sentences writes only what belongs to the sentences of its range. So the result does not
depend on how many ranges there are, nor on which core takes which.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

THREADS = "CROSSBANK_THREADS"
"""The environment variable that sets the number of threads; by default one for each core."""

WORTH_A_THREAD = 2000
"""A range has at least so many sentences: below that, starting a thread takes longer than the loop."""


def in_ranges(loop: Callable[[int, int], None], sentences: int, smallest: int = WORTH_A_THREAD) -> None:
    """Call ``loop(first, last)`` for ranges that together hold all sentences, side by side.

    The loop runs without Python's lock and writes to its own sentences alone. ``smallest`` is the
    number of sentences that a range has at least. The first error of a range is raised.
    """
    ranges = min(threads(), sentences // max(smallest, 1))
    if ranges < 2:
        loop(0, sentences)
        return
    # More ranges than threads even out sentences of different length.
    ranges = min(4 * ranges, sentences // max(smallest, 1))
    bounds = [sentences * place // ranges for place in range(ranges + 1)]
    for _ in pool().map(loop, bounds[:-1], bounds[1:]):
        pass


def threads() -> int:
    """The number of threads: ``CROSSBANK_THREADS``, else the cores that this process may use."""
    chosen = os.environ.get(THREADS, "")
    if chosen.isdigit() and int(chosen) > 0:
        return int(chosen)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pool() -> ThreadPoolExecutor:
    """The threads that all loops share."""
    return _pool(threads())


@cache
def _pool(size: int) -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(size, "crossbank")
