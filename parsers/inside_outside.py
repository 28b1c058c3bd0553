"""Learning without trees: the probabilities of a given grammar re-estimated on sentences.

Lari, Karim, and Steve Young (1990): The estimation of stochastic context-free grammars using the
inside-outside algorithm. Computer Speech and Language 4. A round replaces each rule's probability by how
often the rule is expected to be used, relative to its parent; the likelihood of the sentences never
falls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from crossbank.parsers.chart_parsing import MEMORY, UNMASKED, ChartArrays, inside_probability
from crossbank.parsers.loops.outside import Uses, fill_posteriors
from crossbank.parsers.probabilistic_grammar import Grammar, rules
from crossbank.treebanks.arrays import BoolMatrix, Float64Array, Int32Array
from crossbank.treebanks.ranges import for_each

BLOCK = 64
"""Sentences whose expected counts are added up together; blocks do not depend on the number of threads."""


class BracketedRound(NamedTuple):
    """Result of a round of re-estimation.

    grammar  with the new probabilities
    log2     the logarithm (base 2) of the likelihood of the parsed sentences before the round
    parsed   how many sentences have a derivation; the others are not learned from
    """

    grammar: Grammar
    log2: float
    parsed: int


class BracketedDerivations(NamedTuple):
    """Derivations that agree with the brackets of sentences.

    group    the group of each symbol, shape ``(symbols,)``
    allowed  for each sentence the groups that each cell of its chart may have, shape ``(cells, groups)``
    """

    group: Int32Array
    allowed: Sequence[BoolMatrix]


class Expected(NamedTuple):
    """Expected number of uses of each rule: as the columns of a grammar."""

    binary: Float64Array
    unary: Float64Array
    lexicon: Float64Array


def reestimate(
    grammar: Grammar,
    sentences: Sequence[Int32Array],
    *,
    brackets: BracketedDerivations | None = None,
    limit: int = MEMORY,
) -> BracketedRound:
    """Return the grammar after a round of re-estimation on sentences.

    sentences  the indices of their terminals

    A symbol that no derivation uses keeps its probabilities.
    """
    expected, log2, parsed = expected_counts(grammar, sentences, brackets=brackets, limit=limit)
    sums = grammar.with_probabilities(*expected).sums()
    new = [
        np.where(sums[table[:, 0]] > 0, counts / np.maximum(sums[table[:, 0]], 1e-300), before)
        for (table, before), counts in zip(grammar.tables, expected, strict=True)
    ]
    return BracketedRound(replace(grammar.with_probabilities(*new), frequency=sums), log2, parsed)


def expected_counts(
    grammar: Grammar,
    sentences: Sequence[Int32Array],
    *,
    brackets: BracketedDerivations | None = None,
    limit: int = MEMORY,
) -> tuple[Expected, float, int]:
    """Return the expected count of each rule, the log likelihood, and the number of parsed sentences."""
    sums = grammar.total if brackets is None else rules(grammar, logarithms=False, group=brackets.group)
    blocks = max(1, -(-len(sentences) // BLOCK))
    counts = [np.zeros((blocks, len(table))) for table, _ in grammar.tables]
    log2 = np.full(len(sentences), -np.inf)

    def add_up(block: int, arrays: ChartArrays) -> None:
        own = Uses(*(column[block] for column in counts))
        for sentence in range(block * BLOCK, min((block + 1) * BLOCK, len(sentences))):
            words = sentences[sentence]
            allowed = UNMASKED if brackets is None else brackets.allowed[sentence]
            log2[sentence], reason = inside_probability(sums, grammar.start, words, arrays, allowed)
            if not reason:
                fill_posteriors(sums, arrays.filled, words, grammar.start, own)

    for_each(range(blocks), partial(ChartArrays, len(grammar.symbols), sums=True, limit=limit), add_up)
    # The loops have the rules in an order of their own.
    totals = [np.zeros(len(table)) for table, _ in grammar.tables]
    for column, order, total in zip(counts, grammar.orders, totals, strict=True):
        total[order] = column.sum(axis=0)
    parsed = np.isfinite(log2)
    return Expected(*totals), float(log2[parsed].sum()), int(parsed.sum())
