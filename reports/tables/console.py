"""Scores on a terminal, as text for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from crossbank.metrics.counting.counts import Counts, format_value
from crossbank.metrics.counting.presentation import measures_of_breakdown
from crossbank.treebanks.errors import OptionError, one_of
from crossbank.treebanks.quantities import describe_amount, quantity

if TYPE_CHECKING:
    from crossbank.metrics.analyses.score_under_conventions import Explained, Explanation


def format_scores(scored: Sequence[Counts], by: Sequence[str] = ()) -> str:
    """Return every measure of every metric with its meaning, the signatures, and the numbers of sentences.

    by  names of breakdowns, such as ``relation``: each metric that has them is followed by a table

    Proportions are printed in per cent. If nothing was scored, a sentence says so instead of the scores.
    Raises OptionError if no metric has the breakdown.
    """
    _require_breakdowns(scored, by)
    names = [measure.name for counts in scored for measure in counts.measures]
    width = max((len(name) for name in names), default=0)
    blocks = []
    for counts in scored:
        lines = [str(counts.full_signature)]
        if counts.rows.any():
            values = counts.values()
            for measure in counts.measures:
                unit = "%" if measure.proportion else " "
                value = format_value(values[measure.name], measure)
                lines.append(f"  {measure.name:<{width}}  {value:>8} {unit}  {measure.meaning}")
        else:
            lines.append("  no sentence enters a score")
        lines.append(f"  {format_sentence_counts(counts.status_counts())}")
        lines += [f"  {describe_amount(number, note)}" for note, number in counts.notes.items()]
        for breakdown in by:
            if breakdown in counts.breakdowns:
                lines += ["", *_format_breakdown(counts, breakdown)]
            else:
                lines += ["", f"  not by {breakdown}: {_explain_missing_breakdown(counts, breakdown)}"]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _require_breakdowns(scored: Sequence[Counts], by: Sequence[str]) -> None:
    known = list(dict.fromkeys(breakdown for counts in scored for breakdown in counts.breakdowns))
    for breakdown in by:
        if breakdown not in known:
            reasons = "; ".join(_explain_missing_breakdown(counts, breakdown) for counts in scored)
            raise OptionError(
                "--by", breakdown, f"{one_of(known)} ({reasons})" if known else f"none ({reasons})"
            )


def _explain_missing_breakdown(counts: Counts, breakdown: str) -> str:
    """Return a clause on why a metric does not have a breakdown."""
    metric = counts.signature.metric
    if ("average", "macro") in counts.signature.choices:
        return f"{metric} is a mean over sentences, which has no parts but sentences (average=macro)"
    return f"{metric} counts nothing by {breakdown}"


VERSION = 1
"""Version of the JSON: it changes if a key is removed or changes its meaning, not if one is added."""


def scores_as_json(
    scored: Sequence[Counts], by: Sequence[str] = (), further: Mapping[str, object] | None = None
) -> str:
    """Return one JSON object, described in docs/scores.schema.json.

    It has its ``version``; ``scores``, each with metric, measure, value and signature, and ``sentences``.

    Metrics of relations add ``by_relation``: counts, precision and recall of each; so do others for the
    breakdowns that ``by`` names. Raises OptionError if no metric has them.

    Values are proportions at full precision (other measures are omitted), null if no sentence enters
    the score. ``notes`` has the numbers of sentences or words that a diagnostic is about, if there
    are any.
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
            if measure.proportion
        ]
    _require_breakdowns(scored, by)
    breakdowns = {
        key: rows
        for breakdown in dict.fromkeys(["relation", *by])
        for key, rows in _breakdowns_as_values(scored, breakdown).items()
    }
    sentences = scored[0].status_counts() if scored else {"total": 0, "scored": 0}
    notes = {note: number for counts in scored for note, number in counts.notes.items()}
    remarks = {"notes": notes} if notes else {}
    content = {
        "version": VERSION,
        "scores": scores,
        "sentences": sentences,
        **remarks,
        **breakdowns,
        **(further or {}),
    }
    return json.dumps(content, ensure_ascii=False)


