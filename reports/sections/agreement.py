"""Do the measures agree? Tables and charts over sentences, and over candidates.

Over sentences after Sampson and Babarczy (2003), sections 5 and 6, and Roark (2002), Figure 5: correlations,
deciles, scatter plots, the sentences on which two measures disagree most. Over candidates after Roark's
Figure 4: do all measures order the candidates in the same way, with the same distances between them?
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts, Measure, format_value
from crossbank.metrics.counting.presentation import measure_title
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics.agreement_of_measures import (
    DECILES,
    Correlation,
    Values,
    correlate,
    correlation_intervals,
    decile_table,
    deciles,
    disagreements,
    merits,
    scored_by_both,
    standing,
)
from crossbank.metrics.statistics.bootstrap import Interval, mean_interval
from crossbank.metrics.statistics.estimates import ALL
from crossbank.reports.charts.chart import Figure
from crossbank.reports.charts.intervals import IntervalRow, build_row_chart
from crossbank.reports.charts.scatter import build_scatter_chart
from crossbank.reports.estimates.questions import CANDIDATES, describe_family
from crossbank.reports.estimates.table import MATCHED, estimates_of
from crossbank.reports.results.study_results import StudyResults, TreebankResults
from crossbank.reports.results.typed_errors import errors_of, type_title
from crossbank.reports.sections.scores import select_compared_measures
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import (
    Cell,
    Column,
    ReportTable,
    end_with_stop,
    format_signed,
    make_cells,
    sentences_link,
)
from crossbank.treebanks.quantities import quantity

MAX_SCATTERS_ON_PAGE = 6
"""Number of scatter plots on the page; files have all."""

MAX_DETAILED_PAIRS = 24
"""Number of pairs of measures with plots and tables of their own: of more, those that agree least."""

MAX_GAPS_ON_PAGE = 40
"""Charts of differences between neighbours with more rows are only in the folder of figures."""

MIN_RANKED_ERRORS = 10
"""Types of errors that fewer sentences have alone are not ranked."""

MAX_HOVER_LETTERS = 90
"""The number of letters of a sentence that are shown on hover."""


@dataclass(frozen=True)
class MeasurePair:
    """Two measures of one candidate over the sentences that both scored.

    rows   the sentences' rows in the counts
    drawn  whether a page draws the sentences
    """

    treebank: TreebankResults
    candidate: str
    counts: tuple[Counts, Counts]
    names: tuple[str, str]
    measures: tuple[Measure, Measure]
    rows: NDArray[np.intp]
    drawn: bool = False

    @property
    def headings(self) -> list[str]:
        """Headings of the two measures."""
        return list(map(measure_title, self.names, self.measures))

    @property
    def key(self) -> str:
        """Name of the two in addresses."""
        sides = (f"{name}.{m.name}" for name, m in zip(self.names, self.measures, strict=True))
        return "-".join((self.treebank.name, self.candidate, *sides))

    def values(self, of: Callable[[Counts, str], Values] = Counts.by_sentence) -> list[Values]:
        """Return the sentences' scores; ``of`` gives those of all."""
        return [of(c, m.name)[self.rows] for c, m in zip(self.counts, self.measures, strict=True)]

    def merits(self) -> list[Values]:
        """Return the sentences' scores, negated if less is better."""
        return self.values(merits)

    @cached_property
    def correlation(self) -> Correlation:
        """Correlations of the two over these sentences."""
        return correlate(*self.merits())

    def link(self, sentence: str) -> str:
        """Return the address where a sentence is shown with its trees; empty if there is none."""
        return sentences_link(self.treebank.name, self.candidate, text=sentence) if self.drawn else ""

    def text(self, row: int) -> str:
        """Return a sentence's words, if the treebank gives them."""
        return self.treebank.sentences.text(row) if self.treebank.sentences else ""


