"""Checks of dependencies: heads that are counted from zero, several roots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from crossbank.converters.schemes.views import OF_DEPENDENCIES
from crossbank.metrics.checks.check import Check, ComparedChunk, Comparison, Diagnostic
from crossbank.metrics.counting.items import by_sentence
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring
from crossbank.treebanks import ROOT, UNATTACHED
from crossbank.treebanks.named_arguments import transformed
from crossbank.treebanks.quantities import quantity

MIN_HEADS = 10
"""The fewest heads that show that they are counted from zero."""


class _OfHeads(Check):
    """A check of the heads of words that are compared one by one."""

    @classmethod
    def applies(cls, metric: Metric, scoring: Scoring, scheme: object, *, is_raw: bool) -> bool:
        """Whether heads of words are compared one by one."""
        return metric.view in OF_DEPENDENCIES and metric.word_by_word


@dataclass(frozen=True, eq=False)
class HeadsFromZero(_OfHeads):
    """Nearly all heads of the candidate are one less than gold's, or one more. Kept are four numbers."""

    heads: int
    same: int
    one_less: int
    one_more: int

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count the heads that are gold's, one less and one more."""
        gold = chunk.pair.gold.tokens.head
        candidate = chunk.pair.aligned(chunk.pair.candidate.tokens.head, UNATTACHED)
        known = (gold >= 0) & (candidate != UNATTACHED)
        moved = (candidate - gold)[known]
        same, less, more = (int(np.count_nonzero(moved == step)) for step in (0, -1, 1))
        return cls(len(moved), same, less, more)

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report heads that are moved by one."""
        if self.heads < MIN_HEADS or self.same >= 0.3 * self.heads:
            return
        for moved, direction in ((self.one_less, "less"), (self.one_more, "more")):
            if moved > 0.6 * self.heads:
                yield Diagnostic(
                    "heads_from_zero",
                    f"{100 * moved / self.heads:.0f} % of the candidate's heads are one {direction} than "
                    "gold's",
                    "heads are counted from 1, and 0 is the root: add or subtract 1 in the candidate's file",
                )


@dataclass(frozen=True, eq=False)
class SeveralRoots(_OfHeads):
    """Sentences of the candidate have several roots where gold has one. Kept are two numbers."""

    several: int
    one_in_gold: int

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count the sentences with one root in gold, and those with several in the candidate."""
        gold, candidate = (
            by_sentence(bank.tokens.offsets, bank.tokens.head == ROOT)
            for bank in (chunk.pair.gold, chunk.pair.candidate)
        )
        several = (gold == 1) & (candidate > 1) & chunk.pair.scored
        return cls(int(np.count_nonzero(several)), int(np.count_nonzero(gold == 1)))

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report more than a few sentences with several roots."""
        sentences = comparison.sentences
        if self.several > 0.01 * sentences and self.one_in_gold > 0.95 * sentences:
            yield Diagnostic(
                "roots",
                f"the candidate has several roots, and gold one, in {self.several:,} of "
                f"{quantity(sentences, 'sentence')}",
                "{} keeps the root over most words",
                (transformed("single_root"),),
            )
