"""A section of reports: the number of treebanks."""

from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, Table


class Sizes(Section):
    """How many treebanks there are."""

    key, heading = "sizes", "Sizes"
    position = 15

    def build_content(self):
        """Yield one table."""
        number = len(self.study.treebanks)
        yield Table(
            "sizes", "Sizes", "Treebanks.", [Column("Treebanks")], [[Cell(str(number), value=number)]]
        )
