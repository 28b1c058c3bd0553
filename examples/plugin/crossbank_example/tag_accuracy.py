"""Accuracy of tags, with an option."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crossbank.metrics.counting.counts import Column, Counts, Measure, share
from crossbank.metrics.counting.items import Tally, by_sentence, count_by_key
from crossbank.metrics.counting.metric import Item, Metric
from crossbank.metrics.pairing.pair import Pair


@dataclass(frozen=True)
class TagAccuracy(Metric):
    r"""Proportion of words with gold's tag.

    coarse  whether only the first letters of tags are compared

    Formula
    -------
    ```math
    \text{accuracy} = \frac{\text{words with gold's tag}}{\text{words}}
    ```

    Example
    -------
    The parser takes a verb for a noun: 4 of 5 words have the right tag.

    <!-- file: gold.mrg -->
    ```text
    (S (NP (DT the) (NN dog)) (VP (VBZ chases) (NP (NNS cats))) (. .))
    ```

    <!-- file: parsed.mrg -->
    ```text
    (S (NP (DT the) (NN dog) (NNS chases)) (NP (NNS cats)) (. .))
    ```

    ```console
    $ crossbank score gold.mrg parsed.mrg --metric tag_accuracy
    tag_accuracy|coarse:no|...|v1.0
      accuracy     80.00 %  words with gold's tag / words
      1 sentence: 1 scored
    ```
    """

    coarse: bool = False

    name: ClassVar[str] = "tag_accuracy"
    version: ClassVar[str] = "1.0"
    view: ClassVar[str] = "tags"
    title: ClassVar[str] = "Tag accuracy"
    papers: ClassVar[tuple[str, ...]] = (
        """
        @inproceedings{church-1988,
          author    = {Church, Kenneth Ward},
          title     = {A Stochastic Parts Program and Noun Phrase Parser for Unrestricted Text},
          booktitle = {Second Conference on Applied Natural Language Processing},
          year      = {1988},
        }
        """,
    )
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure("accuracy", share("right", "gold"), "words with gold's tag / words"),
    )

    def counts(self, pair: Pair) -> Counts:
        """Count words, and those with gold's tag."""
        self.require(pair)
        tokens, right = pair.gold.tokens, self._right(pair)
        words = Tally(tokens.offsets, tokens.pos, np.ones(len(tokens)))
        by_tag = {"gold": words, "right": Tally(tokens.offsets, tokens.pos, right)}
        columns = {name: by_sentence(tokens.offsets, tally.amount) for name, tally in by_tag.items()}
        return self.counted(pair, columns, {"tag": lambda: count_by_key(by_tag, pair.string)})

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """Return the words of a sentence."""
        one = pair.select([sentence])
        right = self._right(one).tolist()
        words = enumerate(one.gold.words(0))
        return [Item("word", word, (i,), "both", bool(right[i]), right[i]) for i, word in words]

    def _right(self, pair: Pair) -> Column:
        """Return 1 for each word of gold with the same tag in the candidate, else 0."""
        tags = [pair.string(code)[: 1 if self.coarse else None] for code in range(pair.codes)]
        tag = np.append(np.unique(tags, return_inverse=True)[1], -1)
        candidate = pair.aligned(pair.candidate_codes(pair.candidate.tokens.pos), absent=-1)
        right: Column = (tag[candidate] == tag[pair.gold.tokens.pos]).astype(np.float64)
        return right
