"""Confidence intervals by resampling sentences.

Efron, Bradley and Robert Tibshirani (1993): An Introduction to the Bootstrap, chapter 13
(percentile intervals). Sentences are drawn with replacement and the counts are summed anew, so a
corpus score's interval comes from the same counts as the score itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.statistics.defaults import LEVEL, SAMPLES


@dataclass(frozen=True)
class Interval:
    """A score with the bounds of its confidence interval."""

    value: float
    low: float
    high: float


def entering_table(counts: Counts) -> NDArray[np.float64]:
    """The summands of each sentence, shape ``(sentences, 1 + columns)``: a 1 for itself, then its counts.

    A sentence that does not enter a score has zeros.
    """
    enters = counts.rows.astype(np.float64)
    return np.stack([enters, *(enters * column for column in counts.columns.values())], axis=1)


def as_sums(counts: Counts, sums: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Sums of ``entering_table``'s columns, shape ``(any, 1 + columns)``, by the columns' names."""
    return dict(zip(("rows", *counts.columns), sums.T, strict=True))


def resampled_sums(
    counts: Counts, samples: int, seed: int | tuple[int, ...], *, every: bool = False
) -> dict[str, NDArray[np.float64]]:
    """The sum of each column in each of many resamples of the sentences that enter a score.

    Every array has shape ``(samples,)``; ``rows`` is the number of sentences drawn that enter. With
    ``every`` the sentences that do not enter are drawn too: then the same seed draws the same
    sentences for every candidate of a treebank.
    """
    table = entering_table(counts)
    table = table if every else table[counts.rows]
    random = np.random.default_rng(seed)
    sums = np.zeros((samples, table.shape[1]))
    for sample in range(samples if len(table) else 0):
        drawn = np.bincount(random.integers(0, len(table), len(table)), minlength=len(table))
        sums[sample] = drawn @ table
    return as_sums(counts, sums)


def intervals(
    counts: Counts, *, samples: int = SAMPLES, seed: int = 0, level: float = LEVEL
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
