"""A trap, and the comparison that it looks at."""

from __future__ import annotations

from collections.abc import Iterable
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

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme

FEW = 5
"""The most labels or sentences that are named; of more only the number is given."""


@dataclass(frozen=True)
class Argument:
    """An argument of ``crossbank.score``, with a value or without, as the command line says it.

    of_metric  whether it is one of those that the command line takes as ``--option``
    """

    name: str
    value: str = ""
    of_metric: bool = False

    def __str__(self) -> str:
        return (
            f"--option {self.name}={self.value}" if self.of_metric else f"--{self.name} {self.value}".strip()
        )

    def in_python(self) -> str:
        """Return the keyword argument."""
        values = [IN_PYTHON.get(value, f'"{value}"') for value in self.value.split(" or ")]
        return f"{self.name}={' or '.join(values)}"


IN_PYTHON = {"yes": "True", "no": "False", "": ""}
"""Values that Python writes in another way than the command line."""


@dataclass(frozen=True)
class Transformed:
    """A file after a transformation, as the command line says it."""

    transformation: str
    scheme: str = ""

    def __str__(self) -> str:
        scheme = f" --scheme {self.scheme}" if self.scheme else ""
        quote = "'" if ":" in self.transformation else ""
        return f"crossbank convert FILE NEW{scheme} --transform {quote}{self.transformation}{quote}"

    def in_python(self) -> str:
        """Return the call on a treebank."""
        scheme = f', "{self.scheme}"' if self.scheme else ""
        return f'crossbank.transform(bank, ["{self.transformation}"]{scheme})'


@dataclass(frozen=True)
class Trap:
    """A fault that was noticed: its kind, what was found, and what to do about it.

    means  what stands for each ``{}`` of the remedy: the command line and Python name it in their own ways
    """

    kind: str
    found: str
    remedy: str
    means: tuple[Argument | Transformed, ...] = ()

    def __str__(self) -> str:
        return self._said(map(str, self.means))

    def in_python(self) -> str:
        """Return the same as a warning of Python."""
        return self._said(one.in_python() for one in self.means)

    def _said(self, means: Iterable[str]) -> str:
        # No str.format: names of labels and schemes may have braces.
        first, *others = self.remedy.split("{}")
        remedy = first + "".join(mean + other for mean, other in zip(means, others, strict=False))
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
