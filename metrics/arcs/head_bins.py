"""Bins of ``eval07.pl`` for the direction and the distance of a word's head.

Buchholz and Marsi (2006), section 5. Places and heads are counted from 0; the root's head is ``ROOT``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.tables import ROOT

DIRECTIONS = ("to_root", "left", "right", "self")
DISTANCES = ("to_root", "1", "2", "3-6", "7-...")

LONGEST = (1, 2, 6)
"""The longest distance in each bin after ``to_root``; the last has no end."""


def directions(head: NDArray[np.number], place: NDArray[np.integer]) -> Int32Array:
    """Direction of each word's head, as a place in ``DIRECTIONS``; all arrays have shape ``(words,)``."""
    return np.select([head == ROOT, head < place, head > place], [0, 1, 2], 3).astype(np.int32)


def distances(head: NDArray[np.number], place: NDArray[np.integer]) -> Int32Array:
    """Distance of each word's head, as a place in ``DISTANCES``; 1 for a word that is its own head."""
    away = 1 + np.searchsorted(LONGEST, np.abs(head - place))
    return np.where(head == ROOT, 0, away).astype(np.int32)
