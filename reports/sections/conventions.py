"""Conventions: differences between schemes under every convention of dependencies that these share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crossbank.metrics.counting.presentation import measure_title
from crossbank.metrics.statistics.estimates import Estimate
from crossbank.reports.estimates.questions import CONVENTIONS, describe_family
from crossbank.reports.estimates.statements import format_fields
from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.comparisons import SIGN, format_interval
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, ReportTable, format_signed, make_cells

RANGE = (
    "{candidate} in {treebank} minus {candidate} in {other_treebank} under {measure}: {low} to {high}, "
    "{agreement}. Lowest with {first_key}: {first}. Highest with {last_key}: {last}."
)
"""Template of the sentence about a family of differences, filled from its lowest and its highest row."""


def group_families(study: StudyResults) -> list[list[Estimate]]:
    """Return the tested differences of each candidate in two treebanks under a metric, by convention."""
    families: dict[str, list[Estimate]] = {}
    for row in estimates_of(study).of(CONVENTIONS):
        if row.low is not None:
            families.setdefault(row.family, []).append(row)
    return list(families.values())


def build_range_table(study: StudyResults) -> ReportTable:
    """Return for each candidate the range of its differences, and how many conventions agree."""
    rows = []
    for family in group_families(study):
        lowest, highest = order_by_value(family)
        positive, negative = count_significant(family)
        rows.append(
            make_cells(
                *(lowest.candidate, lowest.treebank, lowest.other_treebank),
                *(measure_title(lowest.metric, lowest.measure), len(family)),
                *(Cell(format_signed(row.value, row.measure), value=row.value) for row in (lowest, highest)),
                *(Cell.count(number) for number in (positive, negative, count_above_floor(family))),
            )
        )
    return ReportTable(
        "conventions",
        "Differences between treebanks under all conventions that they share",
        "The score in the first treebank minus that in the second, in points: the lowest and the highest of "
        "the conventions, the number under which it is significantly above and below 0, and the number under "
        f"which it is larger than what gold itself loses. {describe_family(CONVENTIONS, study)}",
        Column.texts("Candidate", "Treebank", "Other treebank", "Measure")
        + Column.numbers("Conventions", "Lowest", "Highest", "Above 0", "Below 0", "Above the floor"),
        rows,
    )


def build_convention_tables(study: StudyResults) -> Iterable[ReportTable]:
    """Yield a table of two treebanks under each metric: conventions by candidates, and what gold loses."""
    tables: dict[tuple[str, str, str], list[list[Estimate]]] = {}
    for family in group_families(study):
        row = family[0]
        tables.setdefault((row.treebank, row.other_treebank, row.metric), []).append(family)
    for (treebank, other, metric), families in tables.items():
        title, rows = measure_title(metric, families[0][0].measure), []
        for of_convention in zip(*families, strict=True):
            first = of_convention[0]
            differences = [
                Cell(
                    format_signed(row.value, row.measure) + SIGN * row.significant,
                    format_interval(row),
                    value=row.value,
                    low=row.low,
                    high=row.high,
                )
                for row in of_convention
            ]
            floor = None if first.floor is None else Cell(f"{100 * first.floor:.2f}", value=first.floor)
            rows.append(make_cells(describe_convention(first.key), *differences, floor))
        yield ReportTable(
            f"conventions-{treebank}-{other}-{metric}",
            f"{title}: {treebank} minus {other} under each convention",
            "The differences in points, with simultaneous intervals. Floor: what gold itself loses. Both "
            "treebanks are converted under one convention: options of the transformation dependencies, with "
            "functions or without them.",
            Column.texts("Convention") + Column.numbers(*(of[0].candidate for of in families), "Floor"),
            rows,
        )


class ConventionsSection(Section):
    """Differences under all conventions of dependencies, where treebanks annotate the same sentences."""

    key, heading = "conventions", "Conventions of dependencies"
    position = 43
    printed_tables = ("conventions",)
    builders = (build_range_table, build_convention_tables)
    omitted_if_large = "conventions of dependencies"

    def introduction(self) -> Iterable[str]:
        """Return a sentence for each candidate: range, number of significant differences, both ends."""
        for family in group_families(self.study):
            lowest, highest = order_by_value(family)
            fields = format_fields(lowest)
            yield RANGE.format(
                **{name: fields[name] for name in ("candidate", "treebank", "other_treebank", "measure")},
                low=format_signed(lowest.value, lowest.measure),
                high=format_signed(highest.value, highest.measure),
                agreement=describe_agreement(family),
                first_key=describe_convention(lowest.key),
                first=fields["numbers"],
                last_key=describe_convention(highest.key),
                last=format_fields(highest)["numbers"],
            )


def describe_agreement(family: Sequence[Estimate]) -> str:
    """Return the number of conventions that agree: ``none significant in 12 of 12``."""
    above, below = count_significant(family)
    if not above and not below:
        return f"none significant in {len(family)} of {len(family)}"
    parts = [f"significantly {side} 0 in {n}" for side, n in (("above", above), ("below", below)) if n]
    return f"{' and '.join(parts)} of {len(family)}"


def order_by_value(family: Sequence[Estimate]) -> tuple[Estimate, Estimate]:
    """Return the rows with the lowest and the highest difference, the first of equal ones."""
    return min(family, key=lambda row: row.value), max(family, key=lambda row: row.value)


def count_significant(family: Sequence[Estimate]) -> tuple[int, int]:
    """Return the number of significant differences above 0 and below 0."""
    significant = [row.value for row in family if row.significant]
    return sum(value > 0 for value in significant), sum(value < 0 for value in significant)


def count_above_floor(family: Sequence[Estimate]) -> int:
    """Return the number of differences that are larger than what gold itself loses."""
    return sum(row.is_above_floor for row in family)


def describe_convention(name: str) -> str:
    """Return a convention as text: ``coordination all, prepositions noun, functions kept``."""
    return name.replace("=", " ").replace(",", ", ")
