"""Floor: what gold itself scores in another scheme (``metrics.analyses.gold_against_gold``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from crossbank.metrics.counting.counts import format_value
from crossbank.metrics.counting.presentation import breakdown_title, measure_title
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics.estimates import CandidateRun
from crossbank.reports.estimates.breakdowns import MIN_ITEMS, make_label_run
from crossbank.reports.estimates.questions import TREEBANKS
from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.results.gold_floors import GoldFloor
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.results.summary import Score, compute_scores
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, ReportTable, end_with_stop, make_cells
from crossbank.treebanks.quantities import listing, quantity

SIZES = ("gold", "key", "words")
"""Columns of breakdowns that say how often gold has a key."""

MAX_EXAMPLES = 3
"""Maximal number of sentences of each comparison in the table of worst sentences."""


def build_floor_table(study: StudyResults) -> ReportTable:
    """Return the score of each gold against each other one, metric by metric."""
    rows = []
    for floor in study.floors:
        score = _score_headline(study, floor)
        rows.append(
            make_cells(
                *(floor.treebank, floor.other, measure_title(floor.metric, floor.headline)),
                *("compared" if floor.is_labelled else "left out", score.n, _make_score_cell(score)),
                *(_format_interval(score), Cell(f"{100 * floor.loss:.2f}", value=floor.loss)),
            )
        )
    return ReportTable(
        "floor-scores",
        "Gold against gold",
        "The score of one treebank's gold, as if it were a candidate, against another treebank's gold of the "
        "same sentences, each in the view of the metric. Labels are left out where the schemes share less "
        "than half of them, or the metric compares none. Loss: the distance from a perfect score, in points. "
        f"With {study.interval}s.",
        Column.texts("Gold", "Scored", "Measure", "Labels")
        + Column.numbers("Sentences", "Score", "Interval", "Loss"),
        rows,
    )


def build_label_table(study: StudyResults) -> ReportTable:
    """Return the score of gold by labels, relations and constructions, the lowest first."""
    rows = []
    for floor in study.floors:
        # Without labels a bracket of the candidate has no label of gold, so there is no precision by label.
        unknown = not floor.is_labelled and floor.headline.name == "f1"
        for breakdown in (*["label"] * (not unknown), "relation", "gold_relation", "construction"):
            scores = sorted(_score_labels(study, floor, breakdown), key=lambda score: score.value or 0.0)
            title = breakdown_title(floor.counts, breakdown)
            rows += [
                make_cells(
                    *(floor.treebank, floor.other, measure_title(floor.metric, floor.headline)),
                    *(title, score.measure, _make_score_cell(score), _format_interval(score)),
                )
                for score in scores
            ]
    return ReportTable(
        "floor-by-label",
        "Gold against gold by label",
        "The same by label, relation and construction of the gold that is compared with, the lowest scores "
        f"first; those that occur {MIN_ITEMS} times or more. With {study.interval}s.",
        Column.texts("Gold", "Scored", "Measure", "By", "Label") + Column.numbers("Score", "Interval"),
        rows,
    )


def build_worst_table(study: StudyResults) -> ReportTable:
    """Return the sentences in which gold loses most, metric by metric."""
    texts = {t.name: t.sentences.text for t in study.treebanks if t.sentences is not None}
    rows = []
    for floor in _distinct_floors(study):
        values = floor.counts.by_sentence(floor.headline.name)
        loss = values if floor.headline.better == "less" else 1 - values
        scored = np.flatnonzero((floor.counts.status == Status.SCORED) & (loss > 0))
        worst = scored[np.argsort(-loss[scored], kind="stable")][:MAX_EXAMPLES].tolist()
        rows += [
            make_cells(
                *(floor.treebank, floor.other, measure_title(floor.metric, floor.headline)),
                floor.counts.sentences[row],
                Cell(format_value(float(values[row]), floor.headline), value=float(values[row])),
                texts[floor.treebank](row) if floor.treebank in texts else "",
            )
            for row in worst
        ]
    return ReportTable(
        "floor-sentences",
        "Sentences in which gold loses most",
        "The lowest scores of gold against gold; where both directions have the same score, one of them.",
        Column.texts("Gold", "Scored", "Measure", "Sentence")
        + Column.numbers("Score")
        + Column.texts("Words"),
        rows,
    )


class FloorSection(Section):
    """Score of gold itself, where treebanks annotate the same sentences in several schemes."""

    key, heading = "floor", "The floor: gold against gold"
    position = 42
    printed_tables = ("floor-scores",)
    builders = (build_floor_table, build_label_table, build_worst_table)

    def introduction(self) -> Iterable[str]:
        """Yield the meaning of the floor, and the number of differences without a statement because of it."""
        yield (
            "Two schemes annotate the same sentences differently, so gold of the one has no perfect score "
            "against gold of the other. A difference between treebanks that is no larger than this loss may "
            "be one of the schemes alone. It has no statement in this report."
        )
        below = [
            row
            for row in estimates_of(self.study).of(TREEBANKS)
            if row.significant and not row.is_above_floor and row.candidate == row.other
        ]
        if below:
            measures = dict.fromkeys(measure_title(row.metric, row.measure) for row in below)
            have = "has" if len(below) == 1 else "have"
            differences = quantity(len(below), "significant difference")
            yield end_with_stop(f"{differences} {have} none for this reason: under {listing(list(measures))}")


def _distinct_floors(study: StudyResults) -> Iterator[GoldFloor]:
    """Yield the floors; if two directions have the same loss, only the first."""
    seen: set[tuple[frozenset[str], str, float]] = set()
    for floor in study.floors:
        key = frozenset((floor.treebank, floor.other)), floor.metric, round(floor.loss, 12)
        if key not in seen:
            seen.add(key)
            yield floor


def score_loss(study: StudyResults, floor: GoldFloor) -> tuple[float, float | None, float | None]:
    """Return the loss of gold in points, with the limits of its interval."""
    score = _score_headline(study, floor)
    if score.low is None or score.high is None:
        return 100 * floor.loss, None, None
    low, high = sorted(100 * _loss(floor, end) for end in (score.low, score.high))
    return 100 * floor.loss, low, high


def _loss(floor: GoldFloor, value: float) -> float:
    return value if floor.headline.better == "less" else 1 - value


def _score_headline(study: StudyResults, floor: GoldFloor) -> Score:
    counts = replace(floor.counts, measures=(floor.headline,))
    (score,) = compute_scores(counts, study, floor.treebank, floor.other, floor.metric)
    return score


def _score_labels(study: StudyResults, floor: GoldFloor, breakdown: str) -> list[Score]:
    """Return the scores of the frequent labels of a breakdown, with their intervals."""
    run = CandidateRun(floor.treebank, floor.other, floor.counts, "")
    of_labels = next(
        (made for size in SIZES if (made := make_label_run(run, breakdown, size)) is not None), None
    )
    if of_labels is None:
        return []
    return compute_scores(of_labels.counts, study, floor.treebank, floor.other, floor.metric)


def _make_score_cell(score: Score) -> Cell:
    value = score.value or 0.0
    return Cell(f"{100 * value:.2f}", value=value)


def _format_interval(score: Score) -> str:
    return (
        "" if score.low is None or score.high is None else f"{100 * score.low:.2f} – {100 * score.high:.2f}"
    )
