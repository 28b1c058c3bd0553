"""A section of reports: the number of treebanks."""

from collections.abc import Iterator

from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, ReportTable


class Sizes(Section):
    """The number of treebanks."""

    key, heading = "sizes", "Sizes"
    position = 15

    def build_content(self) -> Iterator[ReportTable]:
        """Yield one table."""
        number = len(self.study.treebanks)
        cells = [[Cell(str(number), value=number)]]
        yield ReportTable("sizes", "Sizes", "Treebanks.", [Column("Treebanks")], cells)
