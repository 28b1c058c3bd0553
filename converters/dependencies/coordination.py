"""Conjuncts, conjunctions, and the parts of names, cardinals and foreign words that are treated like them.

Kübler and Telljohann (2002), section 4, items 1 to 4: conjuncts have the same status. So each conjunct
depends on what governs the coordination, and a conjunction depends on the conjunct to its right. In Lin
(1995) each further conjunct depends on the first, like any other child. In a chain, as in Foth (2006, Eine
umfassende Constraint-Dependenz-Grammatik des Deutschen), each conjunct or conjunction depends on the one
before it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from crossbank.converters.dependencies.without_functions import Bare
from crossbank.converters.heads.child_types import ChildTypes
from crossbank.converters.loops.governors import ChildKinds, Conjuncts, find_conjuncts
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.ranges import in_ranges


def conjuncts(
    bank: Treebank, scheme: Scheme, types: ChildTypes, bare: Bare
) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Masks of the tokens and of the nodes that are conjuncts, and of the tokens that conjoin them.

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
    rules = scheme.coordination
    row, parts = _parts_alike(types, (rules.alike_bare, rules.alike))
    kind = np.array([rules.kind(name) for name in types.categories])
    kinds = ChildKinds(
        token=types.token,
        node=types.node,
        category=types.node_category,
        head=bank.nodes.head,
        token_written=bare.token_written,
        node_written=bare.node_written,
        named=(types.function > 0) & bool(rules.functions),
        conjunct=types.with_function(rules.functions.__contains__),
        conjunction=types.with_category(rules.conjunctions.__contains__),
        punctuation=types.punctuation,
        phrase=types.with_category(rules.phrases.__contains__),
        kind=np.unique(kind, return_inverse=True)[1].astype(np.int32)[types.category],
        coordination=np.array([name in rules.categories for name in types.categories], np.bool_),
        row=row,
        parts=parts,
    )
    token, node, conjunction = bare.token.copy(), bare.node.copy(), np.zeros(len(bare.token), np.bool_)
    found = Conjuncts(token, node, conjunction)
    in_ranges(lambda first, last: find_conjuncts(bank.forest, kinds, found, first, last), len(bank))
    return token, node, conjunction


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
