"""Compiled loop that aligns the words of gold and system."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    Int32Array,
    Int32Output,
    Int64Array,
    Int64Output,
)
from cython.cimports.crossbank.treebanks.loops.interrupts import look

from crossbank.treebanks.memory import require

NOT_ALIGNED = -2
"""The counterpart of an unaligned word."""

UNALIGNED = cython.declare(cython.longlong, -2)


@cython.dataclasses.dataclass(eq=False, repr=False)
class AlignedColumns:
    """Words of gold or system: columns of ``stretches_of_text.TextSpans``, and the forms."""

    start: Int64Array
    end: Int64Array
    multiword: BoolArray
    form: Int32Array


@cython.cclass
class Stretch:
    """A stretch of text around multiword tokens: its words in gold and system, and a scratch table.

    first, last  the index of the first word, and the index after the last word
    longest      length of the longest common subsequence of forms that begins at a word of gold (row) and a
                 word of the system (column) or later
    """

    first_gold: cython.Py_ssize_t
    last_gold: cython.Py_ssize_t
    first_system: cython.Py_ssize_t
    last_system: cython.Py_ssize_t
    longest: Int32Output

    def __init__(self) -> None:
        self.longest = np.zeros(256, np.int32)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def grow(self, cells: cython.Py_ssize_t) -> cython.int:
        """Make room for ``cells`` lengths in ``longest``."""
        if cells > self.longest.shape[0]:
            require(8 * cells, "", f"a stretch with multiword tokens of {cells:,} pairs of words")
            self.longest = np.zeros(2 * cells, np.int32)
        return 0


def align(gold: AlignedColumns, system: AlignedColumns, aligned_gold: Int64Output) -> None:
    """Fill in, for every word of the system, the word of gold or ``NOT_ALIGNED``."""
    stretch = Stretch()
    gold_size, system_size = gold.start.shape[0], system.start.shape[0]
    g: cython.Py_ssize_t = 0
    with cython.nogil:
        for s in range(system_size):
            aligned_gold[s] = UNALIGNED
        s = 0
        while g < gold_size and s < system_size:
            if gold.multiword[g] or system.multiword[s]:
                find_stretch(gold, system, g, s, stretch)
                g, s = stretch.last_gold, stretch.last_system
                if g > stretch.first_gold and s > stretch.first_system:
                    align_forms(gold, system, stretch, aligned_gold)
            elif gold.start[g] == system.start[s] and gold.end[g] == system.end[s]:
                aligned_gold[s] = g
                g += 1
                s += 1
            elif gold.start[g] <= system.start[s]:
                g += 1
            else:
                s += 1


@cython.cfunc
@cython.nogil
def find_stretch(
    gold: AlignedColumns, system: AlignedColumns, g: cython.Py_ssize_t, s: cython.Py_ssize_t, stretch: Stretch
) -> cython.void:
    """Fill in the stretch around the multiword token of word ``g`` of gold or word ``s`` of the system."""
    gold_size, system_size = gold.start.shape[0], system.start.shape[0]
    if gold.multiword[g]:
        stop = gold.end[g]
        if not system.multiword[s] and system.start[s] < gold.start[g]:
            s += 1
    else:
        stop = system.end[s]
        if not gold.multiword[g] and gold.start[g] < system.start[s]:
            g += 1
    stretch.first_gold, stretch.first_system = g, s
    while not is_after(gold, g, stop) or not is_after(system, s, stop):
        if g < gold_size and (s >= system_size or gold.start[g] <= system.start[s]):
            if gold.multiword[g]:
                stop = max(stop, gold.end[g])
            g += 1
        else:
            if system.multiword[s]:
                stop = max(stop, system.end[s])
            s += 1
    stretch.last_gold, stretch.last_system = g, s


@cython.cfunc
@cython.nogil
def is_after(side: AlignedColumns, word: cython.Py_ssize_t, stop: cython.longlong) -> cython.bint:
    """Return whether a word lies after a stretch that ends at the character ``stop``."""
    if word >= side.start.shape[0]:
        return True
    if side.multiword[word]:
        return bool(side.start[word] >= stop)
    return bool(side.end[word] > stop)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def align_forms(
    gold: AlignedColumns, system: AlignedColumns, stretch: Stretch, aligned_gold: Int64Output
) -> cython.int:
    """Align the longest common subsequence of forms; of equally long ones, the first to skip words of gold.

    A MemoryError must be passed on: otherwise the loop would write past the table.
    """
    rows: cython.Py_ssize_t = stretch.last_gold - stretch.first_gold
    width: cython.Py_ssize_t = stretch.last_system - stretch.first_system + 1
    with cython.gil:
        stretch.grow((rows + 1) * width)
    for g in range(rows + 1):
        stretch.longest[g * width + width - 1] = 0
    for s in range(width):
        stretch.longest[rows * width + s] = 0
    for g in range(rows - 1, -1, -1):
        look(width)
        for s in range(width - 2, -1, -1):
            length = 0
            if gold.form[stretch.first_gold + g] == system.form[stretch.first_system + s]:
                length = stretch.longest[(g + 1) * width + s + 1] + 1
            length = max(length, stretch.longest[(g + 1) * width + s])
            stretch.longest[g * width + s] = max(length, stretch.longest[g * width + s + 1])
    g = s = 0
    while g < rows and s < width - 1:
        if gold.form[stretch.first_gold + g] == system.form[stretch.first_system + s]:
            aligned_gold[stretch.first_system + s] = stretch.first_gold + g
            g += 1
            s += 1
        elif stretch.longest[g * width + s] == stretch.longest[(g + 1) * width + s]:
            g += 1
        else:
            s += 1
    return 0
