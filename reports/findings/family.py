"""All tests of a report, drawn together and corrected as one family: what a reader sees.

Findings are sentences made from its results. Where it has no result there is no sentence.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from crossbank.metrics.statistics.significance import (
    Contrast,
    Difference,
    fewest_sentences,
    fewest_trials,
    number_of_tests,
)
from crossbank.reports.findings.error_contrasts import cost_contrasts, price_contrasts
from crossbank.reports.findings.information_contrasts import bit_contrasts
from crossbank.reports.findings.lead_contrasts import lead_contrasts
from crossbank.reports.results.candidate_pairs import (
    Answered,
    Comparison,
    answers,
    between_treebanks,
    comparisons,
    with_the_best,
    within_treebanks,
)
from crossbank.reports.results.prices import Price, prices_of
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.results.typed_errors import CandidateErrors, errors_of


@dataclass(frozen=True, eq=False)
class Family:
    """Answers to everything that a report asks.

    comparisons  every two candidates of a treebank, compared under every measure; where these are too many
                 tests under each metric's main measure, then the best candidate and every other
    between      candidates of two treebanks
    answered     all differences by key and measure
    tests        the number of differences that were tested
    """

    study: StudyResults
    errors: Sequence[CandidateErrors]
    prices: Sequence[Price]
    comparisons: Sequence[Comparison]
    between: Sequence[Comparison]
    answered: Answered
    tests: int

    def decides(self, sentences: int) -> bool:
        """True if a test of so many sentences could find a difference with the trials that there are."""
        alpha = self.study.alpha
        return self.study.trials >= fewest_trials(alpha) and sentences >= fewest_sentences(alpha)

    def apart(self, found: Difference) -> bool:
        """True if a difference is called real."""
        return found.corrected <= self.study.alpha

    def said(self) -> str:
        """Return the family and its correction in words, for captions."""
        return f"corrected for {tests_said(self.tests)} of this report as one family ({CORRECTION})"


CORRECTION = "step-down maxima, Romano and Wolf 2005"


def tests_said(tests: int) -> str:
    """Return the number of tests of a family in words."""
    return f"all {tests:,} tests" if tests != 1 else "the one test"


@lru_cache(maxsize=2)
def family(study: StudyResults) -> Family:
    """Return the tests of a report; computed once for all of its forms."""
    return family_of(study, errors_of(study), prices_of(study))


def family_of(study: StudyResults, errors: Sequence[CandidateErrors], prices: Sequence[Price]) -> Family:
    """Return the tests of a report with errors and prices that are known."""
    scored, tested = study.scored, study.tested
    if study.every_pair:
        within = within_treebanks(tested, None if study.every_measure else study.headlines)
    else:
        within = with_the_best(tested, study.headlines)
    between = between_treebanks(scored, study.alike) if study.every_candidate_between else {}
    asked: dict[Hashable, Contrast] = {
        **lead_contrasts(study),
        **bit_contrasts(study),
        **price_contrasts(prices),
        **cost_contrasts(study, errors),
        **within,
        **between,
    }
    answered = answers(asked, samples=study.samples, trials=study.trials, seed=study.seed, level=study.level)
    found = comparisons(scored, within, answered), comparisons(scored, between, answered)
    return Family(study, errors, prices, *found, answered, number_of_tests(list(asked.values())))


def only(answered: Mapping[str, Difference]) -> Difference:
    """Return the difference under the one measure that was tested."""
    (found,) = answered.values()
    return found
