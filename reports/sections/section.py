"""Protocol of a report's sections: what each says for the page, papers, files and the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import ClassVar, Literal, TypeAlias

from crossbank.reports.charts.chart import Figure
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.tables.table import Table

Part: TypeAlias = Table | Figure


class Section:
    """A section of a study's report.

    key               its name in addresses
    heading           its title
    made_by           what makes its tables and figures of a study, in the order of reading
    paper             the keys of the tables that a paper prints
    open              the keys of the tables that stand open on the page, however long; those of papers do so
                      where they are short, and all others are folded
    glanced           whether its first figure is on the first screen
    first             whether its first table is on the first screen
    single            whether it is on a candidate's own page; ``alone`` if it is on no other one then
    template          a template in ``pages/templates`` for what is neither sentence, figure nor table
    position          where it is on the page: sections are in the order of these numbers
    large             what the report of a large study leaves out here, in words
    very_large        what that of a very large one leaves out besides

    A subclass is one file, in this package or in another one.
    """

    key: ClassVar[str]
    heading: ClassVar[str]
    made_by: ClassVar[Sequence[Callable[[StudyResults], Part | Iterable[Part]]]] = ()
    paper: ClassVar[Sequence[str]] = ()
    open: ClassVar[Sequence[str]] = ()
    glanced: ClassVar[bool] = False
    first: ClassVar[bool] = False
    single: ClassVar[bool | Literal["alone"]] = False
    template: ClassVar[str] = ""
    position: ClassVar[float] = 1000.0
    large: ClassVar[str] = ""
    very_large: ClassVar[str] = ""

    def __init__(self, study: StudyResults) -> None:
        self.study = study

    def wanted(self) -> bool:
        """True if there is something to print: a section without content has no heading either."""
        return bool(self.content)

    def said(self) -> Iterable[str]:
        """Return the sentences under the heading."""
        return ()

    def parts(self) -> Iterable[Part]:
        """Return the tables and figures in the order of reading; empty ones are not printed."""
        for make in self.made_by:
            made = make(self.study)
            yield from (made,) if isinstance(made, Part) else made

    def glance(self) -> Figure | None:
        """Return the figure of the first screen; None if the section has none there."""
        return next(iter(self.figures), None) if self.glanced else None

    def terminal(self) -> Table | None:
        """Return the table of the summary at the end of a run; None if the section adds none."""
        return None

    def printed(self, table: Table) -> bool:
        """True if a paper prints a table of this section."""
        return table.key in self.paper

    def opened(self, table: Table) -> bool:
        """True if a table stands open on the page, however long it is."""
        return table.key in self.open

    @cached_property
    def content(self) -> tuple[Part, ...]:
        """Those tables and figures that have something to show, made once for all forms of a report."""
        return tuple(part for part in self.parts() if (part.rows if isinstance(part, Table) else part.chart))

    @property
    def tables(self) -> list[Table]:
        """Tables that have rows."""
        return [part for part in self.content if isinstance(part, Table)]

    @property
    def figures(self) -> list[Figure]:
        """Figures."""
        return [part for part in self.content if isinstance(part, Figure)]
