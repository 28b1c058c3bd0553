"""Crossing branches resolved by raising.

Rehbein and van Genabith (2007), section 4: the crossing branches of TIGER are resolved "by attaching the
non-head child nodes higher up in the tree", as Kübler (2005) and others do it.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numba import njit

from crossbank.converters.crossing.attach_punctuation import loose_punctuation
from crossbank.converters.heads.marking import NO_CHILD, head_children, with_heads
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.diagnosis import finding

STEP = "raise_crossing"


def raise_crossing(
    bank: Treebank, scheme: Scheme | None = None, *, punctuation: Literal["ignore", "word"] = "ignore"
) -> Treebank:
    """Make every constituent continuous: children that are apart from the head go to the node above.

    punctuation  ``ignore``: loose punctuation does not interrupt a constituent, and
                 ``attach_punctuation`` can put it inside afterwards; ``word``: it does

    From the bottom up: in a phrase that is interrupted by words outside it, the children that form
    one block with the head child stay, the others go to the parent, where they may stay or go
    further. What is raised from a root becomes a root. Continuous trees stay as they are. Heads are
    marked by the scheme's rules where they are not; the marks stay.
    """
    if not bank.spans.discontinuous.any():
        return bank
    headed = with_heads(bank, scheme, STEP)
    tokens, nodes = headed.tokens, headed.nodes
    ignored = np.zeros(len(tokens), np.bool_)
    if scheme is not None and punctuation == "ignore":
        ignored = loose_punctuation(headed, scheme)
    token_parent, node_parent, continuous = raised(
        tokens.offsets, tokens.parent, nodes.offsets, nodes.parent, head_children(headed), ignored
    )
    token_sentence, node_sentence = tokens.sentence_of_row(), nodes.sentence_of_row()
    moved = np.concatenate(
        (token_sentence[token_parent != tokens.parent], node_sentence[node_parent != nodes.parent])
    )
    if not continuous.any():
        return headed
    return headed.with_structure(token_parent=token_parent, node_parent=node_parent).diagnosed(
        finding(STEP, "discontinuous nodes made continuous", node_sentence[continuous], len(bank)),
        finding(STEP, "children raised", moved, len(bank)),
    )


@njit(cache=True, nogil=True)
def raised(
    token_offsets: Int64Array,
    token_parent: Int32Array,
    node_offsets: Int64Array,
    node_parent: Int32Array,
    head_child: Int32Array,
    ignored: BoolArray,
) -> tuple[Int32Array, Int32Array, BoolArray]:
    """New parents of tokens and nodes, and which nodes were discontinuous.

    Positions are counted without the ignored tokens. An item is a token, or a node behind all tokens
    of the sentence; a node's children are a list linked through ``following``. A child that is moved
    is looked at once on every level it reaches.
    """
    new_token_parent = token_parent.copy()
    new_node_parent = node_parent.copy()
    discontinuous = np.zeros(len(node_parent), np.bool_)
    for sentence in range(len(token_offsets) - 1):
        begin, base = token_offsets[sentence], node_offsets[sentence]
        tokens = token_offsets[sentence + 1] - begin
        nodes = node_offsets[sentence + 1] - base
        start = np.full(tokens + nodes, np.int32(2147483647), np.int32)
        end = np.zeros(tokens + nodes, np.int32)
        size = np.zeros(nodes, np.int32)
        place = 0
        for token in range(tokens):
            if not ignored[begin + token]:
                start[token], end[token] = place, place + 1
                place += 1
                above = token_parent[begin + token]
                if above >= 0:
                    start[tokens + above] = min(start[tokens + above], start[token])
                    end[tokens + above] = end[token]
                    size[above] += 1
        gaps = False
        for node in range(nodes - 1, -1, -1):
            above = node_parent[base + node]
            if above >= 0:
                start[tokens + above] = min(start[tokens + above], start[tokens + node])
                end[tokens + above] = max(end[tokens + above], end[tokens + node])
                size[above] += size[node]
            if size[node] > 0 and size[node] != end[tokens + node] - start[tokens + node]:
                discontinuous[base + node] = True
                gaps = True
        if not gaps:
            continue

        first = np.full(nodes, np.int32(-1), np.int32)
        following = np.full(tokens + nodes, np.int32(-1), np.int32)
        for item in range(tokens + nodes):
            above = token_parent[begin + item] if item < tokens else node_parent[base + item - tokens]
            if above >= 0 and end[item] > 0:
                following[item] = first[above]
                first[above] = item
        beginning = np.full(place + 1, np.int32(-1), np.int32)
        ending = np.full(place + 1, np.int32(-1), np.int32)
        for node in range(nodes - 1, -1, -1):
            if not discontinuous[base + node]:
                continue
            # The block around the head: from child to neighbouring child, to the right and to the left.
            item = first[node]
            while item >= 0:
                beginning[start[item]] = item
                ending[end[item]] = item
                item = following[item]
            centre = head_child[base + node]
            if centre == NO_CHILD:
                centre = first[node]
            elif centre < 0:
                centre = tokens - 1 - centre
            block_start, block_end = start[centre], end[centre]
            while beginning[block_end] >= 0:
                block_end = end[beginning[block_end]]
            while ending[block_start] >= 0:
                block_start = start[ending[block_start]]
            above = node_parent[base + node]
            item, first[node] = first[node], -1
            while item >= 0:
                after = following[item]
                beginning[start[item]] = -1
                ending[end[item]] = -1
                stays = block_start <= start[item] and end[item] <= block_end
                host = node if stays else above
                if item < tokens:
                    new_token_parent[begin + item] = host
                else:
                    new_node_parent[base + item - tokens] = host
                if host >= 0:
                    following[item] = first[host]
                    first[host] = item
                item = after
            start[tokens + node], end[tokens + node] = block_start, block_end
    return new_token_parent, new_node_parent, discontinuous
