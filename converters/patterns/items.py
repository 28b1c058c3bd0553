"""Trees as tree patterns see them: nodes, tags and words in one table, in pre-order.

A word hangs on its tag, the tag on its node; a word without a tag hangs on its node itself, as in NLTK's
trees. Sisters are ordered by their first word, roots are sisters, and what an item dominates stands
right behind it, also where constituents are discontinuous.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numba import njit

from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.treebank import Treebank

LABEL, FUNCTION, PARENT, LAST, PREVIOUS, LAST_CHILD, BEGIN, END, HEAD, ROW = range(10)
"""The columns of ``TreeItems.table``; items and tokens are counted through the whole treebank.

LABEL       category, tag or form
FUNCTION    label of the edge above; a word has none
PARENT      the item above, -1 for roots
LAST        the last item below, the item itself where it has none
PREVIOUS    the sister before, -1 for the first
LAST_CHILD  -1 for words, and only for them
BEGIN, END  first token, and the one behind the last
HEAD        the token that is the lexical head, -1 where it is not marked
ROW         node ``j`` of the sentence as ``-1 - j``; token ``i`` as ``i``, for its tag and its word
"""


class TreeItems(NamedTuple):
    """The items of a treebank.

    table          one row per item, shape ``(items, 10)``
    word           the item that is the word of each token, shape ``(tokens,)``
    offsets        where the items of each sentence begin, shape ``(sentences + 1,)``
    token_offsets  where its tokens begin, of the same shape
    crossing       whether a sentence has a discontinuous node, shape ``(sentences,)``
    """

    table: Int32Array
    word: Int32Array
    offsets: Int64Array
    token_offsets: Int64Array
    crossing: BoolArray


_MADE: WeakKeyDictionary[Treebank, TreeItems] = WeakKeyDictionary()


def tree_items(bank: Treebank) -> TreeItems:
    """The items of a treebank's constituents, made once for a treebank."""
    if bank not in _MADE:
        _MADE[bank] = _made(bank)
    return _MADE[bank]


def _made(bank: Treebank) -> TreeItems:
    tokens, nodes, spans = bank.tokens, bank.nodes, bank.spans
    size, offsets = _sizes(tokens.offsets, tokens.pos, tokens.parent, nodes.offsets, nodes.parent)
    table, word = _items(
        tokens.offsets, tokens.form, tokens.pos, tokens.function, tokens.parent,
        nodes.offsets, nodes.label, nodes.function, nodes.parent, nodes.head,
        spans.start, spans.end, size, offsets,
    )  # fmt: skip
    crossing = np.zeros(len(bank), np.bool_)
    crossing[bank.discontinuous_sentences] = True
    return TreeItems(table, word, offsets, tokens.offsets, crossing)


@njit(cache=True, nogil=True)
def _sizes(
    token_offsets: Int64Array,
    pos: Int32Array,
    token_parent: Int32Array,
    node_offsets: Int64Array,
    node_parent: Int32Array,
) -> tuple[Int32Array, Int64Array]:
    """How many items each node is and dominates, and where the items of each sentence begin."""
    size = np.ones(len(node_parent), np.int32)
    offsets = np.zeros(len(token_offsets), np.int64)
    for sentence in range(len(token_offsets) - 1):
        base = node_offsets[sentence]
        total = node_offsets[sentence + 1] - base
        for token in range(token_offsets[sentence], token_offsets[sentence + 1]):
            items = 1 if pos[token] == 0 else 2
            total += items
            if token_parent[token] >= 0:
                size[base + token_parent[token]] += items
        for node in range(node_offsets[sentence + 1] - 1, base - 1, -1):
            if node_parent[node] >= 0:
                size[base + node_parent[node]] += size[node]
        offsets[sentence + 1] = offsets[sentence] + total
    return size, offsets


@njit(cache=True, nogil=True)
def _items(
    token_offsets: Int64Array,
    form: Int32Array,
    pos: Int32Array,
    token_function: Int32Array,
    token_parent: Int32Array,
    node_offsets: Int64Array,
    node_label: Int32Array,
    node_function: Int32Array,
    node_parent: Int32Array,
    node_head: Int32Array,
    start: Int32Array,
    end: Int32Array,
    size: Int32Array,
    offsets: Int64Array,
) -> tuple[Int32Array, Int32Array]:
    """The columns ``table`` and ``word`` of ``TreeItems``."""
    table = np.full((offsets[-1], 10), -1, np.int32)
    word = np.zeros(len(form), np.int32)
    free = np.zeros(len(node_label), np.int64)  # the next free place below each node
    place = np.zeros(len(node_label), np.int64)  # where each node is
    for sentence in range(len(token_offsets) - 1):
        base, first = node_offsets[sentence], token_offsets[sentence]
        node = base
        outside = offsets[sentence]
        last_root = -1
        for token in range(first, token_offsets[sentence + 1]):
            while True:  # the nodes that begin here, from the top down, then the token
                is_node = node < node_offsets[sentence + 1] and start[node] == token - first
                above = node_parent[node] if is_node else token_parent[token]
                length = size[node] if is_node else (1 if pos[token] == 0 else 2)
                if above >= 0:
                    parent = place[base + above]
                    item = free[base + above]
                    free[base + above] += length
                    table[item, PARENT] = parent
                    table[item, PREVIOUS] = table[parent, LAST_CHILD]
                    table[parent, LAST_CHILD] = item
                else:
                    item = outside
                    outside += length
                    table[item, PREVIOUS] = last_root
                    last_root = item
                table[item, LAST] = item + length - 1
                if not is_node:
                    break
                table[item, LABEL], table[item, FUNCTION] = node_label[node], node_function[node]
                table[item, BEGIN], table[item, END] = first + start[node], first + end[node]
                if node_head[node] >= 0:
                    table[item, HEAD] = first + node_head[node]
                table[item, ROW] = base - node - 1
                place[node], free[node] = item, item + 1
                node += 1
            if length == 2:
                table[item, LABEL], table[item, FUNCTION] = pos[token], token_function[token]
                table[item, LAST_CHILD] = item + 1
                table[item + 1, PARENT] = item
                table[item + 1, LAST] = item + 1
            word[token] = item + length - 1
            table[word[token], LABEL], table[word[token], FUNCTION] = form[token], 0
            for below in range(item, item + length):
                table[below, BEGIN], table[below, END] = token, token + 1
                table[below, HEAD], table[below, ROW] = token, token - first
    return table, word
