"""Candidates compared with each other: a table for the terminal, and JSON for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crossbank.metrics.counting.presentation import measure_title
from crossbank.reports.findings.family import CORRECTION, family
from crossbank.reports.pages.page import remarks
from crossbank.reports.results.candidate_pairs import Comparison
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.comparisons import interval_said
from crossbank.reports.sections.scores import compared_measures
from crossbank.reports.tables.table import Column, Table, cells, probability, signed
from crossbank.reports.texts.against import difference_as_values

VERSION = 2
"""The version of the JSON: it changes when a key goes or means something else, not when one is added."""

ROWS = 60
"""Longer tables are cut after this number of rows."""

RANDOMISATION, HALVES = "approximate randomisation", "half-samples"
"""The tests: for candidates on the same sentences, and for those on others."""


def tests(study: StudyResults) -> Table:
    """A line for each two candidates and measure: difference, interval, both probabilities, sentences."""
    measures = compared_measures(study)
    found = [one for one in family(study).comparisons if (one.metric, one.measure) in measures]
    cut = f" The first {ROWS} of {len(found):,}; all are in --json." if len(found) > ROWS else ""
    return Table(
        "tests",
        "Differences",
        "The first candidate's score minus the second's, in points (hundredths of a proportion) or in units "
        f"of the measure, with its {study.interval} ({study.samples:,} resamples, seed {study.seed}). p is "
        "the probability of a difference as large as this, either way, if the two did not differ: "
        f"{RANDOMISATION} with {study.trials:,} trials, exact where there are no more ways of swapping "
        f"(Noreen 1989). The next one is {family(study).said()}.{cut}",
        Column.texts("Candidates", "Measure")
        + Column.numbers("Difference", study.interval, "p", "Corrected p", "Sentences"),
        [
            cells(
                *(f"{one.candidate} − {one.other}", measure_title(one.metric, one.measure)),
                signed(one.difference.value, one.measure),
                interval_said(one.difference, one.measure),
                *(probability(one.difference.p), probability(one.difference.corrected)),
                sentences_of(study, one),
            )
            for one in found[:ROWS]
        ],
    )


def sentences_of(study: StudyResults, found: Comparison) -> int:
    """Return the number of sentences that enter the score of one of two candidates, or of both."""
    of = study.scored[found.treebank]
    one, other = of[found.candidate][found.metric].rows, of[found.other][found.metric].rows
    return int((one | other).sum()) if found.paired else int(one.sum() + other.sum())


def as_values(study: StudyResults, files: Mapping[str, str]) -> dict[str, Any]:
    """Scores and differences by name, proportions at full precision, as docs/comparison.schema.json says.

    files  the path of each candidate, and that of ``gold``
    """
    (treebank,) = study.treebanks
    return {
        "version": VERSION,
        "gold": files["gold"],
        "settings": {
            **{name: getattr(study, name) for name in ("samples", "trials", "seed", "level", "alpha")},
            "correction": CORRECTION,
            "tests": family(study).tests,
        },
        "warnings": remarks(study),
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
                "candidate": one.candidate,
                "other": one.other,
                "metric": one.metric,
                "measure": one.measure.name,
                **difference_as_values(one.difference, RANDOMISATION if one.paired else HALVES),
                "different": one.significant(study.alpha),
                "n": sentences_of(study, one),
                "parsed": one.parsed
                and difference_as_values(one.parsed) | {"different": one.parsed.corrected <= study.alpha},
            }
            for one in family(study).comparisons
        ],
    }
