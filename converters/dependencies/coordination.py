"""Conjuncts, conjunctions, and the parts of names, cardinals and foreign words that are treated like them.

Kübler and Telljohann (2002), section 4, items 1 to 4: conjuncts have the same status. So each conjunct
depends on what governs the coordination, and a conjunction depends on the conjunct to its right. In Lin
(1995) each further conjunct depends on the first, like any other child. In a chain, as in Foth (2006, Eine
umfassende Constraint-Dependenz-Grammatik des Deutschen), each conjunct or conjunction depends on the one
before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from crossbank.converters.dependencies.without_functions import bare_conjuncts, is_written
from crossbank.converters.functions import functions_of_nodes
from crossbank.converters.heads.child_types import ChildTypes, child_types
from crossbank.converters.heads.marking import head_children
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array


def conjuncts(bank: Treebank, scheme: Scheme) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Masks of the tokens and of the nodes that are conjuncts, and of the tokens that conjoin them.

    The scheme's ``coordination`` says how to find them; heads must be marked. There are five cases:

    - Some child of a node has the function of a conjunct: such children are the conjuncts.
    - The children have no functions, or the scheme has none for conjuncts, and the node's category is one
      of coordinations: every child is a conjunct but conjunctions and punctuation.
    - The same, but the node only has a conjunction after its first child: the children of the head's
      kind are the conjuncts.
    - No function is written, and a pattern of the scheme's says that a child is a conjunct.
    - No child is a conjunct by these rules and the children's functions say nothing: the parts of names,
      numbers and the like are.
    """
    rules, types = scheme.coordination, child_types(bank, scheme)
    tokens, nodes = bank.tokens, bank.nodes
    children = _Children(types, nodes.parent_rows(tokens), nodes.parent_rows(nodes))
    conjoins = types.with_category(rules.conjunctions.__contains__)
    by_function = types.with_function(rules.functions.__contains__)
    silent = ~children.parents_of(types.function > 0) | (not rules.functions)
    coordination = silent & children.nodes_called(rules.categories)
    inner = silent & ~coordination & _with_inner(bank, children, conjoins)
    headless = silent & ~coordination & ~inner
    named, of_nodes = functions_of_nodes(bank, scheme)
    written = children.parents(is_written(bank, tokens.function), is_written(named, of_nodes))
    found = [
        children.below(children.parents_of(by_function), by_function),
        children.below(coordination, ~conjoins & ~types.punctuation),
        _like_the_head(bank, scheme, children, inner),
        *_parts_alike(children, headless & written, rules.alike),
        *_parts_alike(children, headless & ~written, rules.alike_bare),
        bare_conjuncts(bank, scheme.bare, written),
    ]
    token, node = (np.logical_or.reduce(masks) for masks in zip(*found, strict=True))
    beside_conjunct = children.parents(token, node)[children.token] & ~token
    return token, node, conjoins[types.token] & beside_conjunct


class _Children(NamedTuple):
    """Tokens and nodes as children of nodes.

    token, node  the row of the parent, or -1: masks of nodes have one more place, for roots
    """

    types: ChildTypes
    token: Int64Array
    node: Int64Array

    def parents(self, token: BoolArray, node: BoolArray) -> BoolArray:
        """A mask of the nodes that have a child among some tokens and nodes."""
        found = np.zeros(len(self.node) + 1, np.bool_)
        found[self.token[token]] = True
        found[self.node[node]] = True
        found[-1] = False
        return found

    def parents_of(self, of_type: BoolArray) -> BoolArray:
        """A mask of the nodes that have a child of certain types."""
        return self.parents(of_type[self.types.token], of_type[self.types.node])

    def below(self, where: BoolArray, of_type: BoolArray) -> tuple[BoolArray, BoolArray]:
        """A mask of the tokens and nodes that have certain types and are children of certain nodes."""
        return where[self.token] & of_type[self.types.token], where[self.node] & of_type[self.types.node]

    def nodes_called(self, categories: Collection[str]) -> BoolArray:
        """A mask of the nodes that have one of certain categories."""
        named = np.array([name in categories for name in self.types.categories], np.bool_)
        return np.append(named[self.types.node_category], False)


def _with_inner(bank: Treebank, children: _Children, conjoins: BoolArray) -> BoolArray:
    """A mask of the nodes that have a conjunction after their first token."""
    token = np.flatnonzero(conjoins[children.types.token] & (children.token >= 0))
    token = token[bank.tokens.places()[token] > bank.spans.start[children.token[token]]]
    found = np.zeros(len(bank.nodes) + 1, np.bool_)
    found[children.token[token]] = True
    return found


def _like_the_head(
    bank: Treebank, scheme: Scheme, children: _Children, where: BoolArray
) -> tuple[BoolArray, BoolArray]:
    """Masks of the children of some nodes, tokens and nodes, that are of the head child's kind.

    In all nodes, phrases of a conjunction and its conjunct are found too: they may stand apart.
    """
    rules, types = scheme.coordination, children.types
    kind = np.array([rules.kind(name) for name in types.categories])
    kind = np.unique(kind, return_inverse=True)[1].astype(np.int32)[types.category]
    head_kind = _kind_of_head(bank, kind, types.token, types.node)
    in_phrase = types.with_category(rules.phrases.__contains__)[types.node] & (children.node >= 0)
    return (
        where[children.token] & (head_kind[children.token] == kind[types.token]),
        (where[children.node] & (head_kind[children.node] == kind[types.node]))
        | (in_phrase & (head_kind[children.node] == head_kind[:-1])),
    )


def _parts_alike(
    children: _Children, where: BoolArray, alike: Mapping[str, frozenset[str]]
) -> Iterator[tuple[BoolArray, BoolArray]]:
    """Yield the parts of names, numbers and the like, in those of some nodes that have no other parts."""
    types = children.types
    for name, parts in alike.items():
        of_type = types.with_category(parts.__contains__)
        others = children.parents_of(~of_type & ~types.punctuation)
        yield children.below(where & children.nodes_called((name,)) & ~others, of_type)


def _kind_of_head(
    bank: Treebank, kind: Int32Array, token_type: Int32Array, node_type: Int32Array
) -> Int32Array:
    """Kind of each node's head child, -1 where there is none; the array has one more place, for roots."""
    row = bank.rows_of_items(bank.nodes.sentence_of_row(), head_children(bank))
    kinds = np.append(kind[np.concatenate((token_type, node_type))], -1)
    return np.append(kinds[row], -1).astype(np.int32)