def pair_measures(study: StudyResults, *, headlines: bool) -> Iterator[MeasurePair]:
    """Yield every two measures of every candidate: all that are compared, or only main measures."""
    columns = list(study.headlines.items()) if headlines else select_compared_measures(study)
    drawn = study.pair_of is not None
    for treebank in study.treebanks:
        for candidate in treebank.candidates:
            own = [(name, measure) for name, measure in columns if candidate.has(name, measure)]
            for (one, measure), (other, opposite) in combinations(own, 2):
                counts, names = (candidate.counts[one], candidate.counts[other]), (one, other)
                if list(counts[0].sentences) == list(counts[1].sentences):
                    rows = np.flatnonzero(scored_by_both(*counts))
                    yield MeasurePair(
                        treebank, candidate.name, counts, names, (measure, opposite), rows, drawn
                    )


class AgreementSection(Section):
    """Agreement of measures, over sentences and over candidates."""

    key, heading = "agreement", "Do the measures agree?"
    position = 90
    on_candidate_page = True
    omitted_if_large = "scatter plots"

    @cached_property
    def pairs(self) -> list[MeasurePair]:
        """Every two main measures of every candidate."""
        return list(pair_measures(self.study, headlines=True))

    @cached_property
    def detailed_pairs(self) -> list[MeasurePair]:
        """The pairs with plots and tables of their own, in the order of all."""
        if len(self.pairs) <= MAX_DETAILED_PAIRS:
            return self.pairs
        taus = [pair.correlation.kendall for pair in self.pairs]
        order = sorted(range(len(taus)), key=lambda index: 1.0 if (tau := taus[index]) is None else tau)
        return [self.pairs[index] for index in sorted(order[:MAX_DETAILED_PAIRS])]

    def introduction(self) -> Iterable[str]:
        """Return the two scores that are compared, and the number of plots in files alone."""
        if self.study.is_large:
            return
        yield (
            "The score of each sentence under one measure against its score under another. Sentences that a "
            "metric could not score are left out: a missing parse says nothing about a measure."
        )
        if len(self.pairs) > MAX_DETAILED_PAIRS:
            yield (
                f"Scatter plots, deciles and disagreements are of the {MAX_DETAILED_PAIRS} that agree least "
                f"(Kendall's tau-b), of {len(self.pairs)} pairs of measures of a candidate."
            )
        if unseen := sum(not figure.on_page for figure in self.figures):
            plots = quantity(unseen, "further scatter plot")
            yield f"{plots} in the folder of figures, to keep the page small."

    def build_content(self) -> Iterable[ReportTable | Figure]:
        """Yield charts, correlations, the order of the candidates, deciles, and where measures disagree."""
        pairs, study = self.pairs, self.study
        if not study.is_large:
            yield from _build_gap_charts(study)
            yield from _build_scatter_plots(self.detailed_pairs)
        yield build_correlation_table(study, pairs)
        if not study.is_large:
            yield build_correlation_table(study, list(pair_measures(study, headlines=False)), every=True)
            yield build_error_rank_table(study)
        if study.headlines:
            yield build_order_table(study)
        if not study.is_large:
            yield from (build_decile_table(pair) for pair in self.detailed_pairs if len(pair.rows) >= DECILES)
            yield from (build_disagreement_table(pair, study.worst) for pair in self.detailed_pairs)

    def is_printed(self, table: ReportTable) -> bool:
        """Return whether it is the order, or the correlations of few candidates."""
        return table.key in ("order", "error-ranks") or (
            table.key == "correlations" and not self.study.is_large
        )


