"""Loops over derivations: children of nodes, and the fillers of the slots of words.

Every position of every sign is a variable. Where signs combine, variables become one (union-find, with the
words of both sides in one list) or are coordinated: a coordination is a variable whose fillers are those of
two others. At the end the fillers of a slot are the words in the list of its variable.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import Int32Array, Int32Output, Int64Array, Int64Output
from numpy.typing import NDArray

NOTHING = cython.declare(cython.int, -1)


def children(
    token_offsets: Int64Array,
    token_parent: Int32Array,
    node_offsets: Int64Array,
    node_parent: Int32Array,
    start: Int32Array,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Return the children of each node, how many there are, and how high each node is above the words.

    ``start`` is each node's first token. Children have shape ``(nodes, 2)`` raveled: the first two, in the
    order of the text. A token is written as its row, a node as ``-2`` minus its row, no child as ``-1``. A
    node over words alone has the height 0.
    """
    nodes: cython.Py_ssize_t = node_parent.shape[0]
    child: Int64Output = np.full(2 * nodes, -1, np.int64)
    arity: Int32Output = np.zeros(nodes, np.int32)
    height: Int32Output = np.zeros(nodes, np.int32)
    with cython.nogil:
        for sentence in range(token_offsets.shape[0] - 1):
            node = base = node_offsets[sentence]
            stop = node_offsets[sentence + 1]
            for token in range(token_offsets[sentence], token_offsets[sentence + 1]):
                # Nodes are in pre-order: those that begin at this token come next.
                while node < stop and start[node] == token - token_offsets[sentence]:
                    if node_parent[node] >= 0:
                        above = base + node_parent[node]
                        if arity[above] < 2:
                            child[2 * above + arity[above]] = -2 - node
                        arity[above] += 1
                    node += 1
                if token_parent[token] >= 0:
                    above = base + token_parent[token]
                    if arity[above] < 2:
                        child[2 * above + arity[above]] = token
                    arity[above] += 1
            for node in range(stop - 1, base - 1, -1):
                if node_parent[node] >= 0:
                    above = base + node_parent[node]
                    if height[above] <= height[node]:
                        height[above] = height[node] + 1
    return np.asarray(child), np.asarray(arity), np.asarray(height)


@cython.dataclasses.dataclass(eq=False, repr=False)
class DerivationColumns:
    """Derivations as the loop sees them.

    token_sign, node_rule       for each token its sign, for each node its combination
    sign_size                   for each sign the number of its variables
    slot_offsets, slot_number, slot_variable  the slots of each sign as a word's
    pair_offsets, pair          for each combination the pairs of variables that become one, raveled
    source_offsets, source      for each combination where its variables come from: two numbers each, raveled
    left_size                   for each combination how many variables the left child has
    """

    token_offsets: Int64Array
    node_offsets: Int64Array
    child: Int64Array
    token_sign: Int32Array
    node_rule: Int32Array
    sign_size: Int32Array
    slot_offsets: Int64Array
    slot_number: Int32Array
    slot_variable: Int32Array
    pair_offsets: Int64Array
    pair: Int32Array
    source_offsets: Int64Array
    source: Int32Array
    left_size: Int32Array


