"""Scores of every candidate: a comparison by measure, charts with intervals, all measures.

The comparison has the shape of Rehbein and van Genabith (2007), Table 4 (treebank by measure).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf

import numpy as np

from crossbank.converters.schemes.views import VIEWS
from crossbank.metrics.counting.counts import Measure, format_value
from crossbank.metrics.counting.presentation import alike, compared, measure_title, metric_title
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics.estimates import ALL, Estimate
from crossbank.reports.charts.chart import Figure
from crossbank.reports.charts.intervals import build_interval_chart
from crossbank.reports.estimates.questions import CANDIDATES
from crossbank.reports.estimates.table import MATCHED, assign_letters, estimates_of
from crossbank.reports.results.rankings import rankings_of
from crossbank.reports.results.study_results import CandidateResults, StudyResults, TreebankResults
from crossbank.reports.results.summary import Score
from crossbank.reports.sections.section import Section
from crossbank.reports.study.model import COLUMNS_BESIDE
from crossbank.reports.tables.signatures import SharedSignature
from crossbank.reports.tables.signatures import share_signatures as shared_signatures
from crossbank.reports.tables.table import Cell, Column, ReportTable, describe_measure, make_cells
from crossbank.treebanks.quantities import quantity

MAX_UNSHADED_CANDIDATES = 8
"""More candidates of a treebank are in the order of their scores, in cells that are shaded by them."""

SHADES = 5
"""The number of shades of a column."""

MAX_FIRST_SCREEN_SCORES = 16
"""A chart of more scores is too high for the first screen."""

MAX_CHART_ROWS = 200
"""Scores are drawn with their intervals where there are no more than this; tables have all of them."""

MIN_SORTED_CANDIDATES = 3
"""With this many candidates of a treebank they are in the order of their scores, with letters."""


def shared_signatures_of(study: StudyResults) -> dict[str, SharedSignature]:
    """Return the signature that stands for each signature of a score."""
    return shared_signatures(score.signature for score in study.scores)


def number_signatures(study: StudyResults) -> tuple[Sequence[str], Mapping[str, int]]:
    """Return the signatures that a table prints, and for each signature of a score the number of its one."""
    shared = shared_signatures_of(study)
    numbers = {text: note for note, text in enumerate(dict.fromkeys(one.text for one in shared.values()), 1)}
    return list(numbers), {signature: numbers[one.text] for signature, one in shared.items()}


def build_score_figures(study: StudyResults) -> Iterator[Figure]:
    """Yield charts of each metric's main measure with its intervals."""
    for metric, measure in study.headlines.items():
        scores = [s for s in study.scores if (s.metric, s.measure) == (metric, measure.name)]
        if (
            max((len(treebank.candidates) for treebank in study.treebanks), default=0)
            > MAX_UNSHADED_CANDIDATES
        ):
            sign = -1 if measure.better == "more" else 1
            known = {score: inf if score.value is None else sign * score.value for score in scores}
            treebanks = [treebank.name for treebank in study.treebanks]
            scores.sort(key=lambda score: (treebanks.index(score.treebank), known[score]))
        if len(scores) <= MAX_CHART_ROWS:
            yield Figure(
                f"scores-{metric}",
                f"{metric_title(metric)}, {measure.heading}",
                f"A dot is a score, the line through it its {study.interval}.",
                build_interval_chart(scores, measure),
            )


