"""Smoothed rules: children are generated from the head outward, with back-off to shorter histories.

Collins, Michael (1999): Head-Driven Statistical Models for Natural Language Parsing. PhD thesis, University
of Pennsylvania: section 6.2 (a node chooses its head, then modifiers on either side as a Markov process that
ends with STOP), section 7.4 (levels of back-off, each weighted by n / (n + w u), where its history was seen n
times with u different outcomes; the method is Witten and Bell's, 1991). Words play no part here.

Collins has w = 5 at all levels. Or each level has the w under which the training set is most probable, where
each choice is omitted from the counts that predict it (leaving one out: Ney, Essen and Kneser 1994).
So every choice of the training set is held out once, and no other text is used.

The levels of the history of a child are

1. the node's symbol, the head, the side, and the last children there (``horizontal`` of them),
2. the same with nothing of the children but whether there is one,
3. the same with the node's label instead of its symbol,
4. the same without the head,
5. the label.

A child that was never below the label is not generated, and a rule with one symbol on the right is not made
up. A head that the symbol has less than once in a hundred times gets no new sisters: without that a chart is
full of constituents of a probability that never matters.

The probability of a rule is that of its choices, given its left side. Let z(s) be the number of times that
the process is expected to pass through state s: the choice p of the child X in s that leads to t gives
``t -> s X`` with p z(s) / z(t). So the probabilities of a symbol add up to one, and a tree has the product of
its choices.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import Float64Array

NEW_OUTCOMES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
"""The weights of new outcomes that a level may have."""

COLLINS = 5.0
"""The weight of new outcomes in Collins (1999, section 7.4), from which the search begins."""

LEVELS = 5

RARE_HEAD = 0.01
"""The share of a symbol's heads below which a head gets no sisters but those that were seen."""


class Child(NamedTuple):
    """A child as its sisters see it, without what its symbol remembers."""

    tag: bool
    label: str
    function: str


STOP = Child(True, "", "")
"""The outcome that ends the children on one side."""

Context: TypeAlias = tuple[Child, ...] | Literal["alone", "beside"]
"""The last children on a side, the outermost first. Or there is none: the head is ``alone``, or has children
on the other side ``beside`` it."""

LEFT, RIGHT = 0, 1


class State(NamedTuple):
    """A node that is not complete: its symbol, its head, the side where children are added, its level."""

    symbol: int
    head: Child
    side: int
    level: int | str


class SmoothedRule(NamedTuple):
    """A rule between symbols' codes and states, which are symbols that are not nodes.

    right  None in a rule of one symbol
    head   the position of the head: 0 or 1
    """

    parent: int | State
    left: int | State
    right: int | State | None
    head: int
    probability: float


@dataclass(frozen=True)
class _LeftOut:
    """Choices of the training set, each with what is counted at each level if one of its kind is omitted.

    number  how many choices of a kind there are, shape ``(kinds,)``
    seen, total, outcomes
            how often its history had this outcome, any, and how many different ones; shape
            ``(levels, kinds)``
    all     the number of outcomes that its label has anywhere, shape ``(kinds,)``
    """

    number: Float64Array
    seen: Float64Array
    total: Float64Array
    outcomes: Float64Array
    all: Float64Array

    @classmethod
    def of(
        cls, choices: Counter[tuple[tuple[Any, ...], Child]], levels: Sequence[dict[Any, Counter[Child]]]
    ) -> _LeftOut:
        """Leave one out of each kind of choice."""
        distinct = list(choices)
        counts = [[level[h[level_index]] for h, _ in distinct] for level_index, level in enumerate(levels)]
        seen = np.array([[c[k[1]] - 1 for c, k in zip(row, distinct, strict=True)] for row in counts], float)
        total = np.array([[c.total() - 1 for c in row] for row in counts], float)
        different = np.array([[len(c) for c in row] for row in counts], float)
        # A level that counted the same as the next one is no level of its own.
        total[1, [one == other for one, other in zip(counts[1], counts[2], strict=True)]] = 0
        number = np.array(list(choices.values()), float)
        return cls(number, seen, total, different - (seen == 0), different[-1])

    def log_probability(self, weights: Sequence[float]) -> float:
        """Return the logarithm of the probability of all choices."""
        probability = 1 / self.all
        levels = zip(weights, self.seen, self.total, self.outcomes, strict=True)
        for weight, seen, total, outcomes in reversed(list(levels)):
            new = weight * outcomes
            mixed = (seen + new * probability) / np.maximum(total + new, 1)
            probability = np.where(total > 0, mixed, probability)
        return float(self.number @ np.log(probability))


