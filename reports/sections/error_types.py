"""Tables of error types (``results.typed_errors``): numbers, costs, and the errors that measures see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts, Measure
from crossbank.metrics.counting.presentation import headline, measure_title, metric_title, shared
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics.estimates import Estimate
from crossbank.reports.charts.chart import Figure, VegaChart
from crossbank.reports.charts.grid import ColumnGroup, GridColumn, build_grid_chart
from crossbank.reports.estimates.breakdowns import TYPED
from crossbank.reports.estimates.questions import ERRORS, describe_family
from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.results.typed_errors import (
    CandidateErrors,
    compute_losses,
    divide_loss_by_type,
    errors_of,
    find_unseen_types,
    type_title,
)
from crossbank.reports.sections.comparisons import build_difference_cells
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import (
    Cell,
    Column,
    ReportTable,
    list_first_sentences,
    make_cells,
    sentences_link,
)

MAX_EXAMPLES = 3


MAX_CANDIDATE_COLUMNS = 4
"""Of more candidates of a treebank the best ones have a column of the figure."""


def build_error_figure(treebank: str, all_errors: Sequence[CandidateErrors]) -> Figure:
    """Return types by candidates: part of the loss, cost of one error by measure, rates, directions."""
    measures = [(name, m) for name, m in _select_measures(all_errors) if m.proportion and m.better == "more"]
    all_errors = [one for one in all_errors if measures and measures[0][0] in one.candidate.counts]
    if not all_errors:
        return Figure(f"errors-{treebank}", "", "", VegaChart())
    main, measure = measures[0]
    unseen = find_unseen_types(all_errors, main, measure)
    parts = {
        id(one): divide_loss_by_type(one, one.candidate.counts[main], measure, unseen) for one in all_errors
    }
    # How many errors of each type a constructed candidate has was chosen: so it is omitted from the sums.
    own = [one for one in all_errors if not one.candidate.constructed] or all_errors
    whole = sum(parts[id(one)][1] for one in own) or 1.0
    over_all = {
        type_: sum(parts[id(one)][0].get(type_, 0.0) for one in own) / whole
        for type_ in dict.fromkeys(type_ for one in all_errors for type_ in one.per_sentence)
    }
    types = sorted(over_all, key=lambda type_: -over_all[type_])
    best = sorted(all_errors, key=lambda one: -one.candidate.counts[main].value(measure.name))
    every = "all" if len(own) == len(all_errors) else "all parsers"
    shares = [_build_share_column(every, [over_all[type_] for type_ in types])] if len(own) > 1 else []
    for one in all_errors if len(all_errors) <= MAX_CANDIDATE_COLUMNS else best[:MAX_CANDIDATE_COLUMNS]:
        of, loss = parts[id(one)]
        shares.append(
            _build_share_column(one.candidate.name, [of.get(type_, 0.0) / (loss or 1.0) for type_ in types])
        )
    costs = [
        _build_share_column(
            metric_title(name), [_compute_mean_cost(all_errors, name, of_metric, type_) for type_ in types]
        )
        for name, of_metric in measures
    ]
    rates = [_add_rates(own, type_) for type_ in types]
    of_all = _build_share_column("rate", [errors / total if total else None for errors, total, _, _ in rates])
    directions = [
        GridColumn(heading, [None] * len(types), [f"{r[column]:,}" if r[2] or r[3] else "–" for r in rates])
        for heading, column in (("too high", 2), ("too low", 3))
    ]
    title = f"{treebank}: where the loss is"
    more = (
        f" Of {len(all_errors):,} candidates the best {MAX_CANDIDATE_COLUMNS} are shown."
        if len(all_errors) > MAX_CANDIDATE_COLUMNS
        else ""
    )
    if len(own) < len(all_errors):
        more += f" “{every}”, rates and attachments leave out constructed candidates."
    return Figure(
        f"errors-{treebank}",
        title,
        f"Error types by their part of the loss under {measure_title(main, measure)}, in per cent; "
        "the mean loss in points in sentences with one single error; errors per 100 of gold’s constructions "
        f"(PPs, words, ...); attachments that are too high or too low.{more} Errors after Kummerfeld et "
        "al. (2012).",
        build_grid_chart(
            title,
            [type_title(type_) for type_ in types],
            [
                ColumnGroup("part of the loss", shares),
                ColumnGroup("points by one error", costs),
                ColumnGroup("errors per 100", [of_all]),
                ColumnGroup("attached", directions, plain=True),
            ],
        ),
    )


def _build_share_column(heading: str, values: Sequence[float | None]) -> GridColumn:
    return GridColumn(heading, values, ["–" if value is None else f"{100 * value:.1f}" for value in values])


def _compute_mean_cost(
    errors: Sequence[CandidateErrors], name: str, measure: Measure, type_: str
) -> float | None:
    """Return the mean loss of sentences with one single error of a type, over all candidates."""
    losses = [
        compute_losses(counts, measure)[one.single(type_) & (counts.status == Status.SCORED)]
        for one in errors
        if (counts := one.candidate.counts.get(name)) is not None
    ]
    every = np.concatenate(losses) if losses else np.zeros(0)
    return float(every.mean()) if len(every) else None


def _add_rates(all_errors: Sequence[CandidateErrors], type_: str) -> tuple[int, int, int, int]:
    """Return errors, gold's constructions, and attachments too high and too low, over all candidates."""
    of_type = [rate for one in all_errors for rate in one.rates if rate.type == type_]
    numbers = [(rate.errors, rate.constructions, rate.high, rate.low) for rate in of_type]
    errors, constructions, high, low = map(sum, zip((0, 0, 0, 0), *numbers, strict=True))
    return errors, constructions, high, low


