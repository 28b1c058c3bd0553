"""Contrasts of a candidate in two treebanks under every convention of dependencies that they share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from crossbank.metrics.statistics.estimates import CandidateRun, Contrast, Family
from crossbank.reports.estimates.candidates import Runs, contrast_runs
from crossbank.reports.estimates.questions import CONVENTIONS
from crossbank.reports.results.convention_counts import ConventionCounts
from crossbank.reports.results.gold_floors import loss_of
from crossbank.reports.results.study_results import StudyResults


def build_convention_families(study: StudyResults, runs: Runs, population: str) -> Iterator[Family]:
    """Yield a family for each candidate, two treebanks and metric: its difference under each convention.

    The sentences have the signs that they have under the study's own conventions.
    """
    losses = _losses_of_gold(study)
    by_name: dict[tuple[str, str, str], dict[str, CandidateRun]] = {}
    for one in study.conventions:
        run = runs.get(one.treebank, {}).get(one.metric, {}).get(one.scored)
        if not one.is_gold and run is not None:
            converted = CandidateRun(one.treebank, one.scored, one.counts, run.draws)
            by_name.setdefault((one.metric, one.scored, one.convention), {})[one.treebank] = converted
    families: dict[str, list[Contrast]] = {}
    for (metric, candidate, convention), of in by_name.items():
        for first, second in combinations([t.name for t in study.treebanks if t.name in of], 2):
            contrast = contrast_runs(metric, study.headlines[metric], of[first], of[second], population)
            floor = losses.get((frozenset((first, second)), metric, convention))
            name = f"conventions of {candidate} in {first} and {second} under {metric}"
            families.setdefault(name, []).append(replace(contrast, key=convention, floor=floor))
    for name, contrasts in families.items():
        yield Family(CONVENTIONS, name, contrasts)


def _losses_of_gold(study: StudyResults) -> dict[tuple[frozenset[str], str, str], float]:
    """Return the larger loss of two golds against each other, by treebanks, metric and convention."""
    losses: dict[tuple[frozenset[str], str, str], float] = {}
    for one in study.conventions:
        if one.is_gold:
            key = frozenset((one.treebank, one.scored)), one.metric, one.convention
            losses[key] = max(losses.get(key, 0.0), _loss(study, one))
    return losses


def _loss(study: StudyResults, one: ConventionCounts) -> float:
    return float(loss_of(study.headlines[one.metric]).score(one.counts.sums()))
