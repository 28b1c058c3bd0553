"""Tables of differences between candidates, treebanks and systems: queries on the estimates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from crossbank.metrics.counting.counts import Measure
from crossbank.metrics.statistics.estimates import ALL, Estimate
from crossbank.reports.estimates.questions import CANDIDATES, SYSTEMS, TREEBANKS, describe_family
from crossbank.reports.estimates.statements import format_difference, format_p
from crossbank.reports.estimates.table import MATCHED, estimates_of, measure_name
from crossbank.reports.results.study_results import MAX_TESTS, StudyResults
from crossbank.reports.sections.scores import list_meanings, select_compared_measures
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import (
    Cell,
    Column,
    ReportTable,
    format_probability,
    format_signed,
    make_cells,
)

SIGN = "*"
"""The mark of a significant difference."""


def build_differences_table(study: StudyResults) -> ReportTable:
    """Return the pairs of candidates of each treebank by measure: the difference, and its corrected p."""
    columns = _select_tested_measures(study)
    return ReportTable(
        "differences",
        "Differences between candidates",
        f"The first candidate's score minus the second's on the same sentences, in points (hundredths of a "
        f"proportion) or in units of the measure. {describe_family(CANDIDATES, study)} {SIGN} marks a "
        "significant one.",
        Column.texts("Treebank", "Candidates") + Column.measures(columns),
        _build_pair_rows(
            columns,
            estimates_of(study).of(CANDIDATES),
            lambda row: (row.treebank, f"{row.candidate} − {row.other}"),
        ),
        definitions=list_meanings(columns),
    )


def build_treebank_differences_table(study: StudyResults) -> ReportTable:
    """Return a candidate in two treebanks by measure; paired if the treebanks annotate the same sentences."""
    rows = estimates_of(study).of(TREEBANKS)
    columns = select_compared_measures(study)
    paired = dict.fromkeys(
        f"{row.treebank} and {row.other_treebank}" for row in rows if row.contrast.is_paired
    )
    pairing = f"The sentences of {', '.join(paired)} are the same. " if paired else "The sentences differ. "
    schemes = {treebank.name: treebank.scheme for treebank in study.treebanks}
    differing = dict.fromkeys(
        f"{row.treebank} and {row.other_treebank}"
        for row in rows
        if schemes[row.treebank] != schemes[row.other_treebank]
    )
    if differing:
        pairing += (
            f"The schemes of {', '.join(differing)} differ: compare the ratios of nodes to words before the "
            "scores. "
        )
    return ReportTable(
        "differences-between",
        "Differences between treebanks",
        "A candidate's score in the first treebank minus its score in the second, in points (hundredths of a "
        f"proportion) or in units of the measure. {pairing}{describe_family(TREEBANKS, study)} {SIGN} marks "
        "a significant one.",
        Column.texts("Treebanks", "Candidate") + Column.measures(columns),
        _build_pair_rows(
            columns,
            rows,
            lambda row: (
                f"{row.treebank} − {row.other_treebank}",
                row.candidate if row.candidate == row.other else f"{row.candidate} − {row.other}",
            ),
        ),
    )


def build_systems_table(study: StudyResults) -> ReportTable:
    """Return every two systems, each the mean of its runs, in a treebank or over treebanks."""
    return build_estimate_table(
        study,
        estimates_of(study).of(SYSTEMS),
        "systems",
        "Differences between systems",
        f"A system is the mean of its runs: seeds, sizes, treebanks. {describe_family(SYSTEMS, study)}",
    )


def build_tests_table(study: StudyResults) -> ReportTable:
    """Return every comparison of candidates and treebanks under every measure, one in each row."""
    rows = estimates_of(study)
    return build_estimate_table(
        study,
        [*rows.of(CANDIDATES), *rows.of(TREEBANKS)],
        "tests",
        "All tests of differences",
        "p is that of the test by itself, the next one is corrected for its family. Where the sentences "
        "without a "
        "score differ between two candidates, the main measure is also tested over the sentences that are "
        f"scored in both. Families: {CANDIDATES}; {TREEBANKS}. {describe_family(CANDIDATES, study)}",
    )


def build_estimate_table(
    study: StudyResults, rows: Sequence[Estimate], key: str, title: str, caption: str
) -> ReportTable:
    """Return rows of the table of estimates, with the columns that differ."""
    across = any(row.treebank != row.other_treebank for row in rows)
    keyed = any(row.key for row in rows)
    populations = len({row.population for row in rows}) > 1
    return ReportTable(
        key,
        title,
        caption,
        Column.texts("Treebank", "Candidate", *["Other treebank"] * across, "Other", "Measure")
        + Column.texts(*["At"] * keyed, *["Population"] * populations)
        + Column.numbers("Sentences", "Difference", interval_heading(study), "p", "Corrected p"),
        [
            make_cells(
                *(row.treebank, row.candidate, *[row.other_treebank] * across, row.other, measure_name(row)),
                *([row.key or "–"] * keyed + [row.population] * populations),
                *(row.n, *build_difference_cells(row)),
            )
            for row in rows
        ],
    )


def interval_heading(study: StudyResults) -> str:
    """Return the heading of simultaneous intervals."""
    return f"{100 * (1 - study.alpha):g} % interval"


def build_difference_cells(row: Estimate) -> list[Cell]:
    """Return the cells of a difference: its value, its interval, p and corrected p."""
    text = format_signed(row.value, row.measure) + SIGN * row.significant
    return make_cells(
        Cell(text, value=row.value, low=row.low, high=row.high),
        format_interval(row),
        *(
            None if row.low is None else Cell(format_probability(p), value=p)
            for p in (row.p, row.p_corrected)
        ),
    )


def format_interval(row: Estimate) -> str:
    """Return the interval of a difference; a dash where there is none."""
    if row.low is None or row.high is None:
        return "–"
    return f"{format_signed(row.low, row.measure)} to {format_signed(row.high, row.measure)}"


def _select_tested_measures(study: StudyResults) -> list[tuple[str, Measure]]:
    """Return metric and measure of every column of tests: where there are too many, main measures alone."""
    main = study.headlines
    return [
        (metric, measure)
        for metric, measure in select_compared_measures(study)
        if study.tests_every_measure or measure.name == main[metric].name
    ]


def _build_pair_rows(
    columns: Sequence[tuple[str, Measure]],
    rows: Iterable[Estimate],
    name: Callable[[Estimate], tuple[str, str]],
) -> list[list[Cell]]:
    by_pair: dict[tuple[str, str], dict[tuple[str, str], Estimate]] = {}
    for row in rows:
        if row.population in (ALL, MATCHED):
            by_pair.setdefault(name(row), {})[row.metric, row.measure.name] = row
    return [
        make_cells(*names, *(_build_difference_cell(measures.get((metric, m.name))) for metric, m in columns))
        for names, measures in by_pair.items()
    ]


def _build_difference_cell(row: Estimate | None) -> Cell:
    if row is None:
        return Cell("–")
    text = format_signed(row.value, row.measure) + SIGN * row.significant
    below = "" if row.low is None else format_p(row.p_corrected)
    return Cell(text, below, 0, row.value, row.low, row.high, about=_describe_power(row))


def _describe_power(row: Estimate) -> str:
    """Return what difference the sentences could have shown."""
    if row.detectable is None:
        return ""
    detectable = format_difference(row, row.detectable).lstrip("+")
    return f"{row.n:,} sentences could have shown {detectable}"


class DifferencesSection(Section):
    """Differences between candidates, between treebanks, between systems, and all tests."""

    key, heading = "different", "Differences"
    position = 80
    builders = (
        build_differences_table,
        build_treebank_differences_table,
        build_systems_table,
        build_tests_table,
    )
    printed_tables = ("differences", "differences-between", "systems")

    def introduction(self) -> Iterable[str]:
        """Return the candidates and measures that are compared, where these are not all."""
        if not self.study.tests_every_measure:
            yield (
                "Every two candidates are compared under the main measure of each metric alone: under all "
                f"measures there would be more than {MAX_TESTS:,} tests."
            )
        if len(self.study.treebanks) > 1 and not estimates_of(self.study).of(TREEBANKS):
            yield "Scores in different treebanks are not tested against each other."
