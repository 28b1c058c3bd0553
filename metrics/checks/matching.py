"""Check of sentences that were matched: how, how many have no counterpart, and which have other words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from crossbank.metrics.checks.check import Check, ComparedChunk, Comparison, Diagnostic
from crossbank.treebanks.quantities import quantity, said_of
from crossbank.treebanks.sentence_matching import BY_IDENTIFIER, matched_findings


@dataclass(frozen=True, eq=False)
class MatchedSentences(Check):
    """Sentences in any order were matched by something else than identifiers. Kept is how, and how often."""

    is_of_sources: ClassVar[bool] = True

    matched: Mapping[str, int]

    @classmethod
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether sentences were matched."""
        return bool(matched_findings(chunk.candidate))

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count how sentences were matched."""
        return cls(Counter({one.event: one.total for one in matched_findings(chunk.candidate)}))

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report all matches if not all are by identifier."""
        if self.matched.keys() <= {BY_IDENTIFIER}:
            return
        parts = [said_of(number, event) for event, number in self.matched.items()]
        sentences = quantity(comparison.sentences, "sentence of gold", "sentences of gold")
        yield Diagnostic(
            "matched",
            f"{sentences}: {', '.join(parts)}",
            "check the identifiers in the candidate's file",
        )
