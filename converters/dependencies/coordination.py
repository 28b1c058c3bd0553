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
      may be separated.
    - No function is written, and a pattern of the scheme's says that a child is a conjunct (``bare``).
    - No child is a conjunct by these rules and the children's functions say nothing: the parts of names,
      numbers and the like are, in nodes that have no other parts.
    """
    rules, tokens, nodes = scheme.coordination, bank.tokens, bank.nodes
    conjunction = types.with_category(rules.conjunctions.__contains__)
    phrase = types.with_category(rules.phrases.__contains__)
    conjunct = types.with_function(rules.functions.__contains__)
    kind = np.unique([rules.kind(name) for name in types.categories], return_inverse=True)[1][types.category]
    coordination = types.nodes_called(rules.categories)
    row, parts = _parts_alike(types, (rules.alike_bare, rules.alike))
    # Items are all nodes and, after them, all tokens.
    over = np.concatenate([nodes.parent_rows(table) for table in (nodes, tokens)])
    of_item = np.concatenate((types.node, types.token))
    by_pattern = np.concatenate((bare.node, bare.token))

    def with_child(items: BoolArray) -> BoolArray:
        """Return a mask of the nodes that have one of some items as a child."""
        is_conjunct = np.zeros(len(nodes) + 1, np.bool_)  # the last entry is for items without a parent
        is_conjunct[over[items]] = True
        return is_conjunct[:NO_PARENT]

    # Most nodes have no conjuncts for sure: the items from here on are the children of the others.
    possible = coordination | phrase[types.node] | (row.max(axis=0) >= 0)[types.node_category]
    possible |= with_child((conjunction | phrase | conjunct)[of_item] | by_pattern)
    items = np.flatnonzero(np.append(possible, False)[over])
    over, of_item, by_pattern = over[items], of_item[items], by_pattern[items]
    is_token = items >= len(nodes)
    first, head = (
        np.concatenate((of_nodes, tokens.indices()))[items] for of_nodes in (bank.spans.start, nodes.head)
    )

    named = with_child((types.function > 0)[of_item] & bool(rules.functions))
    written = with_child(np.concatenate((bare.node_written, bare.token_written))[items])
    inner = with_child(is_token & conjunction[of_item] & (first > bank.spans.start[over]))
    alike: Int32Array = row[written.astype(np.intp), types.node_category]
    alike[named | coordination | inner] = -1
    alike[with_child(~(parts[alike[over], of_item] | types.punctuation[of_item]))] = -1
    is_head = head == nodes.head[over]
    head_kind = np.full(len(nodes), -1)
    head_kind[over[is_head]] = kind[of_item[is_head]]

    by_category = ~(conjunction | types.punctuation)[of_item]
    by_kind = head_kind[over] == kind[of_item]
    by_part = parts[alike[over], of_item] & (alike[over] >= 0)
    is_conjunct = (
        np.where(coordination[over], by_category, np.where(inner[over], by_kind, by_part)) & ~named[over]
    )
    is_conjunct |= conjunct[of_item] | (by_pattern & ~written[over])
    phrases = np.flatnonzero(phrase[of_item] & ~is_token)
    is_conjunct[phrases] |= head_kind[over[phrases]] == head_kind[items[phrases]]
    node, token, conjoining = (np.zeros(len(rows), np.bool_) for rows in (nodes, tokens, tokens))
    node[items[is_conjunct & ~is_token]] = True
    token[items[is_conjunct & is_token] - len(nodes)] = True
    beside = is_token & conjunction[of_item] & with_child(is_conjunct)[over] & ~is_conjunct
    conjoining[items[beside] - len(nodes)] = True
    return Coordinated(token, node, conjoining)


def _parts_alike(
    types: ChildTypes, without_and_with_functions: tuple[Mapping[str, frozenset[str]], ...]
) -> tuple[Int32Array, BoolArray]:
    """Return for each category its row or -1, and which types are parts, in names, numbers and the like."""
    row = np.full((2, len(types.categories)), -1, np.int32)
    parts = [np.zeros(len(types.category), np.bool_)]
    for rows, alike in zip(row, without_and_with_functions, strict=True):
        for name in alike.keys() & set(types.categories):
            rows[types.categories.index(name)] = len(parts)
            parts.append(types.with_category(alike[name].__contains__))
    return row, np.stack(parts)
