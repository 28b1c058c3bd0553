"""Loops of ``converters.heads``: head children by priority, and the outermost of some children."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    BoolMatrix,
    BoolOutput,
    Int32Array,
    Int32Matrix,
    Int32Output,
)
from cython.cimports.crossbank.treebanks.forest import Forest


@cython.dataclasses.dataclass(eq=False, repr=False)
class HeadTable:
    """Head rules as arrays, for the categories and types of one treebank.

    token, node  the type of each token and each node
    category     of each node
    rule         the rule of each category, shape ``(categories,)``
    priority     of each type under each rule, the lowest first, shape ``(rules, types)``
    from_right   whether a group looks from the right, shape ``(rules, groups)``; after a rule's own
                 groups come two for the default: any child that is no punctuation, and any child
    gives_way    whether a head right after a conjunction gives way to the conjunct before it
    conjunction  which types are conjunctions, shape ``(types,)``
    punctuation  which types are punctuation, shape ``(types,)``
    ranks        a priority is the number of a group times this, plus the rank within the group
    """

    token: Int32Array
    node: Int32Array
    category: Int32Array
    rule: Int32Array
    priority: Int32Matrix
    from_right: BoolMatrix
    gives_way: BoolArray
    conjunction: BoolArray
    punctuation: BoolArray
    ranks: cython.int


@cython.cclass
class Candidates:
    """Children of each node of one sentence that have been seen so far.

    best      the lowest priority so far
    chosen    the child that has it, an item, or the conjunct that it gives way to
    conjunct  the last child that may be a conjunct, or -1
    linked    whether a conjunction is between that child and the next one
    children  how many
    """

    best: Int32Output
    chosen: Int32Output
    conjunct: Int32Output
    linked: BoolOutput
    children: Int32Output

    def __init__(self, room: int) -> None:
        self.best, self.chosen, self.conjunct, self.children = np.empty((4, room), np.int32)
        self.linked = np.empty(room, np.bool_)


def find_heads(
    forest: Forest,
    table: HeadTable,
    head: Int32Output,
    group: Int32Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in each node's lexical head, and the group that decided where it has several children.

    One pass goes from left to right: a token is a child of its parent, and a node is a child of its own
    parent as soon as its first token is met, so children come in order.
    """
    seen = Candidates(forest.most_nodes(first, last))
    with cython.nogil:
        for sentence in range(first, last):
            begin, base = forest.token_offsets[sentence], forest.node_offsets[sentence]
            tokens = forest.tokens(sentence)
            for node in range(forest.nodes(sentence)):
                seen.best[node] = 2147483647
                seen.chosen[node], seen.conjunct[node] = -1, -1
                seen.linked[node], seen.children[node] = False, 0
            for token in range(tokens):
                item, kind = token, table.token[begin + token]
                above = forest.token_parent[begin + token]
                while above >= 0:
                    consider(seen, table, table.rule[table.category[base + above]], above, item, kind)
                    if seen.children[above] > 1:
                        break
                    item, kind = tokens + above, table.node[base + above]
                    above = forest.node_parent[base + above]
            for node in range(forest.nodes(sentence) - 1, -1, -1):
                item = seen.chosen[node]
                if item >= tokens:
                    head[base + node] = head[base + item - tokens]
                elif item >= 0:
                    head[base + node] = cython.cast(cython.int, item)
                if seen.children[node] > 1:
                    group[base + node] = seen.best[node] // table.ranks


