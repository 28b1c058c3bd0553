"""Metrics with an option for the cost of replacing one label by another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.signature import Signature
from crossbank.metrics.edits.costs import CostTable, load_costs
from crossbank.metrics.pairing.pair import Pair


@dataclass(frozen=True)
class CostedMetric(Metric):
    """A metric with the option ``cost``.

    cost  of replacing a label by another, out of 2: ``exact`` (2), ``first_letter`` (0.5 where the
          first characters are the same, else 2), or a file with a table (see ``metrics.edits.costs``)
    """

    cost: str = "exact"

    def __post_init__(self) -> None:
        """Read the cost table. Raises OptionError where there is none, CrossbankError where it is wrong."""
        _ = self.table

    @cached_property
    def table(self) -> CostTable | None:
        """The cost table of the option ``cost``; None for ``exact`` and ``first_letter``."""
        return load_costs(self.cost)

    def files(self) -> tuple[Path, ...]:
        """The cost table, if it is a file."""
        return () if self.table is None else (Path(self.cost),)

    def signature(self, pair: Pair) -> Signature:
        """The signature, with a cost table's name and a digest of its content."""
        signature = super().signature(pair)
        return signature if self.table is None else signature.with_values(cost=self.table.name)
