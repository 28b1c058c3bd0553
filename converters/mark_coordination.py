"""Marks in the functions of edges: which children a conjunction stands between and their node's head child.

Collins (1999): Head-Driven Statistical Models for Natural Language Parsing, as Clark and Hockenmaier (2002),
section 4.2, describe it: dependencies in coordinations are told apart by an element CC. A conjunction at the
beginning of a clause joins nothing in it, so nothing is marked there.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from crossbank.converters.heads.child_types import child_types
from crossbank.converters.heads.marking import with_heads
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array

STEP = "mark_coordination"

COORDINATED = "COORDINATED"
"""The part of a function that says so; no scheme has a function of that name."""


def mark_coordination(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Add ``COORDINATED`` to the functions of children between which and the head child a conjunction stands.

    Conjunctions are what the scheme's head rules or error types name so. Conjunctions and punctuation
    themselves are not marked. Heads are marked first where they are not.
    """
    if scheme is None:
        raise ConversionError(f"{STEP}: found no scheme, expected one that says what conjunctions are")
    bank = with_heads(bank, scheme, STEP)
    types = child_types(bank, scheme)
    names = scheme.heads.conjunctions | scheme.error_types.conjunctions
    conjunction = types.with_category(lambda category: category in names)
    tokens, nodes = bank.tokens, bank.nodes
    token, node = beyond_conjunction(
        tokens.offsets, tokens.parent, conjunction[types.token],
        nodes.offsets, nodes.parent, conjunction[types.node], nodes.head,
    )  # fmt: skip
    token &= ~(conjunction | types.punctuation)[types.token]
    node &= ~conjunction[types.node]
    marked = bank.vocabulary
    functions = []
    for table, chosen in ((tokens, token), (nodes, node)):
        marked, codes = marked.mapped(table.function[chosen], _with_mark)
        function = table.function.copy()
        function[chosen] = codes
        functions.append(function)
    return bank.replace(
        vocabulary=marked,
        tokens=tokens.replace(function=functions[0]),
        nodes=nodes.replace(function=functions[1]),
    )


def _with_mark(function: str) -> str:
    return f"{function}-{COORDINATED}" if function else COORDINATED


@njit(cache=True, nogil=True)
def beyond_conjunction(
    token_offsets: Int64Array,
    token_parent: Int32Array,
    token_conjoins: BoolArray,
    node_offsets: Int64Array,
    node_parent: Int32Array,
    node_conjoins: BoolArray,
    node_head: Int32Array,
) -> tuple[BoolArray, BoolArray]:
    """Which tokens and nodes have another number of conjunctions before them than the head child has.

    One pass from left to right: a token is a child of its parent, and a node is a child of its own
    parent as soon as its first token is met, so children come in order.
    """
    seen = np.zeros(len(node_parent), np.int32)
    at_head = np.full(len(node_parent), np.int32(-1), np.int32)
    entered = np.zeros(len(node_parent), np.bool_)
    before_token = np.zeros(len(token_parent), np.int32)
    before_node = np.zeros(len(node_parent), np.int32)
    for sentence in range(len(token_offsets) - 1):
        begin, base = token_offsets[sentence], node_offsets[sentence]
        for token in range(begin, token_offsets[sentence + 1]):
            if token_parent[token] < 0:
                continue
            node = base + token_parent[token]
            before_token[token] = seen[node]
            if node_head[node] == token - begin:
                at_head[node] = seen[node]
            seen[node] += token_conjoins[token]
            while not entered[node]:
                entered[node] = True
                if node_parent[node] < 0:
                    break
                above = base + node_parent[node]
                before_node[node] = seen[above]
                if node_head[above] == node_head[node]:
                    at_head[above] = seen[above]
                seen[above] += node_conjoins[node]
                node = above
    of_token = np.zeros(len(token_parent), np.bool_)
    of_node = np.zeros(len(node_parent), np.bool_)
    for sentence in range(len(token_offsets) - 1):
        base = node_offsets[sentence]
        for token in range(token_offsets[sentence], token_offsets[sentence + 1]):
            if token_parent[token] >= 0:
                head = at_head[base + token_parent[token]]
                of_token[token] = head >= 0 and before_token[token] != head
        for node in range(base, node_offsets[sentence + 1]):
            if node_parent[node] >= 0:
                head = at_head[base + node_parent[node]]
                of_node[node] = head >= 0 and before_node[node] != head
    return of_token, of_node
