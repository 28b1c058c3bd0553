"""Resolve crossing branches by raising.

Rehbein and van Genabith (2007), section 4: the crossing branches of TIGER are resolved "by attaching the
non-head child nodes higher up in the tree". Kübler (2005) and others do the same.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from crossbank.converters.crossing.attach_punctuation import loose_punctuation
from crossbank.converters.declaration import transformation
from crossbank.converters.heads.marking import head_children, with_heads
from crossbank.converters.loops.crossing import Raised, raise_children
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.ranges import in_ranges

NAME = "raise_crossing"


@transformation(position=270, resolves=("discontinuous constituents",))
def raise_crossing(
    bank: Treebank, scheme: Scheme | None = None, *, punctuation: Literal["ignore", "word"] = "ignore"
) -> Treebank:
    """Make every constituent continuous: children that are separated from the head go to the node above.

    punctuation  ``ignore``: loose punctuation does not interrupt a constituent, and
                 ``attach_punctuation`` can put it inside afterwards; ``word``: it does

    This happens from the bottom up. In a discontinuous phrase the children that form one block with the
    head child stay. The others go to the parent, where they may stay or be raised further. A child that is
    raised from a root becomes a root. Continuous trees are unchanged. Heads are marked by the scheme's
    rules where they are not marked yet, and stay marked.
    """
    if not bank.spans.discontinuous.any():
        return bank
    headed = with_heads(bank, scheme, NAME)
    tokens, nodes = headed.tokens, headed.nodes
    ignored = np.zeros(len(tokens), np.bool_)
    if scheme is not None and punctuation == "ignore":
        ignored = loose_punctuation(headed, scheme)
    token_parent, node_parent = tokens.parent.copy(), nodes.parent.copy()
    continuous, heads = np.zeros(len(nodes), np.bool_), head_children(headed)
    raised = Raised(token_parent, node_parent, continuous)
    in_ranges(
        lambda first, last: raise_children(headed.forest, heads, ignored, raised, first, last), len(bank)
    )
    token_sentence, node_sentence = tokens.sentence_of_row(), nodes.sentence_of_row()
    moved = np.concatenate(
        (token_sentence[token_parent != tokens.parent], node_sentence[node_parent != nodes.parent])
    )
    if not continuous.any():
        return headed
    events = {"discontinuous nodes made continuous": node_sentence[continuous], "children raised": moved}
    return headed.with_structure(token_parent=token_parent, node_parent=node_parent).with_events(NAME, events)