def build_error_rates_table(all_errors: Sequence[CandidateErrors]) -> ReportTable:
    """Return the rate of errors per construction, and the attachments that are too high and too low."""
    return ReportTable(
        "error-rates",
        "Errors per construction",
        "The errors of each type, gold’s constructions of the type in scored sentences (PPs for PP "
        "attachment, words for tags), and their ratio in per cent; attachments to a constituent above "
        "gold’s, or below it.",
        Column.texts("Treebank", "Candidate", "Type")
        + Column.numbers("Errors", "Constructions", "Rate", "Too high", "Too low"),
        [
            make_cells(
                *(one.treebank.name, one.candidate.name, type_title(rate.type)),
                *(rate.errors, rate.constructions, Cell.per_cent(rate.rate if rate.constructions else None)),
                *((rate.high, rate.low) if rate.type.endswith("attachment") else (None, None)),
            )
            for one in all_errors
            for rate in one.rates
        ],
    )


def build_error_types_table(all_errors: Sequence[CandidateErrors]) -> ReportTable:
    """Return the number of errors of each type that a candidate makes, and their sentences."""
    rows = []
    for one in all_errors:
        ids = next(iter(one.candidate.counts.values())).sentences
        for type_, counts in one.per_sentence.items():
            where = np.flatnonzero(counts).tolist()
            names, link = (one.treebank.name, one.candidate.name), {"type": type_}
            rows.append(
                make_cells(
                    *(*names, type_title(type_), Cell.count(counts.sum())),
                    Cell.per_cent(float(counts.sum() / one.total.sum())),
                    Cell.count(len(where), sentences_link(*names, **link)),
                    list_first_sentences([ids[index] for index in where], MAX_EXAMPLES),
                )
            )
    return ReportTable(
        "error-types",
        "Error types",
        "Found by repairing the candidate's trees into gold's, after Kummerfeld et al. (2012): all "
        "brackets that one move of a constituent corrects are one error (in dependencies: each wrong head). "
        "Proportion: per cent of the candidate's errors. The scheme defines the types by labels.",
        Column.texts("Treebank", "Candidate", "Type")
        + Column.numbers("Errors", "Proportion", "Sentences")
        + Column.texts("For instance"),
        rows,
    )


def build_seen_errors_table(all_errors: Sequence[CandidateErrors]) -> ReportTable:
    """Return the loss in sentences with one error alone, for each error type and measure."""
    measures = _select_measures(all_errors)
    rows = []
    for one in all_errors:
        for type_ in one.per_sentence:
            alone = one.single(type_)
            if not alone.any():
                continue
            counted = ((one.candidate.counts.get(name), measure) for name, measure in measures)
            losses = (
                None if counts is None else _build_loss_cell(counts, measure, alone)
                for counts, measure in counted
            )
            number = Cell.count(alone.sum())
            rows.append(make_cells(one.treebank.name, one.candidate.name, type_title(type_), number, *losses))
    return ReportTable(
        "seen",
        "The loss by a single error",
        "Sentences with one single error, by its type: the mean loss under each measure in points (100 minus "
        "the sentence's score), and under it the number of sentences in which the measure sees no error.",
        Column.texts("Treebank", "Candidate", "Type")
        + Column.numbers("Sentences")
        + Column.measures(measures),
        rows,
    )


def build_loss_table(all_errors: Sequence[CandidateErrors]) -> ReportTable:
    """Return the proportion of a candidate's loss that each error type causes, measure by measure."""
    measures = _select_measures(all_errors)
    unseen = {
        (treebank, name): find_unseen_types(
            (one for one in all_errors if one.treebank.name == treebank), name, m
        )
        for treebank in dict.fromkeys(one.treebank.name for one in all_errors)
        for name, m in measures
    }
    rows = []
    for one in all_errors:
        lost_under = {
            name: divide_loss_by_type(
                one, one.candidate.counts[name], measure, unseen[one.treebank.name, name]
            )
            for name, measure in measures
            if name in one.candidate.counts
        }
        for type_ in one.per_sentence:
            row = make_cells(one.treebank.name, one.candidate.name, type_title(type_))
            for name, _ in measures:
                parts, whole = lost_under.get(name, ({}, 0.0))
                part = parts.get(type_, 0.0)
                row.append(Cell(f"{100 * part / whole:.1f}", value=part / whole) if whole else Cell("–"))
            rows.append(row)
    return ReportTable(
        "loss",
        "The cost of errors",
        "Per cent of the candidate's loss, summed over sentences (1 minus the sentence's score), that falls "
        "on each error type; a sentence's loss is shared evenly among its errors of types that the measure "
        "sees. The remainder to 100 is lost in sentences without a parse, or where the trees have no error.",
        Column.texts("Treebank", "Candidate", "Type") + Column.measures(measures),
        rows,
    )


