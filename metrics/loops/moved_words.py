"""Loop that counts the constituents that two brackets differ by."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import Int32Array, Int32Output
from cython.cimports.crossbank.treebanks.loops.interrupts import look
from numpy.typing import NDArray


@cython.dataclasses.dataclass(eq=False, repr=False)
class SharedConstituents:
    """Shared constituents in one of two trees: the yields that both trees have, and each word.

    parent  the node above each node, or -1; a parent comes before its children
    shared  the shared constituent of which each node is the lowest node, or -1
    lowest  the lowest node that contains each shared constituent, which may be the constituent itself; -1 for
            an unattached word
    """

    parent: Int32Array
    shared: Int32Array
    lowest: Int32Array


def count_differing_constituents(
    gold: SharedConstituents, candidate: SharedConstituents, weight: Int32Array
) -> NDArray[np.int32]:
    """Count the largest shared constituents in the symmetric difference of each pair of brackets.

    The weights of all shared constituents within a set of words add up to the number of the largest ones, if
    ``weight`` is 1 for a word and 1 less the number of children for a constituent. The
    sum for the difference of ``u`` and ``v`` is the sum within ``u``, plus the sum within ``v``, minus twice
    the sum within both, minus the weights of constituents in ``u`` that contain ``v`` and of constituents in
    ``v`` that contain ``u``. Each of these sums is computed from those of children, so that the time is
    proportional to the product of the numbers of nodes.

    Returns
    -------
    Array of shape ``(gold nodes, candidate nodes)``. Entries are wrong for two disjoint brackets whose union
    is a shared constituent.

    """
    rows, columns = len(gold.parent), len(candidate.parent)
    counts = np.zeros((rows, columns), np.int32)
    subtract_constituents_of_both(gold, candidate, weight, counts.reshape(-1))
    add_own_constituents(gold, weight, within_gold := np.zeros(rows, np.int32))
    add_own_constituents(candidate, weight, within_candidate := np.zeros(columns, np.int32))
    counts += within_gold[:, None]
    counts += within_candidate
    return counts


def add_own_constituents(tree: SharedConstituents, weight: Int32Array, within: Int32Output) -> None:
    """Add up the weights of the shared constituents within each node."""
    with cython.nogil:
        for constituent in range(len(weight)):
            if tree.lowest[constituent] >= 0:
                within[tree.lowest[constituent]] += weight[constituent]
        for node in range(len(tree.parent) - 1, 0, -1):
            if tree.parent[node] >= 0:
                within[tree.parent[node]] += within[node]


def subtract_constituents_of_both(
    gold: SharedConstituents, candidate: SharedConstituents, weight: Int32Array, counts: Int32Output
) -> None:
    """Subtract the weights of the constituents that two brackets do not differ by."""
    rows: cython.Py_ssize_t = len(gold.parent)
    columns: cython.Py_ssize_t = len(candidate.parent)
    around_candidate: Int32Output = np.zeros(rows * columns, np.int32)
    with cython.nogil:
        for constituent in range(len(weight)):
            u: cython.Py_ssize_t = gold.lowest[constituent]
            v: cython.Py_ssize_t = candidate.lowest[constituent]
            if u >= 0 and v >= 0:
                counts[u * columns + v] -= 2 * weight[constituent]
        for v in range(columns):
            look(columns)
            above: cython.Py_ssize_t = candidate.parent[v]
            while above >= 0:
                shared: cython.Py_ssize_t = candidate.shared[above]
                if shared >= 0:
                    u = gold.lowest[shared]
                    around_candidate[u * columns + v] -= weight[shared]
                above = candidate.parent[above]
        for u in range(rows - 1, 0, -1):
            look(columns)
            above = gold.parent[u]
            if above >= 0:
                for v in range(columns):
                    counts[above * columns + v] += counts[u * columns + v]
                    around_candidate[above * columns + v] += around_candidate[u * columns + v]
        for u in range(rows):
            look(rows + columns)
            above = gold.parent[u]
            while above >= 0:
                shared = gold.shared[above]
                if shared >= 0:
                    counts[u * columns + candidate.lowest[shared]] -= weight[shared]
                above = gold.parent[above]
            for v in range(columns - 1, 0, -1):
                if candidate.parent[v] >= 0:
                    counts[u * columns + candidate.parent[v]] += counts[u * columns + v]
        for cell in range(rows * columns):
            counts[cell] += around_candidate[cell]
