"""Probabilistic context-free grammars whose rules have one or two symbols on the right, and a lexicon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.parsers.loops.chart import Rules
from crossbank.parsers.loops.further_derivations import RulesByParent
from crossbank.parsers.unary_chains import chain_sums, children_first
from crossbank.treebanks.arrays import Float64Array, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.errors import CrossbankError

SymbolType = Literal["phrase", "tag", "intermediate"]

TOLERANCE = 0.01
"""The distance from one that a symbol's probabilities may have, as in ``nltk.PCFG``: texts round them."""

ROUNDS = 200
"""The number of times that expected numbers of symbols are passed on from parents to children."""


class GrammarError(CrossbankError):
    """A grammar that cannot be used: its probabilities do not add up to one, or its text cannot be read."""


class Symbol(NamedTuple):
    """A symbol of a grammar, and the part of a tree for which it stands.

    name      as the grammar's text has it: ``NP^S``
    label     the category or tag without annotation: ``NP``
    function  the function that is part of the symbol, or the empty string
    type      ``phrase``, ``tag`` or ``intermediate``: one that binarisation brought in, no node of a tree
    """

    name: str
    label: str
    function: str = ""
    type: SymbolType = "phrase"


@dataclass(frozen=True, eq=False)
class Grammar:
    """A grammar in flat columns; symbols and terminals are referred to by their position.

    symbols, terminals   those of the grammar; no name occurs twice
    start                the symbol of whole sentences
    binary               parent, left and right child, shape ``(rules, 3)``
    unary                parent and child, shape ``(rules, 2)``
    lexicon              symbol and terminal, shape ``(entries, 2)``
    binary_probability, unary_probability, lexicon_probability  of each rule given its parent
    heads                which child of each binary rule is its head, 0 or 1, shape ``(rules,)``; None where
                         nothing says so
    frequency            how often each symbol was counted, shape ``(symbols,)``; None if that is not
                         known. A rule's frequency is its probability times its parent's frequency
    beam                 in charts of best derivations, constituents are omitted whose probability times the
                         expected number of their symbol is less than that of the best one over the same
                         tokens by this many bits; 0: none, and derivations are exact
    """

    symbols: tuple[Symbol, ...]
    terminals: tuple[str, ...]
    start: int
    binary: Int32Array
    binary_probability: Float64Array
    unary: Int32Array
    unary_probability: Float64Array
    lexicon: Int32Array
    lexicon_probability: Float64Array
    heads: Int32Array | None = None
    frequency: Float64Array | None = None
    beam: float = 0.0

    def __repr__(self) -> str:
        return (
            f"<Grammar of {len(self.symbols)} symbols, {len(self.binary) + len(self.unary)} rules, "
            f"{len(self.lexicon)} entries of {len(self.terminals)} terminals>"
        )

    @cached_property
    def terminal_codes(self) -> Mapping[str, int]:
        """Place of each terminal."""
        return {terminal: code for code, terminal in enumerate(self.terminals)}

    @property
    def tables(self) -> tuple[tuple[Int32Array, Float64Array], ...]:
        """Binary rules, unary rules and lexical entries, each with their probabilities."""
        return (
            (self.binary, self.binary_probability),
            (self.unary, self.unary_probability),
            (self.lexicon, self.lexicon_probability),
        )

    def listed(self) -> list[list[tuple[list[int], float]]]:
        """Return the same tables as lists of codes and probabilities."""
        return [list(zip(table.tolist(), p.tolist(), strict=True)) for table, p in self.tables]

    def with_probabilities(self, binary: Float64Array, unary: Float64Array, lexicon: Float64Array) -> Grammar:
        """Return the same rules with other probabilities."""
        return replace(self, binary_probability=binary, unary_probability=unary, lexicon_probability=lexicon)

    def sums(self) -> Float64Array:
        """Return the sum of each symbol's probabilities, shape ``(symbols,)``."""
        sums = np.zeros(len(self.symbols))
        for table, probability in self.tables:
            np.add.at(sums, table[:, 0], probability)
        return sums

    def check(self, where: str) -> Grammar:
        """Return the grammar itself, if its rules are of its symbols, whose probabilities add up to one.

        Raises GrammarError, which names the grammar by ``where``, and what is wrong.
        """
        symbols, terminals = len(self.symbols), len(self.terminals)
        names = (*self.terminals, *(part for symbol in self.symbols for part in symbol))
        if not all(isinstance(name, str) for name in names):
            raise GrammarError(f"{where}: found a symbol or terminal that is no string, expected strings")
        for rules, codes in (
            (self.binary, symbols),
            (self.unary, symbols),
            (self.lexicon[:, :1], symbols),
            (self.lexicon[:, 1:], terminals),
            (np.array([self.start]), symbols),
        ):
            if rules.size and not (rules.min() >= 0 and rules.max() < codes):
                raise GrammarError(
                    f"{where}: found a rule with symbol {rules.min()} or {rules.max()}, expected those "
                    f"from 0 to {codes - 1}"
                )
        if self.frequency is not None and not (
            self.frequency.shape == (symbols,) and np.isfinite(self.frequency).all()
        ):
            raise GrammarError(f"{where}: found other frequencies, expected a number for each symbol")
        for _, column in self.tables:
            if not ((column >= 0) & (column <= 1)).all():
                raise GrammarError(
                    f"{where}: found a probability of {column.min()}, expected one from 0 to 1"
                )
        sums = self.sums()
        wrong = np.flatnonzero((sums > 0) & (np.abs(sums - 1) > TOLERANCE))
        if len(wrong):
            name = self.symbols[int(wrong[0])].name
            raise GrammarError(
                f"{where}: found probabilities of {name} that add up to {sums[wrong[0]]:.6g}, expected 1"
            )
        return self

    @cached_property
    def orders(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Order in which the loops have binary rules, unary rules and lexical entries.

        Binary rules are sorted by their left child, lexical entries by their terminal; unary rules stand
        after those of their child.
        """
        return (
            np.argsort(self.binary[:, 1], kind="stable"),
            children_first(self.unary, len(self.symbols))[0],
            np.argsort(self.lexicon[:, 1], kind="stable"),
        )

    @cached_property
    def has_cycles(self) -> bool:
        """Return whether a symbol derives itself by unary rules."""
        return children_first(self.unary, len(self.symbols))[1]

    @cached_property
    def best(self) -> Rules:
        """Rules for best derivations: weights are logarithms with base 2."""
        return rules(self, logarithms=True, beam=self.beam)

    @cached_property
    def by_parent(self) -> RulesByParent:
        """Rules of each symbol, with the numbers that ``best`` gives them."""
        binary = self.binary[self.orders[0], 0]
        unary = self.unary[self.orders[1], 0]
        return RulesByParent(
            _offsets(binary, len(self.symbols)),
            np.argsort(binary, kind="stable").astype(np.int32),
            _offsets(unary, len(self.symbols)),
            np.argsort(unary, kind="stable").astype(np.int32),
        )

    @cached_property
    def total(self) -> Rules:
        """Rules for sums over all derivations."""
        return rules(self, logarithms=False)


def rules(grammar: Grammar, *, logarithms: bool, group: Int32Array | None = None, beam: float = 0.0) -> Rules:
    """Return a grammar's rules for the loops.

    group  the group of each symbol; without it all symbols are in one
    """
    by_left, order, by_terminal = grammar.orders
    binary, unary = grammar.binary[by_left], grammar.unary[order]
    chained = np.zeros(0, np.int32) if logarithms else order
    chains = chain_sums(grammar.unary[chained], grammar.unary_probability[chained], len(grammar.symbols))

    def weights(probability: Float64Array) -> Float64Array:
        with np.errstate(divide="ignore"):
            return np.ascontiguousarray(np.log2(probability) if logarithms else probability)

    symbols, lexicon = len(grammar.symbols), grammar.lexicon[by_terminal]
    parent, left, right = map(np.ascontiguousarray, binary.T)
    unary_parent, unary_child = map(np.ascontiguousarray, unary.T)
    of_two = _offsets(left, symbols), parent, left, right, weights(grammar.binary_probability[by_left])
    of_one = unary_parent, unary_child, weights(grammar.unary_probability[order]), grammar.has_cycles
    tags, of_tags = np.ascontiguousarray(lexicon[:, 0]), weights(grammar.lexicon_probability[by_terminal])
    of_words = _offsets(lexicon[:, 1], len(grammar.terminals)), tags, of_tags
    group = np.zeros(symbols, np.int32) if group is None else group
    prior = weights(expected_symbols(grammar)) if beam else np.zeros(0)
    return Rules(*of_two, *of_one, *of_words, *chains, group, prior, beam)


def expected_symbols(grammar: Grammar) -> Float64Array:
    """Return the expected number of nodes of each symbol in a derivation, shape ``(symbols,)``."""
    count = len(grammar.symbols)
    start = np.zeros(count)
    start[grammar.start] = 1.0
    binary, unary = grammar.binary, grammar.unary
    parent = np.concatenate([binary[:, 0], binary[:, 0], unary[:, 0]])
    child = np.concatenate([binary[:, 1], binary[:, 2], unary[:, 1]])
    probability = np.concatenate(
        [grammar.binary_probability, grammar.binary_probability, grammar.unary_probability]
    )
    number = start
    for _ in range(ROUNDS):
        number = start + np.bincount(child, number[parent] * probability, count)
    return number


def _offsets(sorted_codes: Int32Array, codes: int) -> Int64Array:
    return offsets_of(np.bincount(sorted_codes, minlength=codes))


class GrammarBuilder:
    """Collects weighted rules, which become probabilities given their parent, or already are.

    Symbols are identified by keys of any kind; a key's symbol is made when it is first seen.
    """

    def __init__(self) -> None:
        self.symbols: list[Symbol] = []
        self._codes: dict[object, int] = {}
        self._names: set[str] = set()
        self._terminals: dict[str, int] = {}
        self.binary: dict[tuple[int, int, int], float] = {}
        self.unary: dict[tuple[int, int], float] = {}
        self.lexicon: dict[tuple[int, int], float] = {}
        self._heads: dict[tuple[int, int, int], float] = {}

    def symbol(self, key: object, symbol: Symbol) -> int:
        """Return the code of a key; ``symbol`` is its meaning if the key is new."""
        code = self._codes.get(key)
        if code is None:
            code = self._codes[key] = len(self.symbols)
            name = symbol.name
            while name in self._names:
                name += "'"
            self._names.add(name)
            self.symbols.append(symbol._replace(name=name))
        return code

    def code(self, key: object) -> int | None:
        """Return the code of a key that was seen before, else None."""
        return self._codes.get(key)

    def add_binary(
        self, parent: int, left: int, right: int, weight: float = 1.0, head: int | None = None
    ) -> None:
        """Count a rule of two symbols; ``head`` says which of them is the head, 0 or 1.

        A rule has the head that it has more often; the left one if both are as frequent.
        """
        rule = (parent, left, right)
        self.binary[rule] = self.binary.get(rule, 0.0) + weight
        if head is not None:
            self._heads[rule] = self._heads.get(rule, 0.0) + (weight if head else -weight)

    def add_unary(self, parent: int, child: int, weight: float = 1.0) -> None:
        """Count a rule of one symbol."""
        rule = (parent, child)
        self.unary[rule] = self.unary.get(rule, 0.0) + weight

    def add_word(self, symbol: int, terminal: str, weight: float = 1.0) -> None:
        """Count a symbol over a terminal."""
        entry = (symbol, self._terminals.setdefault(terminal, len(self._terminals)))
        self.lexicon[entry] = self.lexicon.get(entry, 0.0) + weight

    def add_rule(self, parent: int, children: Sequence[int], weight: float, head: int | None = None) -> None:
        """Count a rule of any number of symbols, one of which may be the head; longer ones are binarised.

        They are binarised from the outside to the head, or from the left. An intermediate symbol stands for
        the rest of the right side, and with a head for a part of the parent, whose label it has. Each has one
        rule, with the probability one.
        """
        above = self.symbols[parent]
        while len(children) > 2:
            from_left = head is None or head > 0
            rest = tuple(children[1:] if from_left else children[:-1])
            inner = head - 1 if head else head
            of = rest if head is None else (parent, *rest)
            key = ("rest", of, inner)
            new = self.code(key) is None
            name = "@" + "_".join(self.symbols[child].name for child in of)
            label, function = (name, "") if head is None else (above.label, above.function)
            code = self.symbol(key, Symbol(name, label, function, "intermediate"))
            pair = (children[0], code) if from_left else (code, children[-1])
            self.add_binary(parent, *pair, weight, head if head is None else int(from_left))
            if not new:
                return
            parent, children, head, weight = code, rest, inner, 1.0
        if len(children) == 2:
            self.add_binary(parent, children[0], children[1], weight, head)
        else:
            self.add_unary(parent, children[0], weight)

    def build(self, start: int, *, relative: bool) -> Grammar:
        """Return the grammar; with ``relative`` weights are divided by the sum of their parent's."""
        tables: Any = ((self.binary, 3), (self.unary, 2), (self.lexicon, 2))
        columns = [_columns(rules, width) for rules, width in tables]
        sums = np.zeros(len(self.symbols))
        for rules, weight in columns:
            np.add.at(sums, rules[:, 0], weight)
        (binary, b), (unary, u), (lexicon, w) = (
            (rules, weight / sums[rules[:, 0]] if relative else weight) for rules, weight in columns
        )
        heads = None
        if self._heads:
            heads = np.array([self._heads.get(tuple(rule), 0.0) > 0 for rule in binary.tolist()], np.int32)
        symbols, terminals = tuple(self.symbols), tuple(self._terminals)
        frequency = sums if relative else None
        return Grammar(symbols, terminals, start, binary, b, unary, u, lexicon, w, heads, frequency)


def _columns(rules: Mapping[tuple[int, ...], float], width: int) -> tuple[Int32Array, Float64Array]:
    """Return the rules that have a weight, sorted by their codes, and the weights."""
    positive = sorted((rule, weight) for rule, weight in rules.items() if weight > 0)
    codes = np.array([rule for rule, _ in positive], np.int32).reshape(-1, width)
    return codes, np.array([weight for _, weight in positive], np.float64)
