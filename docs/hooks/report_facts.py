"""The sections of reports, from their classes."""

from __future__ import annotations

from docstring_text import first_paragraph
from markdown_tables import table

from crossbank.reports.sections.section import section_classes


def sections() -> str:
    """Return a table of all sections of a report, in their order."""
    return table(
        ["section", "content"],
        [[section.heading, first_paragraph(section.__doc__ or "")] for section in section_classes()],
    )
