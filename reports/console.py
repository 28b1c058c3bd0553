"""Scores on a terminal, as text for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from metrics.conventions import Explained, Explanation
from metrics.counts import Counts, precision_recall_f1
from reports.tables import shown


def as_table(scored: Sequence[Counts]) -> str:
    """Every measure of every metric with what it divides by what, signatures, and sentences.

    Shares are printed in per cent. Nothing was scored: a sentence says so in place of the scores.
    """
    names = [measure.name for counts in scored for measure in counts.measures]
    width = max((len(name) for name in names), default=0)
    blocks = []
    for counts in scored:
        lines = [str(counts.full_signature)]
        if counts.rows.any():
            values = counts.values()
            for measure in counts.measures:
                unit = "%" if measure.share else " "
                value = shown(values[measure.name], measure)
                lines.append(f"  {measure.name:<{width}}  {value:>8} {unit}  {measure.meaning}")
        else:
            lines.append("  no sentence enters a score")
        lines.append(f"  {_sentences(counts)}")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def as_json(scored: Sequence[Counts]) -> str:
    """One JSON object: ``scores``, each with metric, measure, value and signature, and ``sentences``.

    Metrics of relations add ``by_relation``: counts, precision, recall and F1 of each.

    Values are shares at full precision (measures that are no shares are left out), null where no
    sentence enters the score.
    """
    scores = []
    for counts in scored:
        values = counts.values() if counts.rows.any() else {}
        scores += [
            {
                "metric": counts.signature.metric,
                "measure": measure.name,
                "value": values.get(measure.name),
                "signature": str(counts.full_signature),
            }
            for measure in counts.measures
            if measure.share
        ]
    sentences = scored[0].status_counts() if scored else {"total": 0, "scored": 0}
    return json.dumps({"scores": scores, "sentences": sentences, **_by_relation(scored)}, ensure_ascii=False)


def _by_relation(scored: Sequence[Counts]) -> dict[str, dict[str, dict[str, float]]]:
    """``by_relation``: for each relation its counts, precision, recall and F1.

    Where several metrics have relations, each has a key of its own: ``dependencies_by_relation`` ...
    """
    having = [counts for counts in scored if "relation" in counts.parts]
    found = {}
    for counts in having:
        key = "by_relation" if len(having) == 1 else f"{counts.signature.metric}_by_relation"
        found[key] = {
            relation: {
                **row,
                **{
                    measure.name: float(measure.score({name: np.asarray(row[name]) for name in SIDES}))
                    for measure in precision_recall_f1(*SIDES, "relations")
                },
            }
            for relation, row in counts.by_part("relation").items()
        }
    return found


SIDES = ("gold", "candidate", "matched")


def _sentences(counts: Counts) -> str:
    found = counts.status_counts()
    parts = [f"{number:,} {status}" for status, number in found.items() if status != "total"]
    return f"{found['total']:,} sentences: {', '.join(parts)}"


def explanation_as_table(explanation: Explanation) -> str:
    """The scores in per cent under every convention, and how far each moves F1, in points."""
    rows = [explanation.start, *explanation.changed, *explanation.others]
    width = max(len(row.name) for row in rows)
    head = f"  {'':<{width}}  precision  recall     f1  difference"
    lines = [explanation.start.signature, head, _row(explanation.start, width), "one choice changed:"]
    lines += [_row(row, width) for row in explanation.changed]
    lines.append("as others count:")
    lines += [_row(row, width) for row in explanation.others]
    return "\n".join(lines)


def explanation_as_json(explanation: Explanation) -> str:
    """One JSON object: ``conventions``, each with name, scores as shares, difference, signature, reason."""
    rows = [explanation.start, *explanation.changed, *explanation.others]
    return json.dumps({"conventions": [asdict(row) for row in rows]}, ensure_ascii=False)


def _row(row: Explained, width: int) -> str:
    if row.precision is None or row.recall is None or row.f1 is None:
        return f"  {row.name:<{width}}  {row.reason}"
    line = f"  {row.name:<{width}}  {100 * row.precision:9.2f}  {100 * row.recall:6.2f} {100 * row.f1:6.2f}"
    return line if row.difference is None else f"{line}  {100 * row.difference:+10.2f}"
