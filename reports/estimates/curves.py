"""Curves along a number that is an attribute of candidates, and systems over their runs.

A curve is one candidate of the study file in one treebank, which sizes, iterations and seeds turn into
several; of seeds its points are the means. Rehbein, Ines and Josef van Genabith (2007): Treebank Annotation
Schemes and Parser Evaluation for German. EMNLP-CoNLL, section 4 (Figures 7 to 9).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise
from numbers import Real
from typing import TypeAlias

import numpy as np

from crossbank.metrics.counting.counts import Measure
from crossbank.metrics.statistics.estimates import CandidateRun, Contrast, Family
from crossbank.reports.estimates.candidates import Runs
from crossbank.reports.estimates.questions import CURVES, SYSTEMS
from crossbank.reports.results.rankings import select_complete
from crossbank.reports.results.study_results import CandidateResults, StudyResults

SEED = "seed"
"""The attribute that distinguishes runs and is no axis."""

MAX_CURVES = 12
"""Where an axis has more curves, they are not compared."""

Terms: TypeAlias = list[tuple[float, CandidateRun]]

Points: TypeAlias = Mapping[float, Sequence[CandidateResults]]
"""Candidates of a curve by their number on the axis, in its order; several seeds share one."""


def find_axes(study: StudyResults) -> list[str]:
    """Return the attributes that are numbers and differ between the candidates of some treebank."""
    names: dict[str, None] = {}
    for treebank in study.treebanks:
        values: dict[str, set[float]] = {}
        for candidate in treebank.candidates:
            for name in candidate.attributes:
                if name != SEED and (value := numeric_attribute(candidate, name)) is not None:
                    values.setdefault(name, set()).add(value)
        names.update(dict.fromkeys(name for name, of_name in values.items() if len(of_name) > 1))
    return list(names)


def group_curves(study: StudyResults, axis: str) -> dict[tuple[str, str], Points]:
    """Return the curves along an axis, by treebank and system."""
    points: dict[tuple[str, str], dict[float, list[CandidateResults]]] = {}
    for treebank in study.treebanks:
        for candidate in treebank.candidates:
            if (at := numeric_attribute(candidate, axis)) is not None:
                key = treebank.name, system_name(candidate)
                points.setdefault(key, {}).setdefault(at, []).append(candidate)
    return {key: dict(sorted(of.items())) for key, of in points.items()}


def system_name(candidate: CandidateResults) -> str:
    """Return the name of the candidate in the study file."""
    return candidate.system or candidate.name


def numeric_attribute(candidate: CandidateResults, name: str) -> float | None:
    """Return an attribute as a number; None if it is not a number, or yes or no."""
    value = candidate.attributes.get(name)
    return float(value) if isinstance(value, Real) and not isinstance(value, bool) else None


def axis_name(axis: str) -> str:
    """Return an attribute's name in words."""
    return axis.replace("_", " ")


def build_curve_families(study: StudyResults, runs: Runs, population: str) -> Iterator[Family]:
    """Yield a family for each axis: two curves at each common point, and the change of their difference.

    Curves of one treebank are compared, and those of one system in two treebanks. The difference changes from
    the first common point to the last, and where the curves cross from one point to the next.
    """
    for axis in find_axes(study):
        of_axis = group_curves(study, axis)
        contrasts: list[Contrast] = []
        for one, other in combinations(of_axis, 2) if len(of_axis) <= MAX_CURVES else ():
            common = sorted(of_axis[one].keys() & of_axis[other].keys())
            if (one[0] == other[0]) == (one[1] == other[1]) or len(common) < 2:
                continue
            for metric, measure in study.headlines.items():
                means = [
                    {at: _select_runs(runs, key[0], metric, of_axis[key][at]) for at in common}
                    for key in (one, other)
                ]
                if all(means[0].values()) and all(means[1].values()):
                    names = *one, *other, population
                    contrasts += _contrast_along(metric, measure, means[0], means[1], names, axis_name(axis))
        if contrasts:
            yield Family(CURVES, f"curves over {axis_name(axis)}", contrasts)


def _contrast_along(
    metric: str,
    measure: Measure,
    one: Mapping[float, Sequence[CandidateRun]],
    other: Mapping[float, Sequence[CandidateRun]],
    names: tuple[str, str, str, str, str],
    axis: str,
) -> Iterator[Contrast]:
    treebank, system, other_treebank, other_system, population = names

    def contrast(terms: Terms, key: str) -> Contrast:
        compared = treebank, system, other_treebank, other_system, population
        return Contrast(metric, measure, terms, *compared, f"{axis} {key}")

    at_points = {at: mean_terms(one[at], other[at]) for at in one}
    values = {at: contrast(terms, "").value for at, terms in at_points.items()}
    for at, terms in at_points.items():
        yield contrast(terms, f"{at:,g}")
    ends = list(one)
    crossings = [(first, last) for first, last in pairwise(ends) if values[first] * values[last] < 0]
    for first, last in dict.fromkeys([(ends[0], ends[-1]), *crossings]):
        terms = [*at_points[last], *((-weight, run) for weight, run in at_points[first])]
        yield contrast(terms, f"{first:,g} to {last:,g}")


