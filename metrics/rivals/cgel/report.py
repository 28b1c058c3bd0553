"""Report of the mode ``cgel``, as the program prints it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Condition(NamedTuple):
    """A column of the report: the costs of deletions and of insertions, each with half the substitutions."""

    deleted: float
    inserted: float


@dataclass
class Breakdown:
    """Parts of the flexible costs.

    quarters  the cost of aligned constituents, in quarters of an edit
    categories, functions, lexemes  gold's and the candidate's, with how often they were aligned
    """

    insertions: int = 0
    deletions: int = 0
    quarters: int = 0
    wrong_antecedents: int = 0
    categories: Counter[tuple[str | None, str | None]] = field(default_factory=Counter)
    functions: Counter[tuple[str | None, str | None]] = field(default_factory=Counter)
    lexemes: Counter[tuple[str | None, str | None]] = field(default_factory=Counter)


def report(
    trees: int, sums: Mapping[str, float], conditions: Mapping[str, Condition], breakdown: Breakdown
) -> str:
    """Return the lines of the report, each with its line end."""
    gold, candidate = int(sums["gold"]), int(sums["candidate"])
    gold_gaps, candidate_gaps = int(sums["gold gaps"]), int(sums["candidate gaps"])
    rows = ["microF   ", "microP   ", "microR   ", "avgcost  ", "avgPcost ", "avgRcost "]
    for deleted, inserted in conditions.values():
        # The program exchanges the two costs.
        precision, recall = (candidate - deleted) / candidate, (gold - inserted) / gold
        shares = (_harmonic(precision, recall), precision, recall)
        costs = (deleted / trees + inserted / trees, deleted / trees, inserted / trees)
        for row, share in enumerate(shares):
            rows[row] += f"{share:.1%}   "
        for row, cost in enumerate(costs, 3):
            rows[row] += f"{cost:>5.2f}   "
    right = int(sums["right gaps"])
    precision, recall = _part(right, candidate_gaps), _part(right, gold_gaps)
    rows[0] += f"{sums['exact'] / trees:.1%}   {_harmonic(precision, recall):.1%}"
    rows[1] += f"        {precision:.1%}"
    rows[2] += f"        {recall:.1%}"
    rows[3] += f"        {int(sums['matched gaps']):>5} aligned gaps"
    rows[4] += f"        {breakdown.wrong_antecedents:>5} aligned gaps w/ unaligned antecedents"
    heading = "".join(f"{name:8}" for name in conditions)
    lines = [
        "",
        f"count={trees}, gold_constits={gold} ({gold_gaps} gaps), "
        f"pred_constits={candidate} ({candidate_gaps} gaps)",
        f"         {heading}TreeAcc Gaps",
        *rows,
        "",
        "Flex metric total cost breakdown:",
        f"   {breakdown.insertions:>6.2f} insertion @ 1",
        f"   {breakdown.deletions:>6.2f} deletion @ 1",
        f"   {breakdown.quarters / 4:>6.2f} substitution",
        *(
            f"        {confused.total() / 4:>6.2f} {what} @ .25: {_listed(confused)}"
            for what, confused in (
                ("category", breakdown.categories),
                ("function", breakdown.functions),
                ("lexical token string", breakdown.lexemes),
            )
        ),
        f"        {breakdown.wrong_antecedents / 4:>6.2f} gap antecedent @ .25",
    ]
    return "".join(f"{line}\n" for line in lines)


def _listed(confused: Counter[tuple[str | None, str | None]]) -> str:
    """Most frequent first; of equal ones the one that was met first. No word is an empty string."""
    return str({f"{one or ''}->{other or ''}": times for (one, other), times in confused.most_common()})


def _part(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _harmonic(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
