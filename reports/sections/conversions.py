"""Events of conversions: everything that was dropped, moved, set by default or left undecided."""

from __future__ import annotations

from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Table, cells, number_columns, text_columns


def conversions(study: StudyResults) -> Table:
    """Return the events of conversions: step, event, the number of times, and the number of sentences."""
    return Table(
        "conversions",
        "Conversions",
        "Everything that was dropped, moved, set by default or left undecided between the files and the "
        "views that metrics see, with the first sentences in which it happened.",
        text_columns("Treebank", "Trees", "View", "Step", "Event")
        + number_columns("Count", "Sentences")
        + text_columns("For instance"),
        [
            cells(c.treebank, c.name, c.view, c.step, c.event, c.count, c.sentences, ", ".join(c.examples))
            for treebank in study.treebanks
            for c in treebank.conversions
        ],
    )


class Conversions(Section):
    """Work of conversions: what they did to gold and to the candidates."""

    key, heading = "changes", "Conversions"
    made_by = (conversions,)
