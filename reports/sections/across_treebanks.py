"""Order of two treebanks under each measure: does one candidate look better in the one or in the other?

Rehbein, Ines and Josef van Genabith (2007): Treebank Annotation Schemes and Parser Evaluation for German,
section 4: the parser trained on one treebank is better under Parseval, and worse under dependencies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crossbank.metrics.counting.presentation import measure_title
from crossbank.metrics.statistics.estimates import ALL, Estimate
from crossbank.reports.charts.chart import Figure
from crossbank.reports.charts.panels import PanelValue, build_panel_chart
from crossbank.reports.estimates.questions import TREEBANKS, describe_family
from crossbank.reports.estimates.statements import format_fields
from crossbank.reports.estimates.table import MATCHED, estimates_of
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.comparisons import build_difference_cells
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Column, ReportTable, make_cells
from crossbank.treebanks.quantities import cut_listing

CONTRADICTION = (
    "{candidate} scores better in {treebank} than in {other_treebank} under {measure}: {numbers}; "
    "under {contrary} it is the other way round: {against}."
)
"""Template of a sentence on two rows of one candidate."""


def select_rows(study: StudyResults) -> list[Estimate]:
    """Return the tested differences of one candidate in two treebanks under main measures, all sentences."""
    main = {metric: measure.name for metric, measure in study.headlines.items()}
    return [
        row
        for row in estimates_of(study).of(TREEBANKS)
        if row.low is not None
        and row.measure.proportion
        and main.get(row.metric) == row.measure.name
        and row.candidate == row.other
        and row.population in (ALL, MATCHED)
        and study.has_same_sentences(row.treebank, row.other_treebank)
    ]


def find_contradictions(rows: Sequence[Estimate]) -> list[tuple[Estimate, Estimate]]:
    """Return pairs of measures under which a candidate is significantly better in different treebanks."""
    pairs: dict[tuple[str, str, str], tuple[Estimate, Estimate]] = {}
    for row in rows:
        for other in rows:
            names = row.candidate, row.treebank, row.other_treebank
            is_same = names == (other.candidate, other.treebank, other.other_treebank)
            contrary = row.is_first_better and not other.is_first_better
            if is_same and row.significant and other.significant and contrary:
                pairs.setdefault(names, (row, other))
    return list(pairs.values())


def build_order_figure(study: StudyResults) -> Iterable[Figure]:
    """Yield a chart of each two treebanks: a row for each measure, a mark for each candidate."""
    pairs: dict[tuple[str, str], list[Estimate]] = {}
    for row in select_rows(study):
        pairs.setdefault((row.treebank, row.other_treebank), []).append(row)
    for (treebank, other), rows in pairs.items():
        order = list(study.headlines)
        values = [
            PanelValue(
                *(0, measure_title(row.metric, row.measure), row.candidate, -100 * row.value),
                *(None if end is None else -100 * end for end in (row.high, row.low)),
            )
            for row in sorted(rows, key=lambda row: order.index(row.metric))
        ]
        yield Figure(
            f"across-{treebank}-{other}",
            f"{other} minus {treebank}",
            f"The score of each candidate in {other} minus that in {treebank}, with simultaneous intervals: "
            f"right of 0 the candidate looks better in {other}.",
            build_panel_chart(
                values, f"Scores in {other} minus scores in {treebank}", [f"{other} minus {treebank}, points"]
            ),
        )


def build_order_table(study: StudyResults) -> ReportTable:
    """Return the table of differences, with the loss of gold itself."""
    rows = select_rows(study)
    return ReportTable(
        "across-differences",
        "The same candidate in two treebanks",
        "The score in the first treebank minus that in the second, in points. Floor: what gold itself loses "
        "between the two, in points; a difference that is no larger has no statement. "
        f"{describe_family(TREEBANKS, study)}",
        Column.texts("Candidate", "Treebank", "Other treebank", "Measure")
        + Column.numbers("Difference", "Interval", "p", "Corrected p", "Floor"),
        [
            make_cells(
                *(row.candidate, row.treebank, row.other_treebank, measure_title(row.metric, row.measure)),
                *build_difference_cells(row),
                None if row.floor is None else f"{100 * row.floor:.2f}",
            )
            for row in rows
        ],
    )


class AcrossTreebanksSection(Section):
    """Do measures agree on the treebank in which a candidate is better?"""

    key, heading = "across-treebanks", "Do the measures agree across treebanks?"
    position = 41
    printed_tables = ("across-differences",)
    builders = (build_order_figure, build_order_table)

    def introduction(self) -> Iterable[str]:
        """Yield a sentence for each candidate whose treebanks two measures order differently."""
        rows = select_rows(self.study)
        contradictions = find_contradictions(rows)
        for row, other in contradictions:
            against = format_fields(other.turned())
            yield CONTRADICTION.format(
                **format_fields(row), contrary=against["measure"], against=against["numbers"]
            )
        contradicted = {row.candidate for row, _ in contradictions}
        others = [name for name in dict.fromkeys(row.candidate for row in rows) if name not in contradicted]
        if others:
            yield (
                f"No measure contradicts another one on {cut_listing(others)}: where two find a significant "
                "difference, the same treebank has the better score."
            )