def build_correlation_table(
    study: StudyResults, pairs: Sequence[MeasurePair], *, every: bool = False
) -> ReportTable:
    """Return Pearson's, Spearman's and Kendall's coefficients between measures, candidate by candidate.

    The first two of main measures have intervals.
    """
    rows = []
    constant = False
    with_intervals = not every and not study.is_large
    for pair in pairs:
        correlation = pair.correlation
        constant = constant or correlation.pearson is None
        in_cells = [
            _make_cell(c, "{:.3f}") for c in (correlation.pearson, correlation.spearman, correlation.kendall)
        ]
        if with_intervals:
            intervals = correlation_intervals(
                *pair.merits(), samples=study.samples, seed=study.seed, level=study.level
            )
            in_cells[:2] = [_make_interval_cell(of, "{:.3f}") for of in intervals or ()] or in_cells[:2]
        rows.append(make_cells(pair.treebank.name, pair.candidate, *pair.headings, correlation.n, *in_cells))
    missing = " A dash: one of the two has the same value for all sentences, or there are fewer than two."
    small = f" The small print has {100 * study.level:g} % intervals, by resampling sentences."
    return ReportTable(
        "correlations-all" if every else "correlations",
        "Correlations between all measures" if every else "Correlations between measures",
        "Over the n sentences that both scored: Pearson's coefficient of the scores, Spearman's of their "
        "ranks, Kendall's tau-b of the order of every two sentences. Scores of measures for which "
        f"less is better are negated.{small if with_intervals else ''}{missing if constant else ''}",
        Column.texts("Treebank", "Candidate", "Measure", "Other measure")
        + Column.numbers("n", "Pearson", "Spearman", "Kendall"),
        rows,
    )


def build_error_rank_table(study: StudyResults) -> ReportTable:
    """Return where each main measure ranks the sentences with one single error, by its type."""
    columns = list(study.headlines.items())
    rows = []
    for one in errors_of(study) if len(columns) > 1 else ():
        ranked = [(name, m) for name, m in columns if one.candidate.has(name, m)]
        counts = [one.candidate.counts[name] for name, _ in ranked]
        if len({tuple(of.sentences) for of in counts}) != 1:
            continue
        scored = np.all([of.status == Status.SCORED for of in counts], axis=0)
        standings = [standing(merits(of, m.name)[scored]) for of, (_, m) in zip(counts, ranked, strict=True)]
        by_name = dict(zip((name for name, _ in ranked), standings, strict=True))
        for type_ in one.per_sentence:
            chosen = one.single(type_)[scored]
            if chosen.sum() >= MIN_RANKED_ERRORS:
                cells = (
                    _make_rank_cell(study, by_name[name][chosen]) if name in by_name else None
                    for name, _ in columns
                )
                number = int(chosen.sum())
                titles = one.treebank.name, one.candidate.name, type_title(type_)
                rows.append(make_cells(*titles, number, *cells))
    return ReportTable(
        "error-ranks",
        "Ranks of sentences with one error",
        "The percentage of all sentences that a measure ranks below a sentence with one single error, by the "
        f"type of the error, on average over these sentences; with intervals. Types with "
        f"{MIN_RANKED_ERRORS} sentences or more (after Sampson and Babarczy 2003, section 6).",
        Column.texts("Treebank", "Candidate", "Type")
        + Column.numbers("Sentences")
        + Column.measures(columns),
        rows,
    )


def _make_rank_cell(study: StudyResults, standings: Values) -> Cell | None:
    """Return the mean of standings, in per cent, with its interval."""
    interval = mean_interval(100 * standings, samples=study.samples, seed=study.seed, level=study.level)
    return _make_interval_cell(interval, "{:.1f}") if study.samples else _make_cell(interval.value, "{:.1f}")


def _make_interval_cell(interval: Interval, form: str) -> Cell:
    below = f"{form.format(interval.low)} to {form.format(interval.high)}"
    return Cell(
        form.format(interval.value), below, value=interval.value, low=interval.low, high=interval.high
    )


def _make_cell(value: float | None, form: str) -> Cell | None:
    return None if value is None else Cell(form.format(value), value=value)


