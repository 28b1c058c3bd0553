"""Fragments: the best sequence of constituents for a sentence that no tree of the grammar spans.

The start symbol derives any sequence of phrases and tags, each with the share that it has among the nodes of
the grammar's trees. A sentence of more than ``longest`` tokens, or one whose chart would not fit into memory,
is cut into equal segments; their fragments are those of the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from crossbank.parsers.chart_parsing import MEMORY, Best, ChartArrays, DerivationNodes, best_derivation
from crossbank.parsers.probabilistic_grammar import Grammar, GrammarBuilder, Symbol, expected_symbols
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.ranges import for_each

LAST_PROBABILITY = 0.5
"""The probability that a fragment is the last one."""

FRAGMENTS_PROBABILITY = 0.01
"""The probability of an analysis by fragments, in sums over all analyses."""

SENTENCE_SYMBOL = "@sentence"
"""The name of the symbol for trees and fragments."""

FURTHER_SYMBOL = "@fragments"
"""The name of the symbol for the fragments that follow the first."""


@dataclass(frozen=True, eq=False)
class Fragments:
    """A grammar with the rules for fragments.

    longest  the maximal number of tokens of a segment
    """

    grammar: Grammar
    longest: int

    @cached_property
    def extended(self) -> Grammar:
        """Grammar with a start symbol that derives fragments only."""
        grammar = self.grammar
        more = len(grammar.symbols)
        top = more + 1
        number = expected_symbols(grammar)
        number[[symbol.type == "intermediate" for symbol in grammar.symbols]] = 0.0
        number[grammar.start] = 0.0
        roots = np.flatnonzero(number).astype(np.int32)
        share = number[roots] / number.sum()
        start = grammar.symbols[grammar.start]
        names = GrammarBuilder()
        for code, symbol in enumerate(grammar.symbols):
            names.symbol(code, symbol)
        names.symbol(more, Symbol(FURTHER_SYMBOL, start.label, start.function, "intermediate"))
        names.symbol(top, start)

        def beside(parent: int) -> Int32Array:
            return np.column_stack([np.full_like(roots, parent), roots, np.full_like(roots, more)])

        def alone(parent: int) -> Int32Array:
            return np.column_stack([np.full_like(roots, parent), roots])

        return Grammar(
            tuple(names.symbols),
            grammar.terminals,
            top,
            np.concatenate([grammar.binary, beside(top), beside(more)]),
            np.concatenate(
                [grammar.binary_probability, (1 - LAST_PROBABILITY) * share, (1 - LAST_PROBABILITY) * share]
            ),
            np.concatenate([grammar.unary, alone(top), alone(more)]),
            np.concatenate([grammar.unary_probability, LAST_PROBABILITY * share, LAST_PROBABILITY * share]),
            grammar.lexicon,
            grammar.lexicon_probability,
        )

    @cached_property
    def mixed(self) -> Grammar:
        """Grammar with a start symbol that derives trees, and rarely fragments."""
        extended = self.extended
        top = len(extended.symbols)
        start = extended.symbols[self.grammar.start]
        both = np.array([[top, self.grammar.start], [top, extended.start]], np.int32)
        return replace(
            extended,
            symbols=(*extended.symbols, start._replace(name=SENTENCE_SYMBOL)),
            start=top,
            unary=np.concatenate([extended.unary, both]),
            unary_probability=np.concatenate(
                [extended.unary_probability, [1 - FRAGMENTS_PROBABILITY, FRAGMENTS_PROBABILITY]]
            ),
        )

    def filled_in(
        self, sentences: Sequence[Int32Array], derivations: Sequence[Best], *, limit: int = MEMORY
    ) -> list[Best]:
        """Return the derivations, with fragments for sentences with tokens that have no derivation."""
        filled = list(derivations)
        missing = [
            index for index, best in enumerate(derivations) if best.nodes is None and len(sentences[index])
        ]
        if missing:
            _ = self.extended.best
            allocate = partial(ChartArrays, len(self.extended.symbols), sums=False, limit=limit)
            parses = for_each([sentences[index] for index in missing], allocate, self.best)
            for index, best in zip(missing, parses, strict=True):
                filled[index] = best
        return filled

    def best(self, words: Int32Array, arrays: ChartArrays) -> Best:
        """Return the most probable fragments of a sentence."""
        segments = -(-len(words) // self.longest)
        while True:
            derivations = [
                best_derivation(self.extended.best, self.extended.start, segment, arrays)
                for segment in np.array_split(words, segments)
            ]
            if all(best.nodes is not None for best in derivations) or segments >= len(words):
                return self._joined(derivations)
            segments = min(2 * segments, len(words))

    def _joined(self, derivations: Sequence[Best]) -> Best:
        """Return the fragments of all segments below one start symbol."""
        without = next((best for best in derivations if best.nodes is None), None)
        if without is not None:
            return without
        columns: list[list[Int32Array]] = [[], [], []]
        offset = fragments = 0
        for best in derivations:
            assert best.nodes is not None
            symbol, start, end = best.nodes
            fragments += 1 + int((symbol == len(self.grammar.symbols)).sum())
            remaining = (symbol != len(self.grammar.symbols)) & (symbol != self.extended.start)
            for column, values in zip(columns, (symbol, start + offset, end + offset), strict=True):
                column.append(values[remaining].astype(np.int32))
            offset += int(end[0])
        top = (self.grammar.start, 0, offset)
        pairs = zip(top, columns, strict=True)
        nodes = DerivationNodes(*(np.concatenate([np.array([first], np.int32), *c]) for first, c in pairs))
        return Best(sum(best.log2 for best in derivations), nodes, "", fragments)