def _breakdowns_as_values(scored: Sequence[Counts], breakdown: str) -> dict[str, dict[str, dict[str, float]]]:
    """Return ``by_relation``, for instance: the counts and scores of each relation.

    If several metrics have relations, each has its own key: ``dependencies_by_relation`` ...
    """
    broken_down = [counts for counts in scored if breakdown in counts.breakdowns]
    by_key = {}
    for counts in broken_down:
        key = f"by_{breakdown}" if len(broken_down) == 1 else f"{counts.signature.metric}_by_{breakdown}"
        measures = measures_of_breakdown(counts, breakdown)
        by_key[key] = {
            name: {**row, **{measure.name: measure.of(row) for measure in measures}}
            for name, row in counts.by_breakdown(breakdown).items()
        }
    return by_key


def _format_breakdown(counts: Counts, breakdown: str) -> Iterator[str]:
    """Yield a table of a breakdown: counts in gold and the candidate, proportions in per cent."""
    rows = counts.by_breakdown(breakdown)
    table = counts.breakdowns[breakdown]()
    sides = [side for side in ("rows", "gold", "candidate") if all(side in row for row in rows.values())]
    measures = [m for m in measures_of_breakdown(counts, breakdown) if m.proportion or table.whole]
    names = list(rows)
    if not table.ordered and sides:
        names.sort(key=lambda name: (-rows[name][sides[0]], name))
    width = max(map(len, [breakdown, *names]))
    named = ["n" if table.whole and side == "rows" else side for side in sides]
    heads = [*named, *(measure.name for measure in measures)]
    yield f"  {breakdown:<{width}}" + "".join(f"  {head:>{max(len(head), 6)}}" for head in heads)
    for name in names:
        cells = [f"{rows[name][side]:.0f}" for side in sides]
        cells += [format_value(measure.of(rows[name]), measure) for measure in measures]
        yield f"  {name:<{width}}" + "".join(
            f"  {cell:>{max(len(head), 6)}}" for head, cell in zip(heads, cells, strict=True)
        )


def format_sentence_counts(statuses: Mapping[str, int]) -> str:
    """Return the number of sentences and that of each status: ``120 sentences: 119 scored, 1 no parse``."""
    numbers = [f"{number:,} {status}" for status, number in statuses.items() if status != "total"]
    return f"{quantity(statuses['total'], 'sentence')}: {', '.join(numbers)}"


def format_explanation(explanation: Explanation) -> str:
    """Return the scores in per cent under every convention, and how much each changes F1, in points."""
    rows = [explanation.start, *explanation.changed, *explanation.others]
    width = max(len(row.name) for row in rows)
    head = f"  {'':<{width}}  precision  recall     f1  difference"
    lines = [
        explanation.start.signature,
        head,
        _format_explained(explanation.start, width),
        "one choice changed:",
    ]
    lines += [_format_explained(row, width) for row in explanation.changed]
    programs = f" ({', '.join(explanation.programs)})" if explanation.programs else ""
    lines.append(f"as others count{programs}:")
    lines += [_format_explained(row, width) for row in explanation.others]
    return "\n".join(lines)


def explanation_as_json(explanation: Explanation) -> str:
    """Return one JSON object: ``conventions`` (name, scores, difference, signature, reason), ``programs``."""
    rows = [explanation.start, *explanation.changed, *explanation.others]
    content = {"conventions": [asdict(row) for row in rows], "programs": list(explanation.programs)}
    return json.dumps(content, ensure_ascii=False)


def _format_explained(row: Explained, width: int) -> str:
    if row.precision is None or row.recall is None or row.f1 is None:
        return f"  {row.name:<{width}}  {row.reason}"
    line = f"  {row.name:<{width}}  {100 * row.precision:9.2f}  {100 * row.recall:6.2f} {100 * row.f1:6.2f}"
    return line if row.difference is None else f"{line}  {100 * row.difference:+10.2f}"
