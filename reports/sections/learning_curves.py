"""Scores over the numbers that candidates have as attributes: training size, iteration, beam.

Rehbein and van Genabith (2007), Figures 7 to 9: score over training size, a line for each treebank, a
chart for each metric.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby, takewhile

from crossbank.metrics.counting.counts import Measure, shown
from crossbank.metrics.counting.presentation import measure_title
from crossbank.reports.charts.figure import Figure
from crossbank.reports.charts.intervals import axis_label
from crossbank.reports.charts.line_charts import Point, Series, line_chart
from crossbank.reports.findings.learning import schemes_along_axes
from crossbank.reports.results.candidate_axes import SEED, axes, axis_name, lines, number_of
from crossbank.reports.results.rankings import rankings
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.breakdowns import point_of
from crossbank.reports.sections.scores import (
    COVERAGE,
    MANY,
    RATIOS,
    SHADES,
    cell_of,
    compared_measures,
    coverage,
    like_the_best,
    ratios_beside,
    with_columns,
)
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import (
    Cell,
    Column,
    Table,
    cells,
    meaning,
    measure_columns,
    number_columns,
    text_columns,
)

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
    for metric, measure in study.headlines().items():
        sign = -1 if measure.better == "less" else 1
        merits: dict[str, dict[str, float]] = {}
        for (treebank, _), candidates in found.items():
            for candidate in candidates:
                score = scores.get((treebank, candidate.name, metric, measure.name))
                if score is not None and score.value is not None:
                    merits.setdefault(treebank, {})[candidate.name] = sign * score.value
        best = {treebank: max(of, key=of.__getitem__) for treebank, of in merits.items()}
        alike = like_the_best(study, metric, measure, best)
        ranked = {treebank: sorted(of.values(), reverse=True) for treebank, of in merits.items()}
        rows = []
        for (treebank, others), candidates in found.items():
            row = dict.fromkeys(numbers, Cell("–"))
            for candidate in candidates:
                merit = merits.get(treebank, {}).get(candidate.name)
                if merit is not None:
                    row[number_of(candidate, axis) or 0.0] = Cell(
                        shown(sign * merit, measure),
                        value=sign * merit,
                        about=f"{candidate.name}; {meaning(measure)}",
                        best=merit == ranked[treebank][0],
                        alike=(treebank, candidate.name) in alike,
                        shade=1 + SHADES * ranked[treebank].index(merit) // len(ranked[treebank]),
                    )
            line = others.removeprefix(shared).strip() or "–"
            rows.append(cells(*[treebank] * several, line, *row.values()))
        joined = " Underlined scores do not differ significantly from it." if alike else ""
        title = measure_title(metric, measure)
        yield Table(
            f"along-{axis}-{metric}",
            f"{title} by {shared or 'line'} and {axis_name(axis)}",
            f"The darker a cell, the better the score in its treebank; the best is bold.{joined}",
            text_columns(*["Treebank"] * several, shared.capitalize() or "Line")
            + number_columns(*map(_number, numbers)),
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
            *text_columns("Treebank", "Line", "Candidate"),
            *number_columns(axis_name(axis).capitalize()),
            *(PERPLEXITY, *RATIOS, COVERAGE),
            *measure_columns(columns),
        ],
        rows,
    )
    return with_columns(study, table.without_blank((PERPLEXITY,)))


def _number(number: float) -> str:
    return f"{number:,g}" if number < 1e6 else f"{number:,.0f}"


def _entropy_chart(study: StudyResults, axis: str) -> Figure:
    """Bits per token over the axis, where the study measures them."""
    series = []
    for (treebank, others), candidates in lines(study, axis).items():
        points = [
            Point(
                number_of(candidate, axis) or 0.0,
                found.bits_per_word,
                said=f"{treebank} · {candidate.name}: perplexity {found.perplexity:,.2f}",
            )
            for candidate in candidates
            if candidate.bits is not None and (found := candidate.bits.entropy()).words
        ]
        series.append(Series(f"{treebank} · {others}" if others else treebank, points))
    title = f"Cross-entropy of held-out sentences over {axis_name(axis)}"
    return Figure(
        f"over-{axis}-entropy",
        title,
        "The logarithm (base 2) of the perplexity of those held-out sentences that have a parse. It is "
        "higher for a model of words than for one of tags, and rises where re-estimation overtrains "
        "(Beil et al. 2002, Table 2).",
        line_chart(series, title, axis_name(axis), "bits per token"),
    )


def _charts(study: StudyResults, axis: str) -> Iterator[Figure]:
    yield _entropy_chart(study, axis)
    found = lines(study, axis, seeds=False)
    for metric, measure in study.headlines().items():
        title = f"{measure_title(metric, measure)} over {axis_name(axis)}"
        if len(found) > MOST_LINES and len(study.treebanks) > 1:
            yield _means(study, axis, metric, measure, title)
            continue
        series = []
        for (treebank, others), candidates in found.items():
            points = []
            for candidate in candidates:
                score = study.scores_by_place.get((treebank, candidate.name, metric, measure.name))
                if score is not None and score.value is not None:
                    at, said = number_of(candidate, axis) or 0.0, f"{treebank} · {candidate.name}"
                    points.append(point_of(at, cell_of(score, measure), measure, said))
            line = f"{treebank} · {others}" if others else treebank
            runs = SEED in candidates[0].attributes
            series.append(Series(line, list(_spread(points, line)) if runs else points))
        yield Figure(
            f"over-{axis}-{metric}",
            title,
            f"A mark is the score of a candidate, the bar its {study.interval}; of several seeds "
            "their mean, the bar from the lowest to the highest. Candidates of one treebank are joined "
            "(after Rehbein and van Genabith 2007, Figures 7 to 9). An axis need not begin at zero.",
            line_chart(series, title, axis_name(axis), axis_label(measure)),
        )


def _spread(points: Iterable[Point], line: str) -> Iterator[Point]:
    """Yield one point for all seeds at a place: their mean, from the lowest to the highest."""
    for at, of_seeds in groupby(points, key=lambda point: point.x):
        first, *others = of_seeds
        scores = [first.y, *(point.y for point in others)]
        low, mean, high = min(scores), sum(scores) / len(scores), max(scores)
        said = f"{line}: {mean:.2f}, the mean of {len(scores)} seeds ({low:.2f} to {high:.2f})"
        yield Point(at, mean, low, high, said) if others else first


def _means(study: StudyResults, axis: str, metric: str, measure: Measure, title: str) -> Figure:
    """A line for each kind of candidates: the means over treebanks, where all treebanks have scores."""
    unit = 100 if measure.proportion else 1
    of_kind: dict[str, dict[float, list[float]]] = {}
    for (treebank, others), candidates in lines(study, axis).items():
        for candidate in candidates:
            score = study.scores_by_place.get((treebank, candidate.name, metric, measure.name))
            if score is not None and score.value is not None:
                at = number_of(candidate, axis) or 0.0
                of_kind.setdefault(others, {}).setdefault(at, []).append(unit * score.value)
    whole = max((len(values) for points in of_kind.values() for values in points.values()), default=0)
    series = []
    for others, points in of_kind.items():
        means = {at: sum(values) / whole for at, values in points.items() if len(values) == whole}
        drawn = [Point(at, mean, said=f"{others} {at:,g}: {mean:.2f}") for at, mean in means.items()]
        series.append(Series(others or "all", drawn))
    return Figure(
        f"over-{axis}-{metric}",
        title,
        f"A mark is the mean score over {whole:,} treebanks, each counting the same. Candidates without a "
        "score for one of them are left out. An axis need not begin at zero.",
        line_chart(series, title, axis_name(axis), axis_label(measure)),
    )
