"""Reliability of conversions and formats, as text for people; what is lost on the way also as JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from crossbank.converters.dependencies.through_dependencies import ThroughDependencies
from crossbank.metrics.analyses.conversion_reliability import Reliability
from crossbank.metrics.analyses.reliability_breakdowns import Share
from crossbank.metrics.statistics.defaults import interval_name
from crossbank.reports.results.measured_conversions import NAMED
from crossbank.treebanks.formats.round_trip import KINDS, RoundTrip
from crossbank.treebanks.quantities import listed, listed_lines, quantity

LISTED = 20
"""The number of omitted sentences that are printed; the JSON has all of them."""

REFUSED = 10
"""The number of sentences that a format cannot hold of which messages are printed."""


def reliability_as_text(found: Reliability) -> str:
    """Signature, scores, sentences, and a line for each relation of gold."""
    lines = [found.signature, f"  {'':<12} {'precision':>9}  {'recall':>6}  {'F1':>6}"]
    for labels in (False, True) if found.labelled else (False,):
        precision, recall, f1 = (100 * score for score in found.overall.scores(labels=labels))
        same = found.overall.same_relation if labels else found.overall.same_head
        lines.append(
            f"  {'labelled' if labels else 'unlabelled':<12} {precision:9.2f}  {recall:6.2f}  {f1:6.2f}"
            f"  {same:,} of {quantity(found.overall.gold, 'word')} have the same head"
            f"{' and relation' if labels else ''}"
        )
    if found.interval:
        low, high = found.interval
        lines.append(f"  unlabelled F1, {interval_name()}: {100 * low:.2f} to {100 * high:.2f}")
    lines.append(
        f"  labelled scores compare names as they stand: {found.shared_names()} of "
        f"{quantity(len(found.in_gold()), 'relation')} of gold occur on the other side"
        if found.labelled
        else "  labelled: not compared, relations are made of functions"
    )
    lines.append(f"  {sentences(found)}")
    left_out = [f"    {left.side} {left.sentence} ({left.where}): {left.reason}" for left in found.left_out]
    lines += listed_lines(left_out, LISTED, "--json", indent="    ")
    lines.append("")
    names = ["relation", *(row.relation for row in found.in_gold())]
    width = max(map(len, names))
    head = f"  {'relation':<{width}} {'words':>8}  {'same head':>9}  {'per cent':>8}"
    lines.append(head + ("  labelled: precision  recall      F1" if found.labelled else ""))
    for row in found.in_gold():
        line = f"  {row.relation:<{width}} {row.gold:>8,}  {row.same_head:>9,}  {100 * row.attached:8.2f}"
        if found.labelled and row.other:
            precision, recall, f1 = (100 * score for score in row.scores(labels=True))
            line += f"  {precision:19.2f}  {recall:6.2f}  {f1:6.2f}"
        lines.append(line)
    for kind, shares in found.breakdowns.items():
        lines += ["", *_shares(kind, shares)]
    return "\n".join(lines)


def _shares(kind: str, shares: Sequence[Share]) -> list[str]:
    width = max(len(kind), *(len(share.name) for share in shares))
    lines = [f"  {kind:<{width}} {'words':>8}  {'same head':>22}  {'labelled F1':>22}"]
    for share in shares:
        scores = ("{:.2f} ({:.2f} to {:.2f})".format(*(100 * x for x in s)) for s in share[2:])
        lines.append(f"  {share.name:<{width}} {share.gold:>8,}  " + "  ".join(f"{s:>22}" for s in scores))
    return lines


def sentences(found: Reliability) -> str:
    """A line with the numbers of sentences that were and were not compared."""
    sides = found.left_out_by_side()
    said = [
        f"{quantity(found.compared, 'sentence')} compared",
        f"{found.exact:,} of them with the same head for every word",
    ]
    if found.joined:
        said.append(f"{found.joined:,} of them several sentences of one side")
    said.append(
        f"left out: {sides[0]:,} of gold, {sides[1]:,} of the trees" if any(sides) else "none left out"
    )
    return "; ".join(said)


def round_trip_as_text(trip: RoundTrip, sentence_id: Callable[[int], str]) -> str:
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
    return "\n".join(lines + listed_lines(refused, REFUSED, "--json"))


def round_trip_as_json(trip: RoundTrip, sentence_id: Callable[[int], str]) -> dict[str, Any]:
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
