"""The two kinds of array that a treebank is made of."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Int32Array: TypeAlias = NDArray[np.int32]
"""Codes, labels, parents, heads: one entry per token, node, edge or sentence."""

Int64Array: TypeAlias = NDArray[np.int64]
"""Offsets: entry ``i`` is where sentence ``i`` begins, the last entry where the table ends."""

BoolArray: TypeAlias = NDArray[np.bool_]
"""A selection: one entry per token, node or sentence."""


def offsets_of(lengths: NDArray[np.integer]) -> Int64Array:
    """Offsets of rows laid end to end, from the number of rows of each sentence.

    ``lengths`` has shape ``(sentences,)``; the result has shape ``(sentences + 1,)``.
    """
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets
