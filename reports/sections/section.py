"""Sections of a report: their base class, and what pages, papers, files and terminal take from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import ClassVar, Literal, TypeAlias

from crossbank.reports.charts.chart import Figure
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.tables.table import ReportTable
from crossbank.treebanks.registry import Registry

Part: TypeAlias = ReportTable | Figure


REGISTRY = Registry("section", "module:Class")


class Section:
    """A section of a study's report.

    A subclass is one file, in this package or in another one.

    key                     its name in addresses
    heading                 its title
    builders                functions that build its tables and figures from a study, in the order of reading
    printed_tables          keys of the tables that a paper prints
    open_tables             keys of the tables that are open on the page, however long; tables of papers are
                            open if they are short, and all others are folded
    figure_on_first_screen  whether its first figure is on the first screen; ``alone`` if no other is then
    table_on_first_screen   whether its first table is on the first screen
    on_candidate_page       whether it is on a candidate's own page; ``alone`` if only there
    template                a template in ``pages/templates`` for what is neither sentence, figure nor table
    position                sections are in the order of these numbers
    omitted_if_large        what the report of a large study omits here, in words
    omitted_if_very_large   what the report of a very large one omits besides
    """

    key: ClassVar[str]
    heading: ClassVar[str]
    builders: ClassVar[Sequence[Callable[[StudyResults], Part | Iterable[Part]]]] = ()
    printed_tables: ClassVar[Sequence[str]] = ()
    open_tables: ClassVar[Sequence[str]] = ()
    figure_on_first_screen: ClassVar[bool | Literal["alone"]] = False
    table_on_first_screen: ClassVar[bool] = False
    on_candidate_page: ClassVar[bool | Literal["alone"]] = False
    template: ClassVar[str] = ""
    position: ClassVar[float] = 1000.0
    omitted_if_large: ClassVar[str] = ""
    omitted_if_very_large: ClassVar[str] = ""

    def __init__(self, study: StudyResults) -> None:
        self.study = study

    def has_content(self) -> bool:
        """Return whether there is something to print: a section without content has no heading either."""
        return bool(self.content)

    def introduction(self) -> Iterable[str]:
        """Return the sentences under the heading."""
        return ()

    def build_content(self) -> Iterable[Part]:
        """Return the tables and figures in the order of reading; empty ones are not printed."""
        for build in self.builders:
            content = build(self.study)
            yield from (content,) if isinstance(content, Part) else content

    def first_screen_figure(self) -> Figure | None:
        """Return the figure of the first screen; None if the section has none there."""
        return next(iter(self.figures), None) if self.figure_on_first_screen else None

    def summary_table(self) -> ReportTable | None:
        """Return the table of the summary at the end of a run; None if the section adds none."""
        return None

    def is_printed(self, table: ReportTable) -> bool:
        """Return whether a paper prints a table of this section."""
        return table.key in self.printed_tables

    def is_open(self, table: ReportTable) -> bool:
        """Return whether a table is open on the page, however long it is."""
        return table.key in self.open_tables

    @cached_property
    def content(self) -> tuple[Part, ...]:
        """Tables and figures that are not empty, built once for all forms of a report."""
        return tuple(
            part
            for part in self.build_content()
            if (part.rows if isinstance(part, ReportTable) else part.chart)
        )

    @property
    def tables(self) -> list[ReportTable]:
        """Tables that have rows."""
        return [part for part in self.content if isinstance(part, ReportTable)]

    @property
    def figures(self) -> list[Figure]:
        """Figures that have a chart."""
        return [part for part in self.content if isinstance(part, Figure)]


def section_classes() -> list[type[Section]]:
    """Return the classes of all sections in the order of their positions."""
    classes: list[type[Section]] = [REGISTRY.load(name) for name in REGISTRY.names()]
    return sorted(classes, key=lambda section: section.position)


def section_modules() -> list[str]:
    """Return the modules of all sections: where one has changed, a report is made anew."""
    return [REGISTRY.module(name) for name in REGISTRY.names()]


@lru_cache(maxsize=1)
def sections_of(study: StudyResults) -> tuple[Section, ...]:
    """Return the sections that have something to print, made once for all forms of a report."""
    sections = (section_class(study) for section_class in section_classes())
    return tuple(section for section in sections if section.has_content())


def all_tables(study: StudyResults) -> Iterator[ReportTable]:
    """Yield every table of the report, in its order."""
    return (table for section in sections_of(study) for table in section.tables)


def paper_tables(study: StudyResults) -> Iterator[ReportTable]:
    """Yield the tables that a paper prints."""
    return (t for section in sections_of(study) for t in section.tables if section.is_printed(t))


def all_figures(study: StudyResults) -> Iterator[Figure]:
    """Yield every chart of the report, in its order."""
    return (figure for section in sections_of(study) for figure in section.figures)
