"""Agreement of the measures about which candidate is better."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from crossbank.metrics.counting.presentation import measure_title
from crossbank.metrics.pairing.pair import Status
from crossbank.reports.findings.family import Family
from crossbank.reports.findings.finding import Finding, listing
from crossbank.reports.results.candidate_pairs import Comparison


def agreement_on_candidates(family: Family) -> Iterator[Finding]:
    """Findings on whether two measures prefer different candidates of a pair, for each treebank."""
    study = family.study
    headlines = {metric: measure.name for metric, measure in study.headlines.items()}
    if len(headlines) < 2 or not study.every_pair:
        return
    for treebank in study.treebanks:
        pairs: dict[frozenset[str], list[Comparison]] = {}
        for found in family.comparisons:
            if found.treebank == treebank.name and found.measure.name == headlines[found.metric]:
                pairs.setdefault(frozenset((found.candidate, found.other)), []).append(found)
        for pair, found_of in list(pairs.items()):
            if not all(c.parsed is not None or _same_coverage(family, c) for c in found_of):
                del pairs[pair]
        said = _concluded(family, treebank.name, pairs)
        if any(c.parsed is not None for found in pairs.values() for c in found):
            parsed = _concluded(family, treebank.name, pairs, parsed=True)
            if said and parsed == said:
                said = f"{said} The same holds for the sentences that both parsed."
            elif said or parsed:
                said = said or f"In {treebank.name} no two measures find a significant difference."
                parsed = parsed or "no two measures find a significant difference."
                parsed = parsed.removeprefix(f"In {treebank.name} ")
                said = f"{said} For the sentences that both parsed the conclusion turns: {parsed}"
        if said:
            yield Finding(said, "ranks")


def _same_coverage(family: Family, found: Comparison) -> bool:
    of = family.study.scored[found.treebank]
    one, other = (of[name][found.metric].status == Status.SCORED for name in (found.candidate, found.other))
    return np.array_equal(one, other)


def _concluded(
    family: Family,
    treebank: str,
    pairs: Mapping[frozenset[str], Sequence[Comparison]],
    *,
    parsed: bool = False,
) -> str:
    """Sentence on agreement; empty where no two measures find a significant difference of one pair."""
    alpha = family.study.alpha
    both = 0
    parted: list[Sequence[tuple[Comparison, str]]] = []
    for comparisons in pairs.values():
        real = []
        for found in comparisons:
            verdict = found.verdict(alpha, parsed=parsed and found.parsed is not None)
            if verdict:
                real.append((found, found.candidate if verdict > 0 else found.other))
        both += len(real) > 1
        if len({winner for _, winner in real}) > 1:
            parted.append(real)
    if not both:
        return ""
    if not parted:
        names = f"the {len({c.metric for found in pairs.values() for c in found})} measures"
        return (
            f"In {treebank} {names} agree: where two of them find a significant difference between "
            "candidates, they prefer the same candidate."
        )
    first = parted[0]
    winners = list(dict.fromkeys(winner for _, winner in first))

    def under(name: str) -> str:
        return listing([measure_title(f.metric, f.measure) for f, won in first if won == name])

    said = (
        f"In {treebank} the measures disagree: {under(winners[0])} prefers {winners[0]}, "
        f"{under(winners[1])} prefers {winners[1]}, and each finds the difference significant."
    )
    if len(parted) > 1:
        numbers = f"{len(parted):,} of {len(pairs):,} pairs of candidates"
        said += f" The measures prefer different candidates in {numbers}."
    return said
