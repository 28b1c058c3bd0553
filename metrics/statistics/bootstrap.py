"""Confidence intervals by resampling sentences.

Efron, Bradley and Robert Tibshirani (1993): An Introduction to the Bootstrap, chapter 13
(percentile intervals). Sentences are drawn with replacement and the counts are summed anew, so a
corpus score's interval comes from the same counts as the score itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.loops.statistics import sum_drawn
from crossbank.metrics.statistics.defaults import LEVEL, SAMPLES
from crossbank.treebanks.arrays import Int32Array, Int32Matrix
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.ranges import each, in_ranges

MAX_STORED_DRAWS = 4_000_000
"""Draws are kept for the next candidate where samples times sentences are no more than this."""

MAX_DRAWN_AT_ONCE = 500_000
"""Maximal number of entries of a matrix of draws that is not stored."""

WORTH_A_THREAD = 1 << 22
"""The number of additions that a thread takes at a time, at least: starting one takes longer than fewer."""


@dataclass(frozen=True)
class Interval:
    """A score with the bounds of its confidence interval."""

    value: float
    low: float
    high: float
    level: float = LEVEL


def entering_table(counts: Counts) -> NDArray[np.float64]:
    """Return each sentence's summands, shape ``(sentences, 1 + columns)``: a 1 for itself, then its counts.

    A sentence that does not enter a score has zeros.
    """
    enters = counts.rows.astype(np.float64)
    return np.stack([enters, *(enters * column for column in counts.columns.values())], axis=1)


def resampled_sums(
    counts: Counts, samples: int, seed: int | tuple[int, ...], *, every: bool = False
) -> dict[str, NDArray[np.float64]]:
    """Return the sum of each column in each of many resamples of the sentences that enter a score.

    Every array has shape ``(samples,)``; ``rows`` is the number of sentences drawn that enter. With
    ``every`` the sentences that do not enter are drawn too: then the same seed draws the same
    sentences for every candidate of a treebank.
    """
    # Columns that are one array, such as gold's words under every score, are summed once.
    named = {id(column): name for name, column in counts.columns.items()}
    summed = replace(counts, columns={name: counts.columns[name] for name in named.values()}, breakdowns={})
    table = entering_table(summed)
    drawn = drawn_sums(table if every else table[counts.rows], samples, seed)
    sums = dict(zip(("rows", *summed.columns), drawn.T, strict=True))
    return {"rows": sums["rows"], **{name: sums[named[id(c)]] for name, c in counts.columns.items()}}


def drawn_sums(table: NDArray[np.float64], samples: int, seed: int | tuple[int, ...]) -> NDArray[np.float64]:
    """Return sums of a table's columns in resamples of its rows, shape ``(samples, columns)``."""
    in_memory = 0 < samples * len(table) <= MAX_STORED_DRAWS
    if in_memory and np.array_equal(table, np.rint(table)):
        return _times(len(table), samples, seed) @ table  # the sum of whole numbers is the same in any order
    sums = np.zeros((samples, table.shape[1]))
    if in_memory:
        drawn = _drawn(len(table), samples, seed)
        at_least = WORTH_A_THREAD // max(table.size, 1)
        in_ranges(lambda first, last: sum_drawn(table, drawn, sums, first, last), samples, at_least)
    elif len(table):
        random = np.random.default_rng(seed)
        for sample in each(range(samples), "resampling", "resamples"):
            sum_drawn(table, _draw(random, len(table))[None], sums[sample : sample + 1], 0, 1)
    return sums


def yield_draws(sentences: int, samples: int, seed: int, at_once: int) -> Iterator[Int32Matrix]:
    """Yield how often each sentence is drawn in some resamples, of shape ``(resamples, sentences)``.

    at_once  the most entries of a matrix
    """
    random = np.random.default_rng(seed)
    size = max(at_once // max(sentences, 1), 1)
    for first in range(0, samples, size):
        yield np.stack([_draw(random, sentences) for _ in range(first, min(first + size, samples))])


@lru_cache(maxsize=4)
def _drawn(sentences: int, samples: int, seed: int | tuple[int, ...]) -> Int32Matrix:
    """Return the number of times that each sentence is drawn, shape ``(samples, sentences)``.

    All candidates of a treebank, under all metrics, have the same draws.
    """
    random = np.random.default_rng(seed)
    return np.stack([_draw(random, sentences) for _ in range(samples)])


@lru_cache(maxsize=2)
def _times(sentences: int, samples: int, seed: int | tuple[int, ...]) -> NDArray[np.float64]:
    """Return the same as factors of a product of matrices."""
    return _drawn(sentences, samples, seed).astype(np.float64)


def _draw(random: np.random.Generator, sentences: int) -> Int32Array:
    drawn = np.bincount(random.integers(0, sentences, sentences), minlength=sentences)
    return drawn.astype(np.int32)


def percentile_interval(value: float, resampled: NDArray[np.float64], level: float) -> Interval:
    """Return a value with the limits between which the central part of its resampled values is.

    Resamples in which the value is not defined (NaN) are omitted.
    """
    tail = (1 - level) / 2
    low, high = np.nanquantile(resampled, [tail, 1 - tail]).tolist()
    return Interval(value, low, high, level)


def mean_interval(values: NDArray[np.float64], *, samples: int, seed: int, level: float) -> Interval:
    """Return the mean of values with its percentile interval; without samples the mean alone."""
    mean = float(values.mean())
    means = [
        draws @ values / len(values) for draws in yield_draws(len(values), samples, seed, MAX_DRAWN_AT_ONCE)
    ]
    return percentile_interval(mean, np.concatenate(means or [np.array([mean])]), level)


def require_whole_numbers(**numbers: tuple[int, int]) -> None:
    """Raise OptionError for a number, given with the least one, that is smaller or not whole."""
    for name, (number, least) in numbers.items():
        if not isinstance(number, Integral) or number < least:
            raise OptionError(name, number, f"a whole number from {least}")


def intervals(
    counts: Counts, *, samples: int = SAMPLES, seed: int = 0, level: float = LEVEL
) -> dict[str, Interval]:
    """Return every measure's value and percentile interval; the value alone where no sentence enters.

    Raises OptionError for a level that is not a proportion, and for negative samples or a negative seed.
    """
    if not 0 < level < 1:
        raise OptionError("level", level, "a proportion between 0 and 1")
    require_whole_numbers(samples=(samples, 0), seed=(seed, 0))
    sums = resampled_sums(counts, samples, seed)
    tail = (1 - level) / 2
    values = counts.values()
    if not samples:
        return {name: Interval(value, value, value, level) for name, value in values.items()}
    resampled = np.stack([np.broadcast_to(m.score(sums), samples) for m in counts.measures])
    lows, highs = np.quantile(resampled, [tail, 1 - tail], axis=1).tolist()
    return {
        name: Interval(value, low, high, level)
        for (name, value), low, high in zip(values.items(), lows, highs, strict=True)
    }
