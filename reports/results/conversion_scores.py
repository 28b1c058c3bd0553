"""Reliability of a conversion, as text for people, as JSON for programs, and back from JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from crossbank.metrics.analyses.conversion_reliability import Agreement, Reliability
from crossbank.metrics.analyses.reliability_breakdowns import Share
from crossbank.metrics.pairing.sentence_alignment import Unmatched
from crossbank.metrics.statistics.defaults import interval_name
from crossbank.treebanks.quantities import quantity

LISTED = 20
"""The number of omitted sentences that are printed; the JSON has all of them."""

SCORES = ("precision", "recall", "f1")
SHARES = ("attached", "labelled")


def as_text(found: Reliability) -> str:
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
        "  labelled scores compare names as they stand: "
        f"{shared_names(found)} of {quantity(len(in_gold(found)), 'relation')} of gold occur on the "
        "other side"
        if found.labelled
        else "  labelled: not compared, relations are made of functions"
    )
    lines += [f"  {sentences(found)}", *_left_out(found), ""]
    names = ["relation", *(row.relation for row in in_gold(found))]
    width = max(map(len, names))
    head = f"  {'relation':<{width}} {'words':>8}  {'same head':>9}  {'per cent':>8}"
    lines.append(head + ("  labelled: precision  recall      F1" if found.labelled else ""))
    for row in in_gold(found):
        line = f"  {row.relation:<{width}} {row.gold:>8,}  {row.same_head:>9,}  {100 * row.attached:8.2f}"
        if found.labelled and row.other:
            precision, recall, f1 = (100 * score for score in row.scores(labels=True))
            line += f"  {precision:19.2f}  {recall:6.2f}  {f1:6.2f}"
        lines.append(line)
    for kind, shares in found.breakdowns.items():
        lines += ["", *_shares(kind, shares)]
    return "\n".join(lines)


def _shares(kind: str, shares: Sequence[Share]) -> list[str]:
    """A table of shares with 95 % intervals."""
    width = max(len(kind), *(len(share.name) for share in shares))
    lines = [f"  {kind:<{width}} {'words':>8}  {'same head':>22}  {'labelled F1':>22}"]
    for share in shares:
        scores = ("{:.2f} ({:.2f} to {:.2f})".format(*(100 * x for x in s)) for s in share[2:])
        lines.append(f"  {share.name:<{width}} {share.gold:>8,}  " + "  ".join(f"{s:>22}" for s in scores))
    return lines


def in_gold(found: Reliability) -> list[Agreement]:
    """Return the relations that gold has."""
    return [row for row in found.relations if row.gold]


def shared_names(found: Reliability) -> int:
    """A line with the number of relations that have the same name on both sides."""
    return sum(row.other > 0 for row in in_gold(found))


def sentences(found: Reliability) -> str:
    """A line with the numbers of sentences that were and were not compared."""
    sides = left_out_by_side(found)
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


def left_out_by_side(found: Reliability) -> tuple[int, int]:
    """A line with the numbers of sentences of gold and of the trees that have no counterpart."""
    of_gold = sum(left.side == "gold" for left in found.left_out)
    return of_gold, len(found.left_out) - of_gold


def _left_out(found: Reliability) -> list[str]:
    lines = [
        f"    {left.side} {left.sentence} ({left.where}): {left.reason}" for left in found.left_out[:LISTED]
    ]
    more = len(found.left_out) - len(lines)
    return [*lines, f"    and {more:,} more: all are in --json"] if more > 0 else lines


def as_json(found: Reliability) -> dict[str, Any]:
    """Everything by name, for ``json.dumps``; proportions at full precision."""
    return {
        "against": found.against,
        "signature": found.signature,
        "sentences": {
            "compared": found.compared,
            "exact": found.exact,
            "joined": found.joined,
            "left_out": len(found.left_out),
        },
        "unlabelled": _scores(found.overall, labels=False),
        "interval": found.interval and list(found.interval),
        "labelled": _scores(found.overall, labels=True) if found.labelled else None,
        "overall": asdict(found.overall),
        "relations": [asdict(row) for row in found.relations],
        "left_out": [left._asdict() for left in found.left_out],
        "breakdowns": {
            kind: [share._asdict() for share in shares] for kind, shares in found.breakdowns.items()
        },
    }


def of_json(content: Mapping[str, Any]) -> Reliability:
    """Return the reliability that ``as_json`` wrote."""
    numbers = content["sentences"]
    return Reliability(
        content["against"],
        content["signature"],
        content["labelled"] is not None,
        numbers["compared"],
        numbers["exact"],
        numbers["joined"],
        Agreement(**content["overall"]),
        [Agreement(**row) for row in content["relations"]],
        [Unmatched(**left) for left in content["left_out"]],
        (content["interval"][0], content["interval"][1]) if content["interval"] else None,
        {
            kind: [Share(**{**row, **{key: tuple(row[key]) for key in SHARES}}) for row in rows]
            for kind, rows in content.get("breakdowns", {}).items()
        },
    )


def _scores(row: Agreement, *, labels: bool) -> dict[str, float]:
    return dict(zip(SCORES, row.scores(labels=labels), strict=True))
