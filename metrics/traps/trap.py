"""A trap, and the comparison that it looks at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import Treebank
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


def listed(names: list[str]) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - FEW:,} more" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + more
