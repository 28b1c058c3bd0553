"""Loop of ``converters.heads``: head children by priority."""

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
                 groups come two for the default: any child that is not punctuation, and any child
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
    children  the number of children
    """

    best: Int32Output
    chosen: Int32Output
    conjunct: Int32Output
    linked: BoolOutput
    children: Int32Output

    def __init__(self, capacity: int) -> None:
        self.best, self.chosen, self.conjunct, self.children = np.empty((4, capacity), np.int32)
        self.linked = np.empty(capacity, np.bool_)


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
                item, item_type = token, table.token[begin + token]
                above = forest.token_parent[begin + token]
                while above >= 0:
                    consider(seen, table, table.rule[table.category[base + above]], above, item, item_type)
                    if seen.children[above] > 1:
                        break
                    item, item_type = tokens + above, table.node[base + above]
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
    item_type: cython.int,
) -> cython.void:
    """Take the next child of a node as its head where the rule prefers it."""
    rank: cython.int = table.priority[rule, item_type]
    if rank < seen.best[node] or (rank == seen.best[node] and table.from_right[rule, rank // table.ranks]):
        seen.best[node] = rank
        seen.chosen[node] = cython.cast(cython.int, item)
        if table.gives_way[rule] and seen.linked[node] and seen.conjunct[node] >= 0:
            seen.chosen[node] = seen.conjunct[node]
    if table.conjunction[item_type]:
        seen.linked[node] = True
    elif not table.punctuation[item_type]:
        seen.linked[node] = False
        seen.conjunct[node] = cython.cast(cython.int, item)
    seen.children[node] += 1
