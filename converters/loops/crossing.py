"""Loops of ``converters.crossing``: punctuation attached, crossing branches raised or split."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    BoolOutput,
    Int32Array,
    Int32Output,
    Int64Array,
)
from cython.cimports.crossbank.treebanks.forest import Children, Forest
from cython.cimports.crossbank.treebanks.loops.interrupts import look


def attach_between(
    forest: Forest,
    moved: BoolArray,
    is_root: BoolArray,
    token_parent: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Hang the moved tokens on the lowest node that dominates the nearest other tokens on both sides.

    Where there is no such node, or no token on one side, they hang on the root that dominates all other
    tokens, if one node of ``is_root`` does, else on nothing.
    """
    capacity: cython.Py_ssize_t = forest.most_nodes(first, last)
    depth: Int32Output = np.empty(capacity, np.int32)
    stays: BoolOutput = np.empty(capacity, np.bool_)
    with cython.nogil:
        for sentence in range(first, last):
            base = forest.node_offsets[sentence]
            begin, end = forest.token_offsets[sentence], forest.token_offsets[sentence + 1]
            for node in range(forest.nodes(sentence)):
                stays[node] = False
            tops: cython.int = 0
            for token in range(begin, end):
                if not moved[token]:
                    above = forest.token_parent[token]
                    tops += above < 0
                    while above >= 0 and not stays[above]:
                        stays[above] = True
                        above = forest.node_parent[base + above]
            root = -1
            for node in range(forest.nodes(sentence)):
                above = forest.node_parent[base + node]
                depth[node] = depth[above] + 1 if above >= 0 else 1
                if above < 0 and stays[node]:
                    tops += 1
                    if is_root[base + node]:
                        root = cython.cast(cython.int, node)
            if tops != 1:
                root = -1
            left = -1
            token = begin
            while token < end:
                if not moved[token]:
                    left = token
                    token += 1
                    continue
                right = token
                while right < end and moved[right]:
                    right += 1
                host = root
                if left >= 0 and right < end:
                    above, other = forest.token_parent[left], forest.token_parent[right]
                    while above != other:
                        if other < 0 or (above >= 0 and depth[above] >= depth[other]):
                            above = forest.node_parent[base + above]
                        else:
                            other = forest.node_parent[base + other]
                    if above >= 0:
                        host = above
                while token < right:
                    token_parent[token] = host
                    token += 1


# After this many steps from words to their roots, loops check for signals.
LONG = cython.declare(cython.longlong, 4096)


@cython.cclass
class Blocks:
    """Extents of one sentence's items, in positions that omit ignored tokens.

    start, end  of each item; an item with nothing but ignored tokens ends at 0
    size        the tokens that are not ignored under each node
    beginning, ending  the item that begins, or ends, at a position, or -1
    children    of each node, as they are raised
    """

    start: Int32Output
    end: Int32Output
    size: Int32Output
    beginning: Int32Output
    ending: Int32Output
    children: Children

    def __init__(self, forest: Forest, first: int, last: int) -> None:
        tokens, nodes = forest.most_tokens(first, last), forest.most_nodes(first, last)
        self.start, self.end = np.empty(tokens + nodes, np.int32), np.empty(tokens + nodes, np.int32)
        self.size = np.empty(nodes, np.int32)
        self.beginning, self.ending = np.empty(tokens + 1, np.int32), np.empty(tokens + 1, np.int32)
        self.children = Children(forest, first, last)


@cython.dataclasses.dataclass(eq=False, repr=False)
class Raised:
    """New parents of tokens and nodes, and which nodes were discontinuous."""

    token_parent: Int32Output
    node_parent: Int32Output
    discontinuous: BoolOutput


