"""Scores over the numbers that candidates have as attributes: training size, iteration, beam.

Rehbein and van Genabith (2007), Figures 7 to 9: score over training size, a line for each treebank, a
chart for each metric.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from crossbank.metrics.counting.counts import Measure
from crossbank.metrics.counting.presentation import measure_title
from crossbank.reports.charts.chart import Figure
from crossbank.reports.charts.intervals import axis_label
from crossbank.reports.charts.line_charts import Point, Series, build_line_chart
from crossbank.reports.estimates.curves import Points, axis_name, find_axes, group_curves, numeric_attribute
from crossbank.reports.estimates.questions import CURVES, describe_family
from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.results.rankings import rankings_of, select_complete
from crossbank.reports.results.study_results import CandidateResults, StudyResults
from crossbank.reports.sections.breakdowns import make_point
from crossbank.reports.sections.comparisons import build_estimate_table
from crossbank.reports.sections.scores import (
    COVERAGE,
    LIKE_THE_BEST,
    MAX_UNSHADED_CANDIDATES,
    RATIOS,
    build_coverage_cell,
    build_matrix_cells,
    build_score_cell,
    select_columns_beside,
    select_compared_measures,
    select_ratios,
)
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, ReportTable, make_cells

MAX_LINES = 12
"""Where there would be more lines, each stands for the means over all treebanks."""


class LearningCurvesSection(Section):
    """A table for each axis, and a chart for each metric."""

    key, heading = "curves", "Learning curves"
    position = 30
    figure_on_first_screen = True

    def build_content(self) -> Iterable[ReportTable | Figure]:
        """Yield for each axis the matrices of many candidates, its charts and its table."""
        for axis in find_axes(self.study):
            yield from _build_matrices(self.study, axis)
            yield from _build_charts(self.study, axis)
            yield _build_table(self.study, axis)
        yield build_curve_differences_table(self.study)

    def is_printed(self, table: ReportTable) -> bool:
        """Return whether it is a matrix, or there are no matrices."""
        return self._is_matrix(table) or not any(map(self._is_matrix, self.tables))

    def is_open(self, table: ReportTable) -> bool:
        """Return whether it is the first matrix."""
        return table is next(filter(self._is_matrix, self.tables), None)

    @staticmethod
    def _is_matrix(table: ReportTable) -> bool:
        return table.key.startswith("along-")


def _build_matrices(study: StudyResults, axis: str) -> Iterator[ReportTable]:
    """Yield a matrix of curves by numbers for each metric, where there are many candidates.

    Where candidates are ranked over treebanks, the matrix of these has their scores.
    """
    of_axis = group_curves(study, axis)
    sizes: Counter[str] = Counter()
    for (treebank, _), points in of_axis.items():
        sizes[treebank] += len(points)
    if rankings_of(study) or max(sizes.values()) <= MAX_UNSHADED_CANDIDATES:
        return
    numbers = sorted({at for points in of_axis.values() for at in points})
    scores, several = study.scores_by_names, len(study.treebanks) > 1
    for metric, measure in study.headlines.items():
        known: dict[str, dict[str, float]] = {}
        for (treebank, _), points in of_axis.items():
            for candidate in (candidate for candidates in points.values() for candidate in candidates):
                score = scores.get((treebank, candidate.name, metric, measure.name))
                if score is not None and score.value is not None:
                    known.setdefault(treebank, {})[candidate.name] = score.value
        of_scores = build_matrix_cells(study, metric, measure, known)
        rows = []
        for (treebank, system), points in of_axis.items():
            row = dict.fromkeys(numbers, Cell("–"))
            for at, candidates in points.items():
                if (
                    len(candidates) == 1
                    and (cell := of_scores.get((treebank, candidates[0].name))) is not None
                ):
                    row[at] = replace(cell, about=f"{candidates[0].name}; {cell.about}")
            rows.append(make_cells(*[treebank] * several, system, *row.values()))
        joined = f" {LIKE_THE_BEST}" * any(cell.alike for cell in of_scores.values())
        yield ReportTable(
            f"along-{axis}-{metric}",
            f"{measure_title(metric, measure)} by candidate and {axis_name(axis)}",
            f"The darker a cell, the better the score in its treebank; the best is bold.{joined}",
            Column.texts(*["Treebank"] * several, "Candidate") + Column.numbers(*map(number_text, numbers)),
            rows,
        )


def build_curve_differences_table(study: StudyResults) -> ReportTable:
    """Return every two curves at each common point, and the changes of their difference."""
    return build_estimate_table(
        study,
        estimates_of(study).of(CURVES),
        "curve-differences",
        "Differences between curves",
        "A curve is one candidate of the study file in one treebank; of several seeds it is their mean. The "
        "first "
        "curve minus the second at each common point, and how much that changes from the first point to the "
        "last "
        f"and where the two cross. {describe_family(CURVES, study)}",
    )


def _build_table(study: StudyResults, axis: str) -> ReportTable:
    """Return the scores of all candidates along an axis, with what else is known of them."""
    columns = select_compared_measures(study)
    ratios = {treebank.name: select_ratios(treebank) for treebank in study.treebanks}
    rows = []
    for (treebank, system), points in group_curves(study, axis).items():
        for at, candidate in ((at, candidate) for at, of in points.items() for candidate in of):
            row = make_cells(
                *(treebank, system, candidate.name, Cell(number_text(at), value=at)),
                *(*ratios[treebank], build_coverage_cell(candidate)),
            )
            for metric, measure in columns:
                score = study.scores_by_names.get((treebank, candidate.name, metric, measure.name))
                row.append(build_score_cell(score, measure))
            rows.append(row)
    table = ReportTable(
        f"over-{axis}",
        f"Scores over {axis_name(axis)}",
        "Per cent, except for measures that are not proportions; under each score its "
        f"{study.interval} ({study.samples:,} resamples of the sentences, seed {study.seed}).",
        [
            *Column.texts("Treebank", "Curve", "Candidate"),
            *Column.numbers(axis_name(axis).capitalize()),
            *(*RATIOS, COVERAGE),
            *Column.measures(columns),
        ],
        rows,
    )
    return select_columns_beside(study, table)


def number_text(number: float) -> str:
    """Return a number of an axis as tables have it."""
    return f"{number:,g}" if number < 1e6 else f"{number:,.0f}"


def _build_charts(study: StudyResults, axis: str) -> Iterator[Figure]:
    """Yield the main measure of each metric over the axis."""
    for metric, measure in study.headlines.items():

        def score(
            treebank: str, candidate: CandidateResults, metric: str = metric, measure: Measure = measure
        ) -> Point | None:
            value = study.scores_by_names.get((treebank, candidate.name, metric, measure.name))
            if value is None or value.value is None:
                return None
            at, label = numeric_attribute(candidate, axis) or 0.0, f"{treebank} · {candidate.name}"
            return make_point(at, build_score_cell(value, measure), measure, label)

        series, marks = series_along(study, axis, score)
        title = f"{measure_title(metric, measure)} over {axis_name(axis)}"
        marks = marks or (
            f"A mark is the score of a candidate, the bar its {study.interval}; of several seeds "
            "their mean, the bar from the lowest to the highest. Candidates of one treebank are joined "
            "(after Rehbein and van Genabith 2007, Figures 7 to 9)."
        )
        yield Figure(
            f"over-{axis}-{metric}",
            title,
            marks,
            build_line_chart(series, title, axis_name(axis), axis_label(measure)),
        )


def series_along(
    study: StudyResults, axis: str, point: Callable[[str, CandidateResults], Point | None]
) -> tuple[list[Series], str]:
    """Return the curves, and if they are means over treebanks, what to say of them."""
    of_axis = group_curves(study, axis)
    several = {name for name, _ in of_axis if sum(name == other for other, _ in of_axis) > 1}
    drawn: dict[tuple[str, str], Series] = {}
    for (treebank, system), points in of_axis.items():
        name = f"{treebank} · {system}" if treebank in several else treebank
        drawn[treebank, system] = Series(name, list(_average_seeds(treebank, points, point, name)))
    if len(drawn) > MAX_LINES and len(study.treebanks) > 1 and any(line.points for line in drawn.values()):
        return _average_treebanks(drawn)
    return list(drawn.values()), ""


def _average_seeds(
    treebank: str, points: Points, point: Callable[[str, CandidateResults], Point | None], name: str
) -> Iterator[Point]:
    """Yield one point for all seeds at a number: their mean, from the lowest to the highest."""
    for at, candidates in points.items():
        of_seeds = [made for candidate in candidates if (made := point(treebank, candidate)) is not None]
        if len(of_seeds) < 2:
            yield from of_seeds
            continue
        scores = [one.y for one in of_seeds]
        low, mean, high = min(scores), sum(scores) / len(scores), max(scores)
        label = f"{name}: {mean:.2f}, the mean of {len(scores)} seeds ({low:.2f} to {high:.2f})"
        yield Point(at, mean, low, high, label)


def _average_treebanks(drawn: Mapping[tuple[str, str], Series]) -> tuple[list[Series], str]:
    """Return a line for each system, all of means over the same treebanks, and what to say of them."""
    points_of: dict[tuple[str, float], dict[str, float]] = {}
    for (treebank, system), line in drawn.items():
        for point in line.points:
            points_of.setdefault((system, point.x), {})[treebank] = point.y
    treebanks = list(dict.fromkeys(treebank for of in points_of.values() for treebank in of))
    values = np.array([[of.get(treebank, np.nan) for treebank in treebanks] for of in points_of.values()])
    rows, columns = select_complete(~np.isnan(values))
    means, curves = values[np.ix_(rows, columns)].mean(axis=1).tolist(), list(points_of)
    lines: dict[str, list[Point]] = {}
    for (system, at), mean in zip((curves[row] for row in rows), means, strict=True):
        lines.setdefault(system, []).append(Point(at, mean, hover=f"{system} {at:,g}: {mean:.2f}"))
    series = [Series(system, sorted(points, key=lambda point: point.x)) for system, points in lines.items()]
    return series, (
        f"A mark is the mean score over {len(columns):,} treebanks, each counting the same, and of several "
        "seeds their mean. Candidates without a score for one of them are left out."
    )
