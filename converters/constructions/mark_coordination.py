"""Mark, in the functions of edges, the children that a conjunction separates from the head child.

Collins (1999): Head-Driven Statistical Models for Natural Language Parsing, as Clark and Hockenmaier (2002),
section 4.2, describe it: an element CC tells dependencies in coordinations apart. A conjunction at the
beginning of a clause joins nothing in the clause, so it marks nothing.
"""

from __future__ import annotations

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.heads.child_types import child_types
from crossbank.converters.heads.marking import with_heads
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.arrays import Int64Array
from crossbank.treebanks.errors import RequirementError

NAME = "mark_coordination"

COORDINATED = "COORDINATED"
"""The mark, a part of the function; no scheme has a function of that name."""


@transformation(position=320)
def mark_coordination(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Add ``COORDINATED`` to the functions of children that a conjunction separates from the head child.

    The scheme's head rules or error types list the conjunctions. Conjunctions and punctuation are not
    marked themselves. Heads are marked first where they are not marked yet.
    """
    if scheme is None:
        raise RequirementError(NAME, "a scheme that says what conjunctions are")
    bank = with_heads(bank, scheme, NAME)
    types = child_types(bank, scheme)
    names = scheme.heads.conjunctions | scheme.error_types.conjunctions
    conjunction = types.with_category(names.__contains__)
    tokens, nodes = bank.tokens, bank.nodes
    # Items are all tokens and, after them, all nodes. Only children beside a conjunction are examined.
    above = np.concatenate([nodes.parent_rows(table) for table in (tokens, nodes)])
    types_of_items = np.concatenate((types.token, types.node))
    joins = np.zeros(len(nodes) + 1, np.bool_)
    joins[above[conjunction[types_of_items]]] = True
    joins[NO_PARENT] = False
    child = np.flatnonzero(joins[above])
    child = child[np.lexsort((np.concatenate((tokens.indices(), bank.spans.start))[child], above[child]))]
    over, of_child = above[child], types_of_items[child]
    conjoins = conjunction[of_child]
    before: Int64Array = np.cumsum(conjoins) - conjoins
    is_head = np.concatenate((tokens.indices(), nodes.head))[child] == nodes.head[over]
    at_head = np.full(len(nodes), -1)
    at_head[over[is_head]] = before[is_head]
    marked = np.zeros(len(above), np.bool_)
    marked[child] = (at_head[over] >= 0) & (before != at_head[over]) & ~conjoins
    token, node = np.split(marked, [len(tokens)])
    token &= ~types.punctuation[types.token]
    vocabulary = bank.vocabulary
    changed = {}
    for name, chosen in (("tokens", token), ("nodes", node)):
        table = getattr(bank, name)
        function = table.function.copy()
        vocabulary, function[chosen] = vocabulary.mapped(
            function[chosen],
            lambda function_name: f"{function_name}-{COORDINATED}" if function_name else COORDINATED,
        )
        changed[name] = table.replace(function=function)
    return bank.replace(vocabulary=vocabulary, **changed)
