"""Reliability of a conversion, as text for people."""

from __future__ import annotations

from collections.abc import Sequence

from crossbank.metrics.analyses.conversion_reliability import Reliability
from crossbank.metrics.analyses.reliability_breakdowns import Share
from crossbank.metrics.statistics.defaults import interval_name
from crossbank.treebanks.quantities import listed_lines, quantity

LISTED = 20
"""The number of omitted sentences that are printed; the JSON has all of them."""


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
