"""Errors of each candidate by type, and the part of its loss that falls on each type.

After Rehbein and van Genabith (2007), sections 5.1 to 5.3, who ask which errors a measure punishes, and which
it does not see.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.scheme_files import load_scheme
from crossbank.metrics.analyses.error_rates import ErrorRate, rates_of
from crossbank.metrics.analyses.tree_repair import ERRORS_OF_VIEW, TITLES, TYPES, ParsingError
from crossbank.metrics.counting.counts import Counts, Measure
from crossbank.metrics.pairing.pair import Status
from crossbank.reports.results.study_results import CandidateResults, StudyResults, TreebankResults


def type_title(type_: str) -> str:
    """Return the heading of a type of error."""
    return TITLES.get(type_, type_)


@dataclass(frozen=True)
class CandidateErrors:
    """One candidate's errors, found by tree repair, over the sentences that its metrics counted.

    per_sentence  errors of each type that occurs, shape ``(sentences,)``
    rates         the number of errors of each type by gold's constructions, and their directions
    looked_at     the number of its first sentences whose trees were compared; None for all
    """

    treebank: TreebankResults
    candidate: CandidateResults
    per_sentence: Mapping[str, NDArray[np.float64]]
    looked_at: int | None = None
    rates: Sequence[ErrorRate] = ()

    @classmethod
    def of(
        cls,
        treebank: TreebankResults,
        candidate: CandidateResults,
        errors: Iterable[ParsingError],
        looked_at: int | None = None,
        rates: Sequence[ErrorRate] = (),
    ) -> CandidateErrors:
        """Count errors as they are found: those of 2,000 candidates do not stay in memory."""
        sentences = len(next(iter(candidate.counts.values())))
        counts: dict[str, NDArray[np.float64]] = {}
        for error in errors:
            if error.type not in counts:
                counts[error.type] = np.zeros(sentences)
            counts[error.type][error.sentence] += 1
        in_order = {type_: counts[type_] for type_ in TYPES if type_ in counts}
        return cls(treebank, candidate, in_order, looked_at, rates)

    @cached_property
    def total(self) -> NDArray[np.float64]:
        """Errors of all types in each sentence."""
        sentences = len(next(iter(self.candidate.counts.values())))
        return sum(self.per_sentence.values(), np.zeros(sentences))

    def single(self, type_: str) -> NDArray[np.bool_]:
        """Return the sentences with one single error, which has the given type, shape ``(sentences,)``."""
        alone: NDArray[np.bool_] = self.total == 1
        of_type: NDArray[np.bool_] = self.per_sentence.get(type_, np.zeros_like(self.total)) == 1
        return alone & of_type


@lru_cache(maxsize=1)
def errors_of(study: StudyResults) -> tuple[CandidateErrors, ...]:
    """Return the errors of every candidate whose trees are there and whose treebank has a scheme.

    Computed once for all forms of a report; none in a very large study.
    """
    of_candidates = []
    for treebank in () if study.is_very_large else study.treebanks:
        if study.pair_of is None or not treebank.scheme:
            continue
        labels = load_scheme(treebank.scheme).error_types
        for candidate in treebank.candidates:
            counted = [name for name in study.metrics if name in candidate.counts]
            by_view = {study.metrics[name].view: name for name in reversed(counted)}
            view = next((view for view in ERRORS_OF_VIEW if view in by_view), None)
            if view is None:
                continue
            pair = study.pair_of(treebank.name, candidate.name, by_view[view])
            errors = list(ERRORS_OF_VIEW[view](pair, labels))
            rates = rates_of(pair, labels, view, errors)
            of_candidates.append(CandidateErrors.of(treebank, candidate, errors, len(pair), rates))
    return tuple(of_candidates)


def divide_loss_by_type(
    one: CandidateErrors, counts: Counts, measure: Measure, unseen: Collection[str]
) -> tuple[dict[str, float], float]:
    """Return the loss that falls on each type of error, and the whole loss, summed over sentences."""
    parts, losses = divide_loss_by_sentence(one, counts, measure, unseen)
    return {type_: float(part.sum()) for type_, part in parts.items()}, float(losses.sum())


def divide_loss_by_sentence(
    one: CandidateErrors, counts: Counts, measure: Measure, unseen: Collection[str]
) -> tuple[dict[str, NDArray[np.float64]], NDArray[np.float64]]:
    """Return the loss of each sentence that falls on each type of error, and its whole loss.

    A sentence's loss is divided evenly among its errors of types that the measure sees (see
    ``find_unseen_types``).
    """
    losses = compute_losses(counts, measure)
    if one.looked_at is not None:
        losses[one.looked_at :] = 0.0
    parts = {type_: of * (type_ not in unseen) for type_, of in one.per_sentence.items()}
    each = losses / np.maximum(sum(parts.values(), np.zeros(len(losses))), 1)
    return {type_: each * of for type_, of in parts.items()}, losses


def find_unseen_types(candidates: Iterable[CandidateErrors], metric: str, measure: Measure) -> set[str]:
    """Return the types that a measure does not see, as Parseval wrong tags.

    Of a treebank's sentences that have errors of one such type alone, most lose nothing: not all, since some
    differences of trees are no error of any type.
    """
    alone: dict[str, list[NDArray[np.float64]]] = {}
    for one in candidates:
        if (counts := one.candidate.counts.get(metric)) is not None:
            losses, scored = compute_losses(counts, measure), counts.status == Status.SCORED
            for type_, of in one.per_sentence.items():
                alone.setdefault(type_, []).append(losses[(of > 0) & (of == one.total) & scored])
    every = {type_: np.concatenate(losses) for type_, losses in alone.items()}
    return {type_ for type_, losses in every.items() if len(losses) and not np.median(losses)}


def compute_losses(counts: Counts, measure: Measure) -> NDArray[np.float64]:
    """Return one minus the score of each sentence that enters."""
    return np.where(counts.rows, 1 - counts.by_sentence(measure.name), 0.0)