def build_comparison_table(study: StudyResults) -> ReportTable:
    """Return scores of every candidate by measure, with intervals, and gold's nodes per word beside them."""
    columns = select_compared_measures(study)
    texts, notes = number_signatures(study)
    rows = []
    for treebank in study.treebanks:
        of_treebank = []
        many = len(treebank.candidates) > MAX_UNSHADED_CANDIDATES
        for candidate in sort_candidates(study, treebank) if many else treebank.candidates:
            row = make_cells(
                treebank.name, candidate.name, *select_ratios(treebank), build_coverage_cell(candidate)
            )
            noted: set[str] = set()
            for metric, measure in columns:
                score = study.scores_by_names.get((treebank.name, candidate.name, metric, measure.name))
                note = notes[score.signature] if score is not None and metric not in noted else 0
                noted.add(metric)
                row.append(_build_described_cell(score, measure, note))
            of_treebank.append(row)
        rows += _mark_best(of_treebank, [measure for _, measure in columns])
    has_nodes = any(select_ratios(treebank)[-1] is not None for treebank in study.treebanks)
    beside = "More nodes per word in gold raise every measure that counts brackets. " * has_nodes
    matching = "Scores are of as many sentences of every length from each treebank. "
    table = ReportTable(
        "comparison",
        "Scores",
        f"Per cent where measures are proportions, with {study.interval}s ({study.samples:,} resamples, seed "
        f"{study.seed}). {beside}{matching * (study.match == 'length')}Small numbers refer to signatures.",
        [*Column.texts("Treebank", "Candidate"), *RATIOS, COVERAGE, *Column.measures(columns)],
        rows,
        texts,
        list_meanings(columns),
        "signatures",
    )
    return select_columns_beside(study, table)


def list_meanings(measures: Iterable[tuple[str, Measure]]) -> list[tuple[str, str]]:
    """Return names and meanings of measures, for the definitions of a table."""
    return [(measure_title(metric, measure), describe_measure(measure)) for metric, measure in measures]


def select_compared_measures(study: StudyResults) -> list[tuple[str, Measure]]:
    """Return metric and measure of every column of the comparison, in the metrics' order or as chosen."""
    if study.columns:
        known = {
            f"{name}.{measure.name}": (name, measure)
            for name, measures in study.measures().items()
            for measure in measures
        }
        return [known[column] for column in study.columns if column in known]
    chosen = {
        name: {measure.name for counts in every for measure in compared(counts)}
        for name, every in study.by_metric.items()
    }
    return [
        (name, m) for name, every in study.by_metric.items() for m in alike(every) if m.name in chosen[name]
    ]


RATIOS = tuple(Column(heading, beside=True) for heading in ("Words/sent.", "Nodes/sent.", "Nodes/word"))
"""The ratios of Rehbein and van Genabith's Table 1, which are beside every score."""


COVERAGE = Column("Coverage", beside=True)
"""The sentences that a parser has parsed: without them its score says less."""


BESIDE = dict(zip(COLUMNS_BESIDE, (*RATIOS, COVERAGE), strict=True))
"""The columns beside measures by the names that study files give them."""


def select_columns_beside(study: StudyResults, table: ReportTable) -> ReportTable:
    """Return a table with those of the columns beside measures that the study requests and that are known."""
    beside = list(BESIDE.values())
    table = table.without_blank(beside)
    if not study.columns:
        return table
    requested = [BESIDE[name] for name in study.columns if name in BESIDE]
    table = table.without([column for column in beside if column not in requested])
    return replace(table, columns=[replace(column, beside=False) for column in table.columns])


def select_ratios(treebank: TreebankResults) -> tuple[float | None, ...]:
    """Return gold's ratios, in the trees whose brackets are counted, for the columns ``RATIOS``."""
    of_trees = (name for name, view in VIEWS.items() if view.both_have == "constituents")
    stage = next((stage for stage in (*of_trees, "as read") if stage in treebank.ratios), None)
    ratios = None if stage is None else treebank.ratios[stage]
    if ratios is None:
        return None, None, None
    if not ratios["nodes"]:
        return ratios["tokens_per_sentence"], None, None
    return ratios["tokens_per_sentence"], ratios["nodes_per_sentence"], ratios["nodes_per_token"]


def build_coverage_cell(candidate: CandidateResults) -> Cell:
    """Return proportion of sentences with a parse, with the number of those in fragments, where that is told.

    Nothing is reported of candidates that no parser of the study made and that have all sentences.
    """
    # A parse under one metric may be none under another, such as a tree without heads.
    statuses = [counts.status for counts in candidate.counts.values()]
    sizes = {len(status) for status in statuses}
    if len(sizes) != 1:
        statuses = statuses[:1]
    if not statuses:
        return Cell("–")
    requested = np.logical_or.reduce([status != Status.SKIPPED for status in statuses])
    missing = int(np.logical_or.reduce([status == Status.NO_PARSE for status in statuses]).sum())
    parsed = int(requested.sum()) - missing
    if not requested.any() or (candidate.fragments is None and not missing):
        return Cell("–")
    below = f"{candidate.fragments:,} in fragments" if candidate.fragments else ""
    cell = Cell.per_cent(parsed / int(requested.sum()))
    return replace(cell, text="> 99.9" if missing and cell.text == "100.0" else cell.text, below=below)