def _select_measures(all_errors: Sequence[CandidateErrors]) -> list[tuple[str, Measure]]:
    counted: dict[str, list[Counts]] = {}
    for name, counts in (of for one in all_errors for of in one.candidate.counts.items()):
        counted.setdefault(name, []).append(counts)
    return [(name, headline(every[0], shared(every))) for name, every in counted.items()]


def _build_loss_cell(counts: Counts, measure: Measure, sentences: NDArray[np.bool_]) -> Cell:
    scored = sentences & (counts.status == Status.SCORED)
    if not scored.any():
        return Cell("–")
    losses = compute_losses(counts, measure)[scored]
    mean = float(losses.mean())
    return Cell(f"{100 * mean:.2f}", f"unseen {int((losses == 0).sum())}", value=mean)


def build_error_differences_table(study: StudyResults, all_errors: Sequence[CandidateErrors]) -> ReportTable:
    """Return the differences of candidates by type of error, and the sentences that have fewer or more."""
    by_name = {(one.treebank.name, one.candidate.name): one for one in all_errors}
    rows = []
    for row in estimates_of(study).of(ERRORS):
        if row.metric != TYPED:
            continue
        both = [by_name[row.treebank, name] for name in (row.candidate, row.other)]
        rows.append(
            make_cells(
                *(row.treebank, f"{row.candidate} − {row.other}", type_title(row.measure.name)),
                *(int(run.counts.sums()[row.measure.name]) for _, run in row.contrast.terms),
                *(row.n, *build_difference_cells(row)),
                *_build_changed_sentence_cells(row, both[0]),
            )
        )
    return ReportTable(
        "error-differences",
        "Differences by type of error",
        "Errors of the first candidate and of the second over the sentences that are scored in both, and the "
        "difference in "
        "100 sentences; the number of sentences in which the first has fewer errors of the type, and more, "
        "and the "
        f"first of them. {describe_family(ERRORS, study)}",
        Column.texts("Treebank", "Candidates", "Type")
        + Column.numbers("of the first", "of the second", group="Errors")
        + Column.numbers("Sentences", "Difference", "Interval", "p", "Corrected p")
        + Column.numbers("fewer", "more", group="Sentences with")
        + Column.texts("Fewer in", "More in"),
        rows,
    )


def _build_changed_sentence_cells(row: Estimate, one: CandidateErrors) -> list[Cell]:
    """Return the numbers of sentences with fewer and with more errors of a type, and the first of them."""
    runs = [run for _, run in row.contrast.terms]
    errors = [np.where(run.counts.rows, run.counts.columns[row.measure.name], 0.0) for run in runs]
    ids = next(iter(one.candidate.counts.values())).sentences
    names = []
    for where in (np.flatnonzero(errors[0] < errors[1]), np.flatnonzero(errors[0] > errors[1])):
        first = [ids[index] for index in where[:MAX_EXAMPLES].tolist()]
        link = sentences_link(row.treebank, row.candidate, text=" | ".join(first)) if first else ""
        names.append(
            (
                Cell.count(len(where)),
                Cell(
                    list_first_sentences(first, MAX_EXAMPLES) + ", ..." * (len(where) > MAX_EXAMPLES),
                    link=link,
                ),
            )
        )
    return [*(number for number, _ in names), *(text for _, text in names)]


class ErrorTypesSection(Section):
    """Number of errors of each type, what they cost, and which of them a measure sees."""

    key, heading = "errors", "Error types"
    position = 60
    figure_on_first_screen = True
    on_candidate_page = True
    omitted_if_very_large = "types of errors"

    def introduction(self) -> Iterable[str]:
        """Return the population, where it is not all sentences."""
        return [self.study.population.strip()] if self.study.population else []

    def build_content(self) -> Iterable[ReportTable | Figure]:
        """Yield a figure for each treebank, and the tables: numbers, rates, what measures see, and costs."""
        errors = errors_of(self.study)
        for treebank in self.study.treebanks:
            yield build_error_figure(
                treebank.name, [one for one in errors if one.treebank.name == treebank.name]
            )
        yield build_error_differences_table(self.study, errors)
        yield from (
            build_error_types_table(errors),
            build_error_rates_table(errors),
            build_seen_errors_table(errors),
            build_loss_table(errors),
        )
