"""Floors of differences between treebanks: what gold itself loses in another scheme."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from crossbank.metrics.statistics.estimates import Contrast, Family
from crossbank.reports.results.study_results import StudyResults


@lru_cache(maxsize=2)
def floors_of(study: StudyResults) -> dict[tuple[frozenset[str], str], float]:
    """Return the largest loss of gold by two treebanks and metric, under the metric's main measure.

    One gold may lose more against the other than the other way round, as where recall is measured.
    """
    losses: dict[tuple[frozenset[str], str], float] = {}
    for floor in study.floors:
        if floor.headline.proportion:
            key = frozenset((floor.treebank, floor.other)), floor.metric
            losses[key] = max(losses.get(key, 0.0), floor.loss)
    return losses


def add_floors(family: Family, study: StudyResults) -> Family:
    """Return a family with the floors of its contrasts of two treebanks under main measures."""

    def add_floor(contrast: Contrast) -> Contrast:
        main = study.headlines.get(contrast.metric)
        if main is None or contrast.measure.name != main.name:
            return contrast
        key = frozenset((contrast.treebank, contrast.other_treebank)), contrast.metric
        return replace(contrast, floor=floors_of(study).get(key))

    return replace(family, contrasts=list(map(add_floor, family.contrasts)))
