"""A trap, and the comparison that it looks at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crossbank.converters.schemes.views import OF_DEPENDENCIES
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.named_arguments import Named

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme

FEW = 5
"""The most labels or sentences that are named; of more only the number is given."""


@dataclass(frozen=True)
class Trap:
    """A fault that was noticed: its kind, what was found, and what to do about it.

    means  what stands for each ``{}`` of the remedy
    """

    kind: str
    found: str
    remedy: str
    means: tuple[Named, ...] = ()

    def __str__(self) -> str:
        # No str.format: names of labels and schemes may have braces.
        first, *others = self.remedy.split("{}")
        remedy = first + "".join(f"{mean}{other}" for mean, other in zip(self.means, others, strict=False))
        return f"{self.found} ({remedy})"


@dataclass(frozen=True, eq=False)
class Scored:
    """One metric's comparison, with everything that it was made from.

    pair               gold and candidate in the metric's view
    gold, candidate    both as they were read
    raw                whether the candidate is said to be parsed from raw text, without gold's tags
    """

    metric: Metric
    counts: Counts
    pair: Pair
    gold: Treebank
    candidate: Treebank
    scoring: Scoring
    scheme: Scheme | None = None
    raw: bool = False

    @cached_property
    def labels(self) -> Labels | None:
        """The constituents' labels or the relations, where the metric compares them; else None."""
        gold, candidate = self.pair.gold, self.pair.candidate
        if not self.metric.compares_labels or getattr(self.metric, "labels", True) is False:
            return None
        if self.metric.view in OF_DEPENDENCIES:
            found = Labels(
                "relations", used(gold, gold.tokens.relation), used(candidate, candidate.tokens.relation)
            )
        elif self.metric.view in ("constituents", "parseval1991", "heads"):
            found = Labels("labels", used(gold, gold.nodes.label), used(candidate, candidate.nodes.label))
        else:
            return None
        return found if found.gold and found.candidate else None


class Labels(NamedTuple):
    """Labels that a metric compares on the two sides, with their numbers."""

    what: str
    gold: dict[str, int]
    candidate: dict[str, int]


def used(bank: Treebank, column: Int32Array) -> dict[str, int]:
    """Return the strings of a column and how often each is there; the empty string is none."""
    numbers = np.bincount(column, minlength=1)
    return {bank.vocabulary[code]: int(numbers[code]) for code in np.flatnonzero(numbers).tolist() if code}


def listed(names: list[str]) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - FEW:,} more" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + more
