"""Nodes that ``split_crossing`` split, joined again, as Boyd (2007) does after parsing."""

from __future__ import annotations

import numpy as np

from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, Treebank

NAME = "join_crossing"


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
        .with_events(NAME, {"parts joined": joined})
    )
