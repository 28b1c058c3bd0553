"""Re-estimation of head-lexicalised grammars from expected counts of lexicalised events, in rounds.

Carroll, Glenn, and Mats Rooth (1998): Valence Induction with a Head-Lexicalized PCFG. EMNLP. Beil, Franz, et
al. (2002): Evaluation of the Gramotron Parser for German. Beyond PARSEVAL, sections 4 and 5.1. Without
smoothing the likelihood of the sentences never falls; with it, it may.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from crossbank.parsers.chart_parsing import MINUS_INFINITY, NO_DERIVATION, Best, ChartPair, DerivationNodes
from crossbank.parsers.lexical_counts import LexicalCounts, LexicalModel
from crossbank.parsers.loops.lexicalised_sums import (
    LexicalChart,
    OfEvents,
    derivation,
    fill_expected,
    fill_values,
    root_value,
)
from crossbank.parsers.packed_forests import Packed, Packer
from crossbank.treebanks.arrays import Float64Array, Int32Array
from crossbank.treebanks.ranges import for_each

BLOCK = 32
"""Sentences whose expected counts are added up together; blocks do not depend on the number of threads."""


class CodedSentence(NamedTuple):
    """A sentence: the indices of its terminals in the grammar, and of its words among the heads."""

    terminals: Int32Array
    heads: Int32Array


class EstimationRound(NamedTuple):
    """Result of a round of re-estimation.

    model   the model with the new counts
    log2    the logarithm (base 2) of the likelihood of the parsed sentences before the round
    parsed  number of sentences with a derivation; the others are not used
    tokens  number of tokens in these sentences
    """

    model: LexicalModel
    log2: float
    parsed: int
    tokens: int


class WeightedForest(NamedTuple):
    """A forest with the weights of its sentence's words."""

    packed: Packed
    chart: LexicalChart
    weights: OfEvents

    def value(self, *, best: bool) -> tuple[float, int, int]:
        """Return the sentence's value: a number, the power of two to multiply it by, and the best head."""
        return root_value(self.packed.forest, self.chart, self.packed.root, self.weights, best)


def fill_forest(model: LexicalModel, packed: Packed, heads: Int32Array, *, best: bool) -> WeightedForest:
    """Return the forest of a sentence with its inside values filled in."""
    rules, choice = model.rule_weights(heads, packed.rules), model.choice_weights(heads, packed.pairs)
    weights = OfEvents(rules, choice, model.root_weights(heads))
    chart = LexicalChart(packed.cells, packed.values, packed.hooked, best=best)
    fill_values(packed.forest, chart, weights, best)
    return WeightedForest(packed, chart, weights)


