"""Sentences that are perfect under one measure and not under another, with the types of their errors.

Rehbein, Ines and Josef van Genabith (2007): Treebank Annotation Schemes and Parser Evaluation for German,
sections 5.1 (perfect under Parseval and leaf-ancestor, and not under dependencies: mostly tags) and 5.2
(perfect under dependencies, and not under the others: missing and additional nodes).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import numpy as np

from crossbank.metrics.counting.counts import Counts, Measure
from crossbank.metrics.counting.presentation import measure_title
from crossbank.metrics.pairing.pair import Status
from crossbank.reports.results.study_results import CandidateResults, StudyResults
from crossbank.reports.results.typed_errors import errors_of, type_title
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Column, ReportTable, make_cells
from crossbank.treebanks.arrays import BoolArray

MAX_TYPES = 3
"""The number of types of errors that are listed, the most frequent ones."""

ROUNDED = 1e-9
"""A score that is no further from the perfect one is perfect: sums are rounded."""


def mask_perfect(counts: Counts, measure: Measure) -> BoolArray:
    """Return a mask of the parsed sentences with a perfect score."""
    values = counts.by_sentence(measure.name)
    best = 0.0 if measure.better == "less" else 1.0
    perfect: BoolArray = (counts.status == Status.SCORED) & (np.abs(values - best) <= ROUNDED)
    return perfect


def mask_perfect_and_not(
    candidate: CandidateResults, one: tuple[str, Measure], other: tuple[str, Measure]
) -> BoolArray:
    """Return a mask of the sentences that are perfect under one measure, and scored lower by another."""
    (metric, measure), (opposite, opposite_measure) = one, other
    counts = candidate.counts[opposite]
    imperfect = (counts.status == Status.SCORED) & ~mask_perfect(counts, opposite_measure)
    both: BoolArray = mask_perfect(candidate.counts[metric], measure) & imperfect
    return both


def select_measures(study: StudyResults) -> list[tuple[str, Measure]]:
    """Return the main measures that have a perfect score."""
    return [(name, measure) for name, measure in study.headlines.items() if measure.proportion]


def build_perfect_table(study: StudyResults) -> ReportTable:
    """Return a row for each treebank and measure: sentences of all candidates by the other measures."""
    measures = select_measures(study)
    titles = [measure_title(*one) for one in measures]
    rows = []
    for treebank in study.treebanks:
        for one, title in zip(measures, titles, strict=True):
            cells: list[int | None] = []
            for other in measures:
                masks = [
                    mask_perfect_and_not(c, one, other) for c in treebank.candidates if _has(c, one, other)
                ]
                is_counted = one != other and bool(masks)
                cells.append(sum(int(mask.sum()) for mask in masks) if is_counted else None)
            if any(cells):
                rows.append(make_cells(treebank.name, title, *cells))
    return ReportTable(
        "perfect-sentences",
        "Perfect under one measure, and not under another",
        "The number of sentences, of all candidates together, with a perfect score under the measure of the "
        "row and a lower one under that of the column. Sentences without a parse are left out.",
        [
            *Column.texts("Treebank", "Perfect under"),
            *(Column(title, "Not perfect under", numeric=True) for title in titles),
        ],
        rows,
    )


def build_type_table(study: StudyResults) -> ReportTable:
    """Return the same with the types of the errors in these sentences, the largest numbers first."""
    rows = sorted(_list_with_types(study), key=lambda row: (row[0], -row[3]))
    return ReportTable(
        "perfect-types",
        "Errors in these sentences",
        f"The same sentences, with the {MAX_TYPES} most frequent types of errors in them.",
        Column.texts("Treebank", "Perfect under", "Not perfect under")
        + Column.numbers("Sentences")
        + Column.texts("Types of errors"),
        [make_cells(*row) for row in rows],
    )


def _list_with_types(study: StudyResults) -> Iterator[tuple[str, str, str, int, str]]:
    errors = {(one.treebank.name, one.candidate.name): one for one in errors_of(study)}
    for treebank in study.treebanks:
        for one, other in permutations(select_measures(study), 2):
            sentences, numbers = 0, Counter[str]()
            for candidate in treebank.candidates:
                if not _has(candidate, one, other):
                    continue
                mask = mask_perfect_and_not(candidate, one, other)
                sentences += int(mask.sum())
                typed = errors.get((treebank.name, candidate.name))
                for type_, of in typed.per_sentence.items() if typed is not None else ():
                    numbers[type_] += int(of[mask].sum())
            if sentences:
                frequent = ((type_, number) for type_, number in numbers.most_common(MAX_TYPES) if number)
                listed = ", ".join(f"{type_title(type_)} {number}" for type_, number in frequent)
                yield treebank.name, measure_title(*one), measure_title(*other), sentences, listed


def _has(candidate: CandidateResults, one: tuple[str, Measure], other: tuple[str, Measure]) -> bool:
    if not (candidate.has(*one) and candidate.has(*other)):
        return False
    return len(candidate.counts[one[0]]) == len(candidate.counts[other[0]])


class PerfectSection(Section):
    """Sentences in which one measure sees an error and another does not."""

    key, heading = "perfect", "Errors that a measure does not see"
    position = 55
    printed_tables = ("perfect-sentences",)
    builders = (build_perfect_table, build_type_table)
    omitted_if_large = "sentences that are perfect under one measure and not under another"

    def has_content(self) -> bool:
        """Return whether there are two measures, and not too many candidates."""
        return not self.study.is_large and len(select_measures(self.study)) > 1 and super().has_content()