class _Process(NamedTuple):
    """Children on one side of one kind of head.

    contexts   the states: ``alone``, ``beside``, then contexts with a child; the empty one stands for all
               that were not seen with this head
    outcomes   probabilities, shape ``(contexts, outcomes)``; STOP is the last outcome
    following  the state after each child in each state, shape ``(contexts, outcomes - 1)``
    unseen     which outcomes were never seen with this head on this side; they need no state of their own
    """

    contexts: tuple[Context, ...]
    outcomes: Float64Array
    following: NDArray[np.intp]
    unseen: NDArray[np.intp]


NOTHING: Context = ()
FIRST_WITH_CHILD = 2
"""The position of the first context that has a child: ``alone`` and ``beside`` come before."""


@dataclass
class HeadOutward:
    """Counts of heads and of their sisters, from which smoothed rules are made.

    horizontal  how many children nearer to the head a child depends on; -1: all
    learned     whether the weights of levels are learned by leaving one out; else they are those of Collins
    """

    horizontal: int
    learned: bool = False
    _labels: dict[int, Child] = field(default_factory=dict)
    _heads: dict[int, Counter[Child]] = field(default_factory=lambda: defaultdict(Counter))
    _levels: tuple[dict[Any, Counter[Child]], ...] = field(
        default_factory=lambda: tuple(defaultdict(Counter) for _ in range(LEVELS))
    )
    _choices: Counter[tuple[tuple[Any, ...], Child]] = field(default_factory=Counter)
    _contexts: dict[Any, set[Context]] = field(default_factory=lambda: defaultdict(set))
    _over_one: set[tuple[Child, Child]] = field(default_factory=set)

    def add(self, symbol: int, label: Child, children: Sequence[Child], head: int) -> None:
        """Count a node by its symbol, its label, its children and the position of the head among them."""
        self._labels[symbol] = label
        centre = children[head]
        self._heads[symbol][centre] += 1
        if len(children) == 1:
            self._over_one.add((label, centre))
        right = children[head + 1 :]
        for side, sisters in ((RIGHT, right), (LEFT, children[:head][::-1])):
            context: Context = "beside" if side == LEFT and right else "alone"
            for sister in (*sisters, STOP):
                there = isinstance(context, tuple)
                histories = (
                    (symbol, centre, side, context),
                    (symbol, centre, side, there),
                    (label, centre, side, there),
                    (label, side, there),
                    label,
                )
                self._choices[histories, sister] += 1
                for level, history in zip(self._levels, histories, strict=True):
                    level[history][sister] += 1
                if there:
                    self._contexts[symbol, centre, side].add(context)
                context = self._after(context, sister)

    def _after(self, context: Context, child: Child) -> tuple[Child, ...]:
        longer = (child, *context) if isinstance(context, tuple) else (child,)
        return longer if self.horizontal < 0 else longer[: self.horizontal]

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """Weight of new outcomes at each level, the finest first; asked for when all is counted."""
        weights = [COLLINS] * LEVELS
        if not self.learned:
            return tuple(weights)
        left_out = _LeftOut.of(self._choices, self._levels)
        best = left_out.log_probability(weights)
        improved = True
        while improved:
            improved = False
            for level, weight in product(range(LEVELS), NEW_OUTCOMES):
                other = [*weights[:level], weight, *weights[level + 1 :]]
                log_probability = left_out.log_probability(other)
                # Not every rounding of a sum is an improvement.
                if log_probability > best + 1e-9 * abs(best):
                    weights, best, improved = other, log_probability, True
        return tuple(weights)

    def rules(self, symbol_of: Callable[[int, Child], int | None]) -> Iterator[SmoothedRule]:
        """Return the rules of all symbols.

        ``symbol_of(symbol, child)`` is a child's symbol below another, or None if there is none: only
        children that have a symbol are generated.
        """
        for symbol, label in self._labels.items():
            outcomes = (*sorted(child for child in self._levels[4][label] if child != STOP), STOP)
            codes = [symbol_of(symbol, child) for child in outcomes[:-1]]
            possible = np.array([code is not None for code in codes] + [True])
            heads = self._heads[symbol]
            for centre, count in heads.items():
                chosen = count / heads.total()
                left, right = (
                    self._process(symbol, centre, side, outcomes, possible) for side in (LEFT, RIGHT)
                )
                code = symbol_of(symbol, centre)
                assert code is not None
                made = _Rules(symbol, code, centre, chosen, codes)
                yield from made.of(left, right)

    def _process(
        self, symbol: int, centre: Child, side: int, outcomes: Sequence[Child], possible: NDArray[np.bool_]
    ) -> _Process:
        label = self._labels[symbol]
        number_of = {outcome: number for number, outcome in enumerate(outcomes)}
        rows = []
        contexts: tuple[Context, ...] = (
            "alone", "beside", NOTHING, *sorted(self._contexts[symbol, centre, side] - {NOTHING}),
        )  # fmt: skip
        first, second, third, fourth, last = self._levels
        weights = self.weights
        uniform = np.full(len(outcomes), 1 / len(outcomes))
        coarsest = _mixed(uniform, last.get(label), number_of, weights[4])
        coarse = {}
        for there in (False, True):
            row = _mixed(coarsest, fourth.get((label, side, there)), number_of, weights[3])
            row = _mixed(row, third.get((label, centre, side, there)), number_of, weights[2])
            if second.get((symbol, centre, side, there)) != third.get((label, centre, side, there)):
                row = _mixed(row, second.get((symbol, centre, side, there)), number_of, weights[1])
            coarse[there] = row
        for context in contexts:
            row = coarse[isinstance(context, tuple)]
            if context != NOTHING:
                row = _mixed(row, first.get((symbol, centre, side, context)), number_of, weights[0])
            rows.append(row)
        seen = {child for there in (False, True) for child in second.get((symbol, centre, side, there), ())}
        table = np.where(possible, np.array(rows), 0.0)
        if side == LEFT and (label, centre) not in self._over_one:
            table[0, -1] = 0.0
        if self._heads[symbol][centre] < RARE_HEAD * self._heads[symbol].total():
            possible = possible & np.array([child in seen or child == STOP for child in outcomes])
            possible_mass = np.where(possible, table, 0.0)
            # A head that must not be alone gets any sister rather than none.
            table = np.where(possible_mass.sum(axis=1, keepdims=True) > 0, possible_mass, table)
        table = table / table.sum(axis=1, keepdims=True)
        unseen = [n for n, child in enumerate(outcomes[:-1]) if child not in seen and possible[n]]
        return _Process(contexts, table, self._following(contexts, outcomes), np.array(unseen, np.intp))

    def _following(self, contexts: Sequence[Context], outcomes: Sequence[Child]) -> NDArray[np.intp]:
        number_of = {context: number for number, context in enumerate(contexts)}
        following = np.zeros((len(contexts), len(outcomes) - 1), np.intp)
        for row, context in enumerate(contexts):
            for column, child in enumerate(outcomes[:-1]):
                longest: tuple[Child, ...] = self._after(context, child)
                while longest not in number_of:
                    longest = longest[:-1]
                following[row, column] = number_of[longest]
        return following


