"""Scores by sentence length, source file, document, genre and other attributes in comments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from crossbank.metrics.counting.counts import Counts, Measure, format_value
from crossbank.metrics.counting.presentation import measure_title
from crossbank.metrics.statistics.bootstrap import intervals
from crossbank.reports.charts.chart import Figure
from crossbank.reports.charts.intervals import axis_label
from crossbank.reports.charts.line_charts import Point, Series, build_line_chart
from crossbank.reports.results.sentence_facts import NO_VALUE, NO_WORDS, STEP, SentenceFacts, group_by_length
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.scores import select_compared_measures
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, ReportTable, make_cells
from crossbank.treebanks.arrays import BoolArray

MAX_LINES = 12
"""Maximal number of lines of a chart; with more it is not drawn."""

MIN_SENTENCES = 20
"""Minimal number of sentences of a class; smaller classes are grey in charts."""


@dataclass(frozen=True)
class SentenceClass:
    """A class of a treebank's sentences: its name, a mask over all sentences, its position on an axis."""

    name: str
    rows: BoolArray
    position: float = 0.0


@dataclass(frozen=True)
class ClassScores:
    """A candidate's scores over a class of sentences: cells by metric and measure."""

    treebank: str
    candidate: str
    sentences: SentenceClass
    cells: Mapping[str, Mapping[str, Cell]]


def build_length_classes(facts: SentenceFacts) -> list[SentenceClass]:
    """Return classes of sentences by their number of words, each at its mean length; none is empty."""
    grouping = group_by_length(facts.lengths)
    classes = [(name, grouping.group == index) for index, name in enumerate(grouping.groups)]
    return [
        SentenceClass(name, rows, float(facts.lengths[rows].mean()))
        for name, rows in classes
        if name != NO_WORDS
    ]


class BreakdownsSection(Section):
    """Scores by length, and by every attribute of the sentences of a treebank."""

    key, heading = "breakdowns", "By length and text"
    position = 100
    on_candidate_page = True
    printed_tables = ("by-length",)
    omitted_if_large = "intervals by length"

    def build_content(self) -> Iterable[ReportTable | Figure]:
        """Return the charts over length, and a table for each attribute."""
        study = self.study
        facts = {t.name: t.sentences for t in study.treebanks if t.sentences is not None and t.candidates}
        by_length = _score_classes(
            study,
            {name: build_length_classes(facts_of_treebank) for name, facts_of_treebank in facts.items()},
        )
        yield from _build_length_charts(study, by_length)
        read = "Words as read, punctuation included. "
        yield _build_table(study, by_length, "by-length", "Scores by sentence length", "Length", read)
        attributes = dict.fromkeys(
            name for facts_of_treebank in facts.values() for name in facts_of_treebank.groupings
        )
        for attribute in attributes:
            if attribute not in study.breakdowns and not any(
                _is_known_of_most(of, attribute) for of in facts.values()
            ):
                continue
            classes = {
                name: [SentenceClass(group, of.group == index) for index, group in enumerate(of.groups)]
                for name, facts_of_treebank in facts.items()
                if (of := facts_of_treebank.groupings.get(attribute)) is not None
            }
            key, title = f"by-{attribute.replace(' ', '-')}", f"Scores by {attribute}"
            yield _build_table(study, _score_classes(study, classes), key, title, attribute.capitalize())


def _is_known_of_most(facts: SentenceFacts, attribute: str) -> bool:
    """Return whether at least half of the sentences have an attribute."""
    grouping = facts.groupings.get(attribute)
    if grouping is None or NO_VALUE not in grouping.groups:
        return grouping is not None
    return bool((grouping.group != grouping.groups.index(NO_VALUE)).mean() >= 0.5)


