"""Effect of the annotation schemes on the score, where treebanks annotate the same sentences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from crossbank.metrics.counting.counts import shown
from crossbank.metrics.counting.presentation import measure_title
from crossbank.reports.findings.family import Family, only
from crossbank.reports.findings.finding import Finding, figures
from crossbank.reports.results.prices import ALL
from crossbank.treebanks.quantities import quantity


def price_of_errors(family: Family) -> Iterator[Finding]:
    """Yield the cost of one error in one scheme and in another, measure by measure."""
    for price in family.prices:
        if price.type != ALL or not family.decides(len(price.losses)):
            continue
        measure = measure_title(price.metric, price.measure)
        means = price.mean()
        for one, other in combinations(range(len(price.treebanks)), 2):
            names = price.treebanks[one], price.treebanks[other]
            found = only(family.answered["price", price.metric, *names])
            costs = (
                f"One error costs {shown(float(means[one]))} points of {measure} in {names[0]} "
                f"and {shown(float(means[other]))} in {names[1]}"
            )
            said = f"{figures(found)}; {quantity(len(price.losses), 'sentence')}"
            verdict = {True: ", a significant difference", False: "; the two do not differ significantly"}
            yield Finding(f"{costs}{verdict[family.apart(found)]} ({said}).", "same-error")


def scores_between(family: Family) -> Iterator[Finding]:
    """Differences of a candidate's score between treebanks of the same sentences, measure by measure."""
    study = family.study
    for found in family.between:
        main = found.measure.name == study.headlines[found.metric].name
        if not found.paired or found.candidate != found.other or not main:
            continue
        if not family.decides(int(study.scored[found.treebank][found.candidate][found.metric].rows.sum())):
            continue
        verdict = {True: "differ significantly", False: "do not differ significantly"}
        said = (
            f"Under {measure_title(found.metric, found.measure)} the scores of {found.candidate} in "
            f"{found.treebank} and {found.other_treebank} {verdict[found.significant(study.alpha)]} "
            f"({figures(found.difference, found.measure)})."
        )
        if found.parsed is not None:
            numbers = figures(found.parsed, found.measure)
            if not found.turns(study.alpha):
                said += f" The same holds for the sentences that were parsed in both ({numbers})."
            else:
                turned = verdict[family.apart(found.parsed)]
                if found.verdict(study.alpha) and family.apart(found.parsed):
                    turned += " the other way round"
                said += " For the sentences that were parsed in both the conclusion turns: the scores "
                said += f"{turned} ({numbers})."
        yield Finding(said, "differences-between")
