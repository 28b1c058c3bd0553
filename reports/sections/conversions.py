"""Events of conversions: everything that was dropped, moved, set by default or left undecided."""

from __future__ import annotations

from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Column, ReportTable, make_cells


def build_conversions_table(study: StudyResults) -> ReportTable:
    """Return the events of conversions: step, event, the number of times, and the number of sentences."""
    return ReportTable(
        "conversions",
        "Conversions",
        f"{study.population}"
        "Everything that was dropped, moved, set by default or left undecided between the files and the "
        "views that metrics see, with the first sentences in which it happened.",
        Column.texts("Treebank", "Trees", "View", "Step", "Event")
        + Column.numbers("Count", "Sentences")
        + Column.texts("For instance"),
        [
            make_cells(
                c.treebank, c.name, c.view, c.step, c.event, c.count, c.sentences, ", ".join(c.examples)
            )
            for treebank in study.treebanks
            for c in treebank.conversions
        ],
    )


class ConversionsSection(Section):
    """Diagnostics of the conversions of gold and candidates."""

    key, heading = "changes", "Conversions"
    position = 170
    builders = (build_conversions_table,)