def _score_classes(study: StudyResults, classes: Mapping[str, Sequence[SentenceClass]]) -> list[ClassScores]:
    """Return the scores of every class of every candidate; ``classes`` by treebank."""
    columns: dict[str, list[Measure]] = {}
    for metric, measure in select_compared_measures(study):
        columns.setdefault(metric, []).append(measure)
    scored = []
    for treebank in study.treebanks:
        for candidate, class_of_sentences in product(treebank.candidates, classes.get(treebank.name, ())):
            of = {
                metric: _build_score_cells(study, counts, class_of_sentences.rows, known)
                for metric, counts in candidate.counts.items()
                if len(counts) == len(class_of_sentences.rows)
                and (known := [m for m in columns.get(metric, ()) if candidate.has(metric, m)])
            }
            scored.append(ClassScores(treebank.name, candidate.name, class_of_sentences, of))
    return scored


def _build_table(
    study: StudyResults, scored: Sequence[ClassScores], key: str, title: str, heading: str, remark: str = ""
) -> ReportTable:
    columns = select_compared_measures(study)
    resamples = f"{study.samples:,} resamples of the sentences, seed {study.seed}"
    under = f"; under each score its {study.interval} ({resamples})" if _samples(study) else ""
    rows = [
        make_cells(
            *(of.treebank, of.candidate, of.sentences.name, int(of.sentences.rows.sum())),
            *(of.cells.get(metric, {}).get(measure.name) for metric, measure in columns),
        )
        for of in scored
    ]
    return ReportTable(
        key,
        title,
        f"{remark}Per cent, except for measures that are not proportions{under}. A dash: no sentence enters.",
        Column.texts("Treebank", "Candidate", heading)
        + Column.numbers("Sentences")
        + Column.measures(columns),
        rows,
    )


def _build_score_cells(
    study: StudyResults, counts: Counts, rows: BoolArray, measures: Sequence[Measure]
) -> dict[str, Cell]:
    """Return measures over some sentences, with intervals if several enter and the study is not large."""
    entering = int((rows & counts.rows).sum())
    if not entering:
        return {measure.name: Cell("–") for measure in measures}
    if entering == 1 or not _samples(study):
        sums = counts.sums(rows)
        return {m.name: Cell.score(float(m.score(sums)), m) for m in measures}
    limits = intervals(counts.among(rows), samples=_samples(study), seed=study.seed, level=study.level)
    named = ((m, limits[m.name]) for m in measures)
    return {m.name: Cell.score(one.value, m, one.low, one.high) for m, one in named}


def _samples(study: StudyResults) -> int:
    return 0 if study.is_large else study.samples


def _build_length_charts(study: StudyResults, scored: Sequence[ClassScores]) -> Iterator[Figure]:
    """Yield score over sentence length, a chart for each metric and a line for each candidate."""
    for metric, measure in study.headlines.items():
        lines: dict[str, list[Point]] = {}
        for of in scored:
            cell = of.cells.get(metric, {}).get(measure.name)
            if cell is not None and cell.value is not None:
                size = int(of.sentences.rows.sum())
                label = f"length {of.sentences.name}, n = {size:,}"
                point = make_point(of.sentences.position, cell, measure, label, few=size < MIN_SENTENCES)
                lines.setdefault(f"{of.treebank} · {of.candidate}", []).append(point)
        if len(lines) > MAX_LINES:
            continue
        series = [Series(name, points) for name, points in lines.items()]
        title = f"{measure_title(metric, measure)} by sentence length"
        yield Figure(
            f"by-length-{metric}",
            title,
            f"A mark is the score of a class of sentences ({STEP} words wide) at their mean length, the "
            f"bar its {study.interval}. Classes of fewer than {MIN_SENTENCES} sentences are grey, and no "
            "line goes to them.",
            build_line_chart(series, title, "words per sentence", axis_label(measure)),
        )


def make_point(position: float, cell: Cell, measure: Measure, label: str, *, few: bool = False) -> Point:
    """Return a score's cell as a point of a chart."""
    unit = 100 if measure.proportion else 1
    low, high = (None if end is None else unit * end for end in (cell.low, cell.high))
    value = cell.value or 0.0
    interval = f" ({cell.below})" if cell.below else ""
    return Point(position, unit * value, low, high, f"{label}: {format_value(value, measure)}{interval}", few)
