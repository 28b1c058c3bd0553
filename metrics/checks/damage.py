"""Check of damaged sentences: how many have no parse because of it, and what was repaired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from crossbank.metrics.checks.check import Check, ComparedChunk, Comparison, Diagnostic
from crossbank.treebanks.damage.correction import SKIPPED, STEP
from crossbank.treebanks.named_arguments import argument
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.treebank import Treebank


@dataclass(frozen=True, eq=False)
class DamagedSentences(Check):
    """Sentences of a source could not be read. Kept is how often each kind of damage occurs in it."""

    is_of_sources: ClassVar[bool] = True

    gold: Mapping[str, int]
    candidate: Mapping[str, int]

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count the damage of both sides."""
        return cls(_damage(chunk.gold), _damage(chunk.candidate))

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report the sentences without a parse, and what was repaired in others."""
        for name, kinds in (("gold", self.gold), ("the candidate", self.candidate)):
            if not kinds:
                continue
            repaired = {kind: number for kind, number in kinds.items() if kind != SKIPPED}
            parts = [f"{kinds[SKIPPED]:,} have no parse"] if SKIPPED in kinds else []
            parts += [f"repaired: {', '.join(f'{n:,} {kind}' for kind, n in repaired.items())}"] * bool(
                repaired
            )
            yield Diagnostic(
                "damaged",
                f"{name} has damaged sentences among {quantity(comparison.sentences, 'sentence')}; "
                f"{'; '.join(parts)}",
                "{} refuses them",
                (argument("damaged", "stop"),),
            )


def _damage(bank: Treebank) -> Counter[str]:
    return Counter({one.event: one.total for one in bank.diagnosis if one.step == STEP})
