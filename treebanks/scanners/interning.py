"""Table that gives strings their codes as they are met, for all compiled readers.

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
"""The bits of a product that are kept: numbers of plain Python have no end."""


@cython.cclass
class StringTable:
    """Distinct strings of a text that have been met, with their codes.

    size      one more than the highest code
    text      the bytes, shape ``(bytes,)``
    slots     hash and code in one number, by hash; shape ``(slots,)``, a power of two; 0 where free
    gathered  the bytes of the strings by code, end to end: a string that is met again is compared with these
              few bytes, which stay in the processor's cache, and not with the text
    ends      where each string ends in ``gathered``, by code; shape ``(room,)``
    """

    size: int
    text: ByteArray
    slots: UInt64Output
    gathered: ByteOutput
    ends: Int64Output

    def __init__(self, text: ByteArray, room: int) -> None:
        """A table for the strings of ``text`` that grows when there are more than ``room``."""
        slots = 2 << int(max(room - 1, 15)).bit_length()
        self.text, self.size = text, 1
        # What one look needs lies side by side in memory.
        self.slots, self.ends = np.zeros(slots, np.uint64), np.zeros(slots // 2, np.int64)
        self.gathered = np.empty(4 * slots, np.uint8)

    @cython.ccall
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def code(self, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """Return the code of the string ``text[begin:end]``."""
        key: cython.ulonglong = FIRST_KEY
        here: cython.Py_ssize_t
        for here in range(begin, end):
            key = ((key ^ cython.cast(cython.ulonglong, self.text[here])) * PRIME) & BITS
        return self.code_of_key(begin, end, key)

    @cython.ccall
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def code_of_key(
        self, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, key: cython.ulonglong
    ) -> cython.int:
        """Return the code of the string ``text[begin:end]`` whose hash is ``key``, a new one where it is new.

        A loop that looks at each byte of a string anyway computes its hash on the way, which takes a
        third less time in all.
        """
        mask: cython.Py_ssize_t = self.slots.shape[0] - 1
        here: cython.Py_ssize_t
        there: cython.Py_ssize_t
        if begin == end:
            return 0
        key = ((key ^ (key >> 32)) << 32) & BITS
        slot: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, key >> 32) & mask
        while self.slots[slot] != 0:
            if self.slots[slot] >> 32 == key >> 32:
                code: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, self.slots[slot] ^ key)
                here, there = begin, self.ends[code - 1]
                if self.ends[code] - there == end - begin:
                    while here < end and self.text[here] == self.gathered[there]:
                        here += 1
                        there += 1
                    if here == end:
                        return cython.cast(cython.int, code)
            slot = (slot + 1) & mask
        code = self.size
        self.slots[slot] = key | cython.cast(cython.ulonglong, code)
        there = self.ends[code - 1]
        if self.gathered.shape[0] - there < end - begin:
            with cython.gil:
                self.gather(end - begin)
        for here in range(begin, end):
            self.gathered[there] = self.text[here]
            there += 1
        self.ends[code] = there
        self.size += 1
        if self.size == self.ends.shape[0]:
            with cython.gil:
                self.grow()
        return cython.cast(cython.int, code)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def gather(self, length: cython.Py_ssize_t) -> cython.int:
        """Double the room for strings, and add ``length`` bytes."""
        self.gathered = np.concatenate((self.gathered, np.empty(self.gathered.shape[0] + length, np.uint8)))
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def grow(self) -> cython.int:
        """Double the room."""
        count: cython.Py_ssize_t = self.slots.shape[0]
        slots: UInt64Output = np.zeros(2 * count, np.uint64)
        mask: cython.Py_ssize_t = 2 * count - 1
        for old in range(count):
            if self.slots[old] != 0:
                slot = cython.cast(cython.Py_ssize_t, self.slots[old] >> 32) & mask
                while slots[slot] != 0:
                    slot = (slot + 1) & mask
                slots[slot] = self.slots[old]
        self.slots, self.ends = slots, np.concatenate((self.ends, np.zeros_like(self.ends)))
        return 0

    def take_in(self, other: StringTable) -> NDArray[np.int32]:
        """For each code of another table the code here, shape ``(other.size,)``; new strings are entered."""
        codes: Int32Output = np.zeros(other.size, np.int32)
        text, self.text = self.text, other.gathered
        with cython.nogil:
            for code in range(1, other.size):
                codes[code] = self.code(other.ends[code - 1], other.ends[code])
        self.text = text
        return np.asarray(codes)

    def string(self, code: int) -> bytes:
        """Return the string of a code."""
        return bytes(np.asarray(self.gathered)[self.ends[code - 1] : self.ends[code]]) if code else b""

    def strings(self, separator: cython.uchar) -> bytes:
        """Return the strings by code, separated by a byte that is in none of them.

        Decoding and splitting the whole is several times faster than decoding string by string.
        """
        joined: ByteOutput = np.empty(self.ends[self.size - 1] + self.size - 1, np.uint8)
        to: cython.Py_ssize_t = 0
        with cython.nogil:
            for code in range(1, self.size):
                joined[to] = separator
                to += 1
                for place in range(self.ends[code - 1], self.ends[code]):
                    joined[to] = self.gathered[place]
                    to += 1
        return bytes(joined)
