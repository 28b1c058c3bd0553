"""Loop that finds which nodes of two f-structures stand for each other.

A pairing of nodes is good if many feature specifications are the same under it. The search takes gold's nodes
in the order in which they are linked, tries the candidate's nodes from the best to the worst, and turns back
where even the best that could follow is no better than what is known (branch and bound). After
``COMPARISONS`` it stops and improves the best pairing by single exchanges.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolOutput,
    Int32Array,
    Int32Output,
    Int64Array,
    Int64Output,
)
from cython.cimports.crossbank.treebanks.loops.interrupts import look

from crossbank.treebanks.memory import require

COMPARISONS = 300_000
"""The number of specifications that are looked up in a sentence before the search stops."""


@cython.dataclasses.dataclass(eq=False, repr=False)
class SpecificationColumns:
    """Feature specifications of one side, by name, then by head: columns of ``..fstructure``."""

    nodes: Int64Array
    offsets: Int64Array
    name: Int32Array
    head: Int32Array
    value: Int32Array
    arguments: Int64Array
    argument: Int32Array


@cython.dataclasses.dataclass(eq=False, repr=False)
class MatchColumns:
    """Output columns.

    gold, candidate  which specifications of each side are matched
    unproved         in which sentences the search stopped before it had examined everything
    """

    gold: BoolOutput
    candidate: BoolOutput
    unproved: BoolOutput


@cython.cclass
class Search:
    """Search in one sentence; the arrays have room for the longest sentence.

    order       gold's nodes in the order in which they are paired; ``rank`` is the inverse
    pairs       the candidate's node of each of gold's nodes, or -1; ``taken`` is the inverse
    best        the best pairing so far, with the score ``best_score``
    last_position  for each of gold's specifications, the position of the last of its nodes in the order
    decided     for each position, where the specifications with this last position begin in ``specification``
    rest        the maximal gain of each position and all after it
    first_of    where the specifications of each of gold's nodes begin in ``about``
    first_with  for each of gold's specifications and each of the candidate's nodes, the candidate's first
                specification with this name and head, counted in the sentence, or -1
    level_node, level_gain, level_size, level_next
                for each position, the candidate's nodes in descending order of their gains, their number,
                and the next one to try
    score_before  the score of all positions before each
    g_first, g_last, c_first, c_last
                the specifications of gold and of the candidate in the sentence
    n, m        the numbers of nodes of gold and of the candidate
    """

    gold: SpecificationColumns
    candidate: SpecificationColumns
    weight: Int64Array
    order: Int32Output
    rank: Int32Output
    pairs: Int32Output
    taken: Int32Output
    best: Int32Output
    decided: Int32Output
    specification: Int32Output
    last_position: Int32Output
    rest: Int64Output
    first_of: Int32Output
    about: Int32Output
    first_with: Int32Output
    level_node: Int32Output
    level_gain: Int64Output
    level_size: Int32Output
    level_next: Int32Output
    score_before: Int64Output
    g_first: cython.Py_ssize_t
    g_last: cython.Py_ssize_t
    c_first: cython.Py_ssize_t
    c_last: cython.Py_ssize_t
    n: cython.Py_ssize_t
    m: cython.Py_ssize_t
    best_score: cython.longlong
    comparisons: cython.longlong

    def __init__(
        self,
        gold: SpecificationColumns,
        candidate: SpecificationColumns,
        weight: Int64Array,
        first: int,
        last: int,
    ) -> None:
        nodes, candidate_nodes = (np.diff(side.nodes[first : last + 1]) for side in (gold, candidate))
        begins = np.asarray(gold.offsets)[first : last + 1]
        named, arguments = np.diff(begins), np.diff(np.asarray(gold.arguments)[begins])
        n, m, product, rows, slots, looked_up = (
            int(sizes.max(initial=0))
            for sizes in (
                nodes,
                candidate_nodes,
                nodes * (candidate_nodes + 1),
                named,
                2 * named + arguments,
                named * candidate_nodes,
            )
        )
        require(4 * looked_up + 12 * product, "", f"two f-structures of {n:,} and {m:,} nodes to pair")
        self.gold, self.candidate, self.weight = gold, candidate, weight
        self.order, self.rank = np.zeros(n + 1, np.int32), np.zeros(n + 1, np.int32)
        self.pairs, self.taken = np.zeros(n + 1, np.int32), np.zeros(m + 1, np.int32)
        self.best = np.zeros(n + 1, np.int32)
        self.decided, self.specification = np.zeros(n + 2, np.int32), np.zeros(rows + 1, np.int32)
        self.last_position = np.zeros(rows + 1, np.int32)
        self.first_of, self.about = np.zeros(n + 1, np.int32), np.zeros(slots + 1, np.int32)
        self.rest = np.zeros(n + 2, np.int64)
        self.first_with = np.zeros(looked_up + 1, np.int32)
        self.level_node = np.zeros(product + 1, np.int32)
        self.level_gain = np.zeros(product + 1, np.int64)
        self.level_size, self.level_next = np.zeros(n + 2, np.int32), np.zeros(n + 2, np.int32)
        self.score_before = np.zeros(n + 2, np.int64)
        self.g_first = self.g_last = self.c_first = self.c_last = self.n = self.m = 0
        self.best_score = self.comparisons = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def begin(self, sentence: cython.Py_ssize_t) -> cython.int:
        """Prepare the search in a sentence: order its nodes, and compute the gains of positions."""
        self.g_first, self.g_last = self.gold.offsets[sentence], self.gold.offsets[sentence + 1]
        self.c_first, self.c_last = self.candidate.offsets[sentence], self.candidate.offsets[sentence + 1]
        self.n = self.gold.nodes[sentence + 1] - self.gold.nodes[sentence]
        self.m = self.candidate.nodes[sentence + 1] - self.candidate.nodes[sentence]
        self.best_score, self.comparisons = -1, 0
        self.order_nodes()
        self.list_by_heads()
        for k in range(self.n + 2):
            self.decided[k] = 0
        for i in range(self.g_last - self.g_first):
            self.last_position[i] = self.last_of(self.g_first + i)
            self.decided[self.last_position[i] + 2] += 1
        for k in range(self.n):
            self.decided[k + 2] += self.decided[k + 1]
        for i in range(self.g_last - self.g_first):
            k = self.last_position[i]
            self.specification[self.decided[k + 1]] = cython.cast(cython.int, i)
            self.decided[k + 1] += 1
        for c in range(self.m):
            self.taken[c] = -1
        for k in range(self.n):
            self.pairs[k] = -1
        self.rest[self.n] = 0
        for k in range(self.n - 1, -1, -1):
            most_gain = 0
            for c in range(self.m):
                gain = self.gain(k, self.order[k], cython.cast(cython.int, c))
                if gain > most_gain:
                    most_gain = gain
            self.rest[k] = self.rest[k + 1] + most_gain
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def order_nodes(self) -> cython.int:
        """Fill in ``order`` and ``rank``: breadth-first along links, from the first node."""
        size: cython.Py_ssize_t = 0
        done: cython.Py_ssize_t = 0
        start: cython.Py_ssize_t = 0
        for i in range(self.n):
            self.rank[i] = -1
        while size < self.n:
            while self.rank[start] >= 0:
                start += 1
            self.rank[start] = cython.cast(cython.int, size)
            self.order[size] = cython.cast(cython.int, start)
            size += 1
            while done < size:
                node = self.order[done]
                done += 1
                look(self.g_last - self.g_first)
                for i in range(self.g_first, self.g_last):
                    if self.gold.head[i] == node:
                        size = self.append(self.gold.value[i], size)
                        for a in range(self.gold.arguments[i], self.gold.arguments[i + 1]):
                            size = self.append(self.gold.argument[a], size)
                    elif self.gold.value[i] == node:
                        size = self.append(self.gold.head[i], size)
        return 0

    @cython.cfunc
    @cython.nogil
    def append(self, node: cython.int, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Append a node (-1: none) to the order unless it is there, and return the order's size."""
        if node >= 0 and self.rank[node] < 0:
            self.rank[node] = cython.cast(cython.int, size)
            self.order[size] = node
            size += 1
        return size

    @cython.cfunc
    @cython.nogil
    def last_of(self, i: cython.Py_ssize_t) -> cython.int:
        """Return the last position in the order of a node of gold's specification ``i``."""
        last: cython.int = self.rank[self.gold.head[i]]
        if self.gold.value[i] >= 0 and self.rank[self.gold.value[i]] > last:
            last = self.rank[self.gold.value[i]]
        for a in range(self.gold.arguments[i], self.gold.arguments[i + 1]):
            if self.gold.argument[a] >= 0 and self.rank[self.gold.argument[a]] > last:
                last = self.rank[self.gold.argument[a]]
        return last

    @cython.cfunc
    @cython.nogil
    def fits(
        self, i: cython.Py_ssize_t, j: cython.Py_ssize_t, only: cython.int, other: cython.int
    ) -> cython.bint:
        """Return whether gold's specification ``i`` matches the candidate's ``j``.

        Nodes match if they are paired. If ``only`` is not -1, an upper limit is computed: ``only`` matches
        ``other`` alone, and every other node of gold matches every other node of the candidate.
        """
        b: cython.Py_ssize_t = self.candidate.arguments[j]
        if self.gold.arguments[i + 1] - self.gold.arguments[i] != self.candidate.arguments[j + 1] - b:
            return False
        if not self.same(self.gold.head[i], self.candidate.head[j], only, other):
            return False
        if not self.same(self.gold.value[i], self.candidate.value[j], only, other):
            return False
        for a in range(self.gold.arguments[i], self.gold.arguments[i + 1]):
            if not self.same(self.gold.argument[a], self.candidate.argument[b], only, other):
                return False
            b += 1
        return True

    @cython.cfunc
    @cython.nogil
    def same(
        self, node: cython.int, candidate: cython.int, only: cython.int, other: cython.int
    ) -> cython.bint:
        """Return whether two values match: see ``fits``."""
        if node < 0 or candidate < 0:
            return node == candidate
        is_same: cython.bint = self.pairs[node] == candidate
        if only >= 0:
            is_same = (node == only) == (candidate == other)
        return is_same

    @cython.cfunc
    @cython.nogil
    def first_named(self, name: cython.int) -> cython.Py_ssize_t:
        """Return the index of the candidate's first specification with this name or a later one."""
        low, high = self.c_first, self.c_last
        while low < high:
            middle = (low + high) // 2
            if self.candidate.name[middle] < name:
                low = middle + 1
            else:
                high = middle
        return low

    @cython.cfunc
    @cython.nogil
    def list_by_heads(self) -> cython.void:
        """Fill in ``first_with``."""
        j: cython.Py_ssize_t
        for i in range(self.g_first, self.g_last):
            base: cython.Py_ssize_t = (i - self.g_first) * self.m
            for c in range(self.m):
                self.first_with[base + c] = -1
            j = self.first_named(self.gold.name[i])
            while j < self.c_last and self.candidate.name[j] == self.gold.name[i]:
                if self.first_with[base + self.candidate.head[j]] < 0:
                    self.first_with[base + self.candidate.head[j]] = cython.cast(cython.int, j - self.c_first)
                j += 1

    @cython.cfunc
    @cython.nogil
    def partner(self, i: cython.Py_ssize_t, only: cython.int, other: cython.int) -> cython.Py_ssize_t:
        """Return the candidate's specification that matches gold's ``i``, or -1: see ``fits``.

        If the head of ``i`` has a pair, only the specifications of that node are examined.
        """
        j: cython.Py_ssize_t
        head: cython.int = other
        if only < 0:
            head = self.pairs[self.gold.head[i]]
        elif self.gold.head[i] != only:
            head = -1
            j = self.first_named(self.gold.name[i])
        if only < 0 or self.gold.head[i] == only:
            if head < 0:
                return -1
            first: cython.Py_ssize_t = self.first_with[(i - self.g_first) * self.m + head]
            if first < 0:
                return -1
            j = self.c_first + first
        while j < self.c_last and self.candidate.name[j] == self.gold.name[i]:
            if head >= 0 and self.candidate.head[j] != head:
                return -1
            if self.fits(i, j, only, other):
                return j
            j += 1
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def gain(self, k: cython.Py_ssize_t, only: cython.int, other: cython.int) -> cython.longlong:
        """Return the gain of the specifications whose last position is ``k`` under the current pairs.

        If ``only`` is not -1, return the maximal gain if ``only`` is paired with ``other``: see ``fits``.
        """
        t: cython.Py_ssize_t
        total: cython.longlong = 0
        for t in range(self.decided[k], self.decided[k + 1]):
            i = self.g_first + self.specification[t]
            look(self.c_last - self.c_first)
            if self.partner(i, only, other) >= 0:
                total += self.weight[self.gold.name[i]]
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def open_level(self, k: cython.Py_ssize_t) -> cython.int:
        """Fill in the level of position ``k``: the candidate's free nodes by gain, then -1 (no node)."""
        base: cython.Py_ssize_t = k * (self.m + 1)
        node: cython.int = self.order[k]
        size: cython.Py_ssize_t = 0
        for c in range(self.m):
            if self.taken[c] >= 0:
                continue
            self.pairs[node] = cython.cast(cython.int, c)
            gain = self.gain(k, -1, -1)
            p = base + size
            while p > base and self.level_gain[p - 1] < gain:
                self.level_gain[p], self.level_node[p] = self.level_gain[p - 1], self.level_node[p - 1]
                p -= 1
            self.level_gain[p], self.level_node[p] = gain, cython.cast(cython.int, c)
            size += 1
        self.pairs[node] = -1
        self.comparisons += size * (self.decided[k + 1] - self.decided[k]) + 1
        self.level_gain[base + size], self.level_node[base + size] = 0, -1
        self.level_size[k] = cython.cast(cython.int, size + 1)
        self.level_next[k] = 0
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def run(self, comparisons: cython.longlong) -> cython.int:
        """Find the best pairing, and return whether the search was complete (proved to be the best)."""
        k: cython.Py_ssize_t = 0
        self.score_before[0] = 0
        if self.n > 0:
            self.open_level(0)
        else:
            self.best_score = 0
        while self.n > 0 and k >= 0:
            node = self.order[k]
            if self.pairs[node] >= 0:
                self.taken[self.pairs[node]] = -1
                self.pairs[node] = -1
            p = k * (self.m + 1) + self.level_next[k]
            if self.level_next[k] == self.level_size[k] or (
                self.score_before[k] + self.level_gain[p] + self.rest[k + 1] <= self.best_score
            ):
                k -= 1
                continue
            self.level_next[k] += 1
            c = self.level_node[p]
            score = self.score_before[k] + self.level_gain[p]
            self.pairs[node] = c
            if c >= 0:
                self.taken[c] = node
            if k + 1 < self.n:
                self.score_before[k + 1] = score
                self.open_level(k + 1)
                k += 1
            elif score > self.best_score:
                self.best_score = score
                for p in range(self.n):
                    self.best[p] = self.pairs[p]
            if self.comparisons >= comparisons and self.best_score >= 0:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def sum_weights(self, node: cython.int, other: cython.int) -> cython.longlong:
        """Return the weight of the matching specifications with ``node`` or ``other`` (-1: none)."""
        t: cython.Py_ssize_t
        score: cython.longlong = 0
        for t in range(self.first_of[node], self.first_of[node + 1]):
            i: cython.Py_ssize_t = self.about[t]
            look(self.c_last - self.c_first)
            if self.partner(i, -1, -1) >= 0:
                score += self.weight[self.gold.name[i]]
        if other >= 0:
            for t in range(self.first_of[other], self.first_of[other + 1]):
                i = self.about[t]
                look(self.c_last - self.c_first)
                if not self.involves(i, node) and self.partner(i, -1, -1) >= 0:
                    score += self.weight[self.gold.name[i]]
        return score

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def list_by_nodes(self) -> cython.int:
        """Fill in ``first_of`` and ``about``."""
        size: cython.Py_ssize_t = 0
        for node in range(cython.cast(cython.int, self.n)):
            self.first_of[node] = cython.cast(cython.int, size)
            look(self.g_last - self.g_first)
            for i in range(self.g_first, self.g_last):
                if self.involves(i, node):
                    self.about[size] = cython.cast(cython.int, i)
                    size += 1
        self.first_of[self.n] = cython.cast(cython.int, size)
        return 0

    @cython.cfunc
    @cython.nogil
    def involves(self, i: cython.Py_ssize_t, node: cython.int) -> cython.bint:
        """Return whether a node is head, value or argument of gold's specification ``i``."""
        is_involved: cython.bint = self.gold.head[i] == node or self.gold.value[i] == node
        for a in range(self.gold.arguments[i], self.gold.arguments[i + 1]):
            if self.gold.argument[a] == node:
                is_involved = True
        return is_involved

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def improve(self) -> cython.int:
        """Exchange partners of two nodes of the current pairing as long as that is better."""
        better: cython.bint = True
        self.list_by_nodes()
        while better:
            better = False
            for node in range(cython.cast(cython.int, self.n)):
                for c in range(cython.cast(cython.int, self.m)):
                    old, owner = self.pairs[node], self.taken[c]
                    if old == c:
                        continue
                    before = self.sum_weights(node, owner)
                    self.pairs[node], self.taken[c] = c, node
                    if old >= 0:
                        self.taken[old] = owner
                    if owner >= 0:
                        self.pairs[owner] = old
                    if self.sum_weights(node, owner) > before:
                        better = True
                        continue
                    self.pairs[node], self.taken[c] = old, owner
                    if old >= 0:
                        self.taken[old] = node
                    if owner >= 0:
                        self.pairs[owner] = c
        return 0

    @cython.cfunc
    @cython.nogil
    def take_best(self) -> cython.void:
        """Make the best pairing the current one."""
        for c in range(self.m):
            self.taken[c] = -1
        for node in range(self.n):
            self.pairs[node] = self.best[node]
            if self.best[node] >= 0:
                self.taken[self.best[node]] = cython.cast(cython.int, node)


def match_specifications(
    gold: SpecificationColumns,
    candidate: SpecificationColumns,
    weight: Int64Array,
    matches: MatchColumns,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Match the specifications of the sentences ``first`` to ``last - 1``.

    weight  what each name is worth
    """
    search = Search(gold, candidate, weight, first, last)
    comparisons: cython.longlong = COMPARISONS
    with cython.nogil:
        for sentence in range(first, last):
            search.begin(sentence)
            proved = search.run(comparisons)
            search.take_best()
            if not proved:
                matches.unproved[sentence] = True
                search.improve()
            for i in range(search.g_first, search.g_last):
                j = search.partner(i, -1, -1)
                if j >= 0:
                    matches.gold[i] = True
                    matches.candidate[j] = True
