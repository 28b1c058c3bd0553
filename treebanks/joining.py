"""A text from strings by number, without a string of Python's for each piece of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from crossbank.treebanks.arrays import ByteArray, Int32Array, offsets_of
from crossbank.treebanks.loops.writing import join_strings


def joined(strings: Sequence[str], numbers: Int32Array, signs: ByteArray) -> str:
    """The strings with some numbers, one after the other, each with a sign behind it; 0 is none."""
    encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
    lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
    text = np.empty(int(lengths[numbers].sum()) + np.count_nonzero(signs), np.uint8)
    join_strings(numbers, signs, np.frombuffer(b"".join(encoded), np.uint8), offsets_of(lengths), text)
    return str(text.data, "utf-8", "surrogatepass")