def build_score_cell(score: Score | None, measure: Measure, note: int = 0) -> Cell:
    """Return a score with its interval; a dash for none."""
    return Cell("–") if score is None else Cell.score(score.value, measure, score.low, score.high, note)


def _build_described_cell(score: Score | None, measure: Measure, note: int) -> Cell:
    about = "" if score is None else f"{describe_measure(measure)}; {quantity(score.n, 'sentence')}"
    return replace(build_score_cell(score, measure, note), about=about)


def _mark_best(rows: list[list[Cell]], measures: Sequence[Measure]) -> list[list[Cell]]:
    """Return rows of a treebank's candidates with the best score of each measure marked, if several differ.

    The measures are those of the last columns.
    """
    for index, measure in enumerate(measures, -len(measures)):
        values = [value for row in rows if (value := row[index].value) is not None]
        if len(rows) > 1 and len(set(values)) > 1:
            best = min(values) if measure.better == "less" else max(values)
            ranked = sorted(values, reverse=measure.better == "more")
            for row in rows:
                value = row[index].value
                if value is not None:
                    shade = (
                        1 + SHADES * ranked.index(value) // len(ranked)
                        if len(rows) > MAX_UNSHADED_CANDIDATES
                        else 0
                    )
                    row[index] = replace(row[index], best=value == best, shade=shade)
    return rows


def find_like_the_best(
    study: StudyResults, metric: str, measure: Measure, best: Mapping[str, str]
) -> set[tuple[str, str]]:
    """Return treebank and candidate of all that do not differ significantly from the treebank's best."""
    return {
        (row.treebank, name)
        for row in _select_whole(study)
        if (row.metric, row.measure.name) == (metric, measure.name) and not row.significant
        for name, other in ((row.candidate, row.other), (row.other, row.candidate))
        if best.get(row.treebank) == other
    }


def build_matrix_cells(
    study: StudyResults, metric: str, measure: Measure, scores: Mapping[str, Mapping[str, float]]
) -> dict[tuple[str, str], Cell]:
    """Return the cells of a matrix by treebank and candidate, with the best of a treebank and those like it.

    scores  by treebank and candidate; the best is the first of several
    """
    ranked = {name: sorted(of.values(), reverse=measure.better == "more") for name, of in scores.items()}
    first = {name: next(one for one in of if of[one] == ranked[name][0]) for name, of in scores.items() if of}
    alike = find_like_the_best(study, metric, measure, first)
    return {
        (treebank, name): Cell(
            format_value(value, measure),
            value=value,
            about=describe_measure(measure),
            best=value == ranked[treebank][0],
            alike=(treebank, name) in alike,
            # The fifth of its treebank's scores in which it lies, 1 for the best.
            shade=1 + SHADES * ranked[treebank].index(value) // len(ranked[treebank]),
        )
        for treebank, of in scores.items()
        for name, value in of.items()
    }


LIKE_THE_BEST = "Underlined scores do not differ significantly from it."


def build_all_scores_table(study: StudyResults) -> ReportTable:
    """Return every measure of every metric, as in ``summary.csv``."""
    measures = {(name, m.name): m for name, of_metric in study.measures().items() for m in of_metric}
    ratios = {treebank.name: select_ratios(treebank) for treebank in study.treebanks}
    covered = {(t.name, c.name): build_coverage_cell(c) for t in study.treebanks for c in t.candidates}
    texts, notes = number_signatures(study)
    rows = []
    for score in study.scores:
        cell = _build_described_cell(score, measures[score.metric, score.measure], notes[score.signature])
        names = score.treebank, score.candidate, metric_title(score.metric), score.measure
        beside = *ratios[score.treebank], covered.get((score.treebank, score.candidate))
        rows.append(make_cells(*names, replace(cell, below=""), cell.below or None, score.n, *beside))
    return ReportTable(
        "all-scores",
        "All measures",
        "Proportions in per cent; n is the number of sentences that enter the score. The same "
        "rows at full precision are in summary.csv.",
        [
            *Column.texts("Treebank", "Candidate", "Metric", "Measure"),
            *Column.numbers("Score", study.interval, "n"),
            *(*RATIOS, COVERAGE),
        ],
        rows,
        texts,
        list_meanings((metric, measure) for (metric, _), measure in measures.items()),
        "signatures",
    ).without_blank([COVERAGE])