def build_decile_table(pair: MeasurePair) -> ReportTable:
    """Return sentences by their decile under both measures."""
    table = decile_table(*pair.merits())
    one, other = pair.headings
    return ReportTable(
        f"deciles-{pair.key}",
        f"{pair.treebank.name} · {pair.candidate}: deciles by {one} and {other}",
        f"The number of sentences in each decile by {one} (rows) and by {other} (columns); the first decile "
        "holds the best tenth (Sampson and Babarczy 2003, section 5). Sentences of equal score are counted "
        "in the deciles of their ranks, in equal parts under each measure. If the measures ranked alike, all "
        "would lie on the diagonal.",
        Column.numbers(f"Decile by {one}")
        + Column.numbers(*map(str, range(1, DECILES + 1)), group=f"Decile by {other}"),
        [
            [Cell(str(decile), value=decile), *map(_make_decile_cell, row)]
            for decile, row in enumerate(table.tolist(), 1)
        ],
        among="Deciles by two measures",
    )


def _make_decile_cell(number: float) -> Cell:
    text = f"{number:,.0f}" if number == round(number) else f"{number:,.1f}"
    return Cell(text if number else "·", value=number)


def build_disagreement_table(pair: MeasurePair, limit: int) -> ReportTable:
    """Return the sentences that the first measure ranks far higher than the second, and far lower."""
    values, turned = pair.values(), pair.merits()
    tenths = [deciles(side) for side in turned]
    rows = []
    for high, low in ((0, 1), (1, 0)):
        for index in disagreements(turned[high], turned[low], limit):
            row = int(pair.rows[index])
            name = pair.counts[0].sentences[row]
            scores = (Cell.score(float(of[index]), m) for of, m in zip(values, pair.measures, strict=True))
            in_deciles = (int(of[index]) for of in tenths)
            linked = Cell(name, link=pair.link(name))
            rows.append(make_cells(pair.headings[high], linked, *scores, *in_deciles, pair.text(row)))
    one, other = pair.headings
    return ReportTable(
        f"disagreements-{pair.key}",
        f"{pair.treebank.name} · {pair.candidate}: where {one} and {other} disagree most",
        "The sentences whose rank, as a proportion of all sentences, differs most; up to "
        f"{limit} that each measure ranks higher than the other does.",
        Column.texts("Ranked higher by", "Sentence")
        + Column.numbers(*pair.headings, group="Score")
        + Column.numbers(*pair.headings, group="Decile")
        + Column.texts("Words"),
        rows,
        among="Where two measures disagree most",
    )


def build_order_table(study: StudyResults) -> ReportTable:
    """Return the rank of each candidate by every measure, and the difference to that by the main measure."""
    columns, (main, *_) = select_compared_measures(study), study.headlines.items()
    rows = []
    for treebank in study.treebanks:
        first, *columns_of_ranks = (
            _rank_candidates(treebank, metric, measure) for metric, measure in (main, *columns)
        )
        if len(treebank.candidates) < 2 or not columns_of_ranks:
            continue
        names = [candidate.name for candidate in treebank.candidates]
        for name in sorted(names, key=lambda name: first.get(name, len(names) + 1)):
            row = make_cells(treebank.name, name)
            for column in columns_of_ranks:
                rank = column.get(name)
                moved = first.get(name, rank) - rank if rank is not None else 0
                below = f"{moved:+d}".replace("-", "−") if moved else ""
                row.append(Cell("–") if rank is None else Cell(str(rank), below, value=rank))
            rows.append(row)
    return ReportTable(
        "order",
        "Order of the candidates by each measure",
        "The rank of each candidate, the best first, whether or not the differences are significant; "
        "candidates of equal score share a rank. The small print tells how many ranks each gains or loses "
        "against " + end_with_stop(measure_title(*main)),
        Column.texts("Treebank", "Candidate") + Column.measures(columns),
        rows,
    )


def _collect_scores(treebank: TreebankResults, metric: str, measure: Measure) -> dict[str, float]:
    return {
        candidate.name: candidate.counts[metric].value(measure.name)
        for candidate in treebank.candidates
        if candidate.has(metric, measure) and candidate.counts[metric].rows.any()
    }


