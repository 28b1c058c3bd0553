"""Gates for continuous integration: scores that must not fall below a number or below earlier scores."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import isfinite, nan
from pathlib import Path
from typing import NamedTuple

from crossbank.metrics.counting.counts import Counts, Measure
from crossbank.treebanks.errors import CrossbankError, OptionError

SLACK = 1e-9
"""Maximal difference of equal scores: another machine may add up in another order."""


class Threshold(NamedTuple):
    """Score that a measure must reach, or must not exceed if less is better.

    reason     the option or file with the threshold, as the user wrote it
    unit       ``%`` if the number was written in per cent
    signature  the conventions of a baseline
    """

    metric: str
    measure: str
    value: float
    reason: str
    unit: str = ""
    signature: str | None = None


def parse_thresholds(written: Sequence[str]) -> list[Threshold]:
    """Return thresholds written ``METRIC.MEASURE=NUMBER``, where ``90%`` is 0.9.

    Raises OptionError for any other text.
    """
    bounds = []
    for text in written:
        name, _, number = text.partition("=")
        metric, _, measure = name.rpartition(".")
        unit = "%" if number.endswith("%") else ""
        try:
            value = float(number.removesuffix("%")) / (100 if unit else 1)
        except ValueError:
            value = nan
        if not metric or not measure or not isfinite(value):
            raise OptionError(
                "--fail-under", text, "METRIC.MEASURE=NUMBER, such as parseval.f1=0.85 or parseval.f1=85%"
            )
        bounds.append(Threshold(metric, measure, value, "--fail-under", unit))
    return bounds


def read_baseline(path: str) -> list[Threshold]:
    """Return scores that ``score --json`` printed into a file. Raises CrossbankError for any other file."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        scores = [(s["metric"], s["measure"], s["value"], s["signature"]) for s in content["scores"]]
        bounds = [
            Threshold(metric, measure, float(value), f"--baseline {path}", signature=signature)
            for metric, measure, value, signature in scores
            if value is not None
        ]
    except OSError as error:
        raise CrossbankError(f"--baseline {path}: {(error.strerror or str(error)).lower()}") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        problem = "there are no scores; the output of crossbank score --json is needed"
        raise CrossbankError(f"--baseline {path}: {problem}") from error
    if not bounds:
        raise CrossbankError(f"--baseline {path}: there are no scores")
    return bounds


def list_missed_thresholds(scored: Sequence[Counts], bounds: Sequence[Threshold]) -> Iterator[str]:
    """Yield a line for each threshold that a score misses.

    Raises OptionError for a threshold of a metric or measure that was not scored, CrossbankError if the
    baseline has another signature, so that the two scores are not comparable.
    """
    by_metric = {counts.signature.metric: counts for counts in scored}
    for bound in bounds:
        counts = by_metric.get(bound.metric)
        if counts is None:
            raise OptionError(f"{bound.reason}: metric", bound.metric, list(by_metric))
        measures = {measure.name: measure for measure in counts.measures}
        if bound.measure not in measures:
            raise OptionError(f"{bound.reason}: measure of {bound.metric}", bound.measure, list(measures))
        measure = measures[bound.measure]
        _require_unit(bound, measure)
        if bound.signature is not None:
            _require_same(counts, bound)
        if not counts.rows.any():
            yield f"{bound.metric}.{bound.measure}: no sentence enters the score ({bound.reason})"
            continue
        value, less = counts.value(bound.measure), measure.better == "less"
        if value > bound.value + SLACK if less else value < bound.value - SLACK:
            expected = "at most" if less else "at least"
            message = f"found {value:.6g}, expected {expected} {bound.value:.6g}"
            yield f"{bound.metric}.{bound.measure}: {message} ({bound.reason})"


def _require_unit(bound: Threshold, measure: Measure) -> None:
    """Raise CrossbankError for an impossible threshold: 90 for a proportion, 90% for another number."""
    name = f"{bound.reason} {bound.metric}.{bound.measure}"
    if measure.proportion and not 0 <= bound.value <= 1:
        number = bound.value * 100 if bound.unit else bound.value
        meant = f"{bound.value:g}%" if not bound.unit and 1 < bound.value <= 100 else "90%"
        raise CrossbankError(f"{name}: found {number:g}{bound.unit}, expected 0 to 1, or {meant}")
    if bound.unit and not measure.proportion:
        problem = f"found {100 * bound.value:g}%, expected a number: this is not a proportion"
        raise CrossbankError(f"{name}: {problem}")


def _require_same(counts: Counts, bound: Threshold) -> None:
    """Raise CrossbankError if the conventions are not the baseline's; unscored sentences may differ."""
    actual, expected = (_list_choices(text) for text in (str(counts.full_signature), bound.signature or ""))
    if actual != expected:
        here, there = (
            ", ".join(choice for choice in one if choice not in other) or "nothing more"
            for one, other in ((actual, expected), (expected, actual))
        )
        message = f"found {bound.metric} scored with {here}, expected {there}, as in the baseline"
        raise CrossbankError(f"{bound.reason}: {message}")


def _list_choices(signature: str) -> list[str]:
    """Return the choices of a signature, without the number of unscored sentences."""
    return [
        choice.rpartition(":")[0] if choice.startswith("unscored:") else choice
        for choice in signature.split("|")
    ]
