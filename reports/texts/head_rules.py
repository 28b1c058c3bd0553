"""The head rules that fire and the places where they disagree, as text for people and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crossbank.converters.heads.diagnosis import ORDER, HeadFinding
from crossbank.treebanks.quantities import quantity

NAMED = 5
"""The number of sentences that a line names; all of them are in the JSON."""

TITLES = {
    "function": "by a rule about functions",
    "category": "by a rule about categories alone",
    "default": "by the default",
    "disagreement": "with another head without functions",
}


def as_text(found: Sequence[HeadFinding]) -> str:
    """The number of nodes of each kind, and a line for each rule of each category."""
    choices = sum(row.nodes for row in found if row.how != "disagreement")
    lines = [f"{quantity(choices, 'node')} with more than one child"]
    for how in ORDER:
        nodes = sum(row.nodes for row in found if row.how == how)
        proportion = f"{100 * nodes / choices:.2f} %" if choices else "-"
        lines.append(f"  {nodes:>9,}  {proportion:>8}  {TITLES[how]}")
    width = max([len("category"), *(len(row.category) for row in found)])
    lines += ["", f"{'category':<{width}}  {'nodes':>9}  head and sentences"]
    for row in found:
        ids = " ".join(row.sentences[:NAMED]) + (" ..." if len(row.sentences) > NAMED else "")
        said = {"default": "the default", "disagreement": f"! {row.what}"}.get(row.how, row.what)
        lines.append(f"{row.category:<{width}}  {row.nodes:>9,}  {said}: {ids}")
    return "\n".join(lines)


def as_json(found: Sequence[HeadFinding]) -> list[dict[str, Any]]:
    """All rows with all sentences, for ``json.dumps``."""
    return [row._asdict() for row in found]
