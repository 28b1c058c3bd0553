"""The table that gives strings their codes as they are met, for all compiled readers.

The table (open addressing, FNV-1a) gives each distinct run of bytes of a text a code, so that a string is
decoded once, however often it occurs. Codes count up in the order in which the strings are first met. Code 0
is the empty string, which is not in the table.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    ByteArray,
    ByteOutput,
    Int32Output,
    Int64Output,
    UInt64Output,
)
from numpy.typing import NDArray

FIRST_KEY = cython.declare(cython.ulonglong, 0xCBF29CE484222325)
PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
"""The offset basis and the prime of the 64-bit FNV-1a hash (Fowler, Noll and Vo)."""

BITS = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
"""What multiplication keeps: uncompiled, numbers have no end."""


@cython.final
@cython.cclass
class StringTable:
    """The distinct strings of a text that have been met, with their codes.

    size         one more than the highest code
    text         the bytes, shape ``(bytes,)``
    slots, keys  codes and hashes by hash; shape ``(slots,)``, a power of two; code 0 where a slot is free
    begin, end   where each string first stands in the text, by code; shape ``(room,)``
    """

    size: int
    text: ByteArray
    slots: Int32Output
    keys: UInt64Output
    begin: Int64Output
    end: Int64Output

    def __init__(self, text: ByteArray, room: int) -> None:
        """A table for the strings of ``text`` that grows when there are more than ``room``."""
        slots = 4 << int(max(room - 1, 15)).bit_length()
        self.text, self.size = text, 1
        self.slots, self.keys = np.zeros(slots, np.int32), np.zeros(slots, np.uint64)
        self.begin, self.end = np.zeros(slots // 4, np.int64), np.zeros(slots // 4, np.int64)

    @cython.ccall
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def code(self, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """The code of the string ``text[begin:end]``, a new one where the string is new."""
        mask: cython.Py_ssize_t = self.slots.shape[0] - 1
        key: cython.ulonglong = FIRST_KEY
        slot: cython.Py_ssize_t
        code: cython.int
        here: cython.Py_ssize_t
        there: cython.Py_ssize_t
        if begin == end:
            return 0
        for here in range(begin, end):
            key = ((key ^ cython.cast(cython.ulonglong, self.text[here])) * PRIME) & BITS
        slot = cython.cast(cython.Py_ssize_t, key ^ (key >> 32)) & mask
        while self.slots[slot] != 0:
            code = self.slots[slot]
            if self.keys[slot] == key and self.end[code] - self.begin[code] == end - begin:
                here, there = begin, self.begin[code]
                while here < end and self.text[here] == self.text[there]:
                    here += 1
                    there += 1
                if here == end:
                    return code
            slot = (slot + 1) & mask
        code = cython.cast(cython.int, self.size)
        self.slots[slot], self.keys[slot] = code, key
        self.begin[code], self.end[code] = begin, end
        self.size += 1
        if self.size == self.begin.shape[0]:
            with cython.gil:
                self.grow()
        return code

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def grow(self) -> cython.int:
        """Double the room."""
        count: cython.Py_ssize_t = self.slots.shape[0]
        slots: Int32Output = np.zeros(2 * count, np.int32)
        keys: UInt64Output = np.zeros(2 * count, np.uint64)
        mask: cython.Py_ssize_t = 2 * count - 1
        old: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        for old in range(count):
            if self.slots[old] != 0:
                slot = cython.cast(cython.Py_ssize_t, self.keys[old] ^ (self.keys[old] >> 32)) & mask
                while slots[slot] != 0:
                    slot = (slot + 1) & mask
                slots[slot], keys[slot] = self.slots[old], self.keys[old]
        self.slots, self.keys = slots, keys
        self.begin = np.concatenate((self.begin, np.zeros_like(self.begin)))
        self.end = np.concatenate((self.end, np.zeros_like(self.end)))
        return 0

    def take_in(self, other: StringTable) -> NDArray[np.int32]:
        """For each code of another table of the same text the code here, shape ``(other.size,)``.

        Strings that are new here are entered.
        """
        codes: Int32Output = np.zeros(other.size, np.int32)
        code: cython.Py_ssize_t
        with cython.nogil:
            for code in range(1, other.size):
                codes[code] = self.code(other.begin[code], other.end[code])
        return np.asarray(codes)

    def begins(self) -> NDArray[np.int64]:
        """Where each string first begins in the text, by code; shape ``(size,)``."""
        return np.asarray(self.begin)[: self.size]

    def ends(self) -> NDArray[np.int64]:
        """Where each string first ends in the text, by code; shape ``(size,)``."""
        return np.asarray(self.end)[: self.size]

    def strings(self, separator: cython.uchar) -> bytes:
        """The strings by code, set apart by a byte that stands in none of them.

        Decoding and splitting the whole is several times faster than decoding string by string.
        """
        length = int((self.ends() - self.begins()).sum()) + self.size - 1
        gathered: ByteOutput = np.empty(length, np.uint8)
        code: cython.Py_ssize_t
        place: cython.Py_ssize_t
        to: cython.Py_ssize_t = 0
        with cython.nogil:
            for code in range(1, self.size):
                gathered[to] = separator
                to += 1
                for place in range(self.begin[code], self.end[code]):
                    gathered[to] = self.text[place]
                    to += 1
        return bytes(gathered)
