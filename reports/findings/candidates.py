"""The better candidate under each measure, and whether the difference is significant."""

from __future__ import annotations

from collections.abc import Iterator

from crossbank.metrics.counting.counts import Measure
from crossbank.metrics.counting.presentation import metric_title
from crossbank.reports.findings.finding import Finding, listing
from crossbank.reports.results.comparisons import Comparison
from crossbank.reports.results.study import StudyResults, TreebankResults
from crossbank.reports.sections.comparisons import signed
from crossbank.reports.tables.table import probability, shown


def better_candidates(study: StudyResults) -> Iterator[Finding]:
    """The best candidate by treebank and metric, and those from which it does not differ significantly.

    None where not every two candidates are compared: average ranks say more then.
    """
    if not study.every_pair:
        return
    for treebank in study.treebanks:
        for metric, measure in study.headlines().items():
            found = [c for c in study.comparisons if _concerns(c, treebank, metric, measure)]
            if len(treebank.candidates) == 2 and found:
                yield Finding("candidates", _of_two(study, found[0]), "differences")
            elif found:
                yield Finding("candidates", _of_many(study, treebank, metric, measure, found), "differences")


def _concerns(found: Comparison, treebank: TreebankResults, metric: str, measure: Measure) -> bool:
    return (found.treebank, found.metric, found.measure.name) == (treebank.name, metric, measure.name)


def ahead(found: Comparison) -> Comparison:
    """The comparison with the better candidate first."""
    value = found.difference.value
    worse = value < 0 if found.measure.better == "more" else value > 0
    return found.turned() if worse else found


def figures(found: Comparison) -> str:
    """A difference with its interval and probability."""
    difference, measure = found.difference, found.measure
    unit = " points" if measure.proportion else ""
    said = f"{signed(difference.value, measure)}{unit}"
    if difference.low is not None and difference.high is not None:
        said += f", 95 % interval {signed(difference.low, measure)} to {signed(difference.high, measure)}"
    p = probability(found.corrected)
    return f"{said}, p {p}" if p.startswith("<") else f"{said}, p = {p}"


def _of_two(study: StudyResults, found: Comparison) -> str:
    first = ahead(found)
    where = f"in {found.treebank} under {metric_title(found.metric)} {found.measure.heading}"
    if found.significant(study.alpha):
        return f"{first.candidate} is better than {first.other} {where} ({figures(first)})."
    return f"{first.candidate} and {first.other} are not told apart {where} ({figures(first)})."


def _of_many(
    study: StudyResults, treebank: TreebankResults, metric: str, measure: Measure, found: list[Comparison]
) -> str:
    scores = {
        candidate.name: candidate.counts[metric].value(measure.name)
        for candidate in treebank.candidates
        if metric in candidate.counts
    }
    choose = max if measure.better == "more" else min
    best = choose(scores, key=lambda name: scores[name])
    others = [c for c in found if best in (c.candidate, c.other)]
    alike = [ahead(c) for c in others if not c.significant(study.alpha)]
    names = [c.other if c.candidate == best else c.candidate for c in alike]
    said = (
        f"{best} has the best {metric_title(metric)} {measure.heading} in {treebank.name} "
        f"({shown(scores[best], measure)}) and differs from {len(others) - len(alike):,} of the "
        f"{len(others):,} other candidates"
    )
    if not names:
        return f"{said}."
    more = f" and {len(names) - 4:,} more" if len(names) > 5 else ""
    return f"{said}; it is not told apart from {', '.join(names[:4]) + more if more else listing(names)}."
