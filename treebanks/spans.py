"""Yields of nodes: where each begins and ends, how many tokens it has, in how many blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from crossbank.treebanks.arrangement import count_blocks, measure
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.forest import Forest
from crossbank.treebanks.ranges import in_ranges
from crossbank.treebanks.tables import constant


@dataclass(frozen=True, eq=False)
class Spans:
    """One row per node; positions are counted from the beginning of the sentence.

    start    first token
    end      one past the last token
    size     number of tokens
    fan_out  number of maximal runs of neighbouring tokens: 1 for a continuous constituent
    """

    start: Int32Array
    end: Int32Array
    size: Int32Array
    fan_out: Int32Array

    @property
    def discontinuous(self) -> BoolArray:
        """A mask of the nodes that have a yield with gaps."""
        result: BoolArray = self.fan_out > 1
        return result


def spans_of(forest: Forest, nodes: int) -> Spans:
    """Return the spans of all nodes, of which there are so many; they must be in pre-order."""
    start, end, size = (np.empty(nodes, np.int32) for _ in range(3))
    gaps = np.empty(len(forest), np.bool_)
    in_ranges(lambda first, last: measure(forest, start, end, size, gaps, first, last), len(forest))
    fan_out = constant(nodes, 1)
    if gaps.any():
        counts = fan_out.copy()
        in_ranges(lambda first, last: count_blocks(forest, gaps, counts, first, last), len(forest))
        fan_out = counts
    return Spans(start, end, size, fan_out)
