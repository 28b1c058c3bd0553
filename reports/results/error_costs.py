"""Cost of the same error under each scheme and measure.

Rehbein, Ines and Josef van Genabith (2007): Treebank Annotation Schemes and Parser Evaluation for
German, section 5. An error of one type should cost the same under every annotation scheme. So the
sentences are compared in which a candidate makes one single error, of the same type in every scheme.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.analyses.tree_repair import NOT_TYPED, TYPES
from crossbank.metrics.counting.counts import Measure
from crossbank.metrics.pairing.pair import Status
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.results.typed_errors import CandidateErrors, compute_losses, errors_of

ALL = "all"


@dataclass(frozen=True)
class ErrorCost:
    """Cost of one error under one measure in each of some treebanks.

    type     the type of error, or ``all`` of them
    losses   shape ``(sentences, treebanks)``: 1 minus the score of each sentence with one such error
    """

    type: str
    metric: str
    measure: Measure
    treebanks: tuple[str, ...]
    losses: NDArray[np.float64]

    def mean(self) -> NDArray[np.float64]:
        """Return the mean loss in each treebank, shape ``(treebanks,)``."""
        mean: NDArray[np.float64] = self.losses.mean(axis=0)
        return mean

    def intervals(self, samples: int, seed: int, level: float) -> NDArray[np.float64]:
        """Return the intervals of the means by resampling sentences, shape ``(2, treebanks)``."""
        tail, rows = (1 - level) / 2, len(self.losses)
        random = np.random.default_rng(seed)
        drawn = random.multinomial(rows, np.full(rows, 1 / rows), size=max(samples, 1))
        means = drawn @ self.losses / rows
        limits: NDArray[np.float64] = np.quantile(means, [tail, 1 - tail], axis=0)
        return limits


@lru_cache(maxsize=1)
def error_costs_of(study: StudyResults) -> tuple[ErrorCost, ...]:
    """Return the cost of one error under each scheme and measure; computed once for all forms of a report."""
    return tuple(compute_error_costs(study, errors_of(study)))


def compute_error_costs(study: StudyResults, errors: Sequence[CandidateErrors]) -> list[ErrorCost]:
    """Return the price of one error, by type, for treebanks that annotate the same sentences.

    Sentences of all candidates that the treebanks share are taken together. A sentence counts where the
    candidate makes one single error in every treebank and it has the same type. Empty where fewer than two
    treebanks have the same sentences and a candidate in common.
    """
    digests = {t.name: t.sentences.digest if t.sentences else "" for t in study.treebanks}
    result: list[ErrorCost] = []
    for digest in dict.fromkeys(digests.values()):
        same = [one for one in errors if digests[one.treebank.name] == digest]
        if digest and same:
            result += _compare_costs(study, same)
    return result


def _compare_costs(study: StudyResults, same: Sequence[CandidateErrors]) -> list[ErrorCost]:
    order = [treebank.name for treebank in study.treebanks]
    names = tuple(sorted({one.treebank.name for one in same}, key=order.index))
    candidates = list(dict.fromkeys(one.candidate.name for one in same))
    by_treebank = {(one.treebank.name, one.candidate.name): one for one in same}
    shared = [c for c in candidates if all((name, c) in by_treebank for name in names)]
    if len(names) < 2 or not shared:
        return []
    result = []
    for metric, measure in study.headlines.items():
        if measure.better == "less" or not measure.proportion:
            continue
        rows: dict[str, list[NDArray[np.float64]]] = {}
        for candidate in shared:
            sides = [by_treebank[name, candidate] for name in names]
            if not all(metric in side.candidate.counts for side in sides):
                continue
            counts = [side.candidate.counts[metric] for side in sides]
            scored = np.logical_and.reduce([c.status == Status.SCORED for c in counts])
            losses = np.stack([compute_losses(c, measure) for c in counts], axis=1)
            for type_ in (type_ for type_ in TYPES if type_ != NOT_TYPED):
                alone = scored & np.logical_and.reduce([side.single(type_) for side in sides])
                if alone.any():
                    rows.setdefault(type_, []).append(losses[alone])
        by_type = {type_: np.concatenate(rows[type_]) for type_ in TYPES if type_ in rows}
        if by_type:
            by_type[ALL] = np.concatenate(list(by_type.values()))
        result += [ErrorCost(type_, metric, measure, names, losses) for type_, losses in by_type.items()]
    return result
