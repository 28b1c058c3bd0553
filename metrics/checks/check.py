"""What a check is: it observes the chunks of a comparison, and reports diagnostics at the end.

A check keeps what it has observed of a run of sentences (an instance is the state of one run). Two runs, one
after the other, are one run: so chunks may be observed side by side, and in any order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks.chunks import Facts
from crossbank.treebanks.named_arguments import NamedArgument
from crossbank.treebanks.treebank import Treebank

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme

Observed = TypeVar("Observed", int, bool, Mapping[str, int])

MAX_KEYS = 10_000
"""The number of distinct strings that a check counts: the first ones in alphabetical order."""


@dataclass(frozen=True)
class Diagnostic:
    """A warning that a comparison may be misleading, with a hint on what to do.

    kind       an identifier: ``shifted``, ``wrappers`` ...
    hint       the advice, with ``{}`` for each of the arguments
    arguments  options and commands, as the user of this process writes them
    """

    kind: str
    message: str
    hint: str
    arguments: tuple[NamedArgument, ...] = ()

    def __str__(self) -> str:
        # No str.format: names of labels and schemes may have braces.
        first, *rest = self.hint.split("{}")
        hint = first + "".join(f"{one}{other}" for one, other in zip(self.arguments, rest, strict=False))
        return f"{self.message} ({hint})"


@dataclass(frozen=True, eq=False)
class ComparedChunk:
    """A chunk of gold and candidate under one metric.

    pair             both in the metric's view, as it was counted
    gold, candidate  both as they were read
    """

    metric: Metric
    scoring: Scoring
    scheme: Scheme | None
    pair: Pair
    gold: Treebank
    candidate: Treebank


@dataclass(frozen=True, eq=False)
class Comparison:
    """The whole comparison under one metric, as checks report on it.

    counts           sums are enough
    gold, candidate  what is true of each source as a whole
    is_raw           whether the candidate is declared to be parsed from raw text, without gold's tags
    """

    metric: Metric
    scoring: Scoring
    scheme: Scheme | None
    counts: Counts
    gold: Facts
    candidate: Facts
    is_raw: bool = False

    @property
    def sentences(self) -> int:
        """Number of sentences."""
        return len(self.counts)


@dataclass(frozen=True, eq=False)
class Check(ABC):
    """A check, with what it has observed of a run of sentences.

    A subclass is a frozen dataclass. Its fields are numbers, flags and numbers by string, which are added up,
    unless it has a ``followed_by`` of its own. Its docstring says what it looks for, and what it keeps.

    is_of_sources  whether it looks at the sources alone, whatever the metric is
    is_of_gold     whether it looks at gold alone, as it was read
    """

    is_of_sources: ClassVar[bool] = False
    is_of_gold: ClassVar[bool] = False

    @classmethod
    def applies(cls, metric: Metric, scoring: Scoring, scheme: Scheme | None, *, is_raw: bool) -> bool:
        """Whether the check can report anything under a metric and its options."""
        return True

    @classmethod
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether it could report something if the chunk is the whole comparison, as far as a look tells."""
        return True

    @classmethod
    def observed(cls, chunk: ComparedChunk) -> Self:
        """Return what is to be known of a chunk; gold that is compared again is observed once."""
        if not cls.is_of_gold:
            return cls.observe(chunk)
        return chunk.gold.derived((cls, chunk.scheme), lambda: cls.observe(chunk))

    @classmethod
    @abstractmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Return what is to be known of a chunk."""

    def followed_by(self, other: Self, distance: int) -> Self:
        """Return the state of two runs; ``distance`` is that of their first sentences."""
        names = _names_of_fields(type(self))
        return type(self)(*(_sum(getattr(self, name), getattr(other, name)) for name in names))

    @abstractmethod
    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Yield the diagnostics of the whole comparison."""


@cache
def _names_of_fields(check: type[Check]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(check))


def _sum(one: Any, other: Any) -> Any:
    if isinstance(one, bool):
        return one or other
    return add_numbers(one, other) if isinstance(one, Mapping) else one + other


def add_numbers(one: Mapping[str, int], other: Mapping[str, int]) -> Mapping[str, int]:
    """Return the sums of two tables of numbers by string: the first ``MAX_KEYS`` in alphabetical order."""
    sums = Counter(one)
    sums.update(other)
    return sums if len(sums) <= MAX_KEYS else {key: sums[key] for key in sorted(sums)[:MAX_KEYS]}


def proportion(numbers: Mapping[str, int], accept: Any) -> float:
    """Return the proportion of the strings, as often as they occur, that ``accept`` accepts."""
    chosen = sum(number for label, number in numbers.items() if accept(label))
    return chosen / max(sum(numbers.values()), 1)
