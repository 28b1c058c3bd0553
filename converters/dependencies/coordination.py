"""Conjuncts, conjunctions, and the parts of names, cardinals and foreign words that are treated like them.

Kübler and Telljohann (2002), section 4, items 1 to 4: conjuncts have the same status. So each conjunct
depends on what governs the coordination, and a conjunction depends on the conjunct to its right. In Lin
(1995) each further conjunct depends on the first, like any other child. In a chain, as in Foth (2006, Eine
umfassende Constraint-Dependenz-Grammatik des Deutschen), each conjunct or conjunction depends on the one
before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.dependencies.without_functions import Bare
from crossbank.converters.heads.child_types import ChildTypes
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array


class Coordinated(NamedTuple):
    """Masks of the tokens and of the nodes that are conjuncts, and of the tokens that conjoin them."""

    token: BoolArray
    node: BoolArray
    conjunction: BoolArray


def conjuncts(bank: Treebank, scheme: Scheme, types: ChildTypes, bare: Bare) -> Coordinated:
    """Find the conjuncts of a treebank, and the conjunctions beside them.

    The scheme's ``coordination`` says how to find them; heads must be marked. There are five cases:

    - Some child of a node has the function of a conjunct: such children are the conjuncts.
    - The children have no functions, or the scheme has none for conjuncts, and the node's category is one
      of coordinations: every child is a conjunct but conjunctions and punctuation.
    - The same, but the node only has a conjunction after its first token: the children of the head's
      kind are the conjuncts. Phrases of a conjunction and its conjunct are found in all nodes, too: they
      may stand apart.
    - No function is written, and a pattern of the scheme's says that a child is a conjunct (``bare``).
    - No child is a conjunct by these rules and the children's functions say nothing: the parts of names,
      numbers and the like are, in nodes that have no other parts.
    """
    rules, tokens, nodes = scheme.coordination, bank.tokens, bank.nodes
    conjunction = types.with_category(rules.conjunctions.__contains__)
    kind = np.unique([rules.kind(name) for name in types.categories], return_inverse=True)[1][types.category]
    # Items are all nodes and, after them, all tokens. Where columns have an entry for each node, there is one
    # more for items without a parent.
    over = np.concatenate([nodes.parent_rows(table) for table in (nodes, tokens)])
    of_item = np.concatenate((types.node, types.token))

    def with_child(items: NDArray[np.generic]) -> BoolArray:
        """A mask of the nodes that have one of some items as a child."""
        found = np.zeros(len(nodes) + 1, np.bool_)
        found[over[items]] = True
        found[NO_PARENT] = False
        return found

    named = with_child(((types.function > 0) & bool(rules.functions))[of_item])
    written = with_child(np.concatenate((bare.node_written, bare.token_written)))
    joining = np.flatnonzero(conjunction[types.token])
    starts = bank.spans.start[over[len(nodes) + joining]]
    inner = with_child(len(nodes) + joining[tokens.places()[joining] > starts])
    coordination = np.append(types.nodes_called(rules.categories), False)
    row, parts = _parts_alike(types, (rules.alike_bare, rules.alike))
    alike = np.append(row[written[:NO_PARENT].astype(np.intp), types.node_category], -1)
    alike[named | coordination | inner] = -1
    silent = np.flatnonzero(~named[over] & (over != NO_PARENT))
    above, of_silent = over[silent], of_item[silent]
    alike[with_child(silent[~(parts[alike[above], of_silent] | types.punctuation[of_silent])])] = -1

    phrase = np.flatnonzero(types.with_category(rules.phrases.__contains__)[types.node])
    asked = inner & ~named
    asked[over[phrase]] = asked[phrase] = True
    child = np.flatnonzero(asked[over] & (over != NO_PARENT))
    word = np.concatenate((nodes.head, tokens.places()))
    child = child[word[child] == word[over[child]]]
    head_kind = np.full(len(nodes) + 1, -1)
    head_kind[over[child]] = kind[of_item[child]]

    found = types.with_function(rules.functions.__contains__)[of_item]
    found |= np.concatenate((bare.node, bare.token)) & ~written[over]
    by_category = ~(conjunction | types.punctuation)[of_silent]
    by_kind, by_part = (
        head_kind[above] == kind[of_silent],
        parts[alike[above], of_silent] & (alike[above] >= 0),
    )
    in_coordination, beside_conjunction = coordination[above], inner[above]
    found[silent] |= np.where(in_coordination, by_category, np.where(beside_conjunction, by_kind, by_part))
    found[phrase] |= head_kind[over[phrase]] == head_kind[phrase]
    found &= over != NO_PARENT
    node, token = np.split(found, [len(nodes)])
    joined = with_child(found)[over[len(nodes) :]]
    return Coordinated(token, node, joined & ~token & conjunction[types.token])


def _parts_alike(
    types: ChildTypes, without_and_with_functions: tuple[Mapping[str, frozenset[str]], ...]
) -> tuple[Int32Array, BoolArray]:
    """Parts of names, numbers and the like: for each category its row or -1, and the types that are parts."""
    row = np.full((2, len(types.categories)), -1, np.int32)
    parts = [np.zeros(len(types.category), np.bool_)]
    for rows, alike in zip(row, without_and_with_functions, strict=True):
        for name in alike.keys() & set(types.categories):
            rows[types.categories.index(name)] = len(parts)
            parts.append(types.with_category(alike[name].__contains__))
    return row, np.stack(parts)
