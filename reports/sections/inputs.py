"""Files and versions that a study's results depend on."""

from __future__ import annotations

from collections.abc import Iterable

from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Column, Table, cells
from crossbank.treebanks.quantities import quantity


class Provenance(Section):
    """Names and values, a table for each heading; the list of files is folded, and not printed."""

    key, heading = "provenance", "Provenance"
    open = ("study", "versions")

    def said(self) -> Iterable[str]:
        """Return the place of the checksums of files, also for a reader of paper."""
        if files := self.study.provenance.get("Inputs"):
            number = quantity(len(files), "file")
            yield f"The names and SHA-256 checksums of {number} are in tables/inputs.csv."

    def parts(self) -> Iterable[Table]:
        """A table for each heading."""
        for title, values in self.study.provenance.items():
            rows = [cells(*row) for row in values.items()]
            yield Table(title.lower(), title, "", Column.texts("Name", "Value"), rows)
