"""K best derivations of a sentence, the best first: ``loops/further_derivations.py`` finds them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from crossbank.parsers.chart_parsing import (
    FULL,
    MINUS_INFINITY,
    NO_DERIVATION,
    NO_GAIN,
    UNMASKED,
    Best,
    ChartArrays,
    DerivationNodes,
    chart_of,
    written,
)
from crossbank.parsers.loops.further_derivations import (
    FurtherDerivations,
    best_ones,
    nodes_of_derivation,
    score_of,
)
from crossbank.parsers.loops.viterbi import best_score, fill_best
from crossbank.parsers.probabilistic_grammar import Grammar
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.ranges import for_each

BYTES_OF_A_DERIVATION = 40

BYTES_OF_A_NODE = 200
"""The memory of a node of a derivation, from here to the file that its tree is written to, as measured."""


def k_best_derivations(
    grammar: Grammar, sentences: Sequence[Int32Array], k: int, *, limit: int
) -> list[list[Best]]:
    """Return the ``k`` best derivations of each sentence, or fewer; where there is none, one that says why.

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
