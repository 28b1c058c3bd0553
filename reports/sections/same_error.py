"""Cost of the same error under each scheme and measure: the method is in ``results.error_costs``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from crossbank.metrics.analyses.tree_repair import TYPES
from crossbank.metrics.counting.counts import format_value
from crossbank.metrics.counting.presentation import measure_title, metric_title
from crossbank.reports.charts.chart import Figure
from crossbank.reports.charts.panels import PanelValue, build_panel_chart
from crossbank.reports.estimates.breakdowns import LOSS
from crossbank.reports.estimates.questions import ERRORS, describe_family
from crossbank.reports.estimates.statements import format_fields
from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.results.error_costs import ALL, ErrorCost, error_costs_of
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.results.typed_errors import type_title
from crossbank.reports.sections.comparisons import build_difference_cells
from crossbank.reports.sections.floor import score_loss
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, ReportTable, make_cells


def build_cost_differences_table(study: StudyResults) -> ReportTable:
    """Return the cost of one error in each two treebanks, by the measure of each metric."""
    rows = [row for row in estimates_of(study).of(ERRORS) if row.measure.name == LOSS.name]
    return ReportTable(
        "same-error-differences",
        "Differences of the cost of one error",
        "The mean loss by one error in the first treebank minus that in the second, in points. "
        f"{describe_family(ERRORS, study)}",
        Column.texts("Treebank", "Other treebank", "Metric")
        + Column.numbers("Sentences", "Difference", "Interval", "p", "Corrected p"),
        [
            make_cells(
                row.treebank,
                row.other_treebank,
                metric_title(row.metric),
                row.n,
                *build_difference_cells(row),
            )
            for row in rows
        ],
    )


class SameErrorSection(Section):
    """Cost of one error, where treebanks annotate the same sentences."""

    key, heading = "prices", "The same error"
    position = 40
    printed_tables = ("same-error",)
    figure_on_first_screen = "alone"

    def build_content(self) -> Iterable[ReportTable | Figure]:
        """Return the chart over all types, the table by type, and the differences."""
        all_prices = error_costs_of(self.study)
        return (
            build_cost_figure(self.study, all_prices),
            build_cost_table(self.study, all_prices),
            build_cost_differences_table(self.study),
        )


def build_cost_figure(study: StudyResults, all_prices: Sequence[ErrorCost]) -> Figure:
    """Return the mean loss by one error of any type and what gold loses, by measure and treebank.

    The measure whose costs differ most comes first.
    """
    costs = [price for price in all_prices if price.type == ALL]
    costs.sort(key=lambda price: -float(np.ptp(price.mean())))
    values = []
    for price in costs:
        low, high = 100 * price.intervals(study.samples, study.seed, study.level)
        row = measure_title(price.metric, price.measure)
        for index, (name, value) in enumerate(zip(price.treebanks, 100 * price.mean(), strict=True)):
            ends = float(low[index]), float(high[index])
            values.append(PanelValue(0, row, name, float(value), *ends))
    for price in costs:
        for floor in study.floors:
            if floor.metric == price.metric and {floor.treebank, floor.other} <= set(price.treebanks):
                row = measure_title(price.metric, price.measure)
                values.append(PanelValue(1, row, floor.treebank, *score_loss(study, floor)))
    beside = (
        " Beside it the loss of gold itself: the other treebank's gold scored against this one's."
        if study.floors
        else ""
    )
    return Figure(
        "same-error",
        "The cost of one error",
        "The mean loss of a sentence with one error, the same error in each treebank, in points, with its "
        f"{study.interval}; the measure whose costs differ most comes first.{beside}{describe_costs(study)}",
        build_panel_chart(
            values,
            "The cost of one error under each measure and scheme",
            ["points lost by one error", "points lost by gold itself"],
        ),
    )


def describe_costs(study: StudyResults) -> str:
    """Return a sentence on the largest and one on the smallest difference of costs; empty without tests."""
    costs = (row for row in estimates_of(study).of(ERRORS) if row.measure.name == LOSS.name)
    rows = [row for row in costs if row.low is not None]
    rows.sort(key=lambda row: -abs(row.value))
    if len(rows) < 2:
        return ""
    by_size = [row if row.value > 0 else row.turned() for row in (rows[0], rows[-1])]
    names = [metric_title(row.metric) for row in by_size]
    largest, smallest = map(format_fields, by_size)
    return (
        f" The costs differ most under {names[0]}, where an error costs more in {largest['treebank']} than "
        f"in {largest['other_treebank']}: {largest['numbers']}. They differ least under {names[1]}: "
        f"{smallest['numbers']}."
    )


def build_cost_table(study: StudyResults, all_prices: Sequence[ErrorCost]) -> ReportTable:
    """Return mean loss by one error of each type, scheme by scheme and measure by measure, with intervals."""
    columns = {(p.metric, p.measure.name, name): p.measure for p in all_prices for name in p.treebanks}
    costs: dict[str, dict[tuple[str, str, str], Cell]] = {}
    numbers: dict[str, int] = {}
    for price in all_prices:
        low, high = price.intervals(study.samples, study.seed, study.level)
        numbers[price.type] = max(numbers.get(price.type, 0), len(price.losses))
        for index, name in enumerate(price.treebanks):
            value, ends = float(price.mean()[index]), (float(low[index]), float(high[index]))
            interval = " – ".join(map(format_value, ends)) if len(price.losses) > 1 else ""
            cell = Cell(format_value(value), interval, 0, value, *ends)
            costs.setdefault(price.type, {})[price.metric, price.measure.name, name] = cell
    return ReportTable(
        "same-error",
        "The same error under each scheme and measure",
        "100 minus the score of a sentence in which a candidate makes one single error, of the same type in "
        f"each scheme: the mean over sentences and candidates, with its {study.interval}.",
        [
            *Column.texts("Type of error"),
            *Column.numbers("Sentences"),
            *(Column(name, measure_title(metric, measure)) for (metric, _, name), measure in columns.items()),
        ],
        [
            make_cells(type_title(type_), Cell.count(numbers[type_]), *map(row.get, columns))
            for type_, row in sorted(costs.items(), key=lambda item: [*TYPES, ALL].index(item[0]))
        ],
    )
