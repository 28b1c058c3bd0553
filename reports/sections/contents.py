"""List of a report's sections, and what its forms take from it: page, papers, files, terminal."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from crossbank.reports.charts.chart import Figure
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Table
from crossbank.treebanks.registry import Registry

REGISTRY = Registry("section", "module:Class")


def classes() -> list[type[Section]]:
    """Return the classes of all sections in the order of their positions."""
    loaded: list[type[Section]] = [REGISTRY.load(name) for name in REGISTRY.names()]
    return sorted(loaded, key=lambda section: section.position)


def modules() -> list[str]:
    """Return the modules of all sections: where one has changed, a report is made anew."""
    return [REGISTRY.module(name) for name in REGISTRY.names()]


@lru_cache(maxsize=1)
def sections(study: StudyResults) -> tuple[Section, ...]:
    """Return the sections that have something to print, made once for all forms of a report."""
    return tuple(section for section in (made(study) for made in classes()) if section.wanted())


def all_tables(study: StudyResults) -> Iterator[Table]:
    """Every table of the report, in its order."""
    return (table for section in sections(study) for table in section.tables)


def paper_tables(study: StudyResults) -> Iterator[Table]:
    """Yield the tables that a paper prints."""
    return (t for section in sections(study) for t in section.tables if section.printed(t))


def all_figures(study: StudyResults) -> Iterator[Figure]:
    """Every chart of the report, in its order."""
    return (figure for section in sections(study) for figure in section.figures)
