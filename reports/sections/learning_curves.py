"""Scores over the numbers that candidates have as attributes: training size, iteration, beam.

Rehbein and van Genabith (2007), Figures 7 to 9: score over training size, a line for each treebank, a
chart for each metric.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby, takewhile

import numpy as np

from crossbank.metrics.counting.counts import Measure
from crossbank.metrics.counting.presentation import measure_title
from crossbank.reports.charts.chart import Figure
from crossbank.reports.charts.intervals import axis_label
from crossbank.reports.charts.line_charts import Point, Series, line_chart
from crossbank.reports.findings.learning import schemes_along_axes
from crossbank.reports.results.candidate_axes import SEED, axes, axis_name, lines, number_of
from crossbank.reports.results.rankings import complete, rankings
from crossbank.reports.results.study_results import CandidateResults, StudyResults
from crossbank.reports.sections.breakdowns import point_of
from crossbank.reports.sections.scores import (
    COVERAGE,
    LIKE_THE_BEST,
    MANY,
    RATIOS,
    cell_of,
    compared_measures,
    coverage,
    matrix_cells,
    ratios_beside,
    with_columns,
)
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, Table, cells

MOST_LINES = 12
"""Where there would be more lines, each stands for the means over all treebanks."""

PERPLEXITY = Column("Perplexity")


class LearningCurves(Section):
    """A table for each axis, and a chart for each metric."""

    key, heading = "curves", "Learning curves"
    found_by = (schemes_along_axes,)
    glanced = True

    def parts(self) -> Iterable[Table | Figure]:
        """For each axis the matrices of many candidates, its charts and its table."""
        for axis in axes(self.study):
            yield from _matrices(self.study, axis)
            yield from _charts(self.study, axis)
            yield _table(self.study, axis)

    def printed(self, table: Table) -> bool:
        """True: papers print the table of each axis, or where there are matrices, these."""
        return self._is_matrix(table) or not any(map(self._is_matrix, self.tables))

    def opened(self, table: Table) -> bool:
        """True for the first matrix."""
        return table is next(filter(self._is_matrix, self.tables), None)

    @staticmethod
    def _is_matrix(table: Table) -> bool:
        return table.key.startswith("along-")


def _matrices(study: StudyResults, axis: str) -> Iterator[Table]:
    """For each metric a row for each line and a column for each number, where a treebank has many candidates.

    Where candidates are ranked over treebanks, the matrix of these has their scores.
    """
    found = lines(study, axis)
    if rankings(study) or max(Counter(name for (name, _), of in found.items() for _ in of).values()) <= MANY:
        return
    numbers = sorted({number_of(candidate, axis) or 0.0 for of in found.values() for candidate in of})
    words = zip(*(others.split()[:-1] for _, others in found), strict=False)
    shared = " ".join(word for word, *_ in takewhile(lambda same: len(set(same)) == 1, words))
    scores, several = study.scores_by_place, len(study.treebanks) > 1
    for metric, measure in study.headlines.items():
        known: dict[str, dict[str, float]] = {}
        for (treebank, _), candidates in found.items():
            for candidate in candidates:
                score = scores.get((treebank, candidate.name, metric, measure.name))
                if score is not None and score.value is not None:
                    known.setdefault(treebank, {})[candidate.name] = score.value
        of_scores = matrix_cells(study, metric, measure, known)
        rows = []
        for (treebank, others), candidates in found.items():
            row = dict.fromkeys(numbers, Cell("–"))
            for candidate in candidates:
                if (cell := of_scores.get((treebank, candidate.name))) is not None:
                    about = f"{candidate.name}; {cell.about}"
                    row[number_of(candidate, axis) or 0.0] = replace(cell, about=about)
            line = others.removeprefix(shared).strip() or "–"
            rows.append(cells(*[treebank] * several, line, *row.values()))
        joined = f" {LIKE_THE_BEST}" * any(cell.alike for cell in of_scores.values())
        title = measure_title(metric, measure)
        yield Table(
            f"along-{axis}-{metric}",
            f"{title} by {shared or 'line'} and {axis_name(axis)}",
            f"The darker a cell, the better the score in its treebank; the best is bold.{joined}",
            Column.texts(*["Treebank"] * several, shared.capitalize() or "Line")
            + Column.numbers(*map(_number, numbers)),
            rows,
        )


def _table(study: StudyResults, axis: str) -> Table:
    columns = compared_measures(study)
    ratios = {treebank.name: ratios_beside(treebank) for treebank in study.treebanks}
    rows = []
    for (treebank, others), candidates in lines(study, axis).items():
        for candidate in candidates:
            number = number_of(candidate, axis) or 0.0
            perplexity = None
            if candidate.bits is not None:
                value = candidate.bits.entropy().perplexity
                perplexity = Cell(f"{value:,.2f}", value=value)
            row = cells(
                *(treebank, others or None, candidate.name, Cell(_number(number), value=number)),
                *(perplexity, *ratios[treebank], coverage(candidate)),
            )
            for metric, measure in columns:
                score = study.scores_by_place.get((treebank, candidate.name, metric, measure.name))
                row.append(cell_of(score, measure))
            rows.append(row)
    table = Table(
        f"over-{axis}",
        f"Scores over {axis_name(axis)}",
        "Per cent, except for measures that are not proportions; under each score its "
        f"{study.interval} ({study.samples:,} resamples of the sentences, seed {study.seed}).",
        [
            *Column.texts("Treebank", "Line", "Candidate"),
            *Column.numbers(axis_name(axis).capitalize()),
            *(PERPLEXITY, *RATIOS, COVERAGE),
            *Column.measures(columns),
        ],
        rows,
    )
    return with_columns(study, table.without_blank((PERPLEXITY,)))


def _number(number: float) -> str:
    return f"{number:,g}" if number < 1e6 else f"{number:,.0f}"


def _charts(study: StudyResults, axis: str) -> Iterator[Figure]:
    """Bits per token over the axis, where the study measures them, and the main measure of each metric."""

    def bits(treebank: str, candidate: CandidateResults) -> Point | None:
        found = candidate.bits.entropy() if candidate.bits is not None else None
        if found is None or not found.words:
            return None
        said = f"{treebank} · {candidate.name}: perplexity {found.perplexity:,.2f}"
        return Point(number_of(candidate, axis) or 0.0, found.bits_per_word, hover=said)

    series, marks = _series(study, axis, bits)
    title = f"Cross-entropy of held-out sentences over {axis_name(axis)}"
    yield Figure(
        f"over-{axis}-entropy",
        title,
        "The logarithm (base 2) of the perplexity of those held-out sentences that have a parse. It is "
        "higher for a model of words than for one of tags, and rises where re-estimation overtrains "
        f"(Beil et al. 2002, Table 2). {marks}".rstrip(),
        line_chart(series, title, axis_name(axis), "bits per token"),
    )
    for metric, measure in study.headlines.items():

        def score(
            treebank: str, candidate: CandidateResults, metric: str = metric, measure: Measure = measure
        ) -> Point | None:
            found = study.scores_by_place.get((treebank, candidate.name, metric, measure.name))
            if found is None or found.value is None:
                return None
            at, said = number_of(candidate, axis) or 0.0, f"{treebank} · {candidate.name}"
            return point_of(at, cell_of(found, measure), measure, said)

        series, marks = _series(study, axis, score)
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
            line_chart(series, title, axis_name(axis), axis_label(measure)),
        )


def _series(
    study: StudyResults, axis: str, point: Callable[[str, CandidateResults], Point | None]
) -> tuple[list[Series], str]:
    """Return the lines, none of one seed alone, and if they are means over treebanks, what to say of them."""
    found: dict[tuple[str, str], Series] = {}
    for (treebank, others), candidates in lines(study, axis, seeds=False).items():
        line = f"{treebank} · {others}" if others else treebank
        points = [made for candidate in candidates if (made := point(treebank, candidate)) is not None]
        runs = SEED in candidates[0].attributes
        found[treebank, others] = Series(line, list(_spread(points, line)) if runs else points)
    if len(found) > MOST_LINES and len(study.treebanks) > 1 and any(line.points for line in found.values()):
        return _means(found)
    return list(found.values()), ""


def _spread(points: Iterable[Point], line: str) -> Iterator[Point]:
    """Yield one point for all seeds at a place: their mean, from the lowest to the highest."""
    for at, of_seeds in groupby(points, key=lambda point: point.x):
        first, *others = of_seeds
        scores = [first.y, *(point.y for point in others)]
        low, mean, high = min(scores), sum(scores) / len(scores), max(scores)
        said = f"{line}: {mean:.2f}, the mean of {len(scores)} seeds ({low:.2f} to {high:.2f})"
        yield Point(at, mean, low, high, said) if others else first


def _means(found: Mapping[tuple[str, str], Series]) -> tuple[list[Series], str]:
    """A line for each kind of candidates, all of means over the same treebanks, and what to say of them."""
    places: dict[tuple[str, float], dict[str, float]] = {}
    for (treebank, others), line in found.items():
        for point in _spread(line.points, line.name):
            places.setdefault((others, point.x), {})[treebank] = point.y
    treebanks = list(dict.fromkeys(treebank for of in places.values() for treebank in of))
    values = np.array([[of.get(treebank, np.nan) for treebank in treebanks] for of in places.values()])
    rows, columns = complete(~np.isnan(values))
    means, kinds = values[np.ix_(rows, columns)].mean(axis=1).tolist(), list(places)
    drawn: dict[str, list[Point]] = {}
    for (others, at), mean in zip((kinds[row] for row in rows), means, strict=True):
        drawn.setdefault(others, []).append(Point(at, mean, hover=f"{others} {at:,g}: {mean:.2f}"))
    series = [Series(others or "all", sorted(points, key=lambda p: p.x)) for others, points in drawn.items()]
    return series, (
        f"A mark is the mean score over {len(columns):,} treebanks, each counting the same, and of several "
        "seeds their mean. Candidates without a score for one of them are left out."
    )
