"""A candidate's scores minus another's, as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TextIO

from crossbank.metrics.statistics.defaults import ALPHA
from crossbank.metrics.statistics.estimates import ALL, Estimate
from crossbank.reports.tables.table import format_probability
from crossbank.reports.texts.colours import add_colour


def format_differences(other: str, rows: Sequence[Estimate], stream: TextIO | None = None) -> str:
    """Return a line for each measure: the difference, its interval and its corrected probability.

    stream  the stream for the text; if it has colours, significant differences are coloured

    Proportions are printed in per cent.
    """
    width = max(len(_name_row(row)) for row in rows)
    interval = f"{100 * (1 - ALPHA):g} % interval"
    head = f"  {'':<{width}}  difference  {interval:>16}  corrected p"
    power = [f"  {text}" for row in rows[:1] if (text := describe_power(row))]
    return "\n".join([f"minus {other}:", head, *(_format_row(row, width, stream) for row in rows), *power])


def differences_as_values(other: str, rows: Sequence[Estimate]) -> dict[str, Any]:
    """Return the differences by name, with proportions at full precision, for ``json.dumps``."""
    differences = [
        {"metric": row.metric, "measure": row.measure.name, **difference_as_values(row)} for row in rows
    ]
    return {"against": {"candidate": other, "differences": differences}}


def difference_as_values(row: Estimate) -> dict[str, Any]:
    """Return the numbers of a row by name."""
    return {
        "population": row.population,
        "n": row.n,
        "difference": row.value,
        "low": row.low,
        "high": row.high,
        "p": row.p,
        "corrected": row.p_corrected,
        "different": row.significant,
        "detectable": row.detectable,
        "needed": row.needed,
    }


def describe_power(row: Estimate) -> str:
    """Return what difference the sentences could have shown, and how many would show the observed one."""
    if row.detectable is None or row.needed is None:
        return ""
    scale = 100 if row.measure.proportion else 1
    detectable, seen = f"{scale * row.detectable:.2f}", f"{scale * abs(row.value):.2f}"
    return (
        f"{_name_row(row)}: these {row.n:,} sentences could have shown a difference of {detectable}; about "
        f"{row.needed:,} "
        f"could show {seen}"
    )


def _name_row(row: Estimate) -> str:
    name = f"{row.metric} {row.measure.name}"
    return name if row.population == ALL else f"{name}, {row.population}"


def _format_row(row: Estimate, width: int, stream: TextIO | None) -> str:
    scale = 100 if row.measure.proportion else 1
    value, interval = f"{scale * row.value:+.2f}".rjust(10), "no interval"
    if row.low is not None and row.high is not None:
        interval = f"{scale * row.low:+.2f} to {scale * row.high:+.2f}"
        if stream is not None and row.significant:
            value = add_colour(value, "good" if row.is_first_better else "bad", stream)
    return f"  {_name_row(row):<{width}}  {value}  {interval:>16}  {format_probability(row.p_corrected):>11}"
