"""A text from strings by number, without a string of Python's for each piece of it."""

from __future__ import annotations

from collections.abc import Sequence

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import ByteArray, ByteOutput, Int32Array, Int64Array

from crossbank.treebanks.arrays import offsets_of


def joined(strings: Sequence[str], numbers: Int32Array, signs: ByteArray) -> str:
    """The strings with some numbers, one after the other, each with a sign behind it; 0 is none."""
    encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
    begins = offsets_of(np.fromiter(map(len, encoded), np.int64, len(encoded)))
    text = np.empty(joined_length(numbers, begins) + np.count_nonzero(signs), np.uint8)
    join_strings(numbers, signs, np.frombuffer(b"".join(encoded), np.uint8), begins, text)
    return str(text.data, "utf-8", "surrogatepass")


def join_strings(
    strings: Int32Array, signs: ByteArray, text: ByteArray, begins: Int64Array, joined: ByteOutput
) -> None:
    """Write strings one after the other, each with the sign behind it.

    strings  the number of each string that is written
    signs    the byte behind it, 0 for none
    text     all strings, without anything between them
    begins   where each begins in ``text``, with one entry more
    joined   what is written, with room for all of it
    """
    item: cython.Py_ssize_t
    place: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    with cython.nogil:
        for item in range(strings.shape[0]):
            for place in range(begins[strings[item]], begins[strings[item] + 1]):
                joined[at] = text[place]
                at += 1
            if signs[item] > 0:
                joined[at] = signs[item]
                at += 1


def joined_length(strings: Int32Array, begins: Int64Array) -> int:
    """The bytes of strings one after the other; the arguments are those of ``join_strings``."""
    item: cython.Py_ssize_t
    length: cython.longlong = 0
    with cython.nogil:
        for item in range(strings.shape[0]):
            length += begins[strings[item] + 1] - begins[strings[item]]
    return int(length)
