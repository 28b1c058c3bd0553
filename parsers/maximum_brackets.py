"""Parsing for the most correct constituents instead of the most probable tree.

Goodman, Joshua (1996): Parsing Algorithms and Metrics. ACL: the labelled recall algorithm. Of the trees
that the grammar derives, the one with the highest expected number of correct labelled constituents is
taken; a constituent's probability is the sum over all derivations that have it, whatever its symbols
remember besides the label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from crossbank.parsers.chart_parsing import (
    UNMASKED,
    Best,
    Room,
    best_derivation,
    inside_probability,
    posteriors,
)
from crossbank.parsers.grammar import Grammar, rules
from crossbank.parsers.treebank_grammar import distinct_labels
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.ranges import in_ranges


def maximum_bracket_parses(grammar: Grammar, sentences: Sequence[Int32Array], *, limit: int) -> list[Best]:
    """For each sentence the tree with the most expected correct constituents.

    The logarithm that comes with it is that of the best derivation's probability, which may be another
    tree's.
    """
    labels, group = distinct_labels(grammar)
    # Every rule is free: only the gain of each node counts.
    free = replace(
        grammar,
        binary_probability=np.ones(len(grammar.binary)),
        unary_probability=np.ones(len(grammar.unary)),
        lexicon_probability=np.ones(len(grammar.lexicon)),
    )
    sums = rules(grammar, logarithms=False, group=group)
    adding = rules(free, logarithms=True, group=group)
    found: list[Best | None] = [None] * len(sentences)

    def parse(first: int, last: int) -> None:
        inner = Room(len(grammar.symbols), sums=True, limit=limit)
        outer = Room(len(grammar.symbols), sums=False, limit=limit)
        for sentence in range(first, last):
            words = sentences[sentence]
            best = best_derivation(grammar.best, grammar.start, words, outer)
            _, reason = inside_probability(sums, grammar.start, words, inner)
            if best.nodes is not None and reason:
                best = best._replace(nodes=None, reason=reason)
            if best.nodes is not None:
                gain = posteriors(grammar, sums, words, inner, len(labels))
                gain[:, 0] = 0.0  # intermediate symbols are no constituents
                chosen = best_derivation(adding, grammar.start, words, outer, UNMASKED, gain)
                best = best._replace(nodes=chosen.nodes, reason=chosen.reason)
            found[sentence] = best

    _ = grammar.best
    in_ranges(parse, len(sentences), 4)
    return [best for best in found if best is not None]
