"""Many candidates over many treebanks: one field of ranks, average ranks with their test, and all scores.

After Demšar (2006), Table 6 and Figure 1: see ``metrics.statistics.ranks_over_treebanks``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from crossbank.metrics.counting.counts import format_value
from crossbank.metrics.statistics.agreement_of_measures import Values
from crossbank.reports.charts.chart import Figure
from crossbank.reports.charts.critical_difference import build_critical_difference_chart
from crossbank.reports.charts.heat_map import build_heat_map
from crossbank.reports.results.rankings import Ranking, rankings_of
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.scores import LIKE_THE_BEST, build_matrix_cells
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, ReportTable, format_probability, make_cells
from crossbank.treebanks.quantities import listed

MISSING = {
    "zero": "Ranks and means are over all treebanks, each counting the same; a missing score counts as 0 "
    "(less is better: those without are left out).",
    "leave_out": "Ranks and means are over the same treebanks for all candidates, each counting the same; "
    "candidates that lack scores in too many of them have neither.",
}
"""The treebanks that ranks and means are over, by the study's rule for missing scores."""


def build_ranking_table(study: StudyResults, all_rankings: Sequence[Ranking]) -> ReportTable:
    """Return a row for each candidate: average rank, mean score and number of best scores by metric."""
    names = dict.fromkeys(name for ranking in all_rankings for name in ranking.candidates)
    return ReportTable(
        "ranking",
        "Average ranks",
        f"Candidates that share a letter do not differ significantly (Nemenyi, {study.alpha:g}, all pairs "
        f"under a measure one family). {MISSING[study.missing]} “Best in” counts the treebanks with the best "
        "score, “treebanks” those in which the candidate has a score.",
        [
            *Column.texts("Candidate"),
            *(
                Column(heading, ranking.name, numeric=heading != "Groups")
                for ranking in all_rankings
                for heading in ("Average rank", "Groups", "Mean", "Best in", "Treebanks")
            ),
        ],
        [
            make_cells(
                name, *(cell for ranking in all_rankings for cell in _build_standing_cells(ranking, name))
            )
            for name in names
        ],
    )


def _build_standing_cells(ranking: Ranking, name: str) -> list[Cell]:
    """Return a candidate's average rank, letters, mean score, and numbers of best scores and of scores."""
    if name not in ranking.candidates:
        return make_cells(*[None] * 5)
    index = ranking.candidates.index(name)
    mean = ranking.mean(index)
    over = f"over {len(ranking.compared):,} treebanks"
    average = _average_rank(ranking, index)
    return make_cells(
        None if average is None else Cell(f"{average:.2f}", value=average, about=over),
        None if average is None else ranking.letters[index],
        None if mean is None else Cell(format_value(mean, ranking.measure), value=mean, about=over),
        *(ranking.best_in()[index], ranking.scored[index]),
    )


def _average_rank(ranking: Ranking, row: int) -> float | None:
    """Return a candidate's average rank; None if it is not ranked."""
    return float(ranking.ranks[row].mean()) if row < len(ranking.ranks) else None


def build_friedman_table(study: StudyResults, all_rankings: Sequence[Ranking]) -> ReportTable:
    """Return the test of whether chance explains the differences of average ranks, metric by metric."""
    gaps = [gap for ranking in all_rankings if (gap := _describe_unranked(ranking))]
    return ReportTable(
        "friedman",
        "Tests of the average ranks",
        "Friedman’s test in the form of Iman and Davenport, and Nemenyi’s critical difference at "
        f"{study.alpha:g} (Demšar 2006). Each measure is a family of its own: its test, and all pairs of its "
        f"candidates.{' ' if gaps else ''}{' '.join(gaps)}",
        Column.texts("Measure")
        + Column.numbers("Candidates", "Treebanks", "Chi²", "F", "p", "Critical difference"),
        [
            make_cells(
                *(ranking.name, len(ranking.ranks), len(ranking.compared), ranking.test.chi2),
                *(ranking.test.f, Cell(format_probability(ranking.test.p), value=ranking.test.p)),
                ranking.test.critical,
            )
            for ranking in all_rankings
        ],
    )


def _describe_unranked(ranking: Ranking) -> str:
    """Return a sentence that names what is not ranked because scores are missing; empty if everything is."""
    treebanks = [name for name in ranking.treebanks if name not in ranking.compared]
    omitted = [f"the candidate {name}" for name in ranking.unranked]
    omitted += [f"the treebank {name}" for name in treebanks]
    if not omitted:
        return ""
    return f"{ranking.name}, not ranked since scores are missing: {listed(omitted, 6)}."


