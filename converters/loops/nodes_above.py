"""Nodes above each node: for ``constructions.label_frames``."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import BoolArray, Int32Output
from cython.cimports.crossbank.treebanks.forest import Forest


def nearest(
    forest: Forest,
    target: BoolArray,
    passed: BoolArray,
    nearest_node: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in each node itself if it is selected, else the lowest selected node above it.

    All nodes between the two, and the node itself, must be among those that can be passed. Where there is no
    such node, ``nearest_node`` is not written to.
    """
    with cython.nogil:
        for sentence in range(first, last):
            base = forest.node_offsets[sentence]
            for node in range(base, forest.node_offsets[sentence + 1]):
                above = forest.node_parent[node]
                if target[node]:
                    nearest_node[node] = cython.cast(cython.int, node - base)
                elif passed[node] and above >= 0:
                    nearest_node[node] = nearest_node[base + above]
