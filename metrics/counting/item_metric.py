"""The base class of metrics that compare two bags of items: they say what their items are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal, Self

import numpy as np

from crossbank.metrics.counting.counts import Column, Counts, Parts
from crossbank.metrics.counting.items import Compared
from crossbank.metrics.counting.metric import Item, Losses, Metric
from crossbank.metrics.pairing.pair import Pair


@dataclass(frozen=True)
class ItemMetric(Metric):
    """A metric that compares items, with its options.

    A subclass gives the items of both sides (``compare``). Counts, breakdowns, ``items`` and ``losses``
    follow from them.

    item   what ``Item.kind`` says its items are
    loses  whether gold's tokens lose what is not found, or its nodes
    """

    item: ClassVar[str]
    loses: ClassVar[Literal["tokens", "nodes"]] = "tokens"

    @abstractmethod
    def compare(self, pair: Pair) -> Compared:
        """The items of both sides."""

    def counts(self, pair: Pair) -> Counts:
        """Items of gold, of the candidate, those in common and what else the metric counts."""
        self.require_view(pair)
        found = self.compare(pair)
        columns = self.columns(found)
        return self.counted(pair, columns, self.parts(found, columns), notes=found.notes)

    def applied(self, pair: Pair) -> Self:
        """The metric with the options that it has for a pair, where some depend on all sentences."""
        return self

    def columns(self, found: Compared) -> dict[str, Column]:
        """The sums by sentence; where measures need it, whether all is the same, and whether it is parsed."""
        columns = found.sums()
        scored, measures = found.pair.scored, {measure.name for measure in self.measures}
        if "exact" in measures:
            same = (columns["matched"] == columns["gold"]) & (columns["matched"] == columns["candidate"])
            columns["exact"] = (scored & same).astype(np.float64)
        if "coverage" in measures:
            columns["parsed"] = scored.astype(np.float64)
        return columns

    def parts(self, found: Compared, columns: Mapping[str, Column]) -> dict[str, Callable[[], Parts]]:
        """The breakdowns, made when they are asked for."""
        return {breakdown: partial(found.parts, breakdown) for breakdown in found.kinds}

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """The items of a sentence: those in common, gold's and the candidate's."""
        return self.applied(pair).compare(pair.select([sentence])).listed(self.item)

    def losses(self, pair: Pair) -> Losses:
        """The losses of gold's tokens or nodes."""
        return self.applied(pair).compare(pair).losses(self.loses)
