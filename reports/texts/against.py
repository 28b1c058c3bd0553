"""A candidate's scores minus another's, as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TextIO

from crossbank.metrics.statistics.defaults import interval_name
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
    return {
        "against": {
            "candidate": other,
            "differences": [
                {
                    "metric": one.metric,
                    "measure": one.measure.name,
                    "difference": one.difference.value,
                    "low": one.difference.low,
                    "high": one.difference.high,
                    "p": one.difference.p,
                    "corrected": one.difference.corrected,
                }
                for one in found
            ],
        }
    }


def _name(one: Comparison) -> str:
    return f"{one.metric} {one.measure.name}"


def _line(one: Comparison, width: int, stream: TextIO | None) -> str:
    scale = 100 if one.measure.proportion else 1
    difference = one.difference
    interval = (
        "no interval"
        if difference.low is None or difference.high is None
        else f"{scale * difference.low:+.2f} to {scale * difference.high:+.2f}"
    )
    value = f"{scale * difference.value:+.2f}".rjust(10)
    low, high = difference.low, difference.high
    if stream is not None and low is not None and high is not None and (low > 0 or high < 0):
        gained = (low > 0) == (one.measure.better == "more")
        value = coloured(value, "good" if gained else "bad", stream)
    return f"  {_name(one):<{width}}  {value}  {interval:>16}  {probability(difference.corrected):>11}"
