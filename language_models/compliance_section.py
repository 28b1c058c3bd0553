"""The section on compliance: answers by what they are, scores by compliance, and the parts of differences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from crossbank.language_models.compliance_parts import (
    COMMON,
    COMPLIANCE,
    PARSING,
    common_sentences,
    other_metrics,
    select_compliant,
)
from crossbank.metrics.counting.counts import Counts, Measure
from crossbank.metrics.counting.presentation import measure_title
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics.bootstrap import intervals
from crossbank.metrics.statistics.estimates import Estimate
from crossbank.reports.estimates.questions import describe_family
from crossbank.reports.estimates.statements import format_fields
from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, ReportTable, format_probability, make_cells
from crossbank.treebanks.arrays import BoolArray

PROPERTIES: Mapping[str, str] = {
    "answered": "Answers",
    "parsed": "With a parse",
    "repaired": "Repaired",
    "valid": "Valid",
    "faithful": "Gold’s words",
    "normalised": "Normalised",
    "changed": "Changed",
    "compliant": "Compliant",
}
"""The columns of counts, and their headings."""

STATEMENTS: Mapping[str, str] = {
    PARSING: "In {treebank} parsing accounts for {numbers} of the difference of {candidate} and {other} "
    "under {measure}.",
    COMPLIANCE: "In {treebank} compliance accounts for {numbers} of the difference of {candidate} and "
    "{other} under {measure}.",
}
"""The sentence on a part of a difference, rendered from its row."""

MAX_STATEMENTS = 6


def build_compliance_table(study: StudyResults) -> ReportTable:
    """Return the numbers of answers, of parses and of what these are."""
    rows = []
    repairs: dict[str, None] = {}
    by_candidate = [(treebank, one) for treebank in study.treebanks for one in select_compliant(treebank)]
    counted = [_repairs(one.counts) for _, one in by_candidate]
    for kinds in counted:
        repairs |= dict.fromkeys(kinds)
    for (treebank, one), kinds in zip(by_candidate, counted, strict=True):
        numbers = [Cell.count(one.counts.columns[name].sum()) for name in PROPERTIES]
        own = [Cell.count(kinds.get(kind, 0)) for kind in repairs]
        rows.append([*make_cells(treebank.name, one.candidate.name, len(one.counts)), *numbers, *own])
    return ReportTable(
        "compliance",
        "Compliance",
        "Numbers of sentences; of repairs, how often each was made. A valid parse is one tree of known "
        "labels that needed no repair, a compliant one is valid and has gold’s words.",
        Column.texts("Treebank", "Candidate")
        + Column.numbers("Sentences", *PROPERTIES.values())
        + Column.numbers(*(kind.capitalize() for kind in repairs), group="Repairs"),
        rows,
    )


def _repairs(counts: Counts) -> dict[str, int]:
    """Return how often each repair was made."""
    if "repair" not in counts.breakdowns:
        return {}
    breakdown = counts.breakdowns["repair"]()
    sums = breakdown.sums(np.ones(len(counts.status), np.bool_))["candidate"]
    return {key: int(number) for key, number in zip(breakdown.keys, sums.tolist(), strict=True) if number}


def build_scores_table(study: StudyResults) -> ReportTable:
    """Return the main measures over all sentences, compliant ones, and those compliant in every candidate."""
    rows = []
    for treebank in study.treebanks:
        candidates = select_compliant(treebank)
        common = common_sentences(candidates)
        for one in candidates:
            for metric, counts in other_metrics(one.candidate, len(one.counts)).items():
                measure = study.headlines[metric]
                populations = [np.ones(len(counts), np.bool_), one.compliant]
                populations += [common] if common is not None else []
                scores = [_score(study, counts, measure, mask) for mask in populations]
                numbers = [Cell.count(int(mask.sum())) for mask in populations[1:]]
                names = make_cells(treebank.name, one.candidate.name, measure_title(metric, measure))
                rows.append([*names, *scores, *numbers])
    return ReportTable(
        "scores-by-compliance",
        "Scores by compliance",
        f"With {study.interval}s. Sentences that are not compliant in some candidate are left out in the "
        "last population, so that there parsers alone differ.",
        Column.texts("Treebank", "Candidate", "Measure")
        + Column.numbers("All", "Compliant", "In every candidate", group="Sentences")
        + Column.numbers("Compliant", "In every candidate", group="n"),
        rows,
    )


def _score(study: StudyResults, counts: Counts, measure: Measure, mask: BoolArray) -> Cell:
    """Return a score over some sentences, with its interval."""
    status = np.where(mask, counts.status, Status.SKIPPED).astype(np.int8)
    among = Counts(
        counts.signature, (measure,), counts.sentences, status, counts.columns, policy=counts.policy
    )
    if not among.rows.any():
        return Cell.score(None, measure)
    interval = intervals(among, samples=study.samples, seed=study.seed)[measure.name]
    return Cell.score(interval.value, measure, interval.low, interval.high)


def build_parts_table(study: StudyResults) -> ReportTable:
    """Return the parts of each difference, with intervals and probabilities."""
    rows = []
    for row in _rows(study):
        fields = format_fields(row)
        names = make_cells(row.treebank, row.candidate, row.other, fields["measure"], row.key)
        value = Cell.score(row.value, row.measure, row.low, row.high)
        p = Cell(format_probability(row.p_corrected), value=row.p_corrected)
        rows.append([*names, value, p, Cell.count(row.n)])
    return ReportTable(
        "compliance-parts",
        "Compliance and parsing in differences",
        f"Parsing is the difference over the sentences that are {COMMON}, compliance what is left of that "
        f"over all sentences. {describe_family(COMPLIANCE, study)}",
        [
            *Column.texts("Treebank", "Candidate", "Other", "Measure", "Part"),
            *Column.numbers("Difference", "p", "n"),
        ],
        rows,
    )


def _rows(study: StudyResults) -> Iterator[Estimate]:
    return (row for row in estimates_of(study).of(COMPLIANCE) if row.key in STATEMENTS)


class ComplianceSection(Section):
    """Compliance with the task, apart from accuracy."""

    key, heading = "compliance", "Compliance"
    position = 55
    builders = (build_compliance_table, build_scores_table, build_parts_table)
    printed_tables = ("compliance", "scores-by-compliance")

    def introduction(self) -> Iterable[str]:
        """Return which part of differences is compliance and which is parsing."""
        rows = list(_rows(self.study))[:MAX_STATEMENTS]
        return [STATEMENTS[row.key].format(**format_fields(row)) for row in rows]
