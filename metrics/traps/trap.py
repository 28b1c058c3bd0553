"""A trap, and the comparison that it looks at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme

FEW = 5
"""The most labels or sentences that are named; of more only the number is given."""


@dataclass(frozen=True)
class Trap:
    """A fault that was noticed: its kind, what was found, and what to do about it."""

    kind: str
    found: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.found} ({self.remedy})"


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


def used(bank: Treebank, column: Int32Array) -> dict[str, int]:
    """The strings of a column and how often each stands there; the empty string is none."""
    numbers = np.bincount(column, minlength=1)
    return {bank.vocabulary[code]: int(numbers[code]) for code in np.flatnonzero(numbers).tolist() if code}


def listed(names: list[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - FEW:,} more" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + more
