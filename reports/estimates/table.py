"""The table of estimates of a study, and its files ``estimates.csv`` and ``estimates.parquet``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from crossbank.metrics.counting.presentation import measure_title
from crossbank.metrics.statistics.estimates import ALL, Contrast, Estimate, Family, estimates
from crossbank.metrics.statistics.letter_display import letter_display, spelled
from crossbank.reports.estimates.breakdowns import (
    TYPED,
    build_cost_families,
    build_error_families,
    build_label_families,
)
from crossbank.reports.estimates.candidates import (
    build_candidate_families,
    build_treebank_families,
    collect_runs,
)
from crossbank.reports.estimates.conventions import build_convention_families
from crossbank.reports.estimates.curves import build_curve_families, build_system_families
from crossbank.reports.estimates.questions import REGISTRY, added_questions
from crossbank.reports.results.error_costs import ErrorCost, error_costs_of
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.results.typed_errors import CandidateErrors, errors_of
from crossbank.reports.tables.table_files import format_csv

MATCHED = "matched length"
"""The population of studies that match sentences by length."""

COLUMNS = (
    *("question", "family", "metric", "measure", "population", "key", "n"),
    *("treebank", "candidate", "other_treebank", "other"),
    *("value", "low", "high", "level", "p", "p_corrected", "significant", "detectable", "needed", "floor"),
    *("title", "better", "proportion", "terms"),
)
"""The columns of the table; ``terms`` are weights, treebanks, candidates and names of draws, as JSON."""

METADATA = b"crossbank.tests"
"""Key of the Parquet metadata with the number of draws, their seed, alpha and how sentences are matched."""


class Estimates(Sequence[Estimate]):
    """The rows of a study's table, by index or by question."""

    def __init__(self, rows: Iterable[Estimate]) -> None:
        self._rows = list(rows)
        self._by_question: dict[str, list[Estimate]] = {}
        for row in self._rows:
            self._by_question.setdefault(row.question, []).append(row)

    def __getitem__(self, number: Any) -> Any:
        return self._rows[number]

    def __len__(self) -> int:
        return len(self._rows)

    def of(self, question: str) -> Sequence[Estimate]:
        """Return the rows that answer a question."""
        return self._by_question.get(question, ())


@lru_cache(maxsize=2)
def estimates_of(study: StudyResults) -> Estimates:
    """Return the table of a study; computed once for all forms of its report."""
    return estimate_study(study, errors_of(study), error_costs_of(study))


def estimate_study(
    study: StudyResults, errors: Sequence[CandidateErrors], costs: Sequence[ErrorCost]
) -> Estimates:
    """Return the table of a study, given its typed errors and their costs."""
    families = build_families(study, errors, costs)
    return Estimates(estimates(families, trials=study.trials, seed=study.seed, alpha=study.alpha))


def build_families(
    study: StudyResults, errors: Sequence[CandidateErrors], costs: Sequence[ErrorCost]
) -> Iterator[Family]:
    """Yield all families of a study, question by question."""
    population = MATCHED if study.match == "length" else ALL
    runs = collect_runs(study.scored, study.has_same_sentences)
    tested = collect_runs(study.tested, study.has_same_sentences)
    yield from build_candidate_families(
        tested, None if study.tests_every_measure else study.headlines, population
    )
    if study.tests_across_treebanks:
        yield from (add_floors(family, study) for family in build_treebank_families(runs, population))
    yield from build_system_families(study, tested, population)
    yield from build_curve_families(study, tested, population)
    yield from build_error_families(study, tested, errors, population)
    yield from (add_floors(family, study) for family in build_cost_families(costs))
    yield from build_convention_families(study, runs, population)
    if not study.is_large:
        yield from build_label_families(study, tested, population)
    for name in REGISTRY.names():
        yield from REGISTRY.load(name)(study, population)


def row_as_values(row: Estimate) -> dict[str, Any]:
    """Return the cells of a row by column."""
    terms = [[weight, run.treebank, run.candidate, run.draws] for weight, run in row.contrast.terms]
    converted = {
        "measure": row.measure.name,
        "title": measure_name(row),
        "better": row.measure.better,
        "proportion": row.measure.proportion,
        "terms": json.dumps(terms, ensure_ascii=False),
    }
    return {name: converted[name] if name in converted else getattr(row, name) for name in COLUMNS}


