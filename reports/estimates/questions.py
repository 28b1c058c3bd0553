"""Questions of a report. The tests that answer the same question are a family. Plug-ins add questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from crossbank.reports.study.model import Settings
from crossbank.treebanks.registry import Registry

if TYPE_CHECKING:
    from crossbank.metrics.statistics.estimates import Family
    from crossbank.reports.results.study_results import StudyResults

    Families = Callable[[StudyResults, str], Iterator[Family]]
    """A function that yields the families of a study for a population."""

CANDIDATES = "candidates"
TREEBANKS = "treebanks"
SYSTEMS = "systems"
CURVES = "curves"
ERRORS = "errors"
LABELS = "labels"
CONVENTIONS = "conventions"

QUESTIONS = {
    CANDIDATES: "every two candidates of a treebank under every measure",
    TREEBANKS: "a candidate in every two treebanks under every measure",
    SYSTEMS: "every two systems, each the mean of its runs, under every main measure",
    CURVES: "every two curves along an axis, at and between their points, under every main measure",
    ERRORS: "candidates of a treebank by every type of error; the cost of one error in every two treebanks",
    LABELS: "candidates of a treebank by every label under a metric's main measure",
    CONVENTIONS: "a candidate in two treebanks under every convention of dependencies that they share",
}
"""What a family holds, by its question."""

REGISTRY = Registry("question", "module:function")
"""The questions that plug-ins add."""


def question(name: str, *, holds: str, untitled: str = "") -> Callable[[Families], Families]:
    """Return a decorator of the function that yields the families of a question.

    name      value of the column ``question`` of the table of estimates
    holds     what a family holds, for captions
    untitled  name of a metric that is omitted from the headings of its measures

    The registry reads these values from the source without importing it, so they must be literals.
    """
    return lambda families: families


@cache
def added_questions() -> dict[str, dict[str, str]]:
    """Return the declared values of the questions that plug-ins add."""
    return {**REGISTRY.declared_by_others(), **REGISTRY.declared()}


def describe_tests(study: Settings) -> str:
    """Return how differences are tested, for captions."""
    return (
        f"Intervals and corrected p come from the same {study.trials:,} draws of sentences (seed "
        f"{study.seed}) by "
        f"single-step max-T (Westfall and Young 1993): p is at most {study.alpha:g} exactly where the "
        "simultaneous "
        f"{100 * (1 - study.alpha):g} % interval excludes 0."
    )


def describe_family(question: str, study: Settings) -> str:
    """Return the family of a question and how it is tested, for captions."""
    holds = QUESTIONS.get(question) or added_questions()[question]["holds"]
    return f"Family: {holds}. {describe_tests(study)}"