def raise_children(
    forest: Forest,
    head_child: Int32Array,
    ignored: BoolArray,
    raised: Raised,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Hang the children of discontinuous nodes that are apart from the head child on the node above.

    ``head_child`` is an item or -1. A child that is raised is examined once on every level that it reaches.
    """
    blocks = Blocks(forest, first, last)
    with cython.nogil:
        for sentence in range(first, last):
            base = forest.node_offsets[sentence]
            if not measure(forest, sentence, ignored, blocks, raised):
                continue
            blocks.children.link(forest, sentence)
            for node in range(forest.nodes(sentence) - 1, -1, -1):
                if raised.discontinuous[base + node]:
                    raise_from(forest, sentence, node, head_child[base + node], blocks, raised)


@cython.cfunc
@cython.nogil
def measure(
    forest: Forest, sentence: cython.Py_ssize_t, ignored: BoolArray, blocks: Blocks, raised: Raised
) -> cython.bint:
    """Fill in the extents of a sentence's items. Returns whether some node is discontinuous."""
    begin: cython.Py_ssize_t = forest.token_offsets[sentence]
    base: cython.Py_ssize_t = forest.node_offsets[sentence]
    tokens: cython.Py_ssize_t = forest.tokens(sentence)
    nodes: cython.Py_ssize_t = forest.nodes(sentence)
    block: cython.int = 0
    is_discontinuous: cython.bint = False
    for item in range(tokens + nodes):
        blocks.start[item], blocks.end[item] = 2147483647, 0
    for node in range(nodes):
        blocks.size[node] = 0
    for item in range(tokens):
        if not ignored[begin + item]:
            blocks.start[item], blocks.end[item] = block, block + 1
            block += 1
            above = forest.token_parent[begin + item]
            if above >= 0:
                blocks.start[tokens + above] = min(blocks.start[tokens + above], blocks.start[item])
                blocks.end[tokens + above] = blocks.end[item]
                blocks.size[above] += 1
    for item in range(block + 1):
        blocks.beginning[item], blocks.ending[item] = -1, -1
    for node in range(nodes - 1, -1, -1):
        item = tokens + node
        above = forest.node_parent[base + node]
        if above >= 0:
            blocks.start[tokens + above] = min(blocks.start[tokens + above], blocks.start[item])
            blocks.end[tokens + above] = max(blocks.end[tokens + above], blocks.end[item])
            blocks.size[above] += blocks.size[node]
        if blocks.size[node] > 0 and blocks.size[node] != blocks.end[item] - blocks.start[item]:
            raised.discontinuous[base + node] = True
            is_discontinuous = True
    return is_discontinuous


@cython.cfunc
@cython.nogil
def raise_from(
    forest: Forest,
    sentence: cython.Py_ssize_t,
    node: cython.Py_ssize_t,
    head_child: cython.int,
    blocks: Blocks,
    raised: Raised,
) -> cython.void:
    """Raise the children of a node that do not form one block with its head child.

    The block grows from child to neighbouring child, to the right and to the left. Without a head child
    it grows from the last child.
    """
    tokens: cython.Py_ssize_t = forest.tokens(sentence)
    above: cython.int = forest.node_parent[forest.node_offsets[sentence] + node]
    item: cython.int = blocks.children.first[node]
    centre: cython.int = -1
    while item >= 0:
        if blocks.end[item] > 0:
            blocks.beginning[blocks.start[item]] = item
            blocks.ending[blocks.end[item]] = item
            if centre < 0 or item == head_child or (centre != head_child and item > centre):
                centre = item
        item = blocks.children.next[item]
    start, end = blocks.start[centre], blocks.end[centre]
    while blocks.beginning[end] >= 0:
        end = blocks.end[blocks.beginning[end]]
    while blocks.ending[start] >= 0:
        start = blocks.start[blocks.ending[start]]
    item = blocks.children.first[node]
    blocks.children.first[node] = -1
    while item >= 0:
        after = blocks.children.next[item]
        if blocks.end[item] > 0:
            blocks.beginning[blocks.start[item]] = -1
            blocks.ending[blocks.end[item]] = -1
            host = above
            if start <= blocks.start[item] and blocks.end[item] <= end:
                host = cython.cast(cython.int, node)
            if item < tokens:
                raised.token_parent[forest.token_offsets[sentence] + item] = host
            else:
                raised.node_parent[forest.node_offsets[sentence] + item - tokens] = host
            if host >= 0:
                blocks.children.next[item] = blocks.children.first[host]
                blocks.children.first[host] = item
        item = after
    blocks.start[tokens + node], blocks.end[tokens + node] = start, end


@cython.dataclasses.dataclass(eq=False, repr=False)
class Split:
    """New parents of tokens and nodes, and the further parts of nodes.

    further_offsets  where those of each sentence begin
    part_of      the row that each is a part of; where there is none, this is not written to
    part_parent  its parent
    """

    token_parent: Int32Output
    node_parent: Int32Output
    further_offsets: Int64Array
    part_of: Int32Output
    part_parent: Int32Output


def split_nodes(
    forest: Forest, ignored: BoolArray, split: Split, first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> None:
    """Give each block of a discontinuous node a part of its own; the first block keeps the node's row.

    The further parts of a sentence are counted after its nodes.
    """
    capacity: cython.Py_ssize_t = forest.most_nodes(first, last)
    part: Int32Output = np.empty(capacity, np.int32)
    latest: Int32Output = np.empty(capacity, np.int32)
    with cython.nogil:
        for sentence in range(first, last):
            base, nodes, rest = (
                forest.node_offsets[sentence],
                forest.nodes(sentence),
                split.further_offsets[sentence],
            )
            for node in range(nodes):
                part[node], latest[node] = -1, -2
            token_number, further, steps = 0, 0, 0
            for token in range(forest.token_offsets[sentence], forest.token_offsets[sentence + 1]):
                if ignored[token]:
                    continue
                node = forest.token_parent[token]
                while node >= 0:
                    if latest[node] != token_number - 1:
                        if part[node] < 0:
                            part[node] = node
                        else:
                            part[node] = cython.cast(cython.int, nodes) + further
                            split.part_of[rest + further] = cython.cast(cython.int, base + node)
                            split.part_parent[rest + further] = -1
                            further += 1
                    latest[node] = token_number
                    steps += 1
                    node = forest.node_parent[base + node]
                node = forest.token_parent[token]
                if node >= 0:
                    split.token_parent[token] = part[node]
                while node >= 0 and forest.node_parent[base + node] >= 0:
                    above = part[forest.node_parent[base + node]]
                    if part[node] < nodes:
                        split.node_parent[base + part[node]] = above
                    else:
                        split.part_parent[rest + part[node] - nodes] = above
                    node = forest.node_parent[base + node]
                token_number += 1
                if steps >= LONG:
                    look(2 * steps)
                    steps = 0
