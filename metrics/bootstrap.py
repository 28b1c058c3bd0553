"""Confidence intervals by resampling sentences.

Efron, Bradley and Robert Tibshirani (1993): An Introduction to the Bootstrap, chapter 13
(percentile intervals). Sentences are drawn with replacement and the counts are summed anew, so a
corpus score's interval comes from the same counts as the score itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.counts import Counts


@dataclass(frozen=True)
class Interval:
    """A score with the bounds of its confidence interval."""

    value: float
    low: float
    high: float


def resampled_sums(counts: Counts, samples: int, seed: int) -> dict[str, NDArray[np.float64]]:
    """The sum of each column in each of many resamples of the sentences that enter a score.

    Every array has shape ``(samples,)``; ``rows`` is the number of sentences drawn.
    """
    rows = np.flatnonzero(counts.rows)
    names = list(counts.columns)
    table = np.stack([counts.columns[name][rows] for name in names], axis=1) if names else np.zeros((0, 0))
    random = np.random.default_rng(seed)
    sums = np.zeros((samples, len(names)))
    for sample in range(samples if len(rows) else 0):
        drawn = np.bincount(random.integers(0, len(rows), len(rows)), minlength=len(rows))
        sums[sample] = drawn @ table
    return {"rows": np.full(samples, float(len(rows))), **dict(zip(names, sums.T, strict=True))}


def intervals(
    counts: Counts, *, samples: int = 1000, seed: int = 0, level: float = 0.95
) -> dict[str, Interval]:
    """Every measure's value and percentile interval; the value alone where no sentence enters."""
    sums = resampled_sums(counts, samples, seed)
    tail = (1 - level) / 2
    found = {}
    for measure in counts.measures:
        value = counts.value(measure.name)
        low, high = np.quantile(measure.score(sums), [tail, 1 - tail]) if samples else (value, value)
        found[measure.name] = Interval(value, float(low), float(high))
    return found
