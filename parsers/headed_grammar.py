"""A grammar with heads for lexicalised models: its rules, and the pairs of categories in them.

Beil, Franz, et al. (2002): Evaluation of the Gramotron Parser for German. Beyond PARSEVAL, section 4. A rule
is chosen given the category and its head; the head of every child that is not the head is chosen given
the child's category, the parent's category and the parent's head. The paper pools categories in this choice:
an adjective is chosen given the noun, whatever the case of their phrase.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from crossbank.parsers.probabilistic_grammar import Grammar, GrammarError
from crossbank.treebanks.arrays import Float64Array, Int32Array

Pooling: TypeAlias = Literal["none", "context", "functions"]


@dataclass(frozen=True, eq=False)
class HeadedGrammar:
    """A grammar whose binary rules have heads.

    Rules are numbered: binary ones, unary ones, then for each symbol the rule that ends a lineage of heads,
    ``<terminal>`` in the paper, which leaves the word to be chosen.

    one_word  whether a head is the word itself, so that P(word | category, head) is 1
    pooling   what the choice of heads ignores: ``none``: nothing; ``context``: what
              symbols remember besides labels and functions; ``functions``: the parent's function neither
    """

    grammar: Grammar
    one_word: bool
    pooling: Pooling = "context"

    def __post_init__(self) -> None:
        """Raise GrammarError if the heads of binary rules are unknown."""
        if self.grammar.heads is None and len(self.grammar.binary):
            raise GrammarError("grammar: the rules have no heads to lexicalise it with")

    @property
    def heads(self) -> Int32Array:
        """Child of each binary rule that is its head: 0 or 1."""
        return np.zeros(0, np.int32) if self.grammar.heads is None else self.grammar.heads

    @cached_property
    def parent(self) -> Int32Array:
        """Category of each rule, shape ``(rules,)``."""
        grammar = self.grammar
        symbols = np.arange(len(grammar.symbols), dtype=np.int32)
        return np.concatenate([grammar.binary[:, 0], grammar.unary[:, 0], symbols])

    @cached_property
    def probability(self) -> Float64Array:
        """Unlexicalised probability of each rule given its category, shape ``(rules,)``."""
        grammar = self.grammar
        return np.concatenate([grammar.binary_probability, grammar.unary_probability, self.of_words])

    @cached_property
    def of_words(self) -> Float64Array:
        """Probability that each symbol is one over a word, shape ``(symbols,)``."""
        grammar = self.grammar
        sums = np.zeros(len(grammar.symbols))
        np.add.at(sums, grammar.lexicon[:, 0], grammar.lexicon_probability)
        return sums

    @cached_property
    def of_words_given_tags(self) -> Float64Array:
        """P(word | category, head) of each lexical entry, whatever the head."""
        grammar = self.grammar
        if self.one_word:
            return np.ones(len(grammar.lexicon))
        sums = self.of_words[grammar.lexicon[:, 0]]
        return np.divide(grammar.lexicon_probability, sums, out=np.zeros(len(sums)), where=sums > 0)

    @cached_property
    def first_of_words(self) -> int:
        """Number of the first symbol's rule over a word."""
        return len(self.grammar.binary) + len(self.grammar.unary)

    @cached_property
    def pools(self) -> Int32Array:
        """Category of each symbol in lexical choices, shape ``(symbols,)``."""
        return self._pooled(functions=True)

    def _pooled(self, *, functions: bool) -> Int32Array:
        if self.pooling == "none":
            return np.arange(len(self.grammar.symbols), dtype=np.int32)
        numbers: dict[tuple[bool, str, str], int] = {}
        keys = ((s.type == "tag", s.label, s.function if functions else "") for s in self.grammar.symbols)
        return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int32)

    @cached_property
    def _pairs(self) -> tuple[Int32Array, Int32Array]:
        binary, pools = self.grammar.binary, self.pools
        above = self._pooled(functions=self.pooling != "functions")
        count = int(pools.max(initial=0)) + 1
        other = np.where(self.heads == 0, binary[:, 2], binary[:, 1])
        # The root's head is chosen without a parent: its category is paired with no category.
        keys = np.append(
            pools[other].astype(np.int64) * (count + 1) + above[binary[:, 0]],
            int(pools[self.grammar.start]) * (count + 1) + count,
        )
        used, pair = np.unique(keys, return_inverse=True)
        return pair.astype(np.int32), (used // (count + 1)).astype(np.int32)

    @property
    def pair(self) -> Int32Array:
        """Pair of categories in whose choice each binary rule results, shape ``(binary rules,)``."""
        return self._pairs[0][:-1]

    @property
    def root_pair(self) -> int:
        """Pair of the root's category with none."""
        return int(self._pairs[0][-1])

    @property
    def pool_of_pair(self) -> Int32Array:
        """Category of the child in each pair, shape ``(pairs,)``."""
        return self._pairs[1]
