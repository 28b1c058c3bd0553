"""A parser of projective dependencies with a weight for each feature, learned by the averaged perceptron.

Collins, Michael (2002): Discriminative Training Methods for Hidden Markov Models. EMNLP. The features are
those of McDonald et al. (2005), the search is Eisner's. Sentences whose gold tree is not projective are
learned from as well, although the best projective tree is never fully correct.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np

from crossbank.parsers.dependency_trees import (
    RelationsOfArcs,
    as_treebank,
    dependencies_of,
    heads_of,
    words_to_parse,
)
from crossbank.parsers.loops.arc_features import FeatureKeys, score_arcs, update
from crossbank.parsers.loops.eisner import best_heads
from crossbank.parsers.model_c import refuse_several, require_memory
from crossbank.parsers.parsed import Inside, Parsed
from crossbank.parsers.unknown_words import normal_form
from crossbank.treebanks import OptionError, Treebank
from crossbank.treebanks.arrays import Float64Array, Int32Array
from crossbank.treebanks.ranges import each, for_each

NUMBER_OF_WEIGHTS = 1 << 20
"""The size of the table of weights; a power of two."""

ROOT_KEY = 3
"""The number of the root's word and tag."""


@dataclass(frozen=True)
class ArcFactoredOptions:
    """Options of the training of weights.

    rounds  the number of passes over the training set
    seed    of the random order of sentences in each pass
    """

    rounds: int = 8
    seed: int = 1


@dataclass(frozen=True, eq=False)
class ArcFactored:
    """A trained parser; ``weights`` has the shape ``(NUMBER_OF_WEIGHTS,)``."""

    weights: Float64Array
    relations: RelationsOfArcs
    options: ArcFactoredOptions
    scheme: str | None = None

    name = "arc_factored"
    position = 40
    output = "dependencies"
    probabilities = False
    options_class = ArcFactoredOptions

    @classmethod
    def train(cls, bank: Treebank, scheme: str | None, options: ArcFactoredOptions) -> ArcFactored:
        """Learn weights. Raises ConversionError if there are no dependencies."""
        made = dependencies_of(bank, scheme)
        weights, sums = np.zeros(NUMBER_OF_WEIGHTS), np.zeros(NUMBER_OF_WEIGHTS)
        sentences = [(_keys(made, s), heads_of(made, s)) for s in range(len(made))]
        random = np.random.default_rng(options.seed)
        step = 1.0
        for _ in each(range(options.rounds), "training", "rounds"):
            for index in random.permutation(len(sentences)).tolist():
                keys, gold = sentences[index]
                update(keys, gold, _best(keys, len(gold), weights), step, weights, sums)
                step += 1.0
        return cls(weights - sums / step, RelationsOfArcs.learn(made), options, scheme)

    def describe(self) -> str:
        """Return the result of training, in a line."""
        return f"{np.count_nonzero(self.weights)} weights"

    def parse(self, bank: Treebank, best: int = 1) -> Parsed:
        """Return the best projective tree of each sentence."""
        refuse_several(self.name, best)
        words = words_to_parse(bank, self.scheme)
        lengths = words.tokens.lengths().tolist()

        def one(sentence: int, _: None) -> Int32Array | None:
            if not lengths[sentence]:
                return None
            require_memory(lengths[sentence], words.where(sentence))
            return _best(_keys(words, sentence), lengths[sentence] + 1, self.weights)

        head_lists = for_each(range(len(words)), lambda: None, one, 4)
        reasons = ["" if heads is not None else "no tokens" for heads in head_lists]
        log2 = np.where([heads is not None for heads in head_lists], 0.0, -np.inf)
        return Parsed(as_treebank(words, head_lists, self.relations), words, log2, reasons)

    def inside(self, bank: Treebank, *, spelled: bool = True) -> Inside:
        """Raise OptionError, since weights are not probabilities."""
        raise OptionError("parser", self.name, "one with probabilities: pcfg or model_c")

    def content(self) -> dict[str, Any]:
        """Return the weights that are not zero, and their indices."""
        indices = np.flatnonzero(self.weights)
        return {
            "places": indices.tolist(),
            "weights": self.weights[indices].tolist(),
            "relations": self.relations.content(),
        }

    @classmethod
    def of(
        cls, content: Mapping[str, Any], options: ArcFactoredOptions, scheme: str | None, where: str
    ) -> ArcFactored:
        """Return a parser from plain lists.

        Raises ValueError for weights that are not numbers or are out of range.
        """
        weights, indices = np.zeros(NUMBER_OF_WEIGHTS), np.array(content["places"], np.int64)
        if indices.size and not (indices.min() >= 0 and indices.max() < NUMBER_OF_WEIGHTS):
            raise ValueError(
                f"a weight at {indices.min()} or {indices.max()}, not from 0 to {NUMBER_OF_WEIGHTS - 1}"
            )
        weights[indices] = content["weights"]
        if not np.isfinite(weights).all():
            raise ValueError("a weight that is not finite")
        return cls(weights, RelationsOfArcs.of(content["relations"]), options, scheme)


def _keys(bank: Treebank, sentence: int) -> FeatureKeys:
    """Return a number for each word and each tag, the same in all treebanks; the root is first."""
    rows = bank.tokens.rows(sentence)
    columns = (bank.words(sentence), bank.vocabulary.decode(bank.tokens.pos[rows]))
    numbers = ([crc32(normal_form(s).encode()) & 0x7FFFFFFF for s in column] for column in columns)
    return FeatureKeys(*(np.array([ROOT_KEY, *of], np.int32) for of in numbers))


def _best(keys: FeatureKeys, size: int, weights: Float64Array) -> Int32Array:
    arc, heads = np.zeros((size, size)), np.zeros(size, np.int32)
    score_arcs(keys, weights, arc)
    best_heads(arc, np.zeros((size, 2)), heads)
    return heads
