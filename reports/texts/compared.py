"""Candidates compared with each other: a table for the terminal, and JSON for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crossbank.reports.estimates.questions import CANDIDATES, describe_family
from crossbank.reports.estimates.table import estimates_of, measure_name
from crossbank.reports.pages.page import list_warnings
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.comparisons import build_difference_cells, interval_heading
from crossbank.reports.sections.scores import select_compared_measures
from crossbank.reports.tables.table import Column, ReportTable, make_cells
from crossbank.reports.texts.against import difference_as_values

JSON_VERSION = 3
"""The version of the JSON, raised when a key is removed or changes its meaning, not when one is added."""

MAX_ROWS = 60
"""Longer tables are cut after this number of rows."""

CORRECTION = "single-step max-T, Westfall and Young 1993"


def build_tests_table(study: StudyResults) -> ReportTable:
    """Return a line for each two candidates and measure: difference, interval, probabilities."""
    measures = select_compared_measures(study)
    rows = [row for row in estimates_of(study).of(CANDIDATES) if (row.metric, row.measure) in measures]
    cut = f" The first {MAX_ROWS} of {len(rows):,}; all are in --json." if len(rows) > MAX_ROWS else ""
    populations = len({row.population for row in rows}) > 1
    return ReportTable(
        "tests",
        "Differences",
        "The first candidate's score minus the second's, in points (hundredths of a proportion) or in units "
        f"of the measure. {describe_family(CANDIDATES, study)}{cut}",
        Column.texts("Candidates", "Measure", *["Population"] * populations)
        + Column.numbers("Difference", interval_heading(study), "p", "Corrected p", "Sentences"),
        [
            make_cells(
                *(f"{row.candidate} − {row.other}", measure_name(row), *[row.population] * populations),
                *(*build_difference_cells(row), row.n),
            )
            for row in rows[:MAX_ROWS]
        ],
    )


def comparison_as_values(study: StudyResults, files: Mapping[str, str]) -> dict[str, Any]:
    """Return scores and differences by name, proportions at full precision: docs/comparison.schema.json.

    files  the path of each candidate, and that of ``gold``
    """
    (treebank,) = study.treebanks
    rows = estimates_of(study).of(CANDIDATES)
    return {
        "version": JSON_VERSION,
        "gold": files["gold"],
        "settings": {
            **{name: getattr(study, name) for name in ("samples", "trials", "seed", "level", "alpha")},
            "correction": CORRECTION,
            "tests": len(rows),
        },
        "warnings": list_warnings(study),
        "candidates": [
            {
                "name": candidate.name,
                "file": files[candidate.name],
                "sentences": next(iter(candidate.counts.values())).status_counts(),
                "scores": [
                    {
                        name: getattr(score, name)
                        for name in ("metric", "measure", "value", "low", "high", "n", "signature")
                    }
                    for score in study.scores
                    if score.candidate == candidate.name
                ],
            }
            for candidate in treebank.candidates
        ],
        "differences": [
            {
                "candidate": row.candidate,
                "other": row.other,
                "metric": row.metric,
                "measure": row.measure.name,
                **difference_as_values(row),
            }
            for row in rows
        ],
    }
