"""Output of a parser: a treebank, the probability of each parse, and why a sentence has none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Float64Array


@dataclass(frozen=True, eq=False)
class Parsed:
    """Parses of the sentences of ``words``; a sentence with several parses occurs several times.

    bank     the parses; a sentence without a parse has no tokens
    words    the sentences that were parsed
    log2     the logarithm (base 2) of each best parse's probability, or its score; minus infinity for none
    reasons  why a sentence has no parse, else empty
    note     text about all parses: the loss by pruning, the number of sentences in fragments
    fragments  number of fragments of each sentence that no tree of the grammar spans; 0 for other sentences
    """

    bank: Treebank
    words: Treebank
    log2: Float64Array
    reasons: list[str]
    note: str = ""
    fragments: list[int] = field(default_factory=list)

    @property
    def in_fragments(self) -> int:
        """Number of sentences that no tree of the grammar spans."""
        return sum(map(bool, self.fragments))

    @property
    def unparsed(self) -> int:
        """Number of sentences without a parse."""
        return sum(map(bool, self.reasons))


class Inside(NamedTuple):
    """Inside probabilities: of each sentence, summed over all of its analyses.

    log2     the logarithm (base 2), minus infinity for zero, shape ``(sentences,)``
    reasons  why a probability is zero, else empty
    words    the sentences
    """

    log2: Float64Array
    reasons: list[str]
    words: Treebank
