"""Checks of a comparison: a check observes its chunks, and reports diagnostics at the end.

An instance is the state of a check after a run of sentences. The states of two adjacent runs can be joined,
so chunks may be observed in parallel and in any order.
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

    counts           counts of all sentences, which may be sums
    gold, candidate  facts of each source as a whole
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
    """State of a check after a run of sentences.

    A subclass is a frozen dataclass. Its fields are numbers, flags and numbers by string, which
    ``followed_by`` adds up unless the subclass overrides it. Its docstring describes problem and state.

    is_of_sources  whether the result depends on the sources alone, not on the metric
    is_of_gold     whether the result depends on gold alone, as it was read
    """

    is_of_sources: ClassVar[bool] = False
    is_of_gold: ClassVar[bool] = False

    @classmethod
    def applies(cls, metric: Metric, scoring: Scoring, scheme: Scheme | None, *, is_raw: bool) -> bool:
        """Return whether the check can report anything under a metric and its options."""
        return True

    @classmethod
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Return False if the check certainly reports nothing when the chunk is the whole comparison."""
        return True

    @classmethod
    def observed(cls, chunk: ComparedChunk) -> Self:
        """Return the state after a chunk; checks of gold alone are cached with gold."""
        if not cls.is_of_gold:
            return cls.observe(chunk)
        return chunk.gold.derived((cls, chunk.scheme), lambda: cls.observe(chunk))

    @classmethod
    @abstractmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Return the state after a chunk."""

    def followed_by(self, other: Self, distance: int) -> Self:
        """Return the joined state of two adjacent runs; ``distance`` is between their first sentences."""
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
