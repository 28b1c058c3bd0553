"""The yields of nodes: where each begins and ends, how many tokens it has, in how many blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.loops.spans import measure
from crossbank.treebanks.ranges import in_ranges
from crossbank.treebanks.tables import Nodes, Tokens


@dataclass(frozen=True, eq=False)
class Spans:
    """One row per node; positions are counted from the beginning of the sentence.

    start    first token
    end      one behind the last token
    size     number of tokens
    fan_out  number of maximal runs of neighbouring tokens: 1 for a continuous constituent
    """

    start: Int32Array
    end: Int32Array
    size: Int32Array
    fan_out: Int32Array

    @property
    def discontinuous(self) -> BoolArray:
        """Which nodes have a yield with gaps."""
        result: BoolArray = self.fan_out > 1
        return result


def spans_of(tokens: Tokens, nodes: Nodes) -> Spans:
    """The spans of all nodes, which must be in pre-order."""
    start, end, size, fan_out = (np.empty(len(nodes), np.int32) for _ in range(4))
    columns = (tokens.offsets, tokens.parent, nodes.offsets, nodes.parent, start, end, size, fan_out)
    in_ranges(lambda first, last: measure(*columns, first, last), len(nodes.offsets) - 1)
    return Spans(start, end, size, fan_out)
