"""Mark, in the functions of edges, the children that a conjunction separates from the head child.

Collins (1999): Head-Driven Statistical Models for Natural Language Parsing, as Clark and Hockenmaier (2002),
section 4.2, describe it: an element CC tells dependencies in coordinations apart. A conjunction at the
beginning of a clause joins nothing in the clause, so it marks nothing.
"""

from __future__ import annotations

import numpy as np

from crossbank.converters.heads.child_types import child_types
from crossbank.converters.heads.marking import with_heads
from crossbank.converters.loops.head_children import Marks, mark_beyond_conjunction
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.ranges import in_ranges

NAME = "mark_coordination"

COORDINATED = "COORDINATED"
"""The mark, a part of the function; no scheme has a function of that name."""


def mark_coordination(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Add ``COORDINATED`` to the functions of children that a conjunction separates from the head child.

    The scheme's head rules or error types list the conjunctions. Conjunctions and punctuation are not
    marked themselves. Heads are marked first where they are not marked yet.
    """
    if scheme is None:
        raise ConversionError(f"{NAME} needs a scheme that says what conjunctions are")
    bank = with_heads(bank, scheme, NAME)
    types = child_types(bank, scheme)
    names = scheme.heads.conjunctions | scheme.error_types.conjunctions
    conjunction = types.with_category(names.__contains__)
    tokens, nodes = bank.tokens, bank.nodes
    conjoins = Marks(conjunction[types.token], conjunction[types.node])
    token, node = np.zeros(len(tokens), np.bool_), np.zeros(len(nodes), np.bool_)
    beyond = Marks(token, node)
    in_ranges(
        lambda first, last: mark_beyond_conjunction(bank.forest, nodes.head, conjoins, beyond, first, last),
        len(bank),
    )
    token &= ~(conjunction | types.punctuation)[types.token]
    node &= ~conjunction[types.node]
    vocabulary = bank.vocabulary
    changed = {}
    for name, chosen in (("tokens", token), ("nodes", node)):
        table = getattr(bank, name)
        function = table.function.copy()
        vocabulary, function[chosen] = vocabulary.mapped(
            function[chosen], lambda said: f"{said}-{COORDINATED}" if said else COORDINATED
        )
        changed[name] = table.replace(function=function)
    return bank.replace(vocabulary=vocabulary, **changed)
