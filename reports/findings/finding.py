"""A sentence about the results, the table with its numbers, and the phrases that findings share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crossbank.metrics.counting.counts import Measure
from crossbank.metrics.statistics.defaults import interval_name
from crossbank.metrics.statistics.significance import Difference
from crossbank.reports.tables.table import probability, signed
from crossbank.treebanks.quantities import listed

NAMED = 4
"""The number of names in a list that is cut."""


@dataclass(frozen=True)
class Finding:
    """One sentence with its figures.

    text   the sentence
    table  the key of the table that holds its numbers: an address on the page
    """

    text: str
    table: str


def listing(names: Sequence[str]) -> str:
    """Names in a row: ``one``, ``one and two``, ``one, two and three``."""
    names = list(names)
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def cut_listing(names: Sequence[str]) -> str:
    """Names in a row; of more than five the first ones, and how many more there are."""
    if len(names) <= NAMED + 1:
        return listing(names)
    return listed(names, NAMED)


def figures(found: Difference, measure: Measure | None = None) -> str:
    """A difference with its interval and its corrected probability; proportions, or no measure, in points."""
    unit = " points" if measure is None or measure.proportion else ""
    said = f"{signed(found.value, measure)}{unit}"
    if found.low is not None and found.high is not None:
        bounds = " to ".join(signed(end, measure) for end in (found.low, found.high))
        said += f", {interval_name(found.level)} {bounds}"
    return f"{said}, corrected {p_value(found.corrected)}"


def p_value(p: float) -> str:
    """A probability as sentences have it: ``p = 0.012``."""
    text = probability(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"
