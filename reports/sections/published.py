"""Scores that a paper prints beside those of the study, and what differs: the report's section."""

from __future__ import annotations

from collections.abc import Iterable

from crossbank.metrics.counting.presentation import measure_title
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.scores import build_score_cell
from crossbank.reports.sections.section import Section
from crossbank.reports.study.model import Published
from crossbank.reports.tables.table import Column, ReportTable, make_cells


class PublishedScoresSection(Section):
    """A table for each source that the study names."""

    key, heading = "published", "Published scores"
    position = 130

    def introduction(self) -> Iterable[str]:
        """Return the differences between the sources and the study."""
        return [f"{source.source}: {source.differs}" for source in self.study.published if source.differs]

    def build_content(self) -> Iterable[ReportTable]:
        """Return a table for each source."""
        return (
            _build_table(self.study, number, source) for number, source in enumerate(self.study.published, 1)
        )

    def is_printed(self, table: ReportTable) -> bool:
        """Return True: papers print all of them."""
        return True


def _build_table(study: StudyResults, number: int, source: Published) -> ReportTable:
    """Return printed scores, each beside its candidate's, or without a candidate the treebank's best."""
    rows = []
    for treebank, candidate, metric, name, value in source.scores:
        measure = next((m for m in study.measures().get(metric, ()) if m.name == name), None)
        if measure is None:
            continue
        own = [
            score
            for score in study.scores
            if (score.treebank, score.metric, score.measure) == (treebank, metric, name)
            and score.value is not None
            and candidate in ("", score.candidate)
        ]
        best = max(own, key=lambda score: score.value or 0.0, default=None)
        candidate_name = best.candidate if best else candidate or None
        rows.append(
            make_cells(
                treebank,
                candidate_name,
                measure_title(metric, measure),
                build_score_cell(best, measure),
                value,
            )
        )
    return ReportTable(
        f"published-{number}",
        f"Here and in {source.source}",
        "Per cent, except for measures that are not proportions; under the study's own scores their "
        f"{study.interval}s. Where the source has one parser of a treebank, the study's best candidate "
        "is beside it.",
        Column.texts("Treebank", "Candidate", "Measure") + Column.numbers("Here", "Published"),
        rows,
    )