def _rank_candidates(treebank: TreebankResults, metric: str, measure: Measure) -> dict[str, int]:
    values = _collect_scores(treebank, metric, measure)
    sign = -1 if measure.better == "more" else 1
    every = [sign * value for value in values.values()]
    return {name: 1 + sum(other < sign * value for other in every) for name, value in values.items()}


def _build_gap_charts(study: StudyResults) -> Iterator[Figure]:
    """Yield Roark's Figure 4: the differences between neighbours in the ranking, measure by measure."""
    columns = [(name, measure) for name, measure in study.headlines.items() if measure.proportion]
    by_names = {
        (row.treebank, row.candidate, row.other, row.metric, row.measure.name): row
        for pair in estimates_of(study).of(CANDIDATES)
        if pair.population in (ALL, MATCHED)
        for row in (pair, pair.turned())
    }
    for treebank in study.treebanks if columns else ():
        values = _collect_scores(treebank, *columns[0])
        ranked = sorted(values, key=values.__getitem__, reverse=columns[0][1].better == "more")
        rows = []
        for one, other in pairwise(ranked):
            for metric, measure in columns:
                estimate = by_names.get((treebank.name, one, other, metric, measure.name))
                if estimate is not None:
                    name, value = f"{one} − {other}: {measure_title(metric, measure)}", estimate.value
                    ends = [100 * end for end in (estimate.low, estimate.high) if end is not None]
                    rows.append(IntervalRow(name, 100 * value, format_signed(value, measure), *ends))
        title = f"{treebank.name}: differences between neighbours in the ranking"
        yield Figure(
            f"gaps-{treebank.name}",
            f"{title}, by measure",
            f"Candidates in the order of {measure_title(*columns[0])}; each score minus the next "
            f"candidate's, in points, with its simultaneous interval. A difference left of zero: the measure "
            f"reverses the two (after Roark 2002, Figure 4). {describe_family(CANDIDATES, study)}",
            build_row_chart(rows, title, "difference, points", zero_line=True),
            len(rows) <= MAX_GAPS_ON_PAGE,
        )


def _build_scatter_plots(pairs: Sequence[MeasurePair]) -> Iterator[Figure]:
    """Yield a scatter plot for every two measures of a candidate; the page has the first ones."""
    for index, pair in enumerate(pairs):
        one, other = pair.headings
        values = pair.values()
        drawn = [side * (100 if m.proportion else 1) for side, m in zip(values, pair.measures, strict=True)]

        def describe(pair_row: int, pair: MeasurePair = pair, values: Sequence[Values] = values) -> str:
            row = int(pair.rows[pair_row])
            scores = [format_value(float(v[pair_row]), m) for v, m in zip(values, pair.measures, strict=True)]
            text = pair.text(row)
            text = text[:MAX_HOVER_LETTERS] + "…" * (len(text) > MAX_HOVER_LETTERS)
            return f"{pair.counts[0].sentences[row]} ({', '.join(scores)}) {text}".rstrip()

        size = quantity(len(pair.rows), "sentence")
        title = f"{pair.treebank.name} · {pair.candidate}: {one} and {other} ({size})"
        sides = zip(pair.headings, pair.measures, strict=True)
        labels = [f"{heading}, per cent" if m.proportion else heading for heading, m in sides]
        proportions = all(measure.proportion for measure in pair.measures)
        chart = build_scatter_chart(
            drawn[0], drawn[1], title, labels[0], labels[1], describe, diagonal=proportions
        )
        line = " On the broken line both scores are the same." if proportions else ""
        yield Figure(
            f"scatter-{pair.key}",
            title,
            f"A dot is a sentence; identical scores share one, whose area grows with their number.{line}",
            chart,
            index < MAX_SCATTERS_ON_PAGE,
            among="Sentences by two measures",
        )
