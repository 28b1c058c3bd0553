"""The files and versions that a study's results depend on."""

from __future__ import annotations

from crossbank.reports.sections.section import Section


class Provenance(Section):
    """Names and values under headings."""

    key, heading = "provenance", "Provenance"
    template = "provenance.html.j2"

    def wanted(self) -> bool:
        """True where anything is known."""
        return bool(self.study.provenance)
