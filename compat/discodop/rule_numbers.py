"""Numbers that identify the rules of trees, and positions in pre-order.

Items are the nodes of a treebank, followed by its tokens.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array, Int64Array, UInt64Array

FIRST_STEP = 1 << 31
"""The position of the first step of a yield function in a rule, after the positions of all children."""


def number_rules_and_positions(
    bank: Treebank, label: Int32Array, above: Int64Array
) -> tuple[UInt64Array, Int64Array]:
    """Return a number for the rule of each node, and the position of each item in pre-order.

    label  of each item
    above  the row of the node above each item, or -1

    Children are in the order of their first tokens. Nodes have the same number where their labels, the labels
    of their children and the order in which these cover the tokens are the same. Two different rules have the
    same number with a probability of 2^-64.
    """
    begin, words = np.repeat(bank.tokens.offsets[:-1], bank.nodes.lengths()), len(bank.tokens)
    start = np.concatenate((begin + bank.spans.start, np.arange(words)))
    order = np.argsort(above * (words + 1) + start, kind="stable")
    first = np.searchsorted(above[order], above[order])  # the first sister of each
    number, before = np.zeros(len(above), np.int64), np.zeros(len(above), np.int64)
    number[order] = np.arange(len(order)) - first
    size = np.ones(len(above), np.int64)
    for _, _, node in _walk_up(above):
        np.add.at(size, node, 1)
    sisters = np.cumsum(size[order]) - size[order]
    before[order] = sisters - sisters[first] if len(order) else 0
    index = before.copy()
    for item, _, node in _walk_up(above):
        index[item] += 1 + before[node]
    rule = _hash_parts(np.zeros(len(bank.nodes), np.int64), label[: len(bank.nodes)])
    below = np.flatnonzero(above >= 0)
    np.add.at(rule, above[below], _hash_parts(1 + number[below], label[below]))
    node, step, covered = _yield_functions(bank, above, number)
    np.add.at(rule, node, _hash_parts(FIRST_STEP + step, covered))
    return rule, index


def _walk_up(above: Int64Array) -> Iterator[tuple[Int64Array, Int64Array, Int64Array]]:
    """Yield items, an ancestor of each, and its child on the path: first parents, then grandparents."""
    item, child, node = np.arange(len(above)), np.arange(len(above)), above
    while (has_node := node >= 0).any():
        item, child, node = item[has_node], child[has_node], node[has_node]
        yield item, child, node
        child, node = node, above[node]


def _yield_functions(
    bank: Treebank, above: Int64Array, number: Int64Array
) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Return the node, the position and the covered child of each step of yield functions.

    A covered child is twice its number, plus 1 where a continuous part of the node begins. Nodes without gaps
    whose children have no gaps are omitted: their children cover the tokens one after the other.
    """
    gaps, count = bank.spans.discontinuous, len(bank.nodes)
    is_needed = gaps.copy()
    is_needed[above[:count][gaps & (above[:count] >= 0)]] = True
    columns_by_step = [np.zeros((3, 0), np.int64)]
    for item, child, node in _walk_up(above) if gaps.any() else ():
        is_counted = is_needed[node] & (item >= count)
        columns_by_step.append(np.stack((node[is_counted], item[is_counted], number[child[is_counted]])))
    columns = np.concatenate(columns_by_step, axis=1)
    node, token, child = columns[:, np.lexsort(columns[1::-1])]
    begins = np.ones(len(node), np.bool_)
    begins[1:] = (node[1:] != node[:-1]) | (token[1:] != token[:-1] + 1)
    is_step = begins.copy()
    is_step[1:] |= child[1:] != child[:-1]
    node, covered = node[is_step], (2 * child + begins)[is_step]
    return node, np.arange(len(node)) - np.searchsorted(node, node), covered


def _hash_parts(index: Int64Array, value: NDArray[np.integer]) -> UInt64Array:
    """Return the hash of each part of a rule; a rule has their sum (Steele, Lea and Flood 2014: SplitMix)."""
    key = (index.astype(np.uint64) << np.uint64(32)) + value.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))