def measure_name(row: Estimate) -> str:
    """Return the title of a row's measure, with its metric unless the question omits it."""
    untitled = (TYPED, added_questions().get(row.question, {}).get("untitled"))
    return row.measure.heading if row.metric in untitled else measure_title(row.metric, row.measure)


def write_estimates(study: StudyResults, *paths: Path) -> None:
    """Write the table as CSV or, without its suffix, as Parquet; missing numbers are blank or null."""
    values = list(map(row_as_values, estimates_of(study)))
    for path in paths:
        _write_values(values, study, path)


def _write_values(values: Sequence[Mapping[str, Any]], study: StudyResults, path: Path) -> None:
    if path.suffix == ".csv":
        lines = [["" if row[name] is None else row[name] for name in COLUMNS] for row in values]
        path.write_text(format_csv([COLUMNS, *lines]), "utf-8", newline="")
        return
    import pyarrow as pa
    from pyarrow import parquet

    column_types: Mapping[str, Any] = {
        **dict.fromkeys(COLUMNS, pa.string()),
        **dict.fromkeys(
            ("value", "low", "high", "level", "p", "p_corrected", "detectable", "floor"), pa.float64()
        ),
        "n": pa.int64(),
        "needed": pa.int64(),
        "significant": pa.bool_(),
        "proportion": pa.bool_(),
    }
    settings = {name: getattr(study, name) for name in ("trials", "seed", "alpha", "match")}
    schema = pa.schema([(name, column_types[name]) for name in COLUMNS], {METADATA: json.dumps(settings)})
    columns = {name: [row[name] for row in values] for name in COLUMNS}
    parquet.write_table(pa.table(columns, schema=schema), path, compression="zstd")


def collect_scores(rows: Iterable[Estimate]) -> dict[str, float]:
    """Return the score of each candidate in the pairs of one treebank under one measure."""
    scores: dict[str, float] = {}
    for row in rows:
        for name, sign in ((row.candidate, 1), (row.other, -1)):
            if name not in scores:
                measure = row.measure.name
                terms = ((w, run.counts.value(measure)) for w, run in row.contrast.terms if w * sign > 0)
                scores[name] = sum(abs(weight) * score for weight, score in terms)
    return scores


def rank_candidates(rows: Sequence[Estimate]) -> list[str]:
    """Return the candidates in the pairs of one treebank under one measure, the best first."""
    scores = collect_scores(rows)
    return sorted(scores, key=scores.__getitem__, reverse=rows[0].measure.better == "more")


def assign_letters(rows: Sequence[Estimate]) -> dict[str, str]:
    """Return the letters of each candidate in all pairs of one treebank under one measure, the best first."""
    if not rows:
        return {}
    names = rank_candidates(rows)
    index = {name: number for number, name in enumerate(names)}
    different = {
        (min(index[row.candidate], index[row.other]), max(index[row.candidate], index[row.other]))
        for row in rows
        if row.significant
    }
    display = letter_display(len(names), different)
    return {name: spelled(groups) for name, groups in zip(names, display, strict=True)}


@lru_cache(maxsize=2)
def floors_of(study: StudyResults) -> dict[tuple[frozenset[str], str], float]:
    """Return the largest loss of gold by two treebanks and metric, under the metric's main measure.

    Each gold is scored against the other, and the two losses differ, for example under recall.
    """
    losses: dict[tuple[frozenset[str], str], float] = {}
    for floor in study.floors:
        if floor.headline.proportion:
            key = frozenset((floor.treebank, floor.other)), floor.metric
            losses[key] = max(losses.get(key, 0.0), floor.loss)
    return losses


def add_floors(family: Family, study: StudyResults) -> Family:
    """Return a family with the floors of its contrasts of two treebanks under main measures."""

    def add_floor(contrast: Contrast) -> Contrast:
        main = study.headlines.get(contrast.metric)
        if main is None or contrast.measure.name != main.name:
            return contrast
        key = frozenset((contrast.treebank, contrast.other_treebank)), contrast.metric
        return replace(contrast, floor=floors_of(study).get(key))

    return replace(family, contrasts=list(map(add_floor, family.contrasts)))
