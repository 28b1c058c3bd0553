"""Differences of candidates in two parts: what is compliance with the task, and what is parsing.

The difference over the sentences of which every candidate has a compliant parse is parsing. What is left of
the difference over all sentences is compliance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np

from crossbank.metrics.counting.counts import Counts, Measure
from crossbank.metrics.statistics.estimates import ALL, CandidateRun, Contrast, Family
from crossbank.reports.estimates.candidates import contrast_runs, restrict_run
from crossbank.reports.estimates.questions import question
from crossbank.reports.results.study_results import CandidateResults, StudyResults, TreebankResults
from crossbank.treebanks.arrays import BoolArray

COMPLIANCE = "compliance"
"""The metric, the question, and the key of the part of a difference."""

PARSING = "parsing"
"""The key of the other part."""

COMMON = "compliant in every candidate"
"""The population of what is parsing."""


class CompliantCandidate(NamedTuple):
    """A candidate whose compliance was counted.

    counts  those of compliance
    """

    candidate: CandidateResults
    counts: Counts

    @property
    def compliant(self) -> BoolArray:
        """A mask of the sentences with a compliant parse."""
        mask: BoolArray = self.counts.columns["compliant"] > 0
        return mask


def select_compliant(treebank: TreebankResults) -> list[CompliantCandidate]:
    """Return the candidates of a treebank whose compliance was counted by sentence."""
    chosen = []
    for candidate in treebank.candidates:
        counts = next((one for one in candidate.counts.values() if _is_compliance(one)), None)
        if counts is not None and counts.numbers is None:
            chosen.append(CompliantCandidate(candidate, counts))
    return chosen


def _is_compliance(counts: Counts) -> bool:
    return counts.signature.metric == COMPLIANCE


def common_sentences(candidates: list[CompliantCandidate]) -> BoolArray | None:
    """Return a mask of the sentences that are compliant in every candidate; None if they are not the same."""
    masks = [one.compliant for one in candidates]
    if not masks or len({len(mask) for mask in masks}) > 1:
        return None
    mask: BoolArray = np.logical_and.reduce(masks)
    return mask


def other_metrics(candidate: CandidateResults, sentences: int) -> Mapping[str, Counts]:
    """Return the counts of the other metrics that count the same sentences."""
    return {
        name: counts
        for name, counts in candidate.counts.items()
        if not _is_compliance(counts) and counts.numbers is None and len(counts) == sentences
    }


@question("compliance", holds="the two parts of each difference of a treebank: compliance and parsing")
def build_compliance_families(study: StudyResults, population: str = ALL) -> Iterator[Family]:
    """Yield a family for each treebank: both parts of each difference under every main measure."""
    for treebank in study.treebanks:
        candidates = select_compliant(treebank)
        common = common_sentences(candidates)
        if common is None or len(candidates) < 2:
            continue
        contrasts: list[Contrast] = []
        for one, other in combinations(candidates, 2):
            first, second = (other_metrics(of.candidate, len(common)) for of in (one, other))
            for metric in first:
                if metric in second:
                    measure = study.headlines[metric]
                    runs = [
                        CandidateRun(
                            treebank.name, of.candidate.name, counts[metric], f"sentences of {treebank.name}"
                        )
                        for of, counts in ((one, first), (other, second))
                    ]
                    contrasts += _parts(metric, measure, runs[0], runs[1], common, population)
        if contrasts:
            yield Family(COMPLIANCE, f"compliance in {treebank.name}", contrasts)


def _parts(
    metric: str,
    measure: Measure,
    one: CandidateRun,
    other: CandidateRun,
    common: BoolArray,
    population: str,
) -> Iterator[Contrast]:
    """Yield the contrasts of parsing and of compliance."""
    first, second = (
        restrict_run(one, common & one.counts.rows),
        restrict_run(other, common & other.counts.rows),
    )
    if not (first.n and second.n):
        return
    parsing = contrast_runs(metric, measure, first, second, COMMON)
    names = parsing.treebank, parsing.candidate, parsing.other_treebank, parsing.other
    yield Contrast(metric, measure, parsing.terms, *names, COMMON, PARSING)
    terms = ((1.0, one), (-1.0, other), (-1.0, first), (1.0, second))
    yield Contrast(metric, measure, terms, *names, population, COMPLIANCE)
