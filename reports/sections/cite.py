"""The citation of a study: sentences for a method section, and BibTeX."""

from __future__ import annotations

from functools import cached_property

from crossbank.reports.sections.section import Section
from crossbank.reports.texts.citation import bibliography, method


class Citation(Section):
    """The method in sentences, and the papers behind it."""

    key, heading = "cite", "Cite this"
    template = "cite.html.j2"

    def wanted(self) -> bool:
        """True where something was scored."""
        return bool(self.method)

    @cached_property
    def method(self) -> str:
        """The sentences of a method section."""
        return method(self.study)

    @cached_property
    def bibliography(self) -> str:
        """BibTeX of the corpora, measures, intervals and tests."""
        return bibliography(self.study)
