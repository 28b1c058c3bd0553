"""The agreement of the measures about which candidate is better."""

from __future__ import annotations

from collections.abc import Iterator

from crossbank.metrics.counting.presentation import metric_title
from crossbank.reports.findings.candidates import ahead
from crossbank.reports.findings.finding import Finding, listing
from crossbank.reports.results.comparisons import Comparison
from crossbank.reports.results.study import StudyResults


def agreement_on_candidates(study: StudyResults) -> Iterator[Finding]:
    """Findings on whether two measures prefer different candidates of a pair, for each treebank."""
    headlines = {metric: measure.name for metric, measure in study.headlines().items()}
    if len(headlines) < 2 or not study.every_pair:
        return
    for treebank in study.treebanks:
        pairs: dict[frozenset[str], list[Comparison]] = {}
        for found in study.comparisons:
            if found.treebank == treebank.name and found.measure.name == headlines[found.metric]:
                pairs.setdefault(frozenset((found.candidate, found.other)), []).append(ahead(found))
        if not pairs:
            continue
        parted = 0
        for comparisons in pairs.values():
            real = [found for found in comparisons if found.significant(study.alpha)]
            winners = dict.fromkeys(found.candidate for found in real)
            if len(winners) > 1:
                parted += 1
                if parted == 1:
                    yield Finding("measures", _parted(real, list(winners)), "ranks")
        if not parted and any(f.significant(study.alpha) for found in pairs.values() for f in found):
            yield Finding(
                "measures",
                f"In {treebank.name} the {len(headlines)} measures agree: where two of them find a "
                "significant difference between candidates, they prefer the same candidate.",
                "ranks",
            )
        elif parted > 1:
            yield Finding(
                "measures",
                f"In {treebank.name} the measures prefer different candidates in {parted:,} of "
                f"{len(pairs):,} pairs of candidates.",
                "ranks",
            )


def _parted(real: list[Comparison], winners: list[str]) -> str:
    def under(name: str) -> str:
        return listing([f"{metric_title(f.metric)} {f.measure.heading}" for f in real if f.candidate == name])

    first = real[0]
    return (
        f"In {first.treebank} the measures disagree: {under(winners[0])} prefers {winners[0]}, "
        f"{under(winners[1])} prefers {winners[1]}, and each finds the difference significant."
    )
