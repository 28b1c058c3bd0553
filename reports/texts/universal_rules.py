"""The rules for Universal Dependencies that fire, as text for people and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crossbank.converters.universal.diagnosis import RuleFinding

NAMED = 3
"""The number of sentences that a line names; all of them are in the JSON."""

TITLES = {
    "head": "heads of nodes with several children, by rule",
    "default": "heads by no rule",
    "relation": "relations, by rule",
    "revision": "relations and governors changed, by rule (the last one of each word)",
    "dep": "words without a relation (dep), by configuration",
}


def as_text(found: Sequence[RuleFinding]) -> str:
    """A line for each rule that fired, in the order of the file, and for each configuration without one."""
    lines = []
    for kind, title in TITLES.items():
        rows = [row for row in found if row.kind == kind]
        lines.append(f"{title}: {sum(row.words for row in rows):,}")
        for row in rows:
            ids = " ".join(row.sentences[:NAMED]) + (" ..." if len(row.sentences) > NAMED else "")
            lines.append(f"  {row.words:>8,}  {row.what}: {ids}")
    return "\n".join(lines)


def as_json(found: Sequence[RuleFinding]) -> list[dict[str, Any]]:
    """All rules with all sentences, for ``json.dumps``."""
    return [row._asdict() for row in found]
