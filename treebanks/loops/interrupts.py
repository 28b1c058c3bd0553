"""Ctrl-C in the middle of a long loop.

A compiled loop runs without Python's lock, so Python sees no signal before it returns. Loops whose time grows
faster than the treebank (by the square of a sentence, by depth) therefore call ``look`` now and then, which
lets Python handle signals several times a second. Threads that are not the main one see no signals; they stop
where ``STOPPED`` is set, which ``treebanks.ranges`` does.
"""

from __future__ import annotations

from threading import Event

import cython

# The steps of a loop between two looks: about a hundredth of a second.
STEPS = cython.declare(cython.longlong, 1 << 24)

waited = cython.declare(cython.longlong, 0)

STOPPED = Event()
"""Whether the loops of all threads are to stop."""


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def look(steps: cython.longlong) -> cython.int:
    """Count the steps that a loop has made, and see whether it is to stop. Raises KeyboardInterrupt then.

    Threads count together, and may lose a few of each other's steps.
    """
    global waited
    waited += steps
    if waited < STEPS:
        return 0
    waited = 0
    with cython.gil:
        # A function of Python: in the main thread its call handles the signals that have come.
        if STOPPED.is_set():
            raise KeyboardInterrupt
    return 0
