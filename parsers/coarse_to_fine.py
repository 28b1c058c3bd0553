"""Pruning by a coarser grammar, whose symbols are labels only.

Charniak, Eugene, et al. (2006): Multilevel Coarse-to-fine PCFG Parsing. NAACL. A constituent that is
improbable under the coarse grammar is omitted from the fine one's chart. The result is
not exact: the loss is measured on a sample of the sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from crossbank.parsers.chart_parsing import (
    NO_DERIVATION,
    SENTENCES_WORTH_A_THREAD,
    Best,
    ChartPair,
    best_derivation,
    best_derivations,
    chart_pair,
    inside_probability,
    posteriors,
)
from crossbank.parsers.probabilistic_grammar import Grammar, GrammarBuilder, Symbol, expected_symbols, rules
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.ranges import for_each

MAX_SAMPLED = 100
"""Maximal number of sentences that are also parsed without pruning, to measure the loss."""


@dataclass(frozen=True)
class Loss:
    """Loss by pruning, on sentences that were also parsed without pruning.

    sentences  the number of sentences
    worse      the number of sentences whose best parse is less probable with pruning, or missing
    unparsed   the number of sentences that have a parse only without pruning
    bits       the mean decrease of the logarithm (base 2) of the best probability, over sentences with a
               parse both with and without pruning
    """

    sentences: int
    worse: int
    unparsed: int
    bits: float

    def __str__(self) -> str:
        return (
            f"of {quantity(self.sentences, 'sentence')} parsed without pruning too, {self.worse} have a less "
            f"probable parse with it, {self.unparsed} of them none; the others lost {self.bits:.4f} bits "
            "on average"
        )


@dataclass(frozen=True, eq=False)
class CoarseToFine:
    """A grammar with a coarser one.

    projection  for each symbol its index in the coarse grammar
    threshold   the minimal expected number of a coarse constituent that is not pruned
    """

    fine: Grammar
    coarse: Grammar
    projection: Int32Array
    threshold: float

    @classmethod
    def of(cls, grammar: Grammar, threshold: float) -> CoarseToFine:
        """Return a grammar with its projection: each coarse rule has the expected count of the fine ones."""
        keys = _coarse_keys(grammar)
        builder = GrammarBuilder()
        projection = [
            builder.symbol(key, Symbol(f"{key[0]}:{key[1]}", key[1], type=symbol.type))
            for key, symbol in zip(keys, grammar.symbols, strict=True)
        ]
        number = expected_symbols(grammar)
        binary, unary, lexicon = grammar.listed()
        for rule, p in (*binary, *unary):
            weight = float(number[rule[0]]) * p
            parent, *children = (projection[code] for code in rule)
            if children != [parent]:
                builder.add_rule(parent, children, weight)
        for (symbol, terminal), p in lexicon:
            builder.add_word(projection[symbol], grammar.terminals[terminal], float(number[symbol]) * p)
        coarse = builder.build(projection[grammar.start], relative=True)
        return cls(grammar, coarse, np.array(projection, np.int32), threshold)

    def best_derivations(self, sentences: Sequence[Int32Array], *, limit: int) -> list[Best]:
        """Return the best derivation of each sentence within the constituents that are not pruned."""
        own, symbols = np.arange(len(self.coarse.symbols), dtype=np.int32), len(self.coarse.symbols)
        sums = rules(self.coarse, logarithms=False, group=own)
        logarithms = rules(self.fine, logarithms=True, group=self.projection)
        codes = self.coarse.terminal_codes
        terminals = np.array([codes.get(terminal, -1) for terminal in self.fine.terminals], np.int32)

        def parse(words: Int32Array, charts: ChartPair) -> Best:
            above = np.where(words >= 0, terminals[words], -1).astype(np.int32)
            log2, reason = inside_probability(sums, self.coarse.start, above, charts[0])
            if reason:
                return Best(log2, None, reason)
            allowed = posteriors(self.coarse, sums, above, charts[0], symbols) >= self.threshold
            best = best_derivation(logarithms, self.fine.start, words, charts[1], allowed)
            if best.nodes is None and best.reason == NO_DERIVATION:
                return best._replace(reason="pruning left no derivation, or the grammar has none")
            return best

        allocate = partial(chart_pair, self.coarse, self.fine, limit)
        return for_each(sentences, allocate, parse, SENTENCES_WORTH_A_THREAD)

    def loss(self, sentences: Sequence[Int32Array], pruned: Sequence[Best], *, limit: int) -> Loss:
        """Return the loss by pruning on a sample of sentences, evenly spaced."""
        step = max(1, len(sentences) // MAX_SAMPLED)
        sample = range(0, len(sentences), step)
        exact = best_derivations(self.fine, [sentences[index] for index in sample], limit=limit)
        parsed = ((one, index) for one, index in zip(exact, sample, strict=True) if one.nodes is not None)
        pairs = [(one.log2, pruned[index].log2) for one, index in parsed]
        both = [(one, other) for one, other in pairs if np.isfinite(other)]
        bits = sum(one - other for one, other in both) / len(both) if both else 0.0
        worse = sum(other < one - 1e-9 for one, other in pairs)
        return Loss(len(sample), worse, len(pairs) - len(both), bits)


def _coarse_keys(grammar: Grammar) -> list[tuple[str, str]]:
    """Return the type and the label of each symbol's coarse symbol.

    The label of an intermediate symbol is its constituent's.
    """
    labels = {code: s.label for code, s in enumerate(grammar.symbols) if s.type != "intermediate"}
    children: dict[int, list[int]] = {}
    for parent, left, right in grammar.binary.tolist():
        children.setdefault(parent, []).extend((left, right))
    for parent, child in grammar.unary.tolist():
        children.setdefault(parent, []).append(child)
    waiting = list(labels)
    while waiting:
        parent = waiting.pop()
        for child in children.get(parent, ()):
            if child not in labels:
                labels[child] = labels[parent]
                waiting.append(child)
    return [(symbol.type, labels.get(code, "")) for code, symbol in enumerate(grammar.symbols)]
