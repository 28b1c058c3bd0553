"""A candidate's scores minus another's, as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TextIO

from crossbank.metrics.statistics.defaults import interval_name
from crossbank.metrics.statistics.significance import Difference
from crossbank.reports.results.candidate_pairs import Comparison
from crossbank.reports.tables.table import probability
from crossbank.reports.texts.colours import coloured


def as_lines(other: str, found: Sequence[Comparison], stream: TextIO | None = None) -> str:
    """A line for each measure: both scores, the difference, its 95 % interval and its corrected probability.

    stream  what the text is written to: where that has colours, differences whose interval is on one side
            of zero have one

    Proportions are printed in per cent.
    """
    width = max(len(_name(one)) for one in found)
    head = f"  {'':<{width}}  difference  {interval_name():>16}  corrected p"
    return "\n".join([f"minus {other}:", head, *(_line(one, width, stream) for one in found)])


def as_values(other: str, found: Sequence[Comparison]) -> dict[str, Any]:
    """Return the same by name, proportions at full precision, for ``json.dumps``."""
    differences = [
        {"metric": one.metric, "measure": one.measure.name, **difference_as_values(one.difference)}
        for one in found
    ]
    return {"against": {"candidate": other, "differences": differences}}


def difference_as_values(found: Difference, test: str = "") -> dict[str, Any]:
    """Return a difference by name, with the name of its test if one is given."""
    named = {"test": test} if test else {}
    ends = {"low": found.low, "high": found.high}
    return {"difference": found.value, **ends, **named, "p": found.p, "corrected": found.corrected}


def _name(one: Comparison) -> str:
    return f"{one.metric} {one.measure.name}"


def _line(one: Comparison, width: int, stream: TextIO | None) -> str:
    scale = 100 if one.measure.proportion else 1
    low, high = one.difference.low, one.difference.high
    value, interval = f"{scale * one.difference.value:+.2f}".rjust(10), "no interval"
    if low is not None and high is not None:
        interval = f"{scale * low:+.2f} to {scale * high:+.2f}"
        if stream is not None and (low > 0 or high < 0):
            gained = (low > 0) == (one.measure.better == "more")
            value = coloured(value, "good" if gained else "bad", stream)
    return f"  {_name(one):<{width}}  {value}  {interval:>16}  {probability(one.difference.corrected):>11}"
