"""Systems in the order of their scores, with letters and means over treebanks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crossbank.metrics.counting.counts import Measure, format_value
from crossbank.metrics.counting.presentation import measure_title
from crossbank.metrics.statistics.estimates import Estimate
from crossbank.reports.estimates.questions import CANDIDATES, SYSTEMS, describe_family
from crossbank.reports.estimates.table import assign_letters, collect_scores, estimates_of
from crossbank.reports.results.rankings import rankings_of
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, ReportTable, make_cells

MIN_SYSTEMS = 3
"""Fewer systems are seen at a glance in the table of scores."""

MAX_COLUMNS = 6
"""Of more treebanks the leaderboard has the mean alone."""


def build_leaderboards(study: StudyResults) -> Iterable[ReportTable]:
    """Yield a leaderboard for each metric with enough systems; none where they have ranks."""
    if not rankings_of(study):
        for metric, measure in study.headlines.items():
            yield _build_leaderboard(study, metric, measure)


def _build_leaderboard(study: StudyResults, metric: str, measure: Measure) -> ReportTable:
    columns = {name: rows for name, rows in _select_columns(study, metric, measure).items() if rows}
    systems = list(dict.fromkeys(name for rows in columns.values() for name in collect_scores(rows)))
    title = f"{measure_title(metric, measure)}: systems in the order of their scores"
    if len(systems) < MIN_SYSTEMS:
        return ReportTable(f"leaderboard-{metric}", title, "", [], [])
    scores = {name: collect_scores(rows) for name, rows in columns.items()}
    letters = {name: assign_letters(rows) for name, rows in columns.items()}
    first = next(iter(scores.values()))
    sign = 1 if measure.better == "less" else -1
    in_order = sorted(systems, key=lambda name: (name not in first, sign * first.get(name, 0.0)))
    rows = []
    for system in in_order:
        row = make_cells(system)
        for name, of in scores.items():
            value = of.get(system)
            best = value is not None and value == (min if sign == 1 else max)(of.values())
            text = "–" if value is None else f"{format_value(value, measure)} {letters[name][system]}"
            row.append(Cell(text, value=value, best=best))
        rows.append(row)
    return ReportTable(
        f"leaderboard-{metric}",
        title,
        "Systems that share a letter in a column do not differ significantly (Piepho 2004). "
        f"{describe_family(SYSTEMS if len(columns) > 1 else CANDIDATES, study)}",
        Column.texts("System") + Column.numbers(*columns),
        rows,
    )


def _select_columns(study: StudyResults, metric: str, measure: Measure) -> dict[str, Sequence[Estimate]]:
    """Return the rows behind each column: the mean over treebanks first, then each treebank."""
    table = estimates_of(study)
    of_measure = [
        row
        for row in (*table.of(SYSTEMS), *table.of(CANDIDATES))
        if (row.metric, row.measure.name) == (metric, measure.name)
    ]
    populations = dict.fromkeys(row.population for row in of_measure)
    whole = next(iter(populations), "")
    columns: dict[str, Sequence[Estimate]] = {}
    by_treebank: dict[tuple[str, str], list[Estimate]] = {}
    for row in of_measure:
        if row.population == whole:
            by_treebank.setdefault((row.treebank, row.question), []).append(row)
    names = [treebank.name for treebank in study.treebanks]
    for (treebank, question), rows in by_treebank.items():
        if question == SYSTEMS and treebank not in names:
            columns[f"Mean over {treebank}"] = rows
    for treebank in names if len(names) <= MAX_COLUMNS else ():
        columns[treebank] = by_treebank.get((treebank, SYSTEMS)) or by_treebank.get(
            (treebank, CANDIDATES), []
        )
    return columns


class LeaderboardSection(Section):
    """Systems in the order of their scores, on the first screen."""

    key, heading = "leaderboard", "Leaderboard"
    position = 10
    builders = (build_leaderboards,)
    table_on_first_screen = True

    def is_printed(self, table: ReportTable) -> bool:
        """Return whether a paper prints the table: that of the first metric."""
        return table is self.tables[0]

    def is_open(self, table: ReportTable) -> bool:
        """Return whether the table is open: that of the first metric does."""
        return table is self.tables[0]
