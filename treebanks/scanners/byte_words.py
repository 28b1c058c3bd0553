"""Eight bytes of a text as one number (a word of the processor), to find and compare strings quickly.

Compiled loops take these functions from ``byte_words.pxd``; a test compares them with those here.
"""

from __future__ import annotations

from crossbank.treebanks.arrays import ByteArray, UInt64Array
from crossbank.treebanks.scanners.white_space import is_space

PRIME = 0x9E3779B97F4A7C15
"""Multiplier of the hash: 2 to the power of 64 divided by the golden ratio, an odd number of mixed bits."""


def word_at(text: ByteArray, begin: int) -> int:
    """Return the bytes from ``begin`` on as a number, the first one lowest; those after the end are zeros."""
    return int.from_bytes(bytes(text[begin : begin + 8]), "little")


def ends_in(word: int) -> int:
    """Return a number whose bytes are 128 where the word has a round bracket or white space, else 0."""
    ends = 0
    for shift in range(0, 64, 8):
        byte = word >> shift & 255
        if byte in b"()" or is_space(byte):
            ends |= 128 << shift
    return ends


def bytes_before(ends: int) -> int:
    """Return the number of bytes below the lowest byte with its highest bit set; ``ends`` is not 0."""
    return ((ends & -ends).bit_length() - 1) >> 3


def known_code(slots: UInt64Array, shift: int, word: int, ends: int) -> int:
    """Return the code of the bytes of a word below ``ends``, or -1 if a table of strings does not have them.

    slots, shift  attributes of the table, ``interning.StringTable``
    """
    length = bytes_before(ends)
    if length == 0:
        return 0
    key = word & ((1 << 8 * length) - 1)
    slot = 2 * ((key * PRIME & 0xFFFFFFFFFFFFFFFF) >> shift)
    while (entry := int(slots[slot + 1])) != 0:
        if int(slots[slot]) == key and entry >> 32 == length:
            return entry & 0xFFFFFFFF
        slot = (slot + 2) & (len(slots) - 1)
    return -1


def end_of_string(text: ByteArray, offset: int, limit: int) -> int:
    """Return the first round bracket or white space from ``offset`` on, else ``limit``."""
    while offset < limit and text[offset] not in b"()" and not is_space(text[offset]):
        offset += 1
    return offset


def end_of_line(text: ByteArray, offset: int) -> int:
    """Return the first newline from ``offset`` on, else the length of the text."""
    while offset < len(text) and text[offset] != ord("\n"):
        offset += 1
    return offset
