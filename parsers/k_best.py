"""The k best derivations of a sentence, the best first.

Huang, Liang, and David Chiang (2005): Better k-best Parsing. IWPT, algorithm 3. After the best derivation of
every constituent is known, further ones are made as they are asked for. The recursion has a stack of its
own, so that long sentences do not exhaust Python's. Unary rules may form cycles: a derivation is never part
of itself, and going round a cycle makes it less probable.
"""

from __future__ import annotations

import heapq
from collections.abc import Generator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from crossbank.parsers.chart_parsing import (
    FULL,
    MINUS_INFINITY,
    NO_GAIN,
    UNMASKED,
    Best,
    Nodes,
    Room,
    TooLargeError,
    without_chart,
)
from crossbank.parsers.grammar import Grammar
from crossbank.parsers.loops.chart import Chart, edges, fill_best, item_score
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.ranges import in_ranges

Item: TypeAlias = tuple[int, int, int]
"""A constituent: its first token, one behind its last, its symbol."""


class Edge(NamedTuple):
    """A way to derive a constituent by one rule, of the given weight, from others."""

    weight: float
    tails: tuple[Item, ...]


class Derivation(NamedTuple):
    """The derivation by an edge from the derivations of its tails with these ranks, from 0."""

    score: float
    edge: int
    ranks: tuple[int, ...]


class Forest:
    """The derivations of one sentence's constituents, as far as they were asked for."""

    def __init__(self, grammar: Grammar, chart: Chart, words: Int32Array) -> None:
        self.grammar, self.chart, self.words = grammar, chart, words
        self.edges: dict[Item, list[Edge]] = {}
        self.found: dict[Item, list[Derivation]] = {}
        self._candidates: dict[Item, list[tuple[float, int, tuple[int, ...]]]] = {}
        self._seen: dict[Item, set[tuple[int, tuple[int, ...]]]] = {}

    def derivations(self, root: Item, k: int) -> list[Derivation]:
        """The ``k`` best derivations of a constituent, or all where there are fewer."""
        stack = [self._ask(root, k)]
        while stack:
            request = next(stack[-1], None)
            if request is None:
                stack.pop()
            elif len(self.found.get(request[0], ())) < request[1]:
                stack.append(self._ask(*request))
        return self.found[root][:k]

    def _ask(self, item: Item, k: int) -> Generator[tuple[Item, int], None, None]:
        """Find derivations of an item until there are ``k``; yields what has to be found before."""
        if item not in self.edges:
            self._start(item)
        found, candidates = self.found[item], self._candidates[item]
        while len(found) < k:
            if found:
                _, edge, ranks = found[-1]
                tails = self.edges[item][edge].tails
                for place in range(len(tails)):
                    further = (*ranks[:place], ranks[place] + 1, *ranks[place + 1 :])
                    if (edge, further) in self._seen[item]:
                        continue
                    for tail, rank in zip(tails, further, strict=True):
                        yield tail, rank + 1
                    if all(r < len(self.found[t]) for t, r in zip(tails, further, strict=True)):
                        self._seen[item].add((edge, further))
                        score = self.edges[item][edge].weight
                        score += sum(self.found[t][r].score for t, r in zip(tails, further, strict=True))
                        heapq.heappush(candidates, (-score, edge, further))
            if not candidates:
                return
            score, edge, ranks = heapq.heappop(candidates)
            found.append(Derivation(-score, edge, ranks))

    def _start(self, item: Item) -> None:
        """Make the item's edges, each with the best derivations of its tails."""
        self.edges[item] = self._edges_of(item)
        self.found[item] = []
        first = [(edge.weight, place, (0,) * len(edge.tails)) for place, edge in enumerate(self.edges[item])]
        scored = [
            (-(weight + sum(item_score(self.chart, *t) for t in self.edges[item][place].tails)), place, ranks)
            for weight, place, ranks in first
        ]
        heapq.heapify(scored)
        self._candidates[item] = scored
        self._seen[item] = {(place, ranks) for _, place, ranks in scored}

    def _edges_of(self, item: Item) -> list[Edge]:
        start, end, symbol = item
        rules = self.grammar.indexed
        made = []
        if end - start == 1:
            weight = rules.tags.get((symbol, int(self.words[start])))
            made += [Edge(weight, ())] if weight is not None else []
        for child, weight in rules.unary.get(symbol, ()):
            if item_score(self.chart, start, end, child) > MINUS_INFINITY:
                made.append(Edge(weight, ((start, end, child),)))
        by_parent = rules.binary.get(symbol)
        if by_parent is not None and end - start > 1:
            rule, split = self._binary_edges(item, by_parent)
            weights, left, right = rules.weight, rules.left, rules.right
            made += [
                Edge(float(weights[r]), ((start, s, int(left[r])), (s, end, int(right[r]))))
                for r, s in zip(rule.tolist(), split.tolist(), strict=True)
            ]
        return made

    def _binary_edges(self, item: Item, by_parent: Int32Array) -> tuple[Int32Array, Int32Array]:
        start, end, symbol = item
        room = 256
        while True:
            rule, split = np.empty(room, np.int32), np.empty(room, np.int32)
            score = np.empty(room)
            count = edges(self.grammar.best, self.chart, start, end, symbol, by_parent, rule, split, score)
            if count != FULL:
                return rule[:count], split[:count]
            room *= 4

    def nodes(self, root: Item, derivation: Derivation) -> Nodes:
        """A derivation in pre-order."""
        columns: tuple[list[int], list[int], list[int]] = ([], [], [])
        waiting = [(root, derivation)]
        while waiting:
            item, found = waiting.pop()
            start, end, symbol = item
            for column, value in zip(columns, (symbol, start, end), strict=True):
                column.append(value)
            tails = self.edges[item][found.edge].tails
            below = zip(tails, found.ranks, strict=True)
            waiting += reversed([(tail, self.derivations(tail, rank + 1)[rank]) for tail, rank in below])
        return Nodes(*(np.array(column, np.int32) for column in columns))


def k_best_derivations(
    grammar: Grammar, sentences: Sequence[Int32Array], k: int, *, limit: int
) -> list[list[Best]]:
    """The ``k`` best derivations of each sentence, or fewer; where there is none, one that says why."""
    found: list[list[Best]] = [[] for _ in sentences]

    def parse(first: int, last: int) -> None:
        room = Room(len(grammar.symbols), sums=False, limit=limit)
        for sentence in range(first, last):
            found[sentence] = _k_best(grammar, sentences[sentence], k, room)

    _ = grammar.best, grammar.indexed
    in_ranges(parse, len(sentences), 1)
    return found


def _k_best(grammar: Grammar, words: Int32Array, k: int, room: Room) -> list[Best]:
    if reason := without_chart(words):
        return [Best(MINUS_INFINITY, None, reason)]
    try:
        chart = room.fill(len(words), lambda chart: fill_best(grammar.best, chart, words, UNMASKED, NO_GAIN))
    except TooLargeError as error:
        return [Best(MINUS_INFINITY, None, str(error))]
    root = (0, len(words), grammar.start)
    if item_score(chart, *root) == MINUS_INFINITY:
        return [Best(MINUS_INFINITY, None, "the grammar has no derivation")]
    forest = Forest(grammar, chart, words)
    return [Best(d.score, forest.nodes(root, d), "") for d in forest.derivations(root, k)]
