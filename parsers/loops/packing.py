"""Loop that finds the edges of a packed forest: how the items of a chart are made of each other."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.parsers.loops.chart import Rules
from cython.cimports.crossbank.treebanks.arrays import (
    Int32Array,
    Int32Matrix,
    Int32MatrixOutput,
    Int64Array,
    Int64Output,
)


@cython.dataclasses.dataclass(eq=False, repr=False)
class PackedEdges:
    """Edges of a packed forest, those of a cell together.

    binary_begin, unary_begin  where each cell's edges begin, shape ``(cells + 1,)``
    binary  parent, left child, right child and rule
    unary   parent, child and rule
    """

    binary_begin: Int64Output
    binary: Int32MatrixOutput
    unary_begin: Int64Output
    unary: Int32MatrixOutput


def fill_edges(
    rules: Rules, begin: Int64Array, symbol: Int32Array, item_of: Int32Matrix, edges: PackedEdges
) -> tuple[int, int]:
    """Write the edges of every cell; return how many have two children, and how many have one.

    Without rows for edges, they are only counted.

    begin    where each cell's items begin; cells are ordered by their end, then from short to long
    symbol   of each item
    item_of  the item of each symbol in each cell, or -1
    """
    cells: cython.Py_ssize_t = begin.shape[0] - 1
    unaries: cython.Py_ssize_t = rules.unary_parent.shape[0]
    writes: cython.bint = edges.binary.shape[0] + edges.unary.shape[0] > 0
    cell: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    single: cython.Py_ssize_t = 0
    with cython.nogil:
        while cell < cells:
            end += 1
            for start in range(end - 1, -1, -1):
                edges.binary_begin[cell], edges.unary_begin[cell] = count, single
                for middle in range(start + 1, end):
                    left = (middle - 1) * middle // 2 + (middle - 1 - start)
                    right = (end - 1) * end // 2 + (end - 1 - middle)
                    if begin[right] == begin[right + 1]:
                        continue
                    for item in range(
                        cython.cast(cython.int, begin[left]), cython.cast(cython.int, begin[left + 1])
                    ):
                        for rule in range(
                            rules.left_offsets[symbol[item]], rules.left_offsets[symbol[item] + 1]
                        ):
                            other = item_of[right, rules.right[rule]]
                            if other < 0:
                                continue
                            parent = item_of[cell, rules.parent[rule]]
                            if parent < 0:
                                continue
                            if writes:
                                edges.binary[count, 0], edges.binary[count, 1] = parent, item
                                edges.binary[count, 2] = other
                                edges.binary[count, 3] = cython.cast(cython.int, rule)
                            count += 1
                if begin[cell] < begin[cell + 1]:
                    for rule in range(unaries):
                        other = item_of[cell, rules.unary_child[rule]]
                        parent = item_of[cell, rules.unary_parent[rule]]
                        if other >= 0 and parent >= 0:
                            if writes:
                                edges.unary[single, 0], edges.unary[single, 1] = parent, other
                                edges.unary[single, 2] = cython.cast(cython.int, rule)
                            single += 1
                cell += 1
        edges.binary_begin[cells], edges.unary_begin[cells] = count, single
    return count, single