def _build_matrix(study: StudyResults, ranking: Ranking) -> ReportTable:
    """Return the scores of a main measure, a row for each candidate and a column for each treebank."""
    known = {
        treebank: {n: v for n, v in zip(ranking.candidates, column, strict=True) if not np.isnan(v)}
        for treebank, column in zip(ranking.treebanks, ranking.values.T.tolist(), strict=True)
    }
    cells_of_pairs = build_matrix_cells(study, ranking.metric, ranking.measure, known)
    remark = "; does not differ significantly from the best"
    rows = []
    for index, name in enumerate(ranking.candidates):
        average = _average_rank(ranking, index)
        row = make_cells(name, average, None if average is None else ranking.letters[index])
        for treebank in ranking.treebanks:
            cell = cells_of_pairs.get((treebank, name), Cell("–"))
            row.append(replace(cell, about=cell.about + remark * cell.alike))
        rows.append(row)
    joined = f" {LIKE_THE_BEST}" * any(cell.alike for cell in cells_of_pairs.values())
    return ReportTable(
        f"matrix-{ranking.metric}",
        f"{ranking.name} by candidate and treebank",
        "The best average rank first, the treebank with the highest mean first. The darker a cell, the "
        f"better the score in its treebank; the best is bold.{joined} Candidates that share a letter do not "
        f"differ significantly over all treebanks (Nemenyi, {study.alpha:g}).",
        Column.texts("Candidate")
        + Column.numbers("Average rank")
        + Column.texts("Groups")
        + Column.numbers(*ranking.treebanks),
        rows,
    )


def _rank_in_treebanks(ranking: Ranking) -> Values:
    """Rank of each score in its treebank, 1 for the best; NaN if there is no score."""
    merits = -ranking.values if ranking.measure.better == "less" else ranking.values
    better = np.array([[np.nansum(column > value) for value in column] for column in merits.T]).T
    ranks: Values = np.where(np.isnan(merits), np.nan, 1.0 + better)
    return ranks


def _build_heat_map_figure(ranking: Ranking) -> Figure:
    ranks = _rank_in_treebanks(ranking)

    def describe(row: int, column: int) -> str:
        value = format_value(float(ranking.values[row, column]), ranking.measure)
        pair = f"{ranking.candidates[row]} in {ranking.treebanks[column]}"
        return f"{pair}: {value}, rank {ranks[row, column]:.0f}"

    averages = [_average_rank(ranking, pair) for pair in range(len(ranking.candidates))]
    rows = [
        (name, "–" if average is None else f"{average:.1f}")
        for name, average in zip(ranking.candidates, averages, strict=True)
    ]
    title = f"Ranks by {ranking.name}"
    return Figure(
        f"ranks-{ranking.metric}",
        title,
        "Rows are candidates with their average rank, columns are treebanks, the highest mean score first. A "
        "cell holds the rank in the treebank: the darker, the better. A frame marks the best.",
        build_heat_map(title, rows, ranking.treebanks, ranks, describe),
        on_page=False,
    )


def _build_critical_difference_figure(ranking: Ranking, alpha: float) -> Figure:
    title = f"Average ranks by {ranking.name}"
    ranked = ranking.candidates[: len(ranking.ranks)]
    test, p = ranking.test, format_probability(ranking.test.p)
    return Figure(
        f"critical-difference-{ranking.metric}",
        title,
        f"Over {len(ranking.compared):,} treebanks. A thick line joins candidates that do not differ "
        f"significantly (Nemenyi, {alpha:g}; Demšar 2006, Figure 1). Friedman’s test: F = {test.f:,.2f}, "
        f"p {p if p.startswith('<') else f'= {p}'}.",
        build_critical_difference_chart(title, ranked, test),
    )


class OverTreebanksSection(Section):
    """Candidates over treebanks, where there are enough of them."""

    key, heading = "over-treebanks", "Candidates over treebanks"
    position = 20
    printed_tables = ("ranking", "friedman")

    def build_content(self) -> Iterable[ReportTable | Figure]:
        """Return the matrix of the first measure, ranks with their tests, and the matrices of the others."""
        study, all_rankings = self.study, rankings_of(self.study)
        if not all_rankings:
            return
        (first, chart), *further = [
            (_build_matrix(study, ranking), _build_critical_difference_figure(ranking, study.alpha))
            for ranking in all_rankings
        ]
        yield first
        yield chart
        yield build_ranking_table(study, all_rankings)
        yield build_friedman_table(study, all_rankings)
        for matrix, chart in further:
            yield matrix
            yield replace(chart, open=False)
        yield from (_build_heat_map_figure(ranking) for ranking in all_rankings)

    def is_printed(self, table: ReportTable) -> bool:
        """Return whether it is the matrix of the first measure, or ranks with their tests."""
        return super().is_printed(table) or table.key == f"matrix-{rankings_of(self.study)[0].metric}"

    def is_open(self, table: ReportTable) -> bool:
        """Return whether it is the matrix of the first measure, or the ranks."""
        return table.key != "friedman" and self.is_printed(table)

    def summary_table(self) -> ReportTable | None:
        """Return the average ranks."""
        all_rankings = rankings_of(self.study)
        return build_ranking_table(self.study, all_rankings) if all_rankings else None
