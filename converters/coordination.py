"""Conjuncts, conjunctions, and what is treated like conjuncts: names, split cardinals, foreign words.

Kübler and Telljohann (2002), section 4, items 1 to 4: conjuncts have the same status, so each depends on what
governs the coordination, and a conjunction on the conjunct at its right. Lin (1995) instead lets each
further conjunct, like any other child, depend on the first. In a chain, as Foth has it (2006, Eine umfassende
Constraint-Dependenz-Grammatik des Deutschen), each conjunct or conjunction depends on the one before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from converters.child_types import child_types
from converters.functions import functions_of_nodes
from converters.heads import NO_CHILD, head_children
from converters.scheme import Scheme
from treebanks import Treebank
from treebanks.arrays import BoolArray, Int32Array, Int64Array


class Conjuncts(NamedTuple):
    """Which children have the status of conjuncts, and which tokens conjoin them.

    token, node  shapes ``(tokens,)`` and ``(nodes,)``
    conjunction  shape ``(tokens,)``
    """

    token: BoolArray
    node: BoolArray
    conjunction: BoolArray


def conjuncts(bank: Treebank, scheme: Scheme) -> Conjuncts:
    """The conjuncts of a treebank with marked heads, as the scheme's ``coordination`` tells them.

    In a node where some child has the function of a conjunct these are the conjuncts. Where children
    have no functions, or the scheme has none for conjuncts, all that is no conjunction is one in a
    category of coordinations, and in a node with a conjunction behind its first child what is of the
    head's kind. In a node without conjuncts whose children have functions that say nothing, the parts of
    names, numbers and the like are.
    """
    rules, types = scheme.coordination, child_types(bank, scheme)
    tokens, nodes = bank.tokens, bank.nodes
    above_token, above_node = nodes.parent_rows(tokens), nodes.parent_rows(nodes)

    def above(token: BoolArray, node: BoolArray) -> BoolArray:
        """Which nodes have one of some tokens and nodes as a child."""
        found = np.zeros(len(nodes) + 1, np.bool_)  # the last place is for roots
        found[above_token[token]] = True
        found[above_node[node]] = True
        found[-1] = False
        return found

    def among_children(of_type: BoolArray) -> BoolArray:
        """Which nodes have a child of one of some types."""
        return above(of_type[types.token], of_type[types.node])

    def in_nodes(where: BoolArray, of_type: BoolArray) -> tuple[BoolArray, BoolArray]:
        """Which tokens and nodes are of some types and children of some nodes."""
        return where[above_token] & of_type[types.token], where[above_node] & of_type[types.node]

    conjoins = types.with_category(lambda name: name in rules.conjunctions)
    by_function = types.with_function(lambda name: name in rules.functions)
    marked = among_children(by_function)
    token, node = in_nodes(marked, by_function)

    silent = ~among_children(types.function > 0)
    silent[:-1] |= not rules.functions
    category = np.array([name in rules.categories for name in types.categories])[types.node_category]
    coordination = silent & np.append(category, False)
    more = in_nodes(coordination, ~conjoins & ~types.punctuation)
    token, node = token | more[0], node | more[1]

    inner = np.zeros(len(nodes) + 1, np.bool_)
    behind_first = conjoins[types.token] & (above_token >= 0)
    behind_first[behind_first] = tokens.places()[behind_first] > bank.spans.start[above_token[behind_first]]
    inner[above_token[behind_first]] = True
    inner &= silent & ~coordination
    kind = np.array([rules.kind(name) for name in types.categories])
    kind = np.unique(kind, return_inverse=True)[1].astype(np.int32)[types.category]
    head_kind = _kind_of_head(bank, kind, types.token, types.node)
    token |= inner[above_token] & (head_kind[above_token] == kind[types.token])
    node |= inner[above_node] & (head_kind[above_node] == kind[types.node])
    # A phrase of a conjunction and its conjunct, where that is like the head; it may also stand apart.
    in_phrase = types.with_category(rules.phrases.__contains__)[types.node] & (above_node >= 0)
    node |= in_phrase & (head_kind[above_node] == head_kind[:-1])

    headless = silent & ~coordination & ~inner
    written = above(tokens.function > 0, functions_of_nodes(bank, scheme)[1] > 0)
    for where, alike in ((headless & written, rules.alike), (headless & ~written, rules.alike_bare)):
        for name, parts in alike.items():
            hosts = where & np.append(types.node_category == _place_of(types.categories, name), False)
            of_type = types.with_category(parts.__contains__)
            others = among_children(~of_type & ~types.punctuation)
            more = in_nodes(hosts & ~others, of_type)
            token, node = token | more[0], node | more[1]
    beside_conjunct = above(token, node)[above_token] & ~token
    return Conjuncts(token, node, conjoins[types.token] & beside_conjunct)


@njit(cache=True, nogil=True)
def chained(
    token_offsets: Int64Array,
    token_parent: Int32Array,
    node_offsets: Int64Array,
    node_parent: Int32Array,
    node_head: Int32Array,
    token_conjunct: BoolArray,
    node_conjunct: BoolArray,
    conjunction: BoolArray,
    head: Int32Array,
) -> Int32Array:
    """The heads once each conjunct and conjunction behind the first conjunct depends on the one before it.

    ``head`` has one head for each coordination. What stands before the conjunct that is it stays on it.
    """
    heads = head.copy()
    last = np.full(len(node_parent), np.int32(-1), np.int32)
    for sentence in range(len(token_offsets) - 1):
        base, begin = node_offsets[sentence], token_offsets[sentence]
        for token in range(begin, token_offsets[sentence + 1]):
            word, above = np.int32(token - begin), token_parent[token]
            linked = token_conjunct[token] or conjunction[token]
            while above >= 0:
                node = base + above
                if node_head[node] != word:
                    if linked and last[node] >= 0:
                        heads[token] = last[node]
                        last[node] = word
                    break
                last[node] = word
                linked, above = node_conjunct[node], node_parent[node]
    return heads


def _kind_of_head(
    bank: Treebank, kind: Int32Array, token_type: Int32Array, node_type: Int32Array
) -> Int32Array:
    """The kind of each node's head child, -1 where there is none; one place more, for roots."""
    child = head_children(bank)
    found = np.full(len(child) + 1, -1, np.int32)
    is_token = np.flatnonzero(child >= 0)
    begins = bank.tokens.begins(bank.nodes)
    found[is_token] = kind[token_type[begins[is_token] + child[is_token]]]
    is_node = np.flatnonzero((child < 0) & (child != NO_CHILD))
    begins = bank.nodes.begins(bank.nodes)
    found[is_node] = kind[node_type[begins[is_node] - 1 - child[is_node]]]
    return found


def _place_of(names: list[str], name: str) -> int:
    return names.index(name) if name in names else -1
