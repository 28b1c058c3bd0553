"""The questions that readers ask, a closed list: the tests that answer one are a family."""

from __future__ import annotations

from crossbank.reports.study.model import Settings

CANDIDATES = "candidates"
TREEBANKS = "treebanks"
SYSTEMS = "systems"
CURVES = "curves"
ERRORS = "errors"
LABELS = "labels"
MODELS = "models"

QUESTIONS = {
    CANDIDATES: "every two candidates of a treebank under every measure",
    TREEBANKS: "a candidate in every two treebanks under every measure",
    SYSTEMS: "every two systems, each the mean of its runs, under every main measure",
    CURVES: "every two curves along an axis, at and between their points, under every main measure",
    ERRORS: "candidates of a treebank by every type of error; the cost of one error in every two treebanks",
    LABELS: "candidates of a treebank by every label under a metric's main measure",
    MODELS: "the bits of every two models of the same sentences",
}
"""What a family holds, by its question."""


def method_of(study: Settings) -> str:
    """Return how differences are tested, for captions."""
    return (
        f"Intervals and corrected p come from the same {study.trials:,} draws of sentences (seed "
        f"{study.seed}) by "
        f"single-step max-T (Westfall and Young 1993): p is at most {study.alpha:g} exactly where the "
        "simultaneous "
        f"{100 * (1 - study.alpha):g} % interval excludes 0."
    )


def caption_of(question: str, study: Settings) -> str:
    """Return the family of a question and how it is tested, for captions."""
    return f"Family: {QUESTIONS[question]}. {method_of(study)}"
