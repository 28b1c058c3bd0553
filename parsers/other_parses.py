"""The k best parses, and the parse with the most correct constituents.

``loops/further_derivations.py`` finds the k best derivations of a sentence, the best first.

Goodman, Joshua (1996): Parsing Algorithms and Metrics. ACL: the labelled recall algorithm. Of the trees
that the grammar derives, the one with the highest expected number of correct labelled constituents is
taken; a constituent's probability is the sum over all derivations that have it, whatever its symbols
remember besides the label.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from crossbank.parsers.chart_parsing import (
    FULL,
    MINUS_INFINITY,
    NO_DERIVATION,
    NO_GAIN,
    SENTENCES_WORTH_A_THREAD,
    UNMASKED,
    Best,
    ChartArrays,
    ChartPair,
    DerivationNodes,
    best_derivation,
    chart_of,
    chart_pair,
    inside_probability,
    posteriors,
    written,
)
from crossbank.parsers.loops.further_derivations import (
    FurtherDerivations,
    best_ones,
    nodes_of_derivation,
    score_of,
)
from crossbank.parsers.loops.viterbi import best_score, fill_best
from crossbank.parsers.probabilistic_grammar import Grammar, rules
from crossbank.parsers.treebank_grammar import distinct_labels
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.ranges import for_each

BYTES_OF_A_DERIVATION = 40

BYTES_OF_A_NODE = 200
"""Measured memory of a node of a derivation, up to the file to which its tree is written."""


def k_best_derivations(
    grammar: Grammar, sentences: Sequence[Int32Array], k: int, *, limit: int
) -> list[list[Best]]:
    """Return the ``k`` best derivations of each sentence, or fewer; without any, one entry with the reason.

    A sentence's chart may take ``limit`` bytes, and so may its derivations, and the nodes of their trees: a
    cycle of unary rules makes each derivation longer than the one before.
    """
    _ = grammar.best, grammar.by_parent
    allocate = partial(ChartArrays, len(grammar.symbols), sums=False, limit=limit)
    return for_each(sentences, allocate, partial(_k_best, grammar, k))


def _k_best(grammar: Grammar, k: int, words: Int32Array, arrays: ChartArrays) -> list[Best]:
    chart = chart_of(arrays, words, lambda chart: fill_best(grammar.best, chart, words, UNMASKED, NO_GAIN))
    if isinstance(chart, str):
        return [Best(MINUS_INFINITY, None, chart)]
    if best_score(chart, grammar.start, len(words)) == MINUS_INFINITY:
        return [Best(MINUS_INFINITY, None, NO_DERIVATION)]
    derivations = FurtherDerivations(grammar.best, grammar.by_parent, chart, words)
    roots = np.empty(k, np.int32)
    count = best_ones(derivations, grammar.start, arrays.limit // BYTES_OF_A_DERIVATION, roots)
    most = arrays.limit // BYTES_OF_A_NODE

    def nodes(derivation: int) -> DerivationNodes:
        return written(
            len(words), lambda nodes: nodes_of_derivation(derivations, grammar.start, derivation, nodes)
        )

    best: list[Best] = []
    while count > len(best) and most >= 0:
        one = int(roots[len(best)])
        made = nodes(one)
        most -= len(made.symbol)
        best.append(Best(score_of(derivations, one), made, ""))
    if count == FULL or most < 0:
        reason = (
            f"too long: its {k} best derivations need more than {arrays.limit >> 20} MB, which is the limit"
        )
        return [Best(MINUS_INFINITY, None, reason)]
    return best


def maximum_bracket_parses(grammar: Grammar, sentences: Sequence[Int32Array], *, limit: int) -> list[Best]:
    """Return the tree of each sentence with the most expected correct constituents.

    The logarithm in the result is that of the most probable derivation, which may have another tree.
    """
    labels, group = distinct_labels(grammar)
    # Every rule is free: only the gain of each node counts.
    free = grammar.with_probabilities(*(np.ones(len(table)) for table, _ in grammar.tables))
    sums = rules(grammar, logarithms=False, group=group)
    adding = rules(free, logarithms=True, group=group)
    own = grammar.best

    def parse(words: Int32Array, charts: ChartPair) -> Best:
        inner, outer = charts
        best = best_derivation(own, grammar.start, words, outer)
        _, reason = inside_probability(sums, grammar.start, words, inner)
        if best.nodes is None:
            return best
        if reason:
            return best._replace(nodes=None, reason=reason)
        gain = posteriors(grammar, sums, words, inner, len(labels))
        gain[:, 0] = 0.0  # intermediate symbols are not constituents
        chosen = best_derivation(adding, grammar.start, words, outer, UNMASKED, gain)
        return best._replace(nodes=chosen.nodes, reason=chosen.reason)

    return for_each(sentences, partial(chart_pair, grammar, grammar, limit), parse, SENTENCES_WORTH_A_THREAD)
