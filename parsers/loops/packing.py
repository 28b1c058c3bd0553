"""Loop that finds the edges of a packed forest: how the items of a chart are made of each other."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import (
    Int32Array,
    Int32Matrix,
    Int32MatrixOutput,
    Int64Array,
    Int64Output,
)


def fill_edges(
    left_offsets: Int64Array,
    rules: Int32Matrix,
    unary: Int32Matrix,
    begin: Int64Array,
    symbol: Int32Array,
    item_of: Int32Matrix,
    binary_begin: Int64Output,
    binary_edges: Int32MatrixOutput,
    unary_begin: Int64Output,
    unary_edges: Int32MatrixOutput,
) -> tuple[int, int]:
    """Write the edges of every cell; return how many have two children, and how many have one.

    left_offsets  binary rules are sorted by their left child; where each symbol's begin
    rules         parent and right child of each binary rule
    unary         parent and child of each unary rule, those of a child before those of its parents
    begin         where each cell's items begin; cells are ordered by their end, then from short to long
    symbol        of each item
    item_of       the item of each symbol in each cell, or -1
    binary_begin, unary_begin
                  where each cell's edges begin, shape ``(cells + 1,)``
    binary_edges  parent, left child, right child and rule; without rows, edges are only counted
    unary_edges   parent, child and rule
    """
    cells: cython.Py_ssize_t = begin.shape[0] - 1
    unaries: cython.Py_ssize_t = unary.shape[0]
    writes: cython.bint = binary_edges.shape[0] + unary_edges.shape[0] > 0
    cell: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    single: cython.Py_ssize_t = 0
    with cython.nogil:
        while cell < cells:
            end += 1
            for start in range(end - 1, -1, -1):
                binary_begin[cell], unary_begin[cell] = count, single
                for middle in range(start + 1, end):
                    left = (middle - 1) * middle // 2 + (middle - 1 - start)
                    right = (end - 1) * end // 2 + (end - 1 - middle)
                    if begin[right] == begin[right + 1]:
                        continue
                    for item in range(
                        cython.cast(cython.int, begin[left]), cython.cast(cython.int, begin[left + 1])
                    ):
                        for rule in range(left_offsets[symbol[item]], left_offsets[symbol[item] + 1]):
                            other = item_of[right, rules[rule, 1]]
                            if other < 0:
                                continue
                            parent = item_of[cell, rules[rule, 0]]
                            if parent < 0:
                                continue
                            if writes:
                                binary_edges[count, 0], binary_edges[count, 1] = parent, item
                                binary_edges[count, 2] = other
                                binary_edges[count, 3] = cython.cast(cython.int, rule)
                            count += 1
                if begin[cell] < begin[cell + 1]:
                    for rule in range(unaries):
                        other = item_of[cell, unary[rule, 1]]
                        parent = item_of[cell, unary[rule, 0]]
                        if other >= 0 and parent >= 0:
                            if writes:
                                unary_edges[single, 0], unary_edges[single, 1] = parent, other
                                unary_edges[single, 2] = cython.cast(cython.int, rule)
                            single += 1
                cell += 1
        binary_begin[cells], unary_begin[cells] = count, single
    return count, single
