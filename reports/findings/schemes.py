"""The effect of the annotation schemes on the score, where treebanks annotate the same sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from crossbank.metrics.counting.presentation import metric_title
from crossbank.reports.findings.finding import Finding
from crossbank.reports.results.study import StudyResults
from crossbank.reports.sections.comparisons import signed
from crossbank.reports.sections.same_error import ALL, Price
from crossbank.reports.tables.table import shown


def price_of_errors(study: StudyResults, prices: Sequence[Price]) -> Iterator[Finding]:
    """The cost of one error in one scheme and in another, measure by measure."""
    for price in prices:
        if price.type != ALL or len(price.losses) < 2:
            continue
        measure = f"{metric_title(price.metric)} {price.measure.heading}"
        means = price.mean()
        for one, other in combinations(range(len(price.treebanks)), 2):
            value, low, high = price.difference(one, other, study.samples, study.seed)
            costs = (
                f"One error costs {shown(float(means[one]))} points of {measure} in {price.treebanks[one]} "
                f"and {shown(float(means[other]))} in {price.treebanks[other]}"
            )
            interval = f"95 % interval {_signed(low)} to {_signed(high)}; {len(price.losses):,} sentences"
            if low <= 0 <= high:
                said = f"{costs}; the two are not told apart (difference {_signed(value)}, {interval})."
            else:
                said = f"{costs}: a difference of {_signed(value)} ({interval})."
            yield Finding("schemes", said, "same-error")


def scores_between(study: StudyResults) -> Iterator[Finding]:
    """The differences of a candidate's score between treebanks of the same sentences, measure by measure."""
    for found in study.comparisons_between:
        if not found.paired or found.candidate != found.other:
            continue
        if found.measure.name != study.headlines()[found.metric].name:
            continue
        measure = f"{metric_title(found.metric)} {found.measure.heading}"
        difference = found.difference
        figures = f"{signed(difference.value, found.measure)} points"
        if difference.low is not None and difference.high is not None:
            low, high = signed(difference.low, found.measure), signed(difference.high, found.measure)
            figures += f", 95 % interval {low} to {high}"
        pair = f"{found.treebank} and {found.other_treebank}"
        if found.significant(study.alpha):
            said = f"Under {measure} the scores of {found.candidate} in {pair} differ ({figures})."
        else:
            said = (
                f"Under {measure} the scores of {found.candidate} in {pair} are not told apart ({figures})."
            )
        yield Finding("schemes", said, "differences-between")


def _signed(value: float) -> str:
    text = shown(abs(value))
    return text if float(text) == 0 else ("+" if value > 0 else "−") + text
