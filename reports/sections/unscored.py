"""Sentences that were scored and those that were not, with the reasons."""

from __future__ import annotations

from collections.abc import Iterable

from crossbank.metrics.counting.presentation import metric_title
from crossbank.metrics.pairing.pair import Status
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Column, ReportTable, make_cells
from crossbank.treebanks.quantities import proportion_with

MAX_PROBLEMS = 50


def build_unscored_table(study: StudyResults) -> ReportTable:
    """Return the numbers of sentences scored and not scored, the reasons, and the metrics' notes."""
    alike: dict[tuple[str, str, str, tuple[tuple[str, int], ...], str], list[str]] = {}
    for treebank, candidate, name, counts in study.counted():
        statuses = tuple(counts.status_counts().items())
        notes = "; ".join(f"{number:,} {note}" for note, number in counts.notes.items())
        row = (treebank.name, candidate.name, counts.policy, statuses, notes)
        alike.setdefault(row, []).append(metric_title(name))
    noted = any(notes for *_, notes in alike)
    reasons = list(dict.fromkeys(reason for *_, statuses, _ in alike for reason, _ in statuses))
    return ReportTable(
        "unscored",
        "Sentences scored and not scored",
        "Under the rule “empty” a sentence that cannot be scored counts as a parse without "
        "brackets; under “skip” it is left out.",
        Column.texts("Treebank", "Candidate", "Metrics", "Rule")
        + Column.numbers(*(reason.capitalize() for reason in reasons))
        + Column.texts(*["Notes"] * noted),
        [
            make_cells(
                *(treebank, candidate, ", ".join(metrics), policy),
                *(dict(statuses).get(reason, 0) for reason in reasons),
                *[notes] * noted,
            )
            for (treebank, candidate, policy, statuses, notes), metrics in alike.items()
        ],
    )


def build_problems_table(study: StudyResults) -> ReportTable:
    """Return the sentences without a score, as many as a page should list."""
    unscored = study.problems
    more = f" The first {MAX_PROBLEMS} of {len(unscored):,}." if len(unscored) > MAX_PROBLEMS else ""
    return ReportTable(
        "problems",
        "Sentences without a score",
        f"{study.population}"
        f"Each with the finding and the expectation; all of them are in problems.csv.{more}",
        Column.texts("Treebank", "Candidate", "Sentence", "Where", "Status", "Detail"),
        [
            make_cells(treebank, candidate, p.sentence, p.where, p.status, p.detail)
            for treebank, candidate, p in unscored[:MAX_PROBLEMS]
        ],
    )


REASONS = {
    Status.NO_PARSE: "no parse",
    Status.WORDS_DIFFER: "different words",
    Status.CYCLE: "a cycle",
    Status.SEVERAL_ROOTS: "several roots",
}
"""The reasons for which the candidate is to blame."""

MAX_LINES = 6
"""Where there are more lines, the table has them alone."""


class UnscoredSection(Section):
    """Sentences scored and not scored."""

    key, heading = "without", "Unscored sentences"
    position = 160
    builders = (build_unscored_table, build_problems_table)
    on_candidate_page = True
    printed_tables = ("unscored",)

    def introduction(self) -> Iterable[str]:
        """Return how many sentences of each candidate have no score, and why."""
        lines: dict[str, None] = {}
        for treebank, candidate, _, counts in self.study.counted():
            for status, reason in REASONS.items():
                if number := int((counts.status == status).sum()):
                    line = proportion_with(number, len(counts), reason)
                    lines[f"{treebank.name}, {candidate.name}: {line}."] = None
        return lines if len(lines) <= MAX_LINES else ()
