"""Crossing branches resolved by splitting nodes.

Boyd, Adriane (2007): Discontinuity Revisited: An Improved Conversion to Context-Free Representations.
Linguistic Annotation Workshop. Unlike raising, it can be undone.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numba import njit

from crossbank.converters.crossing.attach_punctuation import loose_punctuation
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.diagnosis import finding

STEP = "split_crossing"


def split_crossing(
    bank: Treebank,
    scheme: Scheme | None = None,
    *,
    mark: str = "*",
    punctuation: Literal["ignore", "word"] = "ignore",
) -> Treebank:
    """Make every constituent continuous: a node for each block of a discontinuous one.

    mark         what is put behind the label of each part: ``VP*``
    punctuation  ``ignore``: loose punctuation does not interrupt a constituent; ``word``: it does

    A part keeps the function; the lexical head stays marked on the part that has it. Loose punctuation
    under a root that is split hangs on nothing.
    """
    tokens, nodes = bank.tokens, bank.nodes
    ignored = np.zeros(len(tokens), np.bool_)
    if scheme is not None and punctuation == "ignore":
        ignored = loose_punctuation(bank, scheme)
    token_parent, node_parent, original, parent = split(
        tokens.offsets, tokens.parent, nodes.offsets, nodes.parent, ignored
    )
    if len(original) == 0:
        return bank
    sentence = nodes.sentence_of_row()[original]
    is_split = np.zeros(len(nodes), np.bool_)
    is_split[original] = True
    above = nodes.parent_rows(tokens)
    token_parent[ignored & (tokens.parent >= 0) & is_split[above]] = NO_PARENT
    vocabulary, label = bank.vocabulary.mapped(nodes.label, lambda category: category + mark)
    nodes = nodes.replace(label=np.where(is_split, label, nodes.label), parent=node_parent)
    copied = {name: getattr(nodes, name)[original] for name in nodes.columns()} | {"parent": parent}
    more, _, _ = nodes.extended(sentence, **copied)
    result = bank.replace(vocabulary=vocabulary).with_structure(token_parent=token_parent, nodes=more)
    return _heads_where_they_are(result).diagnosed(
        finding(STEP, "discontinuous nodes split", bank.nodes.sentence_of_row()[is_split], len(bank)),
    )


def _heads_where_they_are(bank: Treebank) -> Treebank:
    """Lexical heads only on nodes that dominate them."""
    nodes, spans = bank.nodes, bank.spans
    outside = (nodes.head < spans.start) | (nodes.head >= spans.end)
    return bank.replace(nodes=nodes.replace(head=np.where(outside, UNATTACHED, nodes.head).astype(np.int32)))


@njit(cache=True, nogil=True)
def split(
    token_offsets: Int64Array,
    token_parent: Int32Array,
    node_offsets: Int64Array,
    node_parent: Int32Array,
    ignored: BoolArray,
) -> tuple[Int32Array, Int32Array, Int32Array, Int32Array]:
    """New parents of tokens and nodes; for each further part, the row it is a part of, and its parent.

    The first block of a node keeps its row. Parts are counted behind the nodes of their sentence.
    """
    new_token_parent = token_parent.copy()
    new_node_parent = node_parent.copy()
    original = [np.int64(0) for _ in range(0)]
    parents = [np.int64(0) for _ in range(0)]
    for sentence in range(len(token_offsets) - 1):
        base = node_offsets[sentence]
        nodes = node_offsets[sentence + 1] - base
        part = np.full(nodes, np.int64(-1), np.int64)
        last = np.full(nodes, np.int64(-2), np.int64)
        place = 0
        first_part = len(original)
        for token in range(token_offsets[sentence], token_offsets[sentence + 1]):
            if ignored[token]:
                continue
            node = token_parent[token]
            while node >= 0:
                if last[node] != place - 1:
                    if part[node] < 0:
                        part[node] = node
                    else:
                        part[node] = nodes + len(original) - first_part
                        original.append(base + node)
                        parents.append(np.int64(-1))
                last[node] = place
                node = node_parent[base + node]
            node = token_parent[token]
            if node >= 0:
                new_token_parent[token] = part[node]
            while node >= 0 and node_parent[base + node] >= 0:
                above = part[node_parent[base + node]]
                if part[node] < nodes:
                    new_node_parent[base + part[node]] = above
                else:
                    parents[first_part + part[node] - nodes] = above
                node = node_parent[base + node]
            place += 1
    return (
        new_token_parent,
        new_node_parent,
        np.array(original, dtype=np.int64).astype(np.int32),
        np.array(parents, dtype=np.int64).astype(np.int32),
    )
