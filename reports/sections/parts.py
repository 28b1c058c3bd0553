"""Tables of scores by label, relation, tag, place of the head, and the other breakdowns of metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from crossbank.metrics.counting.counts import Counts, Measure
from crossbank.metrics.counting.presentation import (
    compared,
    headline,
    measures_of_part,
    metric_title,
    part_title,
)
from crossbank.reports.results.study import StudyResults, TreebankResults
from crossbank.reports.sections.confusions import CONFUSION, confusion_table
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, Table, score_cell, texts

PARTS_SHOWN = 50


class Parts(Section):
    """Scores by label, relation and so on."""

    key, heading = "parts", "By label and relation"
    single = True
    very_large = "scores by label"

    def parts(self) -> Iterable[Table]:
        """A table for each treebank, metric and kind of parts."""
        return () if self.study.very_large else by_part(self.study)


def by_part(study: StudyResults) -> Iterator[Table]:
    """One table for each treebank, metric and kind of parts: scores by label, relation and so on."""
    for treebank in study.treebanks:
        kinds = dict.fromkeys(
            (name, kind)
            for candidate in treebank.candidates
            for name, counts in candidate.counts.items()
            for kind in counts.parts
        )
        for metric, kind in kinds:
            made = (
                confusion_table(treebank, metric)
                if kind == CONFUSION
                else _part_table(treebank, metric, kind)
            )
            yield replace(made, among="Scores by label, relation and so on")


def _part_table(treebank: TreebankResults, metric: str, kind: str) -> Table:
    scores: dict[str, dict[str, dict[str, float]]] = {}
    columns: Sequence[Measure] = ()
    totals: dict[str, float] = {}
    ordered, of_sentences, with_kinds = False, False, False
    for candidate in treebank.candidates:
        counts = candidate.counts[metric]
        parts = counts.parts[kind]()
        ordered, of_sentences = parts.ordered, "rows" in parts.columns
        if not columns:
            columns = _shown(counts, kind)
            with_kinds = any(m.name == "kind_recall" for m in columns)
            columns = columns if len(treebank.candidates) <= 4 else [headline(counts, columns)]
        sums = parts.sums(counts.rows)
        scores[candidate.name] = {
            m.name: dict(
                zip(parts.keys, np.broadcast_to(m.score(sums), len(parts.keys)).tolist(), strict=True)
            )
            for m in columns
        }
        total = sums["rows"] if of_sentences else sums.get("gold", next(iter(sums.values())))
        for key, number in zip(parts.keys, total.tolist(), strict=True):
            totals[key] = max(totals.get(key, 0.0), number)
    keys = list(totals) if ordered else sorted(totals, key=lambda key: (-totals[key], key))
    rows = []
    for key in keys[:PARTS_SHOWN]:
        row = [Cell(key or "(none)"), *texts(int(totals[key]))]
        for of_candidate in scores.values():
            row += [score_cell(of_candidate.get(m.name, {}).get(key), m) for m in columns]
        rows.append(row)
    title = part_title(counts, kind)
    order = "per cent" if ordered else "the most frequent in gold first; per cent"
    left_out = f" The {PARTS_SHOWN} most frequent of {len(keys)} are shown." if len(keys) > len(rows) else ""
    without = (
        " “Without head” counts words of the same kind on both sides; their heads may differ." * with_kinds
    )
    return Table(
        f"{treebank.name}-{metric}-{kind}",
        f"{treebank.name}: {metric_title(metric)} by {title}",
        f"Over all sentences that enter the scores, {order}.{left_out}{without}",
        [
            Column(title.capitalize(), numeric=False),
            Column("Sentences" if of_sentences else "In gold"),
            *(Column(measure.heading, name) for name in scores for measure in columns),
        ],
        rows,
    )


def _shown(counts: Counts, kind: str) -> Sequence[Measure]:
    """Return the measures shown for each kind: those of the comparison, or the first three."""
    return measures_of_part(counts, kind, compared(counts)) or measures_of_part(counts, kind)[:3]
