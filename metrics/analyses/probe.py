"""What a measure makes of known errors: their price by type and depth, further errors, and other measures.

The same errors are scored under each measure, sentence by sentence. The price of an error is what the score
of its sentence falls by.

After Rehbein and van Genabith (2007), section 5, which asks it of two schemes and errors of parsers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.schemes.scheme import Scheme
from crossbank.metrics.analyses.planted_errors import TYPES, PlantedError, draw_errors, plant
from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.presentation import headline
from crossbank.metrics.counting.scoring import Scoring, score
from crossbank.metrics.statistics.bootstrap import mean_interval
from crossbank.treebanks.errors import OptionError
from crossbank.treebanks.treebank import Treebank

DEEPEST = 5
"""The depth that stands for itself and all below."""

ALL = "all"

Losses = NDArray[np.float64]
"""What the score of each sentence falls by, shape ``(sentences,)``; not a number without an error."""


@dataclass(frozen=True)
class Price:
    """Mean price of one error under a measure.

    type, depth  those of the errors; ``all`` stands for any
    n            the number of errors, each in a sentence of its own
    low, high    interval of the mean, by resampling sentences
    """

    metric: str
    measure: str
    type: str
    depth: str
    n: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class FurtherErrors:
    """Whether a measure falls with each further error of a sentence.

    n      the number of further errors, the first ones included
    fell, unchanged, rose  how often the sentence's score did
    """

    metric: str
    measure: str
    n: int
    fell: int
    unchanged: int
    rose: int


@dataclass(frozen=True)
class ExplainedVariance:
    """Share of the variance of prices that the type of the errors explains, and that their depth explains."""

    metric: str
    measure: str
    by_type: float
    by_depth: float


@dataclass(frozen=True)
class Disagreement:
    """Pairs of errors in the same sentence of which two measures find another one worse."""

    metrics: tuple[str, str]
    n: int
    opposite: int


@dataclass(frozen=True)
class ProbeResults:
    """Everything that ``probe`` computes."""

    sentences: int
    prices: Sequence[Price]
    further: Sequence[FurtherErrors]
    explained: Sequence[ExplainedVariance]
    disagreements: Sequence[Disagreement]


def probe(
    bank: Treebank,
    scoring: Scoring,
    scheme: Scheme | None,
    *,
    further: int,
    samples: int,
    seed: int,
    level: float = 0.95,
) -> ProbeResults:
    """Plant one error of each type into each sentence, and several into copies, and score them.

    further  the number of errors that are planted into the same sentence, one after the other
    samples  the number of resamples for each interval

    Raises OptionError for a metric whose headline is not a proportion of which more is better.
    """
    losses: dict[str, list[Losses]] = {}
    depths: dict[str, NDArray[np.int64]] = {}
    for type in TYPES:
        errors = draw_errors(bank, [type], 1, seed)
        depths[type] = np.array([min(one[0].depth, DEEPEST) if one else 0 for one in errors])
        losses[type] = _losses(bank, errors, scoring, scheme)
    perfect = score(bank, bank, scoring, scheme)
    names = _headlines(scoring, perfect)
    prices: list[Price] = []
    explained: list[ExplainedVariance] = []
    for index, (metric, measure) in enumerate(names):
        of_types = {type: losses[type][index] for type in TYPES}
        rows = _prices(of_types, depths, samples, seed, level)
        prices += [Price(metric, measure, *row) for row in rows]
        explained.append(ExplainedVariance(metric, measure, *_explained(of_types, depths)))
    steps = _steps(bank, perfect, scoring, scheme, further, seed)
    return ProbeResults(
        len(bank),
        prices,
        [FurtherErrors(*name, *_directions(scores)) for name, scores in zip(names, steps, strict=True)],
        explained,
        [
            Disagreement((names[one][0], names[other][0]), *_opposite(losses, one, other))
            for one, other in combinations(range(len(names)), 2)
        ],
    )


def _headlines(scoring: Scoring, perfect: Sequence[Counts]) -> list[tuple[str, str]]:
    names = []
    for metric, counts in zip(scoring.metrics, perfect, strict=True):
        measure = headline(counts)
        if not measure.proportion or measure.better == "less":
            raise OptionError("metric", metric.name, "metrics whose first score is a proportion")
        names.append((metric.name, measure.name))
    return names


def _scores(counts: Counts) -> Losses:
    return np.where(counts.rows, counts.by_sentence(headline(counts).name), np.nan)


def _losses(
    bank: Treebank, errors: Sequence[Sequence[PlantedError]], scoring: Scoring, scheme: Scheme | None
) -> list[Losses]:
    """Return what each sentence loses, by metric; not a number for a sentence without an error."""
    has_error = np.array([len(of_sentence) > 0 for of_sentence in errors])
    compared = score(bank, plant(bank, errors), scoring, scheme)
    return [np.where(has_error, 1 - _scores(counts), np.nan) for counts in compared]


def _prices(
    losses: Mapping[str, Losses],
    depths: Mapping[str, NDArray[np.int64]],
    samples: int,
    seed: int,
    level: float,
) -> list[tuple[str, str, int, float, float, float]]:
    """Return the rows of a measure: each type, then each depth."""
    every = np.concatenate(list(losses.values()))
    every_depth = np.concatenate(list(depths.values()))
    chosen = [(type, ALL, of_type) for type, of_type in losses.items()]
    chosen += [(ALL, _name_depth(depth), every[every_depth == depth]) for depth in range(1, DEEPEST + 1)]
    rows = []
    for type, depth, of_rows in chosen:
        known = of_rows[~np.isnan(of_rows)]
        if len(known):
            cost = mean_interval(known, samples=samples, seed=seed, level=level)
            rows.append((type, depth, len(known), cost.value, cost.low, cost.high))
    return rows


def _name_depth(depth: int) -> str:
    return f"{depth}+" if depth == DEEPEST else str(depth)


def _explained(losses: Mapping[str, Losses], depths: Mapping[str, NDArray[np.int64]]) -> tuple[float, float]:
    """Return the shares of the variance between types and between depths."""
    every = np.concatenate(list(losses.values()))
    types = np.concatenate([np.full(len(of), index) for index, of in enumerate(losses.values())])
    known = ~np.isnan(every)
    every, groups = every[known], (types[known], np.concatenate(list(depths.values()))[known])
    total = ((every - every.mean()) ** 2).sum() if len(every) else 0.0
    shares = []
    for group in groups:
        sizes = np.bincount(group)
        means = np.bincount(group, every) / np.maximum(sizes, 1)
        between = (sizes * (means - every.mean()) ** 2).sum() if total else 0.0
        shares.append(float(between / total) if total else 0.0)
    return shares[0], shares[1]


def _steps(
    bank: Treebank,
    perfect: Sequence[Counts],
    scoring: Scoring,
    scheme: Scheme | None,
    number: int,
    seed: int,
) -> list[NDArray[np.float64]]:
    """Return scores after 0, 1, ... errors, by metric, shape ``(number + 1, sentences)``.

    Only sentences in which all errors are possible take part.

    perfect  counts of gold against itself: the scores without an error
    """
    errors = draw_errors(bank, TYPES, number, seed)
    rows = np.flatnonzero([len(of_sentence) == number for of_sentence in errors])
    chosen, planted = bank.select(rows), [errors[row] for row in rows.tolist()]
    steps = [[_scores(counts)[rows]] for counts in perfect]
    if not len(rows):
        return [np.zeros((number + 1, 0)) for _ in scoring.metrics]
    for count in range(1, number + 1):
        candidate = plant(chosen, [of_sentence[:count] for of_sentence in planted])
        for of_metric, counts in zip(steps, score(chosen, candidate, scoring, scheme), strict=True):
            of_metric.append(_scores(counts))
    return [np.stack(of_metric) for of_metric in steps]


def _directions(scores: NDArray[np.float64]) -> tuple[int, int, int, int]:
    """Return the number of steps, and how often the score fell, stayed and rose."""
    change = np.diff(scores, axis=0)
    change = change[~np.isnan(change)]
    return len(change), int((change < 0).sum()), int((change == 0).sum()), int((change > 0).sum())


def _opposite(losses: Mapping[str, Sequence[Losses]], one: int, other: int) -> tuple[int, int]:
    """Return the pairs of errors in the same sentence, and those that two measures order differently."""
    pairs = opposite = 0
    for left, right in combinations(losses.values(), 2):
        first, second = left[one] - right[one], left[other] - right[other]
        known = ~np.isnan(first) & ~np.isnan(second)
        pairs += int(known.sum())
        opposite += int((first[known] * second[known] < 0).sum())
    return pairs, opposite
