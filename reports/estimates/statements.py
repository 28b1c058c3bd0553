"""Statements of a report: a template without conditions, rendered from one row of estimates.

Which rows get a statement is decided by a query of their kind. Nothing in a statement comes from anywhere
else: a reader, and ``crossbank report --verify``, can recompute it from the row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from crossbank.metrics.statistics.estimates import ALL, Estimate
from crossbank.reports.estimates.breakdowns import TYPED
from crossbank.reports.estimates.questions import (
    CANDIDATES,
    CURVES,
    ERRORS,
    SYSTEMS,
    TREEBANKS,
)
from crossbank.reports.estimates.table import (
    MATCHED,
    Estimates,
    estimates_of,
    measure_name,
    rank_candidates,
    row_as_values,
)
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.tables.table import format_probability, format_signed
from crossbank.treebanks.quantities import quantity

TEMPLATES: Mapping[str, str] = {
    "systems": (
        "On average over their common runs in {treebank} {candidate} is better than {other} under {measure}: "
        "{numbers}."
    ),
    "better": "In {treebank} {candidate} is better than {other} under {measure}: {numbers}.",
    "undecided": (
        "In {treebank} {candidate} and {other} do not differ significantly under {measure}: {numbers}. "
        "These sentences could have shown {detectable}; about {needed} could show {size}."
    ),
    "treebanks": (
        "{candidate} scores better in {treebank} than in {other_treebank} under {measure}: {numbers}."
    ),
    "curve": (
        "At {key} {candidate} in {treebank} is better than {other} in {other_treebank} under {measure}: "
        "{numbers}."
    ),
    "change": (
        "From {key} the difference of {candidate} in {treebank} and {other} in {other_treebank} under "
        "{measure} changes by {numbers}."
    ),
    "errors": "In {treebank} {candidate} makes fewer {measure} in 100 sentences than {other}: {numbers}.",
}
"""The kinds of statements: at most eight."""

TABLES: Mapping[str, str] = {
    "systems": "systems",
    "better": "tests",
    "undecided": "tests",
    "treebanks": "tests",
    "curve": "curve-differences",
    "change": "curve-differences",
    "errors": "error-differences",
}
"""The table that holds the row of a statement."""

MAX_TREEBANKS = 8
"""In a study of more treebanks statements are on systems over all of them."""

MAX_TYPES = 3
"""The number of types of errors of each treebank that have a statement."""


@dataclass(frozen=True)
class Statement:
    """A sentence with the row that it renders.

    row  the row, with the better candidate first where the kind says which one is better
    """

    type: str
    row: Estimate

    @property
    def text(self) -> str:
        """The sentence."""
        return TEMPLATES[self.type].format(**format_fields(self.row))

    @property
    def table(self) -> str:
        """Key of the table that holds the row."""
        return TABLES[self.type]

    @property
    def attributes(self) -> dict[str, str]:
        """The row as data attributes of an element of the page, numbers at full precision."""
        values = row_as_values(self.row)
        hidden = ("terms", "title", "better", "proportion", "significant")
        visible = {name: value for name, value in values.items() if name not in hidden}
        own = {name: "" if value is None else str(value) for name, value in visible.items()}
        return {
            "statement": self.type,
            "row": str(self.row.number),
            **{n.replace("_", "-"): v for n, v in own.items()},
        }


def format_fields(row: Estimate) -> dict[str, str]:
    """Return what templates can print of a row."""
    low, high = (format_signed(end or 0.0, row.measure) for end in (row.low, row.high))
    interval = f"simultaneous {100 * row.level:g} % interval {low} to {high}"
    value, p = format_difference(row, row.value), format_p(row.p_corrected)
    return {
        **{name: getattr(row, name) for name in ("treebank", "candidate", "other_treebank", "other", "key")},
        "measure": measure_name(row),
        "numbers": f"{value} ({interval}, corrected {p}; {format_population(row)}{format_floor(row)})",
        "size": format_difference(row, abs(row.value)).lstrip("+"),
        "detectable": format_difference(row, row.detectable or 0.0).lstrip("+"),
        "needed": f"{row.needed or 0:,}",
    }


def format_difference(row: Estimate, value: float) -> str:
    """Return a difference with its sign and its unit: points where the measure is a proportion."""
    return format_signed(value, row.measure) + (" points" if row.measure.proportion else "")


def format_population(row: Estimate) -> str:
    """Return the number of sentences and which ones they are."""
    return quantity(row.n, "sentence") + ("" if row.population == ALL else f", {row.population}")


def format_floor(row: Estimate) -> str:
    """Return what gold loses between the two treebanks; empty if it is not known."""
    loss = None if row.floor is None else format_difference(row, row.floor).lstrip("+")
    return "" if loss is None else f"; gold itself loses {loss}"


def format_p(p: float) -> str:
    """Return a probability as sentences have it: ``p = 0.012``."""
    text = format_probability(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


@lru_cache(maxsize=2)
def statements_of(study: StudyResults) -> tuple[Statement, ...]:
    """Return the statements of a study, kind by kind."""
    return tuple(select_statements(study, estimates_of(study)))


def select_first_of_each_type(statements: Iterable[Statement]) -> list[Statement]:
    """Return the first statement of each kind: those that a reader sees first."""
    first: dict[str, Statement] = {}
    for statement in statements:
        first.setdefault(statement.type, statement)
    return list(first.values())


def select_statements(study: StudyResults, rows: Estimates) -> Iterator[Statement]:
    """Yield the statements on some rows, kind by kind."""
    queries: Mapping[str, Callable[[StudyResults, Estimates], Iterable[Estimate]]] = {
        "systems": _select_leading_systems,
        "better": _select_leading_candidates,
        "undecided": _select_undecided,
        "treebanks": _select_treebanks,
        "curve": _select_last_points,
        "change": _select_changes,
        "errors": _select_error_types,
    }
    for type, query in queries.items():
        for row in query(study, rows):
            yield Statement(type, row)


def _select_main(study: StudyResults, rows: Iterable[Estimate]) -> list[Estimate]:
    """Return the tested rows under main measures."""
    main = {metric: measure.name for metric, measure in study.headlines.items()}
    return [row for row in rows if row.low is not None and main.get(row.metric) == row.measure.name]


def _select_leading_systems(study: StudyResults, rows: Estimates) -> Iterator[Estimate]:
    """Yield the best system with the best of those from which it differs significantly."""
    for group in _group_rows(_select_main(study, rows.of(SYSTEMS))):
        yield from (row.better_first() for row in _select_first_significant(study, group))


def _select_leading_candidates(study: StudyResults, rows: Estimates) -> Iterator[Estimate]:
    """Yield the best candidate of a treebank with the best of those from which it differs significantly."""
    if len(study.treebanks) <= MAX_TREEBANKS:
        for group in _group_rows(_select_main(study, rows.of(CANDIDATES))):
            leading = _select_first_significant(study, group)
            yield from (row.better_first() for row in leading if not _repeats_all_sentences(row, rows))


def _select_undecided(study: StudyResults, rows: Estimates) -> Iterator[Estimate]:
    """Yield the two best candidates of a treebank where they do not differ significantly."""
    if len(study.treebanks) <= MAX_TREEBANKS:
        for group in _group_rows(_select_main(study, rows.of(CANDIDATES))):
            names = rank_candidates(group)
            first_two = [row for row in group if {row.candidate, row.other} == set(names[:2])]
            undecided = (row for row in first_two if not row.significant and row.needed is not None)
            yield from (row.better_first() for row in undecided if not _repeats_all_sentences(row, rows))


def _repeats_all_sentences(row: Estimate, rows: Estimates) -> bool:
    """Return whether a row on the sentences that are scored in both only repeats that on all sentences."""
    return row.population not in (ALL, MATCHED) and any(
        (other.treebank, other.metric, other.measure.name, other.candidate, other.other)
        == (row.treebank, row.metric, row.measure.name, row.candidate, row.other)
        and other.population in (ALL, MATCHED)
        and other.significant == row.significant
        and (other.value > 0) == (row.value > 0)
        for other in rows.of(CANDIDATES)
    )


def _select_first_significant(study: StudyResults, group: Sequence[Estimate]) -> list[Estimate]:
    names = rank_candidates(group)
    worse = {
        name: row
        for row in group
        if row.significant and names[0] in (row.candidate, row.other)
        for name in (row.candidate, row.other)
    }
    return [worse[name] for name in names[1:] if name in worse][:1]


def _group_rows(rows: Iterable[Estimate]) -> list[list[Estimate]]:
    """Return the rows of each treebank, metric and population."""
    groups: dict[tuple[str, ...], list[Estimate]] = {}
    for row in rows:
        groups.setdefault((row.treebank, row.metric, row.population), []).append(row)
    return list(groups.values())


def _select_treebanks(study: StudyResults, rows: Estimates) -> Iterator[Estimate]:
    """Yield a candidate in two treebanks of the same sentences, where its scores differ significantly.

    And by more than gold itself loses between the two: a smaller difference may be one of the schemes.
    """
    for row in _select_main(study, rows.of(TREEBANKS)):
        is_same = row.contrast.is_paired and row.candidate == row.other
        if is_same and row.significant and row.is_above_floor:
            yield row.better_first()


def _select_last_points(study: StudyResults, rows: Estimates) -> Iterator[Estimate]:
    """Yield two curves at their last common point, where they differ significantly."""
    last: dict[tuple[str, ...], Estimate] = {}
    for row in _select_main(study, rows.of(CURVES)):
        if " to " not in row.key:
            names = row.treebank, row.candidate, row.other_treebank, row.other, row.metric, row.family
            last[names] = row
    yield from (row.better_first() for row in last.values() if row.significant)


def _select_changes(study: StudyResults, rows: Estimates) -> Iterator[Estimate]:
    """Yield significant changes of the difference of two curves."""
    yield from (row for row in _select_main(study, rows.of(CURVES)) if " to " in row.key and row.significant)


def _select_error_types(study: StudyResults, rows: Estimates) -> Iterator[Estimate]:
    """Yield the types of errors by which two candidates differ most, where the difference is significant."""
    for group in _group_rows(row for row in rows.of(ERRORS) if row.metric == TYPED and row.significant):
        largest = sorted(group, key=lambda row: -abs(row.value))[:MAX_TYPES]
        yield from (row.better_first() for row in largest)