@cython.cclass
class Heads:
    """Variables of one sentence, as many as the longest one needs.

    item_begin     where the variables of each token, and after them of each node, begin in ``named``
    named          variables, in the order of the positions of each item's sign
    parent         union-find
    first, last    the list of a variable's fillers: its first and last entry; of roots alone
    following      the next entry of a list; an entry is a variable
    word           the token that an entry is, or -1: then it is a coordination of ``left`` and ``right``
    known_word, known_root  when a token was last emitted and a root last visited
    waiting        roots that are still to be visited
    """

    item_begin: Int32Output
    named: Int32Output
    parent: Int32Output
    first: Int32Output
    last: Int32Output
    following: Int32Output
    word: Int32Output
    left: Int32Output
    right: Int32Output
    known_word: Int32Output
    known_root: Int32Output
    waiting: Int32Output
    count: cython.int
    named_count: cython.int
    visit: cython.int

    def __init__(self, items: int, variables: int) -> None:
        """Allocate for a sentence of this many tokens and nodes with this many variables."""
        self.item_begin = np.zeros(items + 1, np.int32)
        self.known_word = np.zeros(items + 1, np.int32)
        self.named, self.parent, self.first, self.last, self.following = (
            np.zeros(variables + 1, np.int32) for _ in range(5)
        )
        self.word, self.left, self.right = (np.zeros(variables + 1, np.int32) for _ in range(3))
        self.known_root, self.waiting = (
            np.zeros(variables + 1, np.int32),
            np.zeros(2 * variables + 2, np.int32),
        )
        self.count = self.named_count = self.visit = 0

    @cython.cfunc
    @cython.nogil
    def new(self, word: cython.int) -> cython.int:
        """Return a new variable: filled by a word, or by nothing yet (-1)."""
        variable: cython.int = self.count
        self.count += 1
        self.parent[variable] = variable
        self.following[variable] = NOTHING
        self.word[variable], self.left[variable], self.right[variable] = word, NOTHING, NOTHING
        self.first[variable] = self.last[variable] = variable if word >= 0 else NOTHING
        self.known_root[variable] = 0
        return variable

    @cython.cfunc
    @cython.nogil
    def root(self, variable: cython.int) -> cython.int:
        """Return the variable that stands for all variables with which a variable has been unified."""
        while self.parent[variable] != variable:
            self.parent[variable] = self.parent[self.parent[variable]]
            variable = self.parent[variable]
        return variable

    @cython.cfunc
    @cython.nogil
    def unify(self, one: cython.int, other: cython.int) -> cython.int:
        """Make two variables one; returns it."""
        one, other = self.root(one), self.root(other)
        if one != other:
            self.parent[other] = one
            if self.first[other] >= 0:
                if self.first[one] >= 0:
                    self.following[self.last[one]] = self.first[other]
                else:
                    self.first[one] = self.first[other]
                self.last[one] = self.last[other]
        return one

    @cython.cfunc
    @cython.nogil
    def coordinate(self, one: cython.int, other: cython.int) -> cython.int:
        """Return a variable with the fillers of two; where one of them has none yet, they become one."""
        one, other = self.root(one), self.root(other)
        if one == other or self.first[one] < 0 or self.first[other] < 0:
            return self.unify(one, other)
        both = self.new(NOTHING)
        self.left[both], self.right[both] = one, other
        self.first[both] = self.last[both] = both
        return both

    @cython.cfunc
    @cython.nogil
    def derive(self, bank: DerivationColumns, sentence: cython.Py_ssize_t) -> cython.void:
        """Give the tokens and nodes of a sentence their variables, from the words up."""
        base: cython.Py_ssize_t = bank.node_offsets[sentence]
        begin: cython.Py_ssize_t = bank.token_offsets[sentence]
        tokens: cython.Py_ssize_t = bank.token_offsets[sentence + 1] - begin
        self.count = self.named_count = 0
        for token in range(tokens):
            self.item_begin[token] = self.named_count
            for index in range(bank.sign_size[bank.token_sign[begin + token]]):
                self.named[self.named_count] = self.new(
                    cython.cast(cython.int, token) if index == 0 else NOTHING
                )
                self.named_count += 1
        for node in range(bank.node_offsets[sentence + 1] - 1, base - 1, -1):
            rule = bank.node_rule[node]
            left: cython.Py_ssize_t = self.item_begin[self.item(bank.child[2 * node], begin, base, tokens)]
            right = 0
            if bank.child[2 * node + 1] != -1:
                right = self.item_begin[self.item(bank.child[2 * node + 1], begin, base, tokens)]
            right -= bank.left_size[rule]  # the right child's variables are numbered after the left one's
            for index in range(bank.pair_offsets[rule], bank.pair_offsets[rule + 1]):
                first, second = bank.pair[2 * index], bank.pair[2 * index + 1]
                self.unify(
                    self.named[(left if first < bank.left_size[rule] else right) + first],
                    self.named[(left if second < bank.left_size[rule] else right) + second],
                )
            self.item_begin[tokens + node - base] = self.named_count
            for index in range(bank.source_offsets[rule], bank.source_offsets[rule + 1]):
                first, second = bank.source[2 * index], bank.source[2 * index + 1]
                if first < 0:
                    first = self.new(NOTHING)
                else:
                    first = self.named[(left if first < bank.left_size[rule] else right) + first]
                    if second >= 0:
                        first = self.coordinate(first, self.named[right + second])
                self.named[self.named_count] = first
                self.named_count += 1

    @cython.cfunc
    @cython.nogil
    def item(
        self,
        child: cython.longlong,
        begin: cython.Py_ssize_t,
        base: cython.Py_ssize_t,
        tokens: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """Return the number of a child among the items of its sentence, tokens first."""
        return child - begin if child >= 0 else tokens + (-2 - child) - base

    @cython.cfunc
    @cython.nogil
    def fillers(
        self, variable: cython.int, token: cython.int, out: Int32Output, at: cython.longlong
    ) -> cython.int:
        """Write the words that fill a slot of a token, from ``at`` on if that is not -1; return how many."""
        height: cython.int = 1
        count: cython.int = 0
        self.visit += 1
        self.waiting[0] = self.root(variable)
        while height > 0:
            height -= 1
            root = self.waiting[height]
            if self.known_root[root] == self.visit:
                continue
            self.known_root[root] = self.visit
            entry = self.first[root]
            while entry >= 0:
                if self.word[entry] >= 0:
                    if self.word[entry] != token and self.known_word[self.word[entry]] != self.visit:
                        self.known_word[self.word[entry]] = self.visit
                        if at >= 0:
                            out[at + count] = self.word[entry]
                        count += 1
                else:
                    self.waiting[height] = self.root(self.right[entry])
                    self.waiting[height + 1] = self.root(self.left[entry])
                    height += 2
                entry = self.following[entry]
        return count


@cython.dataclasses.dataclass(eq=False, repr=False)
class DependencyColumns:
    """Dependencies of all sentences; those of each begin at ``offsets``."""

    offsets: Int64Array
    functor: Int32Output
    slot: Int32Output
    argument: Int32Output


def fill_dependencies(
    bank: DerivationColumns,
    dependencies: DependencyColumns,
    counts: Int64Output,
    largest: tuple[int, int],
    first: int,
    last: int,
) -> None:
    """Fill in the dependencies of the sentences ``first`` to ``last - 1``, and how many each of them has.

    Without rows for dependencies, they are only counted. ``largest`` is two maxima over the sentences: tokens
    with nodes, and variables.
    """
    heads = Heads(*largest)
    begin: cython.Py_ssize_t = first
    stop: cython.Py_ssize_t = last
    writes: cython.bint = dependencies.functor.shape[0] > 0
    with cython.nogil:
        for sentence in range(begin, stop):
            heads.derive(bank, sentence)
            counts[sentence] = emit(
                bank, heads, sentence, dependencies, dependencies.offsets[sentence] if writes else -1
            )


@cython.cfunc
@cython.nogil
def emit(
    bank: DerivationColumns,
    heads: Heads,
    sentence: cython.Py_ssize_t,
    dependencies: DependencyColumns,
    at: cython.longlong,
) -> cython.longlong:
    """Write the dependencies of a sentence, word by word, from ``at`` on if that is not -1; count them."""
    begin: cython.Py_ssize_t = bank.token_offsets[sentence]
    total: cython.longlong = 0
    for token in range(bank.token_offsets[sentence + 1] - begin):
        sign = bank.token_sign[begin + token]
        for slot in range(bank.slot_offsets[sign], bank.slot_offsets[sign + 1]):
            count = heads.fillers(
                heads.named[heads.item_begin[token] + bank.slot_variable[slot]],
                cython.cast(cython.int, token),
                dependencies.argument,
                at + total if at >= 0 else -1,
            )
            if at >= 0:
                for here in range(count):
                    dependencies.functor[at + total + here] = cython.cast(cython.int, token)
                    dependencies.slot[at + total + here] = bank.slot_number[slot]
            total += count
    return total
