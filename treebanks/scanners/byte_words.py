"""Eight bytes of a text at once: strings are compared and ended by words of the processor.

Compiled loops take these functions from ``byte_words.pxd``; a test compares them with those here.
"""

from __future__ import annotations

from crossbank.treebanks.arrays import ByteArray
from crossbank.treebanks.scanners.white_space import is_space


def word_at(text: ByteArray, begin: int) -> int:
    """Return the bytes from ``begin`` on as a number, the first one lowest; those after the end are zeros."""
    return int.from_bytes(bytes(text[begin : begin + 8]), "little")


def end_of_string(text: ByteArray, place: int, limit: int) -> int:
    """Return the first round bracket or white space from ``place`` on, else ``limit``."""
    while place < limit and text[place] not in b"()" and not is_space(text[place]):
        place += 1
    return place


def end_of_line(text: ByteArray, place: int) -> int:
    """Return the first newline from ``place`` on, else the length of the text."""
    while place < len(text) and text[place] != ord("\n"):
        place += 1
    return place
