"""Resolve crossing branches by splitting nodes, and join the parts again after parsing.

Boyd, Adriane (2007): Discontinuity Revisited: An Improved Conversion to Context-Free Representations.
Linguistic Annotation Workshop. Unlike raising, splitting can be undone.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from crossbank.converters.crossing.attach_punctuation import loose_punctuation
from crossbank.converters.declaration import transformation
from crossbank.converters.loops.crossing import Split, split_nodes
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, offsets_of
from crossbank.treebanks.ranges import in_ranges

NAME = "split_crossing"


@transformation(position=280, resolves=("discontinuous constituents",))
def split_crossing(
    bank: Treebank,
    scheme: Scheme | None = None,
    *,
    mark: str = "*",
    punctuation: Literal["ignore", "word"] = "ignore",
) -> Treebank:
    """Make every constituent continuous: each block of a discontinuous constituent gets its own node.

    mark         the sign that is added to the label of each part: ``VP*``
    punctuation  ``ignore``: loose punctuation does not interrupt a constituent; ``word``: it does

    All parts keep the function; the lexical head stays marked on the part that contains it. Loose
    punctuation below a root that is split is left without a parent.
    """
    tokens, nodes = bank.tokens, bank.nodes
    ignored = np.zeros(len(tokens), np.bool_)
    if scheme is not None and punctuation == "ignore":
        ignored = loose_punctuation(bank, scheme)
    token_parent, node_parent, original, parent = _split(bank, ignored)
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
    # A part that does not dominate the lexical head has none.
    parts, spans = result.nodes, result.spans
    outside = (parts.head < spans.start) | (parts.head >= spans.end)
    parts = parts.replace(head=np.where(outside, UNATTACHED, parts.head).astype(np.int32))
    events = {"discontinuous nodes split": bank.nodes.sentence_of_row()[is_split]}
    return result.replace(nodes=parts).with_events(NAME, events)


def _split(bank: Treebank, ignored: BoolArray) -> tuple[Int32Array, Int32Array, Int32Array, Int32Array]:
    """Return new parents of tokens and nodes; for each further part, the row it is a part of, and its parent.

    The first block of a node keeps the node's row. Further parts are counted after the nodes of their
    sentence.
    """
    nodes = bank.nodes
    token_parent, node_parent = bank.tokens.parent.copy(), nodes.parent.copy()
    further = np.bincount(nodes.sentence_of_row(), bank.spans.fan_out - 1, len(bank)).astype(np.int64)
    further_offsets = offsets_of(further)
    part_of, part_parent = np.full((2, int(further_offsets[-1])), -1, np.int32)
    split = Split(token_parent, node_parent, further_offsets, part_of, part_parent)
    in_ranges(lambda first, last: split_nodes(bank.forest, ignored, split, first, last), len(bank))
    used = part_of >= 0
    return token_parent, node_parent, part_of[used], part_parent[used]


@transformation(position=290)
def join_crossing(bank: Treebank, scheme: Scheme | None = None, *, mark: str = "*") -> Treebank:
    """Join the parts of each discontinuous constituent: siblings with the same marked label and function.

    mark  the sign after the label of each part: ``VP*``

    Parents are joined before their children, so that parts below different parts of one node are siblings
    too. A part that has no other keeps its words and loses the mark.
    """
    nodes = bank.nodes
    label = [bank.vocabulary[code] for code in nodes.label.tolist()]
    is_part = np.array([len(name) > len(mark) and name.endswith(mark) for name in label], np.bool_)
    if not is_part.any():
        return bank
    parent, token_parent = nodes.parent.copy(), bank.tokens.parent.copy()
    joined: list[int] = []
    for sentence in np.unique(nodes.sentence_of_row()[is_part]).tolist():
        rows = nodes.rows(sentence)
        same = np.arange(rows.stop - rows.start, dtype=np.int32)
        first: dict[tuple[int, int, int], int] = {}
        for node in range(len(same)):
            row = rows.start + node
            above = int(parent[row])
            above = int(same[above]) if above != NO_PARENT else above
            parent[row] = above
            if is_part[row]:
                key = (above, int(nodes.label[row]), int(nodes.function[row]))
                same[node] = first.setdefault(key, node)
                if same[node] != node:
                    joined.append(sentence)
        tokens = bank.tokens.rows(sentence)
        hung = token_parent[tokens]
        token_parent[tokens] = np.where(hung == NO_PARENT, hung, same[hung])
    vocabulary, plain = bank.vocabulary.mapped(nodes.label, lambda name: name.removesuffix(mark))
    changed = nodes.replace(label=np.where(is_part, plain, nodes.label).astype(np.int32))
    return (
        bank.replace(vocabulary=vocabulary, nodes=changed)
        .with_structure(token_parent=token_parent, node_parent=parent)
        .with_events("join_crossing", {"parts joined": joined})
    )
