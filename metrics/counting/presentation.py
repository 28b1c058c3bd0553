"""Headings and measures of metrics in reports, as the classes declare them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from crossbank.metrics.counting.counts import Counts, Measure, Sums
from crossbank.metrics.counting.metric import Metric, known_metric


def metric_title(name: str) -> str:
    """Return a metric's heading; a name from a study file is unchanged."""
    return (known_metric(name) or Metric).title or name.replace("_", " ")


def measure_title(metric: str, measure: Measure) -> str:
    """Return a measure's heading after its metric's."""
    return f"{metric_title(metric)} {measure.heading}"


def breakdown_title(counts: Counts, breakdown: str) -> str:
    """Return the heading of a breakdown: ``tag`` for ``pos``."""
    return _metric(counts).breakdown_titles.get(breakdown, "") or breakdown.replace("_", " ")


def headline(counts: Counts, among: Sequence[Measure] | None = None) -> Measure:
    """Return the measure by which a metric ranks sentences and candidates.

    ``among``: some of its measures; if the metric names none of them, the first of them.
    """
    measures = counts.measures if among is None else among
    by_name = {measure.name: measure for measure in measures}
    return next((by_name[name] for name in _metric(counts).headline if name in by_name), measures[0])


def alike(every: Iterable[Counts]) -> list[Measure]:
    """Return the measures that any counts of a metric have, without measures of several meanings.

    For example, triples of a candidate without relations are unlabelled.
    """
    by_heading = {(measure.name, measure.heading): measure for counts in every for measure in counts.measures}
    names = [name for name, _ in by_heading]
    return [measure for (name, _), measure in by_heading.items() if names.count(name) == 1]


def shared(every: Sequence[Counts]) -> list[Measure]:
    """Return the measures that all counts of a metric have, with the same meaning."""
    names = [{measure.name for measure in counts.measures} for counts in every]
    return [measure for measure in alike(every) if all(measure.name in of for of in names)]


def compared(counts: Counts) -> list[Measure]:
    """Return the measures in tables of comparison, including the main one; by default the first three."""
    by_name = {measure.name: measure for measure in counts.measures}
    chosen = [by_name[name] for name in _metric(counts).compared if name in by_name]
    main = headline(counts)
    return [*(chosen or counts.measures[:3]), *([main] if chosen and main not in chosen else [])]


def measures_of_breakdown(
    counts: Counts, breakdown: str, among: Sequence[Measure] | None = None
) -> tuple[Measure, ...]:
    """Return the measures displayed for each key of a breakdown: see ``Metric``.

    among  the measures to choose from if the metric has chosen none; by default all of them
    """
    metric = _metric(counts)
    if breakdown in metric.breakdown_measures:
        uncounted = {m.name for m in metric.measures} - {m.name for m in counts.measures}
        return tuple(m for m in metric.breakdown_measures[breakdown] if m.name not in uncounted)
    nothing = {column: np.zeros(()) for column in counts.breakdowns[breakdown]().columns}
    chosen = counts.measures if among is None else among
    return tuple(measure for measure in chosen if _computable(measure, nothing))


def _metric(counts: Counts) -> type[Metric]:
    """Return the class of the metric; ``Metric``, with the defaults, if it is unknown."""
    return known_metric(counts.signature.metric) or Metric


def _computable(measure: Measure, sums: Sums) -> bool:
    try:
        measure.score(sums)
    except KeyError:
        return False
    return True
