"""The yields of nodes: where each begins and ends, how many tokens it has, in how many blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array


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


@njit(cache=True, nogil=True)
def node_spans(
    token_offsets: Int64Array,
    token_parent: Int32Array,
    node_offsets: Int64Array,
    node_parent: Int32Array,
) -> tuple[Int32Array, Int32Array, Int32Array, Int32Array]:
    """Start, end, size and fan-out of every node; nodes must be in pre-order.

    Fan-out is counted only in sentences where some node has fewer tokens than its extent.
    """
    start = np.full(len(node_parent), np.int32(2147483647), np.int32)
    end = np.zeros(len(node_parent), np.int32)
    size = np.zeros(len(node_parent), np.int32)
    fan_out = np.ones(len(node_parent), np.int32)
    for sentence in range(len(token_offsets) - 1):
        base = node_offsets[sentence]
        begin = token_offsets[sentence]
        for token in range(begin, token_offsets[sentence + 1]):
            parent = token_parent[token]
            if parent >= 0:
                node = base + parent
                start[node] = min(start[node], token - begin)
                end[node] = token - begin + 1
                size[node] += 1
        gaps = False
        for node in range(node_offsets[sentence + 1] - 1, base - 1, -1):
            gaps |= size[node] != end[node] - start[node]
            if node_parent[node] >= 0:
                above = base + node_parent[node]
                start[above] = min(start[above], start[node])
                end[above] = max(end[above], end[node])
                size[above] += size[node]
        if gaps:
            last = np.full(node_offsets[sentence + 1] - base, -2, np.int32)
            for node in range(base, node_offsets[sentence + 1]):
                fan_out[node] = 0
            for token in range(begin, token_offsets[sentence + 1]):
                parent = token_parent[token]
                while parent >= 0:
                    if last[parent] != token - begin - 1:
                        fan_out[base + parent] += 1
                    last[parent] = token - begin
                    parent = node_parent[base + parent]
    return start, end, size, fan_out
