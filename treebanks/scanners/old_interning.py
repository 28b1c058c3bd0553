"""Strings become codes as they are met: the hash table of the compiled readers.

The table (open addressing, FNV-1a) gives each distinct run of bytes of a text a code, so that a
string is decoded once, however often it occurs. Code 0 is the empty string and is not in the table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from crossbank.treebanks.arrays import Int32Array, Int64Array

FNV_OFFSET, FNV_PRIME = -3750763034362895579, 1099511628211
"""The constants of the 64-bit FNV-1a hash, as signed numbers (Fowler, Noll and Vo)."""


class StringTable(NamedTuple):
    """The distinct strings met so far, and the hash table that finds them.

    slots, hashes  shape ``(slots,)``, a power of two: the codes by hash, 0 where free
    begins, ends   shape ``(room,)``: where each string first stands in the text, by code
    """

    slots: Int32Array
    hashes: Int64Array
    begins: Int64Array
    ends: Int64Array


def string_table(room: int) -> StringTable:
    """An empty table for at least ``room`` strings; when they are more, see ``grown``."""
    room = 1 << max(room - 1, 15).bit_length()
    return StringTable(
        np.zeros(4 * room, np.int32),
        np.zeros(4 * room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
    )


@njit(cache=True, nogil=True)
def key_of(text: NDArray[np.uint8], begin: int, end: int) -> int:
    """The hash of a run of bytes."""
    key = FNV_OFFSET
    for place in range(begin, end):
        key = (key ^ text[place]) * FNV_PRIME
    return key


@njit(cache=True, nogil=True)
def codes_of(
    text: NDArray[np.uint8],
    first: int,
    last: int,
    begins: Int64Array,
    ends: Int64Array,
    keys: Int64Array,
    codes: Int64Array,
    table: StringTable,
    next_code: int,
) -> int:
    """Write the codes of some runs of bytes, ``first`` to ``last - 1``, into ``codes``.

    ``keys`` are their hashes; a run without bytes has code 0. A new run is entered with ``next_code``,
    then the one after it, and so on; the table must have room for all. Returns the next free code.
    Several runs at once, since a call costs more than a look into the table.
    """
    slots, hashes, known_begins, known_ends = table
    mask = len(slots) - 1
    for run in range(first, last):
        begin, end, key = begins[run], ends[run], keys[run]
        code = 0
        if begin < end:
            slot = (key ^ (key >> 32)) & mask
            code = slots[slot]
            while code != 0:
                if hashes[slot] == key and known_ends[code] - known_begins[code] == end - begin:
                    here, there = begin, known_begins[code]
                    while here < end and text[here] == text[there]:
                        here += 1
                        there += 1
                    if here == end:
                        break
                slot = (slot + 1) & mask
                code = slots[slot]
            if code == 0:
                code = next_code
                slots[slot], hashes[slot] = code, key
                known_begins[code], known_ends[code] = begin, end
                next_code += 1
        codes[run] = code
    return next_code


@njit(cache=True, nogil=True)
def grown(table: StringTable) -> StringTable:
    """The same strings in a table with twice the room."""
    room, size = 2 * len(table.begins), 2 * len(table.slots)
    slots, hashes = np.zeros(size, np.int32), np.zeros(size, np.int64)
    begins, ends = np.zeros(room, np.int64), np.zeros(room, np.int64)
    begins[: len(table.begins)], ends[: len(table.ends)] = table.begins, table.ends
    for old in range(len(table.slots)):
        if table.slots[old] != 0:
            key = table.hashes[old]
            slot = (key ^ (key >> 32)) & (size - 1)
            while slots[slot] != 0:
                slot = (slot + 1) & (size - 1)
            slots[slot], hashes[slot] = table.slots[old], key
    return StringTable(slots, hashes, begins, ends)


def strings_of(
    text: NDArray[np.uint8], begins: Int64Array, ends: Int64Array, separator: int
) -> NDArray[np.uint8]:
    """The strings from code 1 on in one run of bytes, each with a ``separator`` byte before it.

    Decoding and splitting it is several times faster than decoding string by string. The separator
    must be a byte that stands in none of them.
    """
    gathered = np.empty(int((ends - begins).sum()) + len(begins) - 1, np.uint8)
    _gather(text, begins, ends, separator, gathered)
    return gathered


@njit(cache=True, nogil=True)
def _gather(
    text: NDArray[np.uint8],
    begins: Int64Array,
    ends: Int64Array,
    separator: int,
    gathered: NDArray[np.uint8],
) -> None:
    place = 0
    for code in range(1, len(begins)):
        gathered[place] = separator
        place += 1
        for byte in text[begins[code] : ends[code]]:
            gathered[place] = byte
            place += 1
