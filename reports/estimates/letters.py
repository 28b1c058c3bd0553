"""Candidates in the order of their scores, with letters: those that share one do not differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crossbank.metrics.statistics.estimates import Estimate
from crossbank.metrics.statistics.letter_display import letter_display, spelled


def collect_scores(rows: Iterable[Estimate]) -> dict[str, float]:
    """Return the score of each candidate in the pairs of one treebank under one measure."""
    scores: dict[str, float] = {}
    for row in rows:
        for name, sign in ((row.candidate, 1), (row.other, -1)):
            if name not in scores:
                name_of = row.measure.name
                terms = ((w, run.counts.value(name_of)) for w, run in row.contrast.terms if w * sign > 0)
                scores[name] = sum(abs(weight) * score for weight, score in terms)
    return scores


def rank_candidates(rows: Sequence[Estimate]) -> list[str]:
    """Return the candidates in the pairs of one treebank under one measure, the best first."""
    scores = collect_scores(rows)
    return sorted(scores, key=scores.__getitem__, reverse=rows[0].measure.better == "more")


def assign_letters(rows: Sequence[Estimate]) -> dict[str, str]:
    """Return the letters of each candidate in all pairs of one treebank under one measure, the best first."""
    if not rows:
        return {}
    names = rank_candidates(rows)
    index = {name: number for number, name in enumerate(names)}
    different = {
        (min(index[row.candidate], index[row.other]), max(index[row.candidate], index[row.other]))
        for row in rows
        if row.significant
    }
    display = letter_display(len(names), different)
    return {name: spelled(groups) for name, groups in zip(names, display, strict=True)}
