"""Losses of a round trip, as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from crossbank.converters.dependencies.through_dependencies import ThroughDependencies
from crossbank.reports.results.measured_conversions import NAMED
from crossbank.treebanks.formats.round_trip import KINDS, RoundTrip
from crossbank.treebanks.quantities import listed, listed_lines, quantity

LISTED = 10
"""The number of sentences that a format cannot hold of which messages are printed."""


def as_text(trip: RoundTrip, sentence_id: Callable[[int], str]) -> str:
    """Numbers of equal, different and refused sentences; a line for each column or table that differs."""
    differing = trip.sentences - trip.same - len(trip.refused)
    lines = [
        f"{quantity(trip.sentences, 'sentence')} written as {trip.format} and read again: {trip.same:,} are "
        f"the same, {differing:,} differ, {len(trip.refused):,} cannot be written or read"
    ]
    if trip.differences:
        width = max(len(found.what) for found in trip.differences)
        heading = "".join(f"{kind:>9}" for kind in KINDS)
        lines.append(f"  {'':<{width}}{heading}  sentences  for instance")
        for found in trip.differences:
            counts = "".join(f"{found.counts[kind]:>9,}" for kind in KINDS)
            named = ", ".join(map(sentence_id, sorted(found.sentences)[:NAMED]))
            lines.append(f"  {found.what:<{width}}{counts}  {len(found.sentences):>9,}  {named}")
    refused = [f"  {left.sentence} ({left.where}): {left.reason}" for left in trip.refused]
    return "\n".join(lines + listed_lines(refused, LISTED, "--json"))


def as_json(trip: RoundTrip, sentence_id: Callable[[int], str]) -> dict[str, Any]:
    """Everything by name, for ``json.dumps``."""
    return {
        "format": trip.format,
        "sentences": {"total": trip.sentences, "same": trip.same, "refused": len(trip.refused)},
        "differences": [
            {"what": found.what, **found.counts, "sentences": [*map(sentence_id, sorted(found.sentences))]}
            for found in trip.differences
        ],
        "refused": [left._asdict() for left in trip.refused],
    }


def survival_as_text(found: ThroughDependencies) -> str:
    """Return the constituents that can be found again in dependencies, of all categories and of each."""
    rows = [("all", found.overall), *((row.category, row) for row in found.categories)]
    width = max(len("category"), *(len(name) for name, _ in rows))
    lines = [
        f"{quantity(found.sentences, 'sentence')} to dependencies and back: in {found.whole:,} all "
        "constituents of more than one word are found again",
        f"  {'category':<{width}}  constituents  found again  per cent  same head",
    ]
    for name, row in rows:
        proportion = f"{100 * row.found / row.constituents:8.2f}" if row.constituents else f"{'-':>8}"
        lines.append(
            f"  {name:<{width}}  {row.constituents:>12,}  {row.found:>11,}  {proportion}  {row.same_head:>9,}"
        )
    if found.lost_in:
        lines.append(f"  lost in {listed(found.lost_in, NAMED, 'sentence')}")
    return "\n".join(lines)