def build_headlines_table(study: StudyResults) -> ReportTable:
    """Return one measure of each metric with its interval, and gold's nodes per word.

    Several candidates of a treebank are in the order of the first metric, the best first, with letters: two
    share one exactly if they do not differ significantly.
    """
    columns = list(study.headlines.items())
    letters = _assign_letters(study)
    rows = []
    for treebank in study.treebanks:
        for candidate in sort_candidates(study, treebank):
            row = make_cells(
                treebank.name, candidate.name, select_ratios(treebank)[-1], build_coverage_cell(candidate)
            )
            for metric, measure in columns:
                score = study.scores_by_names.get((treebank.name, candidate.name, metric, measure.name))
                cell = build_score_cell(score, measure)
                shared = letters.get((treebank.name, metric), {}).get(candidate.name)
                row.append(replace(cell, text=f"{cell.text} {shared}") if shared else cell)
            rows.append(row)
    legend = f" Candidates that share a letter do not differ significantly (at {study.alpha:g})."
    return ReportTable(
        "headlines",
        "Scores",
        f"With {study.interval}s.{legend if letters else ''}",
        [*Column.texts("Treebank", "Candidate"), RATIOS[-1], COVERAGE, *Column.measures(columns)],
        rows,
    ).without_blank(list(BESIDE.values()))


def _assign_letters(study: StudyResults) -> dict[tuple[str, str], dict[str, str]]:
    """Return the letters of candidates by treebank and metric, where a treebank has several candidates."""
    main = {metric: measure.name for metric, measure in study.headlines.items()}
    rows: dict[tuple[str, str], list[Estimate]] = {}
    for row in _select_whole(study):
        if main[row.metric] == row.measure.name:
            rows.setdefault((row.treebank, row.metric), []).append(row)
    return {
        key: letters
        for key, of in rows.items()
        if len(letters := assign_letters(of)) >= MIN_SORTED_CANDIDATES
    }


def _select_whole(study: StudyResults) -> list[Estimate]:
    """Return the pairs of candidates over all sentences."""
    return [row for row in estimates_of(study).of(CANDIDATES) if row.population in (ALL, MATCHED)]


def sort_candidates(study: StudyResults, treebank: TreebankResults) -> Sequence[CandidateResults]:
    """Return a treebank's candidates; several of them by the first metric, the best first."""
    if len(treebank.candidates) < MIN_SORTED_CANDIDATES:
        return treebank.candidates
    metric, measure = next(iter(study.headlines.items()))
    known = [c for c in treebank.candidates if metric in c.counts and c.counts[metric].rows.any()]
    known.sort(key=lambda c: c.counts[metric].value(measure.name), reverse=measure.better == "more")
    return [*known, *(c for c in treebank.candidates if c not in known)]


class ScoresSection(Section):
    """Comparison by measure, charts with intervals, and all measures."""

    key, heading = "scores", "Scores"
    position = 50
    builders = (build_comparison_table, build_score_figures, build_all_scores_table)
    on_candidate_page = True
    printed_tables = open_tables = ("comparison",)
    template = "measures.html.j2"

    def first_screen_figure(self) -> Figure | None:
        """Return the chart of the first metric, where it has few rows."""
        few = sum(len(treebank.candidates) for treebank in self.study.treebanks) <= MAX_FIRST_SCREEN_SCORES
        return next(iter(self.figures), None) if few else None

    def is_open(self, table: ReportTable) -> bool:
        """Return whether it is the comparison, unless the study is large and the matrix has its scores."""
        return super().is_open(table) and not (self.study.is_large and rankings_of(self.study))

    def summary_table(self) -> ReportTable | None:
        """Return each metric's main measure; None where candidates are ranked over treebanks."""
        return None if rankings_of(self.study) else build_headlines_table(self.study)
