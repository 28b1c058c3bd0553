"""The contents of a report besides its own page: the sections of statistics, all tables, all figures."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from crossbank.metrics.counting.presentation import metric_title
from crossbank.reports.charts.intervals import interval_chart
from crossbank.reports.findings.family import family
from crossbank.reports.findings.finding import Finding
from crossbank.reports.findings.findings import findings
from crossbank.reports.results.study import StudyResults
from crossbank.reports.sections import scores as score_tables
from crossbank.reports.sections.agreement import agreement
from crossbank.reports.sections.breakdowns import breakdowns
from crossbank.reports.sections.comparisons import compared_candidates
from crossbank.reports.sections.configurations import configuration_tables
from crossbank.reports.sections.conversions import reliability
from crossbank.reports.sections.error_types import error_tables, errors_of
from crossbank.reports.sections.information import information
from crossbank.reports.sections.learning_curves import learning_curves
from crossbank.reports.sections.over_treebanks import over_treebanks
from crossbank.reports.sections.parts import by_part
from crossbank.reports.sections.published import published
from crossbank.reports.sections.same_error import cost_chart, prices_of, same_error
from crossbank.reports.sections.section import Figure, Section
from crossbank.reports.tables.table import Table

MOST_ROWS = 60
"""Scores are drawn with their intervals where there are no more than this; tables have all of them."""


@lru_cache(maxsize=1)
def sections(study: StudyResults) -> tuple[Section, ...]:
    """The sections, computed once for all forms of a report: differences, agreement, curves, breakdowns."""
    found: list[Section] = []
    if any(treebank.candidates for treebank in study.treebanks):
        over = over_treebanks(study)
        found = [] if over is None else [over]
        found += [compared_candidates(study), agreement(study), learning_curves(study), breakdowns(study)]
    asked = information(study), reliability(study), published(study)
    return (*found, *(section for section in asked if section is not None))


@lru_cache(maxsize=1)
def tables_of_errors(study: StudyResults) -> tuple[Table, ...]:
    """Error types, their costs, and the measures that see them; computed once for all forms of a report."""
    return () if study.very_large else tuple(error_tables(errors_of(study)))


@lru_cache(maxsize=1)
def configurations_of(study: StudyResults) -> tuple[Table, ...]:
    """The findings of patterns, and the configurations that go with errors; computed once for all forms."""
    return tuple(configuration_tables(study, mine=not study.large))


@lru_cache(maxsize=1)
def parts_of(study: StudyResults) -> tuple[Table, ...]:
    """Scores by label, relation and so on; computed once for all forms of a report."""
    return () if study.very_large else tuple(by_part(study))


@lru_cache(maxsize=1)
def findings_of(study: StudyResults) -> tuple[Finding, ...]:
    """The findings as sentences; computed once for all forms of a report."""
    return tuple(findings(family(study)))


def all_tables(study: StudyResults) -> Iterator[Table]:
    """Every table of the report, in its order."""
    if prices_of(study):
        yield same_error(study, prices_of(study))
    yield score_tables.schemes(study)
    yield score_tables.comparison(study)
    yield score_tables.all_scores(study)
    for section in sections(study):
        yield from section.tables
    yield from parts_of(study)
    yield from configurations_of(study)
    yield from tables_of_errors(study)
    yield score_tables.unscored(study)
    yield score_tables.conversions(study)


def paper_tables(study: StudyResults) -> Iterator[Table]:
    """The tables that a paper prints."""
    if prices_of(study):
        yield same_error(study, prices_of(study))
    yield score_tables.schemes(study)
    yield score_tables.comparison(study)
    for section in sections(study):
        yield from (table for table in section.tables if table.key in section.paper)
    yield score_tables.unscored(study)


def score_figures(study: StudyResults) -> Iterator[Figure]:
    """Charts of each metric's main measure with its intervals."""
    for metric, measure in study.headlines().items():
        scores = [s for s in study.scores if (s.metric, s.measure) == (metric, measure.name)]
        if len(scores) <= MOST_ROWS and (svg := interval_chart(scores, measure)):
            yield Figure(
                f"scores-{metric}",
                f"{metric_title(metric)}, {measure.heading}",
                "A dot is a score, the line through it its 95 % interval. An axis need not begin at zero.",
                svg,
            )


def all_figures(study: StudyResults) -> Iterator[Figure]:
    """Every chart of the report, in its order."""
    if prices_of(study):
        yield cost_chart(study, prices_of(study))
    yield from score_figures(study)
    for section in sections(study):
        yield from section.figures
