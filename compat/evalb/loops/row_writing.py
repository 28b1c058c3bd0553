"""Compiled loop that writes the lines of EVALB's report; see ``evalb.evalb_report``."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import ByteOutput, Int32Matrix

MAX_LINE_BYTES = 200
"""An upper limit of a line's length: nine numbers of up to 10 digits, three of up to 15, 31 between them."""

BLANK = cython.declare(cython.uchar, 32)
POINT = cython.declare(cython.uchar, 46)
ZERO = cython.declare(cython.uchar, 48)
NEWLINE = cython.declare(cython.uchar, 10)

# The rows of the matrix.
NUMBER = cython.declare(cython.int, 0)
STATUS = cython.declare(cython.int, 1)
LENGTH = cython.declare(cython.int, 2)
MATCHED = cython.declare(cython.int, 3)
GOLD = cython.declare(cython.int, 4)
CANDIDATE = cython.declare(cython.int, 5)
CROSSING = cython.declare(cython.int, 6)
WORDS = cython.declare(cython.int, 7)
TAGS = cython.declare(cython.int, 8)


def written_rows(columns: Int32Matrix) -> bytes:
    """Return the lines of sentences.

    columns  the line's number, then the first eight columns of ``Rows``; shape ``(9, sentences)``

    In C the format is ``%4d  %3d    %d  %6.2f %6.2f   %3d    %3d  %3d    %3d   %4d  %4d   %6.2f``.
    """
    text: ByteOutput = np.empty(MAX_LINE_BYTES * columns.shape[1], np.uint8)
    end: cython.Py_ssize_t = 0
    with cython.nogil:
        for row in range(columns.shape[1]):
            end = write_number(text, end, 0, 4, columns[NUMBER, row])
            end = write_number(text, end, 2, 3, columns[LENGTH, row])
            end = write_number(text, end, 4, 1, columns[STATUS, row])
            end = write_percentage(text, end, 2, columns[MATCHED, row], columns[GOLD, row])
            end = write_percentage(text, end, 1, columns[MATCHED, row], columns[CANDIDATE, row])
            end = write_number(text, end, 3, 3, columns[MATCHED, row])
            end = write_number(text, end, 4, 3, columns[GOLD, row])
            end = write_number(text, end, 2, 3, columns[CANDIDATE, row])
            end = write_number(text, end, 4, 3, columns[CROSSING, row])
            end = write_number(text, end, 3, 4, columns[WORDS, row])
            end = write_number(text, end, 2, 4, columns[TAGS, row])
            end = write_percentage(text, end, 3, columns[TAGS, row], columns[WORDS, row])
            text[end] = NEWLINE
            end += 1
    return bytes(text[:end])


@cython.cfunc
@cython.nogil
def write_number(
    text: ByteOutput,
    end: cython.Py_ssize_t,
    blanks: cython.int,
    width: cython.int,
    number: cython.longlong,
) -> cython.Py_ssize_t:
    """Write blanks, and a number that is not negative in at least ``width`` characters. Returns the end."""
    digits: cython.int = 1
    rest = number
    while rest >= 10:
        rest //= 10
        digits += 1
    for _ in range(blanks + max(width - digits, 0)):
        text[end] = BLANK
        end += 1
    end += digits
    offset = end
    for _ in range(digits):
        offset -= 1
        text[offset] = ZERO + cython.cast(cython.uchar, number % 10)
        number //= 10
    return end


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def write_percentage(
    text: ByteOutput,
    end: cython.Py_ssize_t,
    blanks: cython.int,
    part: cython.longlong,
    whole: cython.longlong,
) -> cython.Py_ssize_t:
    """Write blanks, and ``part`` of ``whole`` in per cent with two decimals. Returns the end."""
    hundredths = rounded(part, max(whole, 1))
    end = write_number(text, end, blanks, 3, hundredths // 100)
    text[end] = POINT
    text[end + 1] = ZERO + cython.cast(cython.uchar, hundredths // 10 % 10)
    text[end + 2] = ZERO + cython.cast(cython.uchar, hundredths % 10)
    return end + 3


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def rounded(part: cython.longlong, whole: cython.longlong) -> cython.longlong:
    """Return the hundredths of a percentage, rounded as C prints the quotient of two numbers."""
    hundredths = 10000 * part // whole
    twice = 2 * (10000 * part - hundredths * whole)
    if twice != whole:
        return hundredths + (twice > whole)
    with cython.gil:
        # An exact half is rounded by the nearest binary number.
        return int(f"{100.0 * part / whole:.2f}".replace(".", ""))
