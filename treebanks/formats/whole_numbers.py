"""Whole numbers in the text of a file."""

from __future__ import annotations

LARGEST = 2**31 - 1
"""The largest number that tables hold. No sentence has a token of that number."""


def whole_number(digits: str) -> int:
    """The number that decimal digits write; ``LARGEST`` where they are more than nine.

    A file may have thousands of digits, which ``int`` refuses and tables cannot hold.

    >>> whole_number("007"), whole_number("9" * 5000) == LARGEST
    (7, True)
    """
    return int(digits) if len(digits.lstrip("0")) <= 9 else LARGEST
