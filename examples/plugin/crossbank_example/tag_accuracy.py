"""Accuracy of tags, with an option."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crossbank.metrics.counting.counts import Measure, share
from crossbank.metrics.counting.items import Tally, by_kind, by_sentence
from crossbank.metrics.counting.metric import Item, Metric


@dataclass(frozen=True)
class TagAccuracy(Metric):
    """Tokens with gold's tag; ``coarse`` compares the first letters of tags alone."""

    coarse: bool = False

    name: ClassVar = "tag_accuracy"
    version: ClassVar = "1.0"
    view: ClassVar = "tags"
    title: ClassVar = "Tag accuracy"
    measures: ClassVar = (Measure("accuracy", share("right", "gold"), "tokens with gold's tag / tokens"),)

    def counts(self, pair):
        """Count tokens, and those with gold's tag."""
        self.require(pair)
        tokens, right = pair.gold.tokens, self._right(pair)
        everything = Tally(tokens.offsets, tokens.pos, np.ones(len(tokens)))
        columns = {
            "gold": by_sentence(tokens.offsets, everything.amount),
            "right": by_sentence(tokens.offsets, right),
        }
        by_tag = {"gold": everything, "right": Tally(tokens.offsets, tokens.pos, right)}
        parts = {"tag": lambda: by_kind(by_tag, pair.string)}
        return self.counted(pair, columns, parts)

    def items(self, pair, sentence):
        """Return the tokens of a sentence."""
        one = pair.select([sentence])
        words, right = one.gold.words(0), self._right(one)
        return [
            Item("token", word, (i,), "both", bool(right[i]), float(right[i])) for i, word in enumerate(words)
        ]

    def _right(self, pair):
        """Which of gold's tokens have gold's tag in the candidate; none in a sentence without a score."""
        strings = [pair.string(code)[: 1 if self.coarse else None] for code in range(pair.codes)]
        tag = np.append(np.unique(strings, return_inverse=True)[1], -1)
        found = pair.aligned(pair.candidate_codes(pair.candidate.tokens.pos), absent=-1)
        return (tag[found] == tag[pair.gold.tokens.pos]).astype(float)
