"""Rules that fire, those for heads and those for Universal Dependencies, as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crossbank.converters.heads.head_rule_diagnosis import ORDER, HeadFinding
from crossbank.converters.universal.rule_diagnosis import RuleFinding
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
    """Return the number of nodes of each kind, and a line for each rule of each category."""
    choices = sum(row.nodes for row in found if row.how != "disagreement")
    lines = [f"{quantity(choices, 'node')} with more than one child"]
    for how in ORDER:
        nodes = sum(row.nodes for row in found if row.how == how)
        proportion = f"{100 * nodes / choices:.2f} %" if choices else "-"
        lines.append(f"  {nodes:>9,}  {proportion:>8}  {TITLES[how]}")
    width = max([len("category"), *(len(row.category) for row in found)])
    lines += ["", f"{'category':<{width}}  {'nodes':>9}  head and sentences"]
    for row in found:
        said = {"default": "the default", "disagreement": f"! {row.what}"}.get(row.how, row.what)
        lines.append(f"{row.category:<{width}}  {row.nodes:>9,}  {said}: {_first(row.sentences, NAMED)}")
    return "\n".join(lines)


UNIVERSAL_NAMED = 3
"""The number of sentences that a line names."""

UNIVERSAL_TITLES = {
    "head": "heads of nodes with several children, by rule",
    "default": "heads by no rule",
    "relation": "relations, by rule",
    "revision": "relations and governors changed, by rule (the last one of each word)",
    "dep": "words without a relation (dep), by configuration",
}


def universal_as_text(found: Sequence[RuleFinding]) -> str:
    """A line for each rule that fired, in the order of the file, and for each configuration without one."""
    lines = []
    for kind, title in UNIVERSAL_TITLES.items():
        rows = [row for row in found if row.kind == kind]
        lines.append(f"{title}: {sum(row.words for row in rows):,}")
        lines += [f"  {row.words:>8,}  {row.what}: {_first(row.sentences, UNIVERSAL_NAMED)}" for row in rows]
    return "\n".join(lines)


def as_json(found: Sequence[HeadFinding] | Sequence[RuleFinding]) -> list[dict[str, Any]]:
    """All findings with all sentences, for ``json.dumps``."""
    return [row._asdict() for row in found]


def _first(sentences: Sequence[str], most: int) -> str:
    return " ".join(sentences[:most]) + (" ..." if len(sentences) > most else "")
