"""Lexical heads of derivations, percolated by the rule that combined the children.

The head of a constituent is the functor's, or the argument's if the functor is a modifier, a determiner or
type-raised. The head of a coordination is the first conjunct's. Clark and Hockenmaier
(2002): Evaluating a Wide-Coverage CCG Parser, section 3, Figure 1.
"""

from __future__ import annotations

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import Scheme
from crossbank.formalisms.ccg.conversions.argument_slots import head_sharing_files
from crossbank.formalisms.ccg.conversions.derivations import derivations
from crossbank.formalisms.ccg.conversions.head_sharing import load_head_sharing
from crossbank.treebanks import UNATTACHED, Treebank


@transformation(position=410, resolves=("nodes without rules",), files=head_sharing_files)
def ccg_heads(bank: Treebank, scheme: Scheme | None = None, *, sharing: str = "english") -> Treebank:
    """Mark the lexical head of each node, and name the rule that combined its children (``morph``).

    sharing  the file of categories that share heads

    Nodes whose children no rule combines are counted; their head is the first child's.
    """
    derived = derivations(bank, load_head_sharing(sharing))
    item = derived.lexical_heads()
    head = np.where(item >= 0, item - bank.tokens.begins(bank.nodes), UNATTACHED).astype(np.int32)
    vocabulary, rules = bank.vocabulary.extended([combination.rule for combination in derived.combinations])
    named = rules[derived.node_rule] if len(rules) else head[:0]
    unnamed = bank.nodes.morph == 0
    nodes = bank.nodes.replace(head=head, morph=np.where(unnamed, named, bank.nodes.morph).astype(np.int32))
    return bank.replace(vocabulary=vocabulary, nodes=nodes).with_events("ccg_heads", derived.uncombined())
