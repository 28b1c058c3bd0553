"""The loop that joins strings, which are numbers, to the bytes of a text."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import ByteArray, ByteOutput, Int32Array, Int64Array


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
