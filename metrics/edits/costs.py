"""Costs of replacing one label by another, in metrics that compare strings of labels.

Inserting or deleting a symbol costs 1. Replacing a label by an unrelated one costs 2, as much as
deleting the one and inserting the other; related labels may cost less (Sampson and Babarczy 2003,
section 4).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Signature
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.errors import CrossbankError, OptionError
from crossbank.treebanks.files import SAVE_AS_UTF_8, read_text
from crossbank.treebanks.quantities import quantity

UNRELATED = 2.0
"""The cost of replacing a label by an unrelated one."""

SAME_FIRST_LETTER = 0.5
"""The cost of replacing a label by one with the same first character, under ``first_letter``."""


NO_COST = "none"
"""The value of ``cost`` under which replacing a label costs nothing."""


@dataclass(frozen=True, eq=False)
class CostTable:
    """A user's cost table: symmetric costs from 0 to 2; pairs that are not listed cost 2.

    labels  the labels in the table
    costs   shape ``(labels, labels)``
    name    the file's name with a digest of its content, for signatures
    """

    labels: tuple[str, ...]
    costs: NDArray[np.float64]
    name: str

    @classmethod
    def load(cls, path: str | PathLike[str]) -> CostTable:
        """Read a table from YAML or CSV. Each pair of labels is needed in one order only.

        YAML: a mapping from labels to mappings from labels to costs (``NP: {N1: 0.5}``). CSV: either
        ``label,label,cost`` in each line, or a matrix, whose first line begins with an empty field.

        Raises CrossbankError if a cost is not a number from 0 to 2, differs between the two ways, or
        is not 0 for a label and itself.
        """
        is_csv = str(path).lower().endswith(".csv")
        known: dict[tuple[str, str], float] = {}
        for label, other, written, error in _csv_entries(path) if is_csv else _yaml_entries(path):
            try:
                cost = float(written)
            except ValueError:
                cost = math.nan
            if not 0 <= cost <= UNRELATED:
                raise error(f"found {written!r}, expected a number from 0 to 2")
            if label == other and cost != 0:
                raise error(f"found {cost:g} for {label} and itself, expected 0")
            opposite = known.get((other, label), cost)
            if opposite != cost:
                expected = f"{opposite:g} as for {other} and {label}"
                raise error(f"found {cost:g} for {label} and {other}, expected {expected}")
            known[label, other] = cost
        labels = tuple(dict.fromkeys(label for pair in known for label in pair))
        number_of = {label: number for number, label in enumerate(labels)}
        costs = np.full((len(labels), len(labels)), UNRELATED)
        for (label, other), cost in known.items():
            costs[number_of[label], number_of[other]] = costs[number_of[other], number_of[label]] = cost
        digest = sha256(read_text(path).encode()).hexdigest()
        return cls(labels, costs, f"{Path(path).name}#{digest[:8]}")


def replacement_costs(
    name: str, table: CostTable | None, used: BoolArray, string: Callable[[int], str]
) -> tuple[Int32Array, NDArray[np.float64]]:
    """Return the group of each label in use, and the costs of replacing labels by group.

    Groups have shape ``(codes,)``, costs ``(groups, groups)``; a label costs nothing against itself.
    ``name`` is ``exact``, ``first_letter``, ``none`` or the name of a ``table``; ``used`` marks the codes
    that are labels, shape ``(codes,)``, and ``string`` gives the label of a code.
    """
    group = np.zeros(len(used), np.int32)
    codes = np.flatnonzero(used).tolist()
    if table is not None:
        # The last group has the labels that the table does not name.
        unnamed = len(table.labels)
        number_of = {label: number for number, label in enumerate(table.labels)}
        for code in codes:
            group[code] = number_of.get(string(code), unnamed)
        costs = np.full((unnamed + 1, unnamed + 1), UNRELATED)
        costs[:unnamed, :unnamed] = table.costs
    elif name == "first_letter":
        letters: dict[str, int] = {}
        for code in codes:
            group[code] = letters.setdefault(string(code)[:1], len(letters))
        costs = np.full((len(letters), len(letters)), UNRELATED)
        np.fill_diagonal(costs, SAME_FIRST_LETTER)
    else:
        costs = np.full((1, 1), 0.0 if name == NO_COST else UNRELATED)
    return group, costs


Entries = Iterator[tuple[str, str, str, Callable[[str], CrossbankError]]]
"""Two labels, their cost as written, and a function that makes an error with file and line."""


def _yaml_entries(path: str | PathLike[str]) -> Entries:
    from crossbank.treebanks.yaml_files import load_yaml
    from crossbank.treebanks.yaml_nodes import YamlError, at

    content = load_yaml(path)
    if not isinstance(content, dict):
        raise CrossbankError(f"{path}: the file is no mapping of labels to the costs of replacing them")
    for label, row in content.items():
        if not isinstance(row, dict):
            raise YamlError(at(path, [label], f"found {row!r}, expected a mapping from labels to costs"))
        for other, written in row.items():
            for name in (label, other):
                if not isinstance(name, str):
                    raise YamlError(at(path, [label], f"found {name!r}, expected a label (in quotes)"))

            def error(text: str, keys: tuple[str, str] = (label, other)) -> YamlError:
                return YamlError(at(path, keys, text))

            yield label, other, str(written), error


def _csv_entries(path: str | PathLike[str]) -> Entries:
    header: list[str] | None = None
    for line, row in enumerate(csv.reader(read_text(path, advice=SAVE_AS_UTF_8).splitlines()), 1):
        fields = [field.strip() for field in row]

        def error(text: str, line: int = line) -> CrossbankError:
            return CrossbankError(f"{path}:{line}: {text}")

        if line == 1 and fields and not fields[0]:
            header = fields
        elif header is not None and fields:
            if len(fields) != len(header):
                raise error(f"found {quantity(len(fields), 'field')}, expected {len(header)}")
            for other, written in zip(header[1:], fields[1:], strict=True):
                yield fields[0], other, written, error
        elif fields:
            if len(fields) != 3:
                raise error(f"found {quantity(len(fields), 'field')}, expected label,label,cost")
            yield fields[0], fields[1], fields[2], error


def cost_table(cost: str) -> CostTable | None:
    """Return the table of an option ``cost``; None for ``exact``, ``first_letter`` and ``none``.

    Raises OptionError if there is no such file, CrossbankError if it is wrong.
    """
    if cost in ("exact", "first_letter", NO_COST):
        return None
    if not Path(cost).is_file():
        expected = "exact, first_letter, none or the path of a cost table (a YAML or CSV file)"
        raise OptionError("option cost", cost, expected)
    return CostTable.load(cost)


@dataclass(frozen=True)
class CostedMetric(Metric):
    """A metric with the option ``cost``.

    cost  of replacing a label by another, out of 2: ``exact`` (2), ``first_letter`` (0.5 where the
          first characters are the same, else 2), ``none`` (0: labels are not compared), or a file with a
          table (see ``metrics.edits.costs``)
    """

    cost: str = "exact"

    def __post_init__(self) -> None:
        """Read the cost table. Raises OptionError if there is none, CrossbankError if it is wrong."""
        _ = self.table

    @cached_property
    def table(self) -> CostTable | None:
        """Cost table of the option ``cost``; None for ``exact``, ``first_letter`` and ``none``."""
        return cost_table(self.cost)

    def without_labels(self) -> Self:
        """Return the metric under which replacing a label by another costs nothing."""
        return replace(self, cost=NO_COST)

    def files(self) -> tuple[Path, ...]:
        """Return the cost table, if it is a file."""
        return () if self.table is None else (Path(self.cost),)

    def signature(self, pair: Pair) -> Signature:
        """Return the signature, with a cost table's name and a digest of its content."""
        signature = super().signature(pair)
        return signature if self.table is None else signature.with_values(cost=self.table.name)


@dataclass(frozen=True)
class FunctionCostedMetric(CostedMetric):
    """A metric with an option for labels that differ in their functions alone, too.

    function_cost  edits for a label that is right except for its function (``NP-SBJ`` and ``NP``), from
                   0 to 1; ``none`` compares labels unchanged
    """

    function_cost: float | None = None

    of_functions: ClassVar[Mapping[str, object]] = {"function_cost": None}

    def __post_init__(self) -> None:
        """Check the costs. Raises OptionError or CrossbankError if one is wrong."""
        super().__post_init__()
        check_edits("function_cost", self.function_cost)


def check_edits(name: str, edits: float | None) -> None:
    """Raise OptionError if an option is no number of edits from 0 to 1."""
    if edits is not None and not 0 <= edits <= 1:
        raise OptionError(f"option {name}", edits, "a number of edits from 0 to 1")
