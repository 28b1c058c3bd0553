"""Table that gives strings their codes as they are met, for all compiled readers.

The table (open addressing) gives each distinct run of bytes of a text a code, so that a string is decoded
once, however often it occurs. Codes count up in the order in which the strings are first met. Code 0
is the empty string, which is not in the table.
"""

from __future__ import annotations

# Compiled with -O3
import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    ByteArray,
    ByteOutput,
    Int32Output,
    Int64Output,
    UInt64Output,
)
from cython.cimports.crossbank.treebanks.scanners.byte_words import PRIME, word_at
from numpy.typing import NDArray

BITS = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
"""The bits of a product that are kept: numbers of plain Python have no end."""


@cython.cclass
class StringTable:
    """Distinct strings of a text that have been met, with their codes.

    size      one more than the highest code
    text      the bytes, shape ``(bytes,)``
    slots     for each slot the key of a string, and its length and code in one number; 0 where free.
              Shape ``(2 * slots,)``, where ``slots`` is a power of two
    shift     how far a product is shifted to get a slot
    gathered  the bytes of the strings by code, end to end: a string that is met again is compared with these
              few bytes, which stay in the processor's cache, and not with the text
    ends      where each string ends in ``gathered``, by code; shape ``(slots / 2,)``

    The key of a string of up to eight bytes is these bytes, so that key and length tell it from all others
    in one look at memory. That of a longer one is a hash.
    """

    size: int
    text: ByteArray
    slots: UInt64Output
    shift: cython.int
    gathered: ByteOutput
    ends: Int64Output

    def __init__(self, text: ByteArray, capacity: int) -> None:
        """A table for the strings of ``text`` that grows when there are more than ``capacity``."""
        bits = int(max(capacity - 1, 15)).bit_length() + 1
        self.text, self.size, self.shift = text, 1, 64 - bits
        self.slots, self.ends = np.zeros(2 << bits, np.uint64), np.zeros(1 << bits >> 1, np.int64)
        self.gathered = np.empty(4 << bits, np.uint8)

    @cython.ccall
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def code(self, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """Return the code of the string ``text[begin:end]``, a new one if it is new."""
        length = end - begin
        if length == 0:
            return 0
        key: cython.ulonglong = self.key(begin, end)
        high: cython.ulonglong = cython.cast(cython.ulonglong, length) << 32
        mask: cython.Py_ssize_t = self.slots.shape[0] - 1
        slot: cython.Py_ssize_t = 2 * cython.cast(cython.Py_ssize_t, ((key * PRIME) & BITS) >> self.shift)
        while self.slots[slot + 1] != 0:
            if self.slots[slot] == key and self.slots[slot + 1] >> 32 == high >> 32:
                code: cython.int = cython.cast(cython.int, self.slots[slot + 1] ^ high)
                if length <= 8 or self.is_gathered(begin, end, self.ends[code - 1]):
                    return code
            slot = (slot + 2) & mask
        return self.enter(begin, end, key, slot)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def enter(
        self,
        begin: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        key: cython.ulonglong,
        slot: cython.Py_ssize_t,
    ) -> cython.int:
        """Put a new string into a free slot. Returns its code."""
        length = end - begin
        code: cython.int = cython.cast(cython.int, self.size)
        self.slots[slot] = key
        self.slots[slot + 1] = (cython.cast(cython.ulonglong, length) << 32) | cython.cast(
            cython.ulonglong, code
        )
        there: cython.Py_ssize_t = self.ends[code - 1]
        if self.gathered.shape[0] - there < length:
            with cython.gil:
                self.gather(length)
        for here in range(begin, end):
            self.gathered[there] = self.text[here]
            there += 1
        self.ends[code] = there
        self.size += 1
        if self.size == self.ends.shape[0]:
            with cython.gil:
                self.grow()
        return code

    @cython.cfunc
    @cython.nogil
    def key(self, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.ulonglong:
        """Return the key of the string ``text[begin:end]``, which is not empty."""
        length = cython.cast(cython.Py_ssize_t, end - begin)
        if length <= 8:
            return word_at(self.text, begin) & (BITS >> (8 * (8 - length)))
        key: cython.ulonglong = 0
        while begin < end:
            # The last eight bytes, some of which may have been taken already.
            key = ((key ^ word_at(self.text, min(begin, end - 8))) * PRIME) & BITS
            key ^= key >> 32
            begin += 8
        return key

    @cython.cfunc
    @cython.nogil
    def is_gathered(
        self, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, there: cython.Py_ssize_t
    ) -> cython.bint:
        """Return whether the string ``text[begin:end]`` is in ``gathered`` from ``there`` on."""
        last = end - 8
        shift = there - begin
        while begin < last:
            if word_at(self.text, begin) != word_at(self.gathered, begin + shift):
                return False
            begin += 8
        return word_at(self.text, last) == word_at(self.gathered, last + shift)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def gather(self, length: cython.Py_ssize_t) -> cython.int:
        """Double the capacity for strings, and add ``length`` bytes."""
        self.gathered = np.concatenate((self.gathered, np.empty(self.gathered.shape[0] + length, np.uint8)))
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def grow(self) -> cython.int:
        """Double the capacity."""
        count: cython.Py_ssize_t = self.slots.shape[0]
        slots: UInt64Output = np.zeros(2 * count, np.uint64)
        mask: cython.Py_ssize_t = 2 * count - 1
        self.shift -= 1
        for old in range(0, count, 2):
            if self.slots[old + 1] != 0:
                product: cython.ulonglong = (cython.cast(cython.ulonglong, self.slots[old]) * PRIME) & BITS
                slot: cython.Py_ssize_t = 2 * cython.cast(cython.Py_ssize_t, product >> self.shift)
                while slots[slot + 1] != 0:
                    slot = (slot + 2) & mask
                slots[slot], slots[slot + 1] = self.slots[old], self.slots[old + 1]
        self.slots, self.ends = slots, np.concatenate((self.ends, np.zeros_like(self.ends)))
        return 0

    def take_in(self, other: StringTable, first: cython.Py_ssize_t = 0) -> NDArray[np.int32]:
        """Return for each code of another table from ``first`` on the code here; new strings are entered."""
        codes: Int32Output = np.zeros(other.size - first, np.int32)
        text, self.text = self.text, other.gathered
        with cython.nogil:
            for code in range(max(first, 1), other.size):
                codes[code - first] = self.code(other.ends[code - 1], other.ends[code])
        self.text = text
        return np.asarray(codes)

    def string(self, code: int) -> bytes:
        """Return the string of a code."""
        return bytes(np.asarray(self.gathered)[self.ends[code - 1] : self.ends[code]]) if code else b""

    def strings(self, separator: cython.uchar, first: cython.Py_ssize_t = 1) -> bytes:
        """Return the strings from code ``first`` on, each after a byte that is in none of them.

        Decoding and splitting the whole is several times faster than decoding string by string.
        """
        size = self.ends[self.size - 1] - self.ends[first - 1] + self.size - first
        joined: ByteOutput = np.empty(size, np.uint8)
        to: cython.Py_ssize_t = 0
        with cython.nogil:
            for code in range(first, self.size):
                joined[to] = separator
                to += 1
                for offset in range(self.ends[code - 1], self.ends[code]):
                    joined[to] = self.gathered[offset]
                    to += 1
        return bytes(joined)