def expected_counts(
    model: LexicalModel, packer: Packer, sentences: Sequence[CodedSentence]
) -> tuple[LexicalCounts, Float64Array]:
    """Return the expected counts of lexicalised events, and log2 of each sentence's probability."""
    log2 = np.full(len(sentences), MINUS_INFINITY)
    _prepare(model)

    def add_up(block: int, charts: ChartPair) -> LexicalCounts:
        parts = []
        for index in range(block * BLOCK, min((block + 1) * BLOCK, len(sentences))):
            log2[index], filled = _sum_derivations(model, packer, sentences[index], charts)
            if isinstance(filled, WeightedForest):
                parts.append(_count_events(model, filled, sentences[index].heads))
        return LexicalCounts.joined(parts)

    blocks = max(1, -(-len(sentences) // BLOCK))
    return LexicalCounts.joined(for_each(range(blocks), packer.allocate, add_up)), log2


def _sum_derivations(
    model: LexicalModel, packer: Packer, sentence: CodedSentence, charts: ChartPair
) -> tuple[float, WeightedForest | str]:
    """Return the logarithm (base 2) of a sentence's probability, and its forest or why there is none."""
    packed, reason = packer.pack(sentence.terminals, charts)
    if packed is None:
        return MINUS_INFINITY, reason
    filled = fill_forest(model, packed, sentence.heads, best=False)
    number, exponent, _ = filled.value(best=False)
    return (np.log2(number) + exponent, filled) if number > 0 else (MINUS_INFINITY, NO_DERIVATION)


def _count_events(model: LexicalModel, filled: WeightedForest, heads: Int32Array) -> LexicalCounts:
    packed, headed = filled.packed, model.headed
    length = len(heads)
    weights = filled.weights
    rules, choice, roots = (np.zeros_like(column) for column in (weights.rules, weights.choice, weights.root))
    fill_expected(packed.forest, filled.chart, packed.root, weights, OfEvents(rules, choice, roots))
    rule, token = np.nonzero(rules)
    head = heads.astype(np.int64)
    rule_keys = head[token] * len(headed.parent) + packed.rules[rule]
    pair, above, below = np.unravel_index(np.flatnonzero(choice), (len(packed.pairs), length, length))
    root = np.flatnonzero(roots)
    pairs = len(headed.pool_of_pair)
    of_choices = (head[above] * pairs + packed.pairs[pair]) * model.heads + head[below]
    of_roots = (model.heads * pairs + headed.root_pair) * model.heads + head[root]
    choice_keys = np.concatenate([of_choices, of_roots])
    choices = np.concatenate([choice[choice != 0], roots[root]])
    return LexicalCounts.joined([LexicalCounts(rule_keys, rules[rule, token], choice_keys, choices)])


def _prepare(model: LexicalModel) -> None:
    """Compute the model's cached tables before several threads use them."""
    _ = (model.rules_by_head, model.choices_by_head, model.rule_probability, model.by_pair, model.by_pool)


def reestimate(model: LexicalModel, packer: Packer, sentences: Sequence[CodedSentence]) -> EstimationRound:
    """Return the model after a round of re-estimation.

    Events without an expected count back off to counts without heads.
    """
    counts, log2 = expected_counts(model, packer, sentences)
    parsed = np.isfinite(log2)
    tokens = sum(len(s.heads) for s, known in zip(sentences, parsed.tolist(), strict=True) if known)
    changed = replace(model, counts=counts) if parsed.any() else model
    return EstimationRound(changed, float(log2[parsed].sum()), int(parsed.sum()), tokens)


def inside_probabilities(
    model: LexicalModel, packer: Packer, sentences: Sequence[CodedSentence]
) -> tuple[Float64Array, list[str]]:
    """Return the logarithm (base 2) of each sentence's probability, and the reasons for zeros.

    The probability is summed over all derivations.
    """
    _prepare(model)
    results = for_each(sentences, packer.allocate, partial(_sum_derivations, model, packer))
    reasons = ["" if isinstance(filled, WeightedForest) else filled for _, filled in results]
    return np.array([log2 for log2, _ in results], np.float64), reasons


def best_derivations(model: LexicalModel, packer: Packer, sentences: Sequence[CodedSentence]) -> list[Best]:
    """Return the most probable derivation of each sentence."""
    _prepare(model)

    def parse(sentence: CodedSentence, charts: ChartPair) -> Best:
        packed, reason = packer.pack(sentence.terminals, charts)
        if packed is None:
            return Best(MINUS_INFINITY, None, reason)
        filled = fill_forest(model, packed, sentence.heads, best=True)
        number, exponent, head = filled.value(best=True)
        if head < 0:
            return Best(MINUS_INFINITY, None, NO_DERIVATION)
        items = np.empty(0, np.int32)
        while (count := derivation(packed.forest, filled.chart, packed.root, head, items)) > len(items):
            items = np.empty(count, np.int32)
        nodes = DerivationNodes(packed.symbol[items], packed.start[items], packed.end[items])
        return Best(float(np.log2(number)) + exponent, nodes, "")

    return for_each(sentences, packer.allocate, parse)
