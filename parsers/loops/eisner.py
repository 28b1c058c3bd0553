"""Loops over projective dependencies: Eisner's algorithm, for sums and for best trees, in O(n^3).

Eisner, Jason (1996): Three New Probabilistic Models for Dependency Parsing. COLING. Position 0 stands for the
root of the sentence, tokens are counted from 1. A span runs from ``left`` to ``right``; one end is its
head. It is complete when the other end has all dependents on the inner side, incomplete when the other
end has just become a dependent of the head.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    Float64Matrix,
    Float64MatrixOutput,
    Int32MatrixOutput,
    Int32Output,
)
from cython.cimports.crossbank.treebanks.loops.interrupts import look
from cython.cimports.libc.math import exp, log

# The score of a missing item: below every logarithm of a probability and every sum of weights.
NONE = cython.declare(cython.double, -1e300)


@cython.cfunc
@cython.nogil
def add(one: cython.double, other: cython.double) -> cython.double:
    """Return the logarithm of the sum of two numbers given by their logarithms."""
    if one < other:
        one, other = other, one
    if other <= NONE:
        return one
    return one + log(1.0 + exp(other - one))


def best_heads(arc: Float64Matrix, stop: Float64Matrix, heads: Int32Output) -> float:
    """Write the heads of the best projective tree with one root, and return its score.

    If every tree has a part with the score ``NONE``, this score or a lower one is returned, and nothing is
    written.

    arc    the score of each dependency, shape ``(n + 1, n + 1)``: head, dependent
    stop   the score of a head without further dependents, shape ``(n + 1, 2)``: on its left, on its right
    heads  the head of each token, shape ``(n + 1,)``; position 0 is not written
    """
    size: cython.Py_ssize_t = arc.shape[0]
    # Each is a triangle; [0] has the head at the right end, [1] at the left one.
    complete: Float64MatrixOutput = np.full((2 * size, size), -1e300)
    partial: Float64MatrixOutput = np.full((2 * size, size), -1e300)
    split_complete: Int32MatrixOutput = np.zeros((2 * size, size), np.int32)
    split_partial: Int32MatrixOutput = np.zeros((2 * size, size), np.int32)
    waiting: Int32Output = np.empty(4 * size * 4 + 16, np.int32)
    with cython.nogil:
        for left in range(size):
            complete[left, left] = stop[left, 0]
            complete[size + left, left] = stop[left, 1]
        for length in range(1, size):
            for left in range(size - length):
                look(4 * length)
                right = left + length
                # The two heads meet: one becomes the other's dependent.
                best, split = NONE, 0
                for middle in range(left, right):
                    score = complete[size + left, middle] + complete[middle + 1, right]
                    if score > best:
                        best, split = score, cython.cast(cython.int, middle)
                split_partial[left, right] = split
                if left > 0:
                    partial[left, right] = best + arc[right, left]
                # The root has one dependent, so the left half of its span contains the root alone.
                if left > 0:
                    partial[size + left, right] = best + arc[left, right]
                else:
                    partial[size, right] = complete[size, 0] + complete[1, right] + arc[0, right]
                best, split = NONE, 0
                for middle in range(left, right):
                    score = complete[left, middle] + partial[middle, right]
                    if score > best:
                        best, split = score, cython.cast(cython.int, middle)
                complete[left, right], split_complete[left, right] = best, split
                best, split = NONE, 0
                for middle in range(left + 1, right + 1):
                    score = partial[size + left, middle] + complete[size + middle, right]
                    if score > best:
                        best, split = score, cython.cast(cython.int, middle)
                complete[size + left, right], split_complete[size + left, right] = best, split
        # 0, 1: complete with the head on the right or on the left; 2, 3: incomplete.
        height = 3 if complete[size, size - 1] > NONE else 0
        waiting[0], waiting[1], waiting[2] = 1, 0, cython.cast(cython.int, size) - 1
        while height > 0:
            height -= 3
            kind, left, right = waiting[height], waiting[height + 1], waiting[height + 2]
            if left == right:
                continue
            if kind >= 2:
                if kind == 2:
                    heads[left] = cython.cast(cython.int, right)
                else:
                    heads[right] = cython.cast(cython.int, left)
                split = 0 if left == 0 else split_partial[left, right]
                waiting[height], waiting[height + 1] = 1, cython.cast(cython.int, left)
                waiting[height + 2], waiting[height + 3] = split, 0
                waiting[height + 4] = split + 1
                waiting[height + 5] = cython.cast(cython.int, right)
            elif kind == 0:
                split = split_complete[left, right]
                waiting[height], waiting[height + 1] = 0, cython.cast(cython.int, left)
                waiting[height + 2], waiting[height + 3], waiting[height + 4] = split, 2, split
                waiting[height + 5] = cython.cast(cython.int, right)
            else:
                split = split_complete[size + left, right]
                waiting[height], waiting[height + 1] = 3, cython.cast(cython.int, left)
                waiting[height + 2], waiting[height + 3], waiting[height + 4] = split, 1, split
                waiting[height + 5] = cython.cast(cython.int, right)
            height += 6
    return float(complete[size, size - 1])


def inside(arc: Float64Matrix, stop: Float64Matrix) -> float:
    """Return the natural logarithm of the sum of ``exp(score)`` over all projective trees with one root.

    The arguments are those of ``best_heads``.
    """
    size: cython.Py_ssize_t = arc.shape[0]
    complete: Float64MatrixOutput = np.full((2 * size, size), -1e300)
    partial: Float64MatrixOutput = np.full((2 * size, size), -1e300)
    with cython.nogil:
        for left in range(size):
            complete[left, left] = stop[left, 0]
            complete[size + left, left] = stop[left, 1]
        for length in range(1, size):
            for left in range(size - length):
                look(4 * length)
                right = left + length
                if left > 0:
                    total = NONE
                    for middle in range(left, right):
                        total = add(total, complete[size + left, middle] + complete[middle + 1, right])
                    partial[left, right] = total + arc[right, left]
                    partial[size + left, right] = total + arc[left, right]
                else:
                    partial[size, right] = complete[size, 0] + complete[1, right] + arc[0, right]
                total = NONE
                for middle in range(left, right):
                    total = add(total, complete[left, middle] + partial[middle, right])
                complete[left, right] = total
                total = NONE
                for middle in range(left + 1, right + 1):
                    total = add(total, partial[size + left, middle] + complete[size + middle, right])
                complete[size + left, right] = total
    return float(complete[size, size - 1])
