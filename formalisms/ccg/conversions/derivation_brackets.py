"""Convert derivations to brackets without the levels that punctuation adds.

A derivation has at most two branches, so a punctuation mark is beside a constituent under a node of its
own. Clark and Hockenmaier (2002), section 4.1, disregard punctuation marks and these levels.
"""

from __future__ import annotations

from crossbank.converters.declaration import transformation
from crossbank.converters.deletions import children_of_nodes, without_nodes
from crossbank.converters.schemes.scheme import Scheme
from crossbank.formalisms.ccg.conversions.head_sharing import load_head_sharing
from crossbank.treebanks import Treebank


@transformation(position=390)
def delete_punctuation_levels(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Delete the nodes that have one child beside punctuation; the punctuation is attached a level higher.

    The scheme says which tokens are punctuation; without a scheme the CCG categories do. The metrics leave
    the tokens out after they have compared the words.
    """
    if scheme is not None:
        mark = scheme.is_punctuation(bank)
    else:
        mark = bank.vocabulary.matching(load_head_sharing().punctuation.__contains__)[bank.tokens.pos]
    remaining = children_of_nodes(bank, ~mark)
    level = (children_of_nodes(bank) > remaining) & (remaining == 1)
    return without_nodes(bank, level, "delete_punctuation_levels", "levels of punctuation deleted")
