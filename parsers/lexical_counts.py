"""Counts of lexicalised events, and their smoothed probabilities.

Carroll, Glenn, and Mats Rooth (1998): Valence Induction with a Head-Lexicalized PCFG. EMNLP: probabilities
given a head are discounted and backed off to those without it. Ney, Hermann, Ute Essen and Reinhard Kneser
(1994): On structuring probabilistic dependences in stochastic language modelling. Computer Speech and
Language 8: absolute discounting. A count c becomes max(c - d, 0); expected counts may be below d, so that
what the lower distribution gets is the sum of min(c, d).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.parsers.headed_grammar import HeadedGrammar
from crossbank.parsers.loops.discounting import (
    CountsByHead,
    CountsByWord,
    add_discounted,
    fill_choice_weights,
    fill_rule_weights,
)
from crossbank.treebanks.arrays import Float64Array, Float64Matrix, Int32Array, Int64Array, offsets_of


class LexicalCounts(NamedTuple):
    """Counts of events: keys in ascending order, and the count of each.

    A key of a rule is ``head * rules + rule``; one of a choice is ``(above * pairs + pair) * heads + below``,
    where the root's head has ``heads`` above it.
    """

    rule_keys: Int64Array
    rule_counts: Float64Array
    choice_keys: Int64Array
    choice_counts: Float64Array

    @classmethod
    def none(cls) -> LexicalCounts:
        """Return counts of no event."""
        return cls(np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int64), np.zeros(0))

    @classmethod
    def joined(cls, parts: Sequence[LexicalCounts]) -> LexicalCounts:
        """Return the sums of several tables, added up in their order."""
        rules = _added([(part.rule_keys, part.rule_counts) for part in parts])
        return cls(*rules, *_added([(part.choice_keys, part.choice_counts) for part in parts]))


def _sums(index: NDArray[np.integer], values: Float64Array, size: int) -> Float64Array:
    """Return the sum of the values at each index, shape ``(size,)``."""
    return np.bincount(index, values, minlength=size).astype(np.float64)


def _added(parts: Sequence[tuple[Int64Array, Float64Array]]) -> tuple[Int64Array, Float64Array]:
    if not parts:
        return np.zeros(0, np.int64), np.zeros(0)
    keys = np.concatenate([keys for keys, _ in parts])
    distinct, index = np.unique(keys, return_inverse=True)
    return distinct, _sums(index, np.concatenate([counts for _, counts in parts]), len(distinct))


@dataclass(frozen=True, eq=False)
class LexicalModel:
    """Probabilities of a head-lexicalised grammar.

    headed    the grammar, with unlexicalised probabilities
    heads     number of distinct heads
    counts    of lexicalised events; without any, rules have their unlexicalised probabilities and all heads
              are equally probable, as Beil et al. (2002), section 5.1, begin
    discount  number subtracted from each count; 0: no smoothing of events in contexts with counts
    """

    headed: HeadedGrammar
    heads: int
    counts: LexicalCounts
    discount: float

    @cached_property
    def rules_by_head(self) -> CountsByHead:
        """Counts of rules, by head; the context is the category."""
        rules = len(self.headed.parent)
        head, rule = np.divmod(self.counts.rule_keys, rules)
        parent = self.headed.parent[rule]
        return self._by_head(head, rule, parent, parent, self.counts.rule_counts, self.heads)

    @cached_property
    def choices_by_head(self) -> CountsByHead:
        """Counts of heads below, by the head above; the context is the pair of categories."""
        above, pair, below = self._choices
        return self._by_head(above, pair, below, pair, self.counts.choice_counts, self.heads + 1)

    def _by_head(
        self,
        head: Int64Array,
        event: NDArray[np.integer],
        outcome: NDArray[np.integer],
        context: NDArray[np.integer],
        count: Float64Array,
        heads: int,
    ) -> CountsByHead:
        """Return the counts sorted by head."""
        width = int(context.max(initial=0)) + 1
        contexts, index = np.unique(head * width + context, return_inverse=True)
        begin, context_begin = (
            offsets_of(np.bincount(of, minlength=heads)) for of in (head, contexts // width)
        )
        total, freed = (_sums(index, of, len(contexts)) for of in (count, np.minimum(count, self.discount)))
        events = begin, event.astype(np.int32), outcome.astype(np.int32), count
        context_of = (contexts % width).astype(np.int32)
        return CountsByHead(*events, context_begin, context_of, total, freed, self.discount)

    @property
    def _choices(self) -> tuple[Int64Array, Int64Array, Int64Array]:
        rest, below = np.divmod(self.counts.choice_keys, self.heads)
        above, pair = np.divmod(rest, len(self.headed.pool_of_pair))
        return above, pair, below

    @cached_property
    def rule_probability(self) -> Float64Array:
        """P(rule | category) from counts over all heads, backed off to the unlexicalised grammar.

        So, with a discount above 0, every derivation of the unlexicalised grammar has a probability.
        """
        headed, symbols = self.headed, len(self.headed.grammar.symbols)
        rule = self.counts.rule_keys % len(headed.parent)
        count = _sums(rule, self.counts.rule_counts, len(headed.parent))
        total = _sums(headed.parent, count, symbols)[headed.parent]
        freed = _sums(headed.parent, np.minimum(count, self.discount), symbols)[headed.parent]
        weighed = np.maximum(count - self.discount, 0.0) + freed * headed.probability
        return np.divide(weighed, total, out=headed.probability.copy(), where=total > 0)

    @cached_property
    def by_pair(self) -> LowerCounts:
        """Counts of heads below, by the pair of categories."""
        _, pair, below = self._choices
        pairs = len(self.headed.pool_of_pair)
        return LowerCounts.of(below, pair, self.counts.choice_counts, self.heads, pairs, self.discount)

    @cached_property
    def by_pool(self) -> LowerCounts:
        """Counts of heads below, by their category."""
        _, pair, below = self._choices
        pool, pools = self.headed.pool_of_pair[pair], int(self.headed.pools.max(initial=0)) + 1
        return LowerCounts.of(below, pool, self.counts.choice_counts, self.heads, pools, self.discount)

    def rule_weights(self, heads: Int32Array, rules: Int32Array) -> Float64Matrix:
        """Return P(rule | category, head) for the heads of a sentence, shape ``(rules, tokens)``."""
        local = _index_of(rules, len(self.headed.parent))
        weights = np.empty((len(rules), len(heads)))
        parent, lower = self.headed.parent[rules], self.rule_probability[rules]
        fill_rule_weights(self.rules_by_head, heads, local, parent, lower, weights)
        return weights

    def choice_weights(self, heads: Int32Array, pairs: Int32Array) -> Float64Array:
        """Return P(head | pair, head above), shape ``(pairs, tokens, tokens)``; the head above is first."""
        return self._choice_weights(heads, heads, pairs)

    def root_weights(self, heads: Int32Array) -> Float64Array:
        """Return P(head | category of the root), shape ``(tokens,)``."""
        root = np.array([self.headed.root_pair], np.int32)
        return self._choice_weights(np.array([self.heads], np.int32), heads, root)

    def _choice_weights(self, above: Int32Array, heads: Int32Array, pairs: Int32Array) -> Float64Array:
        lower = self._given_pairs(heads, pairs).ravel()
        weights = np.empty(len(pairs) * len(above) * len(heads))
        local = _index_of(pairs, len(self.headed.pool_of_pair))
        fill_choice_weights(self.choices_by_head, above, heads, local, lower, weights)
        return weights

    def _given_pairs(self, heads: Int32Array, pairs: Int32Array) -> Float64Matrix:
        """Return P(head | pair), backed off to P(head | category) and to a uniform distribution of heads."""
        pools, pool = np.unique(self.headed.pool_of_pair[pairs], return_inverse=True)
        lowest = np.full((len(pools), len(heads)), 1.0 / self.heads)
        given_pools = self.by_pool.weights(heads, pools, lowest)
        return self.by_pair.weights(heads, pairs, given_pools[pool])


class LowerCounts(NamedTuple):
    """Counts of words given an event without a head, and the discounted proportion of each event."""

    counts: CountsByWord
    freed: Float64Array

    @classmethod
    def of(
        cls,
        word: Int64Array,
        event: NDArray[np.integer],
        count: Float64Array,
        words: int,
        events: int,
        discount: float,
    ) -> LowerCounts:
        """Return the counts of words and events that may occur several times."""
        keys, index = np.unique(word * events + event, return_inverse=True)
        sums = _sums(index, count, len(keys))
        of_key = keys % events
        total = _sums(of_key, sums, events)
        taken = _sums(of_key, np.minimum(sums, discount), events)
        freed = np.divide(taken, total, out=np.ones(events), where=total > 0)
        begin = offsets_of(np.bincount(keys // events, minlength=words))
        return cls(CountsByWord(begin, of_key.astype(np.int32), sums, total, discount), freed)

    def weights(self, words: Int32Array, events: Int32Array, lower: Float64Matrix) -> Float64Matrix:
        """Return P(word | event), shape ``(events, words)``; ``lower`` is the distribution backed off to."""
        weights = np.ascontiguousarray(self.freed[events][:, np.newaxis] * lower)
        add_discounted(self.counts, words, _index_of(events, len(self.freed)), weights)
        return weights


def _index_of(chosen: Int32Array, size: int) -> Int32Array:
    """Return the index of each number below ``size`` among the chosen ones, or -1."""
    index_of = np.full(size, -1, np.int32)
    index_of[chosen] = np.arange(len(chosen), dtype=np.int32)
    return index_of