@dataclass(frozen=True)
class _Rules:
    """Rules of a node with one head.

    symbol, head  codes of the node's and of the head's symbol
    chosen        the probability of the head
    codes         the children's symbols, None if there is none
    """

    symbol: int
    head: int
    centre: Child
    chosen: float
    codes: Sequence[int | None]

    def of(self, left: _Process, right: _Process) -> Iterator[SmoothedRule]:
        """Yield rules from the head to the complete node."""
        alone = np.zeros(len(right.contexts))
        alone[0] = 1.0
        passed, through = _passed(right, alone)
        ended = passed * right.outcomes[:, -1]
        beside = float(ended[FIRST_WITH_CHILD:].sum())
        done = self._state("done", RIGHT)
        yield from self._side(RIGHT, right, passed, through, [self.head, self.head])
        if beside > 0:
            for number in range(FIRST_WITH_CHILD, len(passed)):
                yield SmoothedRule(done, self._state(number, RIGHT), None, 0, ended[number] / beside)
        begun = np.zeros(len(left.contexts))
        begun[:FIRST_WITH_CHILD] = ended[0], beside
        passed, through = _passed(left, begun)
        yield from self._side(LEFT, left, passed, through, [self.head, done])
        with_child = (self._state(number, LEFT) for number in range(FIRST_WITH_CHILD, len(passed)))
        states: tuple[int | State, ...] = (self.head, done, *with_child)
        for state, probability in zip(states, self.chosen * passed * left.outcomes[:, -1], strict=True):
            yield SmoothedRule(self.symbol, state, None, 0, float(probability))

    def _state(self, context: int | str, side: int) -> State:
        return State(self.symbol, self.centre, side, context)

    def _side(
        self, side: int, process: _Process, passed: Float64Array, through: float, start: Sequence[int | State]
    ) -> Iterator[SmoothedRule]:
        """Yield the rules that add a child; one that was never seen here is added in the state ``unseen``."""
        unseen = self._state("unseen", side)
        new = np.zeros(process.outcomes.shape[1] - 1, np.bool_)
        new[process.unseen] = True
        for row in range(len(process.contexts)):
            if passed[row] <= 0:
                continue
            with_child = row >= FIRST_WITH_CHILD
            inner = self._state(row, side) if with_child else start[row]
            to_unseen = float(process.outcomes[row, process.unseen].sum()) if with_child else 0.0
            if to_unseen > 0:
                yield SmoothedRule(unseen, inner, None, 0, to_unseen * passed[row] / through)
            for column, code in enumerate(self.codes):
                if code is not None and not (with_child and new[column]):
                    weight = float(process.outcomes[row, column] * passed[row])
                    yield self._adding(side, inner, code, int(process.following[row, column]), weight, passed)
        if through > 0:
            # Whatever the context, children that were not seen here have the same proportions.
            shares = process.outcomes[FIRST_WITH_CHILD, process.unseen]
            for column, share in zip(process.unseen.tolist(), (shares / shares.sum()).tolist(), strict=True):
                code = self.codes[column]
                assert code is not None
                yield self._adding(side, unseen, code, FIRST_WITH_CHILD, share * through, passed)

    def _adding(
        self, side: int, inner: int | State, child: int, to: int, weight: float, passed: Float64Array
    ) -> SmoothedRule:
        first, second = (child, inner) if side == LEFT else (inner, child)
        probability = weight / float(passed[to]) if weight else 0.0
        return SmoothedRule(self._state(to, side), first, second, int(side == LEFT), probability)


def _passed(process: _Process, begun: Float64Array) -> tuple[Float64Array, float]:
    """Return the expected number of passes of each state, and of children that were not seen there."""
    count = len(process.contexts)
    moves = np.zeros((count, count))
    for row in range(count):
        np.add.at(moves[row], process.following[row], process.outcomes[row, :-1])
    passed = np.asarray(np.linalg.solve((np.eye(count) - moves).T, begun), np.float64)
    with_child = process.outcomes[FIRST_WITH_CHILD:, process.unseen].sum(axis=1)
    return passed, float((passed[FIRST_WITH_CHILD:] * with_child).sum())


def _mixed(
    coarser: Float64Array, counts: Counter[Child] | None, number_of: dict[Child, int], weight: float
) -> Float64Array:
    """Mix relative frequencies with a coarser distribution (Witten and Bell 1991)."""
    if not counts:
        return coarser
    mixed: Float64Array = weight * len(counts) * coarser
    for outcome, count in counts.items():
        mixed[number_of[outcome]] += count
    mixed /= mixed.sum()
    return mixed
