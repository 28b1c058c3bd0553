"""The output of a parser: a treebank, the probability of each parse, and why a sentence has none."""

from __future__ import annotations

from dataclasses import dataclass

from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Float64Array


@dataclass(frozen=True, eq=False)
class Parsed:
    """Parses of the sentences of ``words``, where one with several parses stands several times.

    bank     the parses; a sentence without one has no tokens
    words    the sentences that were parsed
    log2     the logarithm (base 2) of each best parse's probability, or its score; minus infinity for none
    reasons  why a sentence has no parse, else empty
    note     a remark on all of them: the loss by pruning
    """

    bank: Treebank
    words: Treebank
    log2: Float64Array
    reasons: list[str]
    note: str = ""

    @property
    def unparsed(self) -> int:
        """The number of sentences without a parse."""
        return sum(map(bool, self.reasons))