@cython.cfunc
@cython.nogil
def consider(
    seen: Candidates,
    table: HeadTable,
    rule: cython.int,
    node: cython.int,
    item: cython.Py_ssize_t,
    kind: cython.int,
) -> cython.void:
    """Take the next child of a node as its head where the rule prefers it."""
    rank: cython.int = table.priority[rule, kind]
    if rank < seen.best[node] or (rank == seen.best[node] and table.from_right[rule, rank // table.ranks]):
        seen.best[node] = rank
        seen.chosen[node] = cython.cast(cython.int, item)
        if table.gives_way[rule] and seen.linked[node] and seen.conjunct[node] >= 0:
            seen.chosen[node] = seen.conjunct[node]
    if table.conjunction[kind]:
        seen.linked[node] = True
    elif not table.punctuation[kind]:
        seen.linked[node] = False
        seen.conjunct[node] = cython.cast(cython.int, item)
    seen.children[node] += 1


@cython.dataclasses.dataclass(eq=False, repr=False)
class Sought:
    """Children that a condition mentions.

    token, node  whether a token or node is one of them
    start        the first token of each node
    """

    token: BoolArray
    node: BoolArray
    start: Int32Array


KINDS = ("first", "last", "before", "behind", "beside", "over")
"""Kinds of conditions about children, in the order of their numbers below."""

FIRST = cython.declare(cython.int, 0)
LAST = cython.declare(cython.int, 1)
BEFORE = cython.declare(cython.int, 2)
BEHIND = cython.declare(cython.int, 3)
BESIDE = cython.declare(cython.int, 4)
OVER = cython.declare(cython.int, 5)


def fulfil(
    forest: Forest, sought: Sought, kind: cython.int, of_token: BoolOutput, of_node: BoolOutput
) -> None:
    """Mark the children that are first or last of the sought ones, or come before, after or over one.

    No two children of a node begin at the same token, so a child that begins elsewhere is a sister.
    """
    nodes = forest.most_nodes(0, len(forest))
    begin: Int32Output = np.empty(nodes, np.int32)  # of the first sought child of each node
    end: Int32Output = np.empty(nodes, np.int32)  # of the last one
    place: Int32Output = np.empty(forest.most_tokens(0, len(forest)) + nodes, np.int32)
    with cython.nogil:
        for sentence in range(forest.token_offsets.shape[0] - 1):
            tokens: cython.Py_ssize_t = forest.tokens(sentence)
            first, base = forest.token_offsets[sentence], forest.node_offsets[sentence] - tokens
            for node in range(forest.nodes(sentence)):
                begin[node], end[node] = 2147483647, -1
            for item in range(tokens + forest.nodes(sentence)):
                above = forest.parent(sentence, item)
                place[item] = cython.cast(cython.int, item) if item < tokens else sought.start[base + item]
                if above >= 0 and (sought.token[first + item] if item < tokens else sought.node[base + item]):
                    begin[above] = min(begin[above], place[item])
                    end[above] = max(end[above], place[item])
            for item in range(tokens + forest.nodes(sentence)):
                above = forest.parent(sentence, item)
                holds: cython.bint = kind == OVER and item >= tokens and end[item - tokens] >= 0
                if above >= 0 and kind != OVER:
                    holds = (
                        (kind == FIRST and place[item] == begin[above])
                        or (kind == LAST and place[item] == end[above])
                        or (kind in (BEFORE, BESIDE) and place[item] < end[above])
                        or (kind in (BEHIND, BESIDE) and place[item] > begin[above])
                    )
                if item < tokens:
                    of_token[first + item] = holds
                else:
                    of_node[base + item] = holds


@cython.dataclasses.dataclass(eq=False, repr=False)
class Marks:
    """A mask of tokens and one of nodes."""

    token: BoolOutput
    node: BoolOutput


def mark_beyond_conjunction(
    forest: Forest,
    head: Int32Array,
    conjoins: Marks,
    beyond: Marks,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Mark the children that have another number of conjunctions before them than the head child has.

    ``head`` has the lexical head of each node. One pass goes from left to right: a token is a child of
    its parent, and a node is a child of its own parent as soon as its first token is met, so children
    come in order.
    """
    room: cython.Py_ssize_t = forest.most_nodes(first, last)
    seen: Int32Output = np.empty(room, np.int32)
    at_head: Int32Output = np.empty(room, np.int32)
    before_node: Int32Output = np.empty(room, np.int32)
    before_token: Int32Output = np.empty(forest.most_tokens(first, last), np.int32)
    with cython.nogil:
        for sentence in range(first, last):
            begin, base = forest.token_offsets[sentence], forest.node_offsets[sentence]
            for node in range(forest.nodes(sentence)):
                seen[node], at_head[node], before_node[node] = 0, -1, -1
            for token in range(forest.tokens(sentence)):
                if forest.token_parent[begin + token] < 0:
                    continue
                node = forest.token_parent[begin + token]
                before_token[token] = seen[node]
                if head[base + node] == token:
                    at_head[node] = seen[node]
                seen[node] += conjoins.token[begin + token]
                above = forest.node_parent[base + node]
                while above >= 0 and before_node[node] < 0:
                    before_node[node] = seen[above]
                    if head[base + above] == head[base + node]:
                        at_head[above] = seen[above]
                    seen[above] += conjoins.node[base + node]
                    node = above
                    above = forest.node_parent[base + node]
            for token in range(forest.tokens(sentence)):
                above = forest.token_parent[begin + token]
                if above >= 0:
                    beyond.token[begin + token] = (
                        at_head[above] >= 0 and before_token[token] != at_head[above]
                    )
            for node in range(forest.nodes(sentence)):
                above = forest.node_parent[base + node]
                if above >= 0:
                    beyond.node[base + node] = at_head[above] >= 0 and before_node[node] != at_head[above]