def mean_terms(one: Sequence[CandidateRun], other: Sequence[CandidateRun]) -> Terms:
    """Return the terms of the mean score of some runs minus that of others."""
    return [*((1 / len(one), run) for run in one), *((-1 / len(other), run) for run in other)]


def _select_runs(
    runs: Runs, treebank: str, metric: str, candidates: Sequence[CandidateResults]
) -> list[CandidateRun]:
    """Return the runs of some candidates under a metric; none if one of them has no score."""
    of_metric = runs.get(treebank, {}).get(metric, {})
    made = [of_metric[candidate.name] for candidate in candidates if candidate.name in of_metric]
    return made if len(made) == len(candidates) else []


def build_system_families(study: StudyResults, runs: Runs, population: str) -> Iterator[Family]:
    """Yield a family for each treebank where systems have several runs, and one over treebanks."""
    for treebank in study.treebanks:
        systems = _group_systems(study, treebank.name)
        if all(len(list(chain(*points.values()))) == 1 for points in systems.values()):
            continue
        contrasts = []
        for metric, measure in study.headlines.items():
            for one, other in combinations(systems, 2):
                terms = _average_common_points(runs, treebank.name, metric, systems[one], systems[other])
                if terms:
                    names = treebank.name, one, treebank.name, other, population
                    contrasts.append(Contrast(metric, measure, terms, *names))
        if contrasts:
            yield Family(SYSTEMS, f"systems in {treebank.name}", contrasts)
    contrasts = [
        contrast
        for metric, measure in study.headlines.items()
        for contrast in _contrast_over_treebanks(study, runs, metric, measure, population)
    ]
    if contrasts:
        yield Family(SYSTEMS, "systems over treebanks", contrasts)


def _contrast_over_treebanks(
    study: StudyResults, runs: Runs, metric: str, measure: Measure, population: str
) -> Iterator[Contrast]:
    """Yield every two systems by their mean over the treebanks in which all of them have a score."""
    by_treebank = {t.name: _group_systems(study, t.name) for t in study.treebanks}
    names = list(dict.fromkeys(name for of in by_treebank.values() for name in of))
    known = np.array(
        [
            [
                bool(of := by_treebank[t].get(name, {}))
                and all(_select_runs(runs, t, metric, candidates) for candidates in of.values())
                for t in by_treebank
            ]
            for name in names
        ]
    )
    if not known.any():
        return
    rows, columns = select_complete(known)
    treebanks = [list(by_treebank)[column] for column in columns]
    if len(treebanks) < 2:
        return
    for one, other in combinations([names[row] for row in rows], 2):
        every = [
            _average_common_points(runs, t, metric, by_treebank[t][one], by_treebank[t][other])
            for t in treebanks
        ]
        if all(every):
            terms = [(weight / len(treebanks), run) for of in every for weight, run in of]
            mean = f"{len(treebanks):,} treebanks"
            yield Contrast(metric, measure, terms, mean, one, mean, other, population)


def _group_systems(
    study: StudyResults, treebank: str
) -> dict[str, dict[tuple[str, ...], list[CandidateResults]]]:
    """Return the candidates of each system of a treebank, by their point on all axes; seeds share one."""
    names = find_axes(study)
    systems: dict[str, dict[tuple[str, ...], list[CandidateResults]]] = {}
    for candidate in next(t for t in study.treebanks if t.name == treebank).candidates:
        if not candidate.constructed:
            point = tuple(str(candidate.attributes.get(axis, "")) for axis in names)
            systems.setdefault(system_name(candidate), {}).setdefault(point, []).append(candidate)
    return systems


def _average_common_points(
    runs: Runs,
    treebank: str,
    metric: str,
    one: Mapping[tuple[str, ...], Sequence[CandidateResults]],
    other: Mapping[tuple[str, ...], Sequence[CandidateResults]],
) -> Terms:
    """Return the mean difference of two systems over the points that both have; none if there are none."""
    terms: Terms = []
    common = [point for point in one if point in other]
    for point in common:
        first, second = (_select_runs(runs, treebank, metric, of[point]) for of in (one, other))
        if first and second:
            terms += [(weight / len(common), run) for weight, run in mean_terms(first, second)]
    return terms
