"""Cycles of heads: tokens that depend on each other in a circle, and no tree."""

from __future__ import annotations

import numpy as np

from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array


def on_cycle(token_offsets: Int64Array, head: Int32Array) -> BoolArray:
    """Return a mask of the tokens that lie on a cycle of heads, shape ``(tokens,)``; heads must be in range.

    After as many steps upwards as a sentence has tokens every path has ended or is on a cycle, and each token
    of a cycle is the end of a path. With each round of the loop ``above`` goes twice as far.
    """
    lengths = np.diff(token_offsets)
    end = len(head)
    above = np.append(np.where(head < 0, end, head + np.repeat(token_offsets[:-1], lengths)), end)
    for _ in range(int(lengths.max(initial=0)).bit_length()):
        above = above[above]
    cyclic = np.zeros(end + 1, np.bool_)
    cyclic[above] = True
    return cyclic[:-1]
