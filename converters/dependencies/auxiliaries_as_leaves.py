"""Hang the dependents of auxiliaries on what the auxiliary depends on.

de Marneffe, Marie-Catherine, et al. (2021): Universal Dependencies. Computational Linguistics 47(2): function
words do not have dependents of their own. Trees may have a phrase of an auxiliary and its modifier beside the
main verb: *[has not] [seen it]*.
"""

from __future__ import annotations

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.dependencies.arcs_as_constituents import require_dependencies
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import RequirementError

NAME = "auxiliaries_as_leaves"

AUXILIARY = "AUX"
"""The tag of auxiliaries in Universal Dependencies, copulas among them."""


@transformation(position=400)
def auxiliaries_as_leaves(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Move the dependents of auxiliaries to what the auxiliary depends on.

    The scheme's ``universal_tags`` tell which words are auxiliaries. Those that head their clause keep their
    dependents, such as the verb of *there is a reason*: the relation of the others is still the function of
    heads (``Head``). Raises ConversionError if the scheme has no tag for auxiliaries or no function for
    heads, where there are no dependencies, or where they have a cycle.
    """
    universal = {} if scheme is None else scheme.universal_tags
    tags = tuple(tag for tag, to in universal.items() if to == AUXILIARY)
    if scheme is None or not (tags and scheme.heads.functions):
        raise RequirementError(NAME, "a scheme with a tag of auxiliaries and a function of heads")
    require_dependencies(bank, NAME)
    tokens = bank.tokens
    begin, head = tokens.begins(tokens), tokens.head.copy()
    functions = scheme.heads.functions - scheme.coordination.functions
    outdone = np.isin(tokens.relation, [bank.vocabulary.code(name) for name in functions])
    leaf = scheme.has_tag(bank, tags) & outdone & (head >= 0)
    # What an auxiliary depends on may be an auxiliary: one step of the chain in each round.
    while len(moving := np.flatnonzero((head >= 0) & leaf[np.where(head >= 0, begin + head, 0)])):
        head[moving] = tokens.head[begin[moving] + head[moving]]
    events = {"dependents of auxiliaries moved": tokens.sentence_of_row()[head != tokens.head]}
    return bank.replace(tokens=tokens.replace(head=head)).with_events(NAME, events)
