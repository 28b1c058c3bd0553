"""Parsing for the most correct constituents instead of the most probable tree.

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
    SENTENCES_WORTH_A_THREAD,
    UNMASKED,
    Best,
    ChartPair,
    best_derivation,
    chart_pair,
    inside_probability,
    posteriors,
)
from crossbank.parsers.probabilistic_grammar import Grammar, rules
from crossbank.parsers.treebank_grammar import distinct_labels
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.ranges import for_each


def maximum_bracket_parses(grammar: Grammar, sentences: Sequence[Int32Array], *, limit: int) -> list[Best]:
    """Return the tree of each sentence with the most expected correct constituents.

    The logarithm that comes with it is that of the best derivation's probability, which may be another
    tree's.
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
        gain[:, 0] = 0.0  # intermediate symbols are no constituents
        chosen = best_derivation(adding, grammar.start, words, outer, UNMASKED, gain)
        return best._replace(nodes=chosen.nodes, reason=chosen.reason)

    return for_each(sentences, partial(chart_pair, grammar, grammar, limit), parse, SENTENCES_WORTH_A_THREAD)
