"""Nodes above each item: for ``delete_nodes`` and ``constructions.label_frames``."""

from __future__ import annotations

import cython
from cython.cimports.crossbank.treebanks.arrays import BoolArray, Int32Output
from cython.cimports.crossbank.treebanks.forest import Forest


def pass_up(
    forest: Forest,
    deleted: BoolArray,
    token_parent: Int32Output,
    node_parent: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Hang the children of deleted nodes on the lowest node above that stays.

    ``token_parent`` and ``node_parent`` hold the parents as they are, in the sentences ``first`` to
    ``last - 1``, and get the new ones.
    """
    with cython.nogil:
        for sentence in range(first, last):
            base = forest.node_offsets[sentence]
            for node in range(base, forest.node_offsets[sentence + 1]):
                above = node_parent[node]
                if above >= 0 and deleted[base + above]:
                    node_parent[node] = node_parent[base + above]
            for token in range(forest.token_offsets[sentence], forest.token_offsets[sentence + 1]):
                above = token_parent[token]
                if above >= 0 and deleted[base + above]:
                    token_parent[token] = node_parent[base + above]


def nearest(
    forest: Forest,
    target: BoolArray,
    passed: BoolArray,
    nearest_node: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in each node itself where it is wanted, else the lowest wanted node above it.

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
