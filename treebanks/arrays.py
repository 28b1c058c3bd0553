"""Kinds of array that a treebank is made of, under names that Python, mypy and the compiler share.

Compiled modules (those that import ``cython``) take these names from ``arrays.pxd``, which is kept in
step with this file (a test compares them). An ``Array`` is read, an ``Output`` is written to; in Python
both are the same.
"""

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

ByteArray: TypeAlias = NDArray[np.uint8]
"""The bytes of a text, or other small numbers."""

UInt64Array: TypeAlias = NDArray[np.uint64]
"""Hashes and fingerprints."""

Float64Array: TypeAlias = NDArray[np.float64]
"""Counts, costs and scores."""

Int32Output: TypeAlias = NDArray[np.int32]
Int64Output: TypeAlias = NDArray[np.int64]
BoolOutput: TypeAlias = NDArray[np.bool_]
ByteOutput: TypeAlias = NDArray[np.uint8]
UInt64Output: TypeAlias = NDArray[np.uint64]
Float64Output: TypeAlias = NDArray[np.float64]

Int32Matrix: TypeAlias = NDArray[np.int32]
BoolMatrix: TypeAlias = NDArray[np.bool_]
UInt64Matrix: TypeAlias = NDArray[np.uint64]
Float64Matrix: TypeAlias = NDArray[np.float64]
Int32MatrixOutput: TypeAlias = NDArray[np.int32]
Int64MatrixOutput: TypeAlias = NDArray[np.int64]
Float64MatrixOutput: TypeAlias = NDArray[np.float64]


def most_rows(offsets: Int64Array, first: int, last: int) -> int:
    """Return the highest number of rows of a sentence, among those from ``first`` to ``last - 1``."""
    return int(np.diff(offsets[first : last + 1]).max(initial=0))


def offsets_of(lengths: NDArray[np.integer]) -> Int64Array:
    """Return the offsets, shape ``(sentences + 1,)``, from the number of rows of each sentence."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets
