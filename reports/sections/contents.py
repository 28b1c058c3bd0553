"""List of a report's sections, and what its forms take from it: page, papers, files, terminal."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from crossbank.reports.charts.chart import Figure
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Table
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.registry import Registry

ROOM = "crossbank.reports.sections"

SECTIONS = {
    "leaderboard": f"{ROOM}.leaderboard:Leaderboard",
    "over-treebanks": f"{ROOM}.over_treebanks:OverTreebanks",
    "curves": f"{ROOM}.learning_curves:LearningCurves",
    "prices": f"{ROOM}.same_error:SameError",
    "scores": f"{ROOM}.scores:Scores",
    "errors": f"{ROOM}.error_types:ErrorTypes",
    "treebanks": f"{ROOM}.treebanks:Treebanks",
    "different": f"{ROOM}.comparisons:Differences",
    "agreement": f"{ROOM}.agreement:Agreement",
    "breakdowns": f"{ROOM}.breakdowns:Breakdowns",
    "information": f"{ROOM}.information:Information",
    "trust": f"{ROOM}.reliability:ConversionReliability",
    "published": f"{ROOM}.published:PublishedScores",
    "parts": f"{ROOM}.parts:Parts",
    "hot-spots": f"{ROOM}.hot_spots:HotSpots",
    "without": f"{ROOM}.unscored:Unscored",
    "changes": f"{ROOM}.conversions:Conversions",
    "worst": f"{ROOM}.worst:WorstSentences",
    "cite": f"{ROOM}.cite:Citation",
    "provenance": f"{ROOM}.inputs:Provenance",
}
"""The sections in the order of the page."""

REGISTRY = Registry("section", "crossbank.sections", SECTIONS, "a class of another package, module:name")


def classes() -> list[type[Section]]:
    """Classes of all sections in order, those of other packages before the one that each precedes."""
    built_in = {name: REGISTRY.load(name) for name in SECTIONS}
    ordered = list(built_in.values())
    for section in of_others():
        ordered.insert(ordered.index(built_in[section.before]), section)
    return ordered


def of_others() -> Iterator[type[Section]]:
    """Yield the sections of other packages. Raises OptionError for one that precedes none of ours."""
    for name in REGISTRY.entry_points():
        section: type[Section] = REGISTRY.load(name)
        if section.before not in SECTIONS:
            raise OptionError(f"section {name}: before", section.before, list(SECTIONS))
        yield section


def modules() -> list[str]:
    """Return the modules of all sections: where one has changed, a report is made anew."""
    return [reference.partition(":")[0] for reference in (SECTIONS | REGISTRY.entry_points()).values()]


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
