"""The tables of error types: how many there are, what they cost, and which of them a measure sees.

After Rehbein and van Genabith (2007), sections 5.1 to 5.3, who ask which errors a measure punishes, and which
it does not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.schemes.files import load_scheme
from crossbank.metrics.analyses.error_types import FOUND_IN, TYPES, ParsingError
from crossbank.metrics.counting.counts import Counts, Measure, Status
from crossbank.metrics.counting.presentation import headline, metric_title
from crossbank.reports.results.study import CandidateResults, StudyResults, TreebankResults
from crossbank.reports.tables.table import Cell, Column, Table, sentences_link, text_columns, texts

EXAMPLES = 3

TITLES = {"pp_attachment": "PP attachment", "np_attachment": "NP attachment", "pos": "tag"}
"""The headings of types of errors; other types are headed by their names."""


def type_title(type_: str) -> str:
    """The heading of a type of error."""
    return TITLES.get(type_, type_.replace("_", " "))


@dataclass(frozen=True)
class CandidateErrors:
    """One candidate's errors, found by tree repair, over the sentences that its metrics counted.

    per_sentence  errors of each type that occurs, shape ``(sentences,)``
    looked_at     the number of its first sentences whose trees were compared; None for all
    """

    treebank: TreebankResults
    candidate: CandidateResults
    per_sentence: Mapping[str, NDArray[np.float64]]
    looked_at: int | None = None

    @classmethod
    def of(
        cls,
        treebank: TreebankResults,
        candidate: CandidateResults,
        found: Iterable[ParsingError],
        looked_at: int | None = None,
    ) -> CandidateErrors:
        """Count errors as they are found: those of 2,000 candidates do not stay in memory."""
        sentences = len(next(iter(candidate.counts.values())))
        counts: dict[str, NDArray[np.float64]] = {}
        for error in found:
            if error.type not in counts:
                counts[error.type] = np.zeros(sentences)
            counts[error.type][error.sentence] += 1
        in_order = {type_: counts[type_] for type_ in TYPES if type_ in counts}
        return cls(treebank, candidate, in_order, looked_at)

    @cached_property
    def total(self) -> NDArray[np.float64]:
        """Errors of all types in each sentence."""
        sentences = len(next(iter(self.candidate.counts.values())))
        return sum(self.per_sentence.values(), np.zeros(sentences))

    def single(self, type_: str) -> NDArray[np.bool_]:
        """The sentences with one single error, which has the given type, shape ``(sentences,)``."""
        alone: NDArray[np.bool_] = self.total == 1
        of_type: NDArray[np.bool_] = self.per_sentence.get(type_, np.zeros_like(self.total)) == 1
        return alone & of_type


@lru_cache(maxsize=1)
def errors_of(study: StudyResults) -> tuple[CandidateErrors, ...]:
    """The errors of every candidate; computed once for all forms of a report."""
    return () if study.very_large else tuple(candidate_errors(study))


def candidate_errors(study: StudyResults) -> list[CandidateErrors]:
    """The errors of every candidate whose trees are there and whose treebank has a scheme."""
    found = []
    for treebank in study.treebanks:
        if study.pair_of is None or not treebank.scheme:
            continue
        labels = load_scheme(treebank.scheme).error_types
        for candidate in treebank.candidates:
            counted = [name for name in study.metrics if name in candidate.counts]
            by_view = {study.metrics[name].view: name for name in reversed(counted)}
            view = next((view for view in FOUND_IN if view in by_view), None)
            if view is None:
                continue
            pair = study.pair_of(treebank.name, candidate.name, by_view[view])
            found.append(CandidateErrors.of(treebank, candidate, FOUND_IN[view](pair, labels), len(pair)))
    return found


def error_types(all_errors: Sequence[CandidateErrors]) -> Table:
    """The number of errors of each type that a candidate makes, and their sentences."""
    rows = []
    for one in all_errors:
        ids = next(iter(one.candidate.counts.values())).sentences
        for type_, counts in one.per_sentence.items():
            where = np.flatnonzero(counts)
            examples = ", ".join(ids[place] for place in where[:EXAMPLES].tolist())
            more = ", ..." if len(where) > EXAMPLES else ""
            proportion = counts.sum() / one.total.sum()
            rows.append(
                [
                    *texts(one.treebank.name, one.candidate.name, type_title(type_)),
                    Cell(f"{int(counts.sum()):,}", value=float(counts.sum())),
                    Cell(f"{100 * proportion:.1f}", value=float(proportion)),
                    Cell(
                        f"{len(where):,}",
                        value=float(len(where)),
                        link=sentences_link(one.treebank.name, one.candidate.name, type=type_),
                    ),
                    Cell(examples + more),
                ]
            )
    return Table(
        "error-types",
        "Error types",
        "Found by repairing the candidate's trees into gold's, after Kummerfeld et al. (2012): all "
        "brackets that one move of a constituent corrects are one error (in dependencies: each wrong head). "
        "Proportion: per cent of the "
        "candidate's errors. The scheme defines the types by labels.",
        [
            *text_columns("Treebank", "Candidate", "Type"),
            Column("Errors"),
            Column("Proportion"),
            Column("Sentences"),
            Column("For instance", numeric=False),
        ],
        rows,
        empty="No candidate has constituents in a scheme that defines types of errors.",
    )


def what_measures_see(all_errors: Sequence[CandidateErrors]) -> Table:
    """The loss in sentences with one error alone, for each error type and measure."""
    measures = _measures(all_errors)
    rows = []
    for one in all_errors:
        for type_ in one.per_sentence:
            alone = one.single(type_)
            if not alone.any():
                continue
            row = [
                *texts(one.treebank.name, one.candidate.name, type_title(type_)),
                Cell(f"{int(alone.sum()):,}", value=float(alone.sum())),
            ]
            for name, measure in measures:
                counted = one.candidate.counts.get(name)
                row.append(Cell("–") if counted is None else _loss(counted, measure, alone))
            rows.append(row)
    return Table(
        "seen",
        "The loss by a single error",
        "Sentences with one single error, by its type: the mean loss under each measure in points "
        "(100 minus the sentence's score), and under it the number of sentences in which the measure "
        "sees no error.",
        [
            *text_columns("Treebank", "Candidate", "Type"),
            Column("Sentences"),
            *(Column(measure.heading, metric_title(name)) for name, measure in measures),
        ],
        rows,
        empty="No sentence has one single error.",
    )


def explained_loss(all_errors: Sequence[CandidateErrors]) -> Table:
    """The proportion of a candidate's loss that each error type causes, measure by measure."""
    measures = _measures(all_errors)
    rows = []
    for one in all_errors:
        lost_under = {
            name: lost_by_type(one, one.candidate.counts[name], measure)
            for name, measure in measures
            if name in one.candidate.counts
        }
        for type_ in one.per_sentence:
            row = [*texts(one.treebank.name, one.candidate.name, type_title(type_))]
            for name, _ in measures:
                parts, whole = lost_under.get(name, ({}, 0.0))
                part = parts.get(type_, 0.0)
                row.append(Cell(f"{100 * part / whole:.1f}", value=part / whole) if whole else Cell("–"))
            rows.append(row)
    return Table(
        "loss",
        "The cost of errors",
        "Per cent of the candidate's loss, summed over sentences (1 minus the sentence's score), that falls "
        "on each error type; a sentence's loss is shared evenly among its errors. The remainder to 100 is "
        "lost in sentences without a parse, or where the trees have no error.",
        [
            *text_columns("Treebank", "Candidate", "Type"),
            *(Column(measure.heading, metric_title(name)) for name, measure in measures),
        ],
        rows,
        empty="No candidate has an error.",
    )


def error_tables(found: Sequence[CandidateErrors]) -> Iterator[Table]:
    """Those of the three tables that have rows; the first one if none has."""
    yield error_types(found)
    for table in (what_measures_see(found), explained_loss(found)):
        if table.rows:
            yield table


def _measures(all_errors: Sequence[CandidateErrors]) -> list[tuple[str, Measure]]:
    """The main measure of each metric."""
    return list(
        {
            name: (name, headline(counts))
            for one in all_errors
            for name, counts in one.candidate.counts.items()
        }.values()
    )


def lost_by_type(one: CandidateErrors, counts: Counts, measure: Measure) -> tuple[dict[str, float], float]:
    """The loss that falls on each type of error, and the whole loss, summed over sentences."""
    parts, losses = lost_by_sentence(one, counts, measure)
    return {type_: float(part.sum()) for type_, part in parts.items()}, float(losses.sum())


def lost_by_sentence(
    one: CandidateErrors, counts: Counts, measure: Measure
) -> tuple[dict[str, NDArray[np.float64]], NDArray[np.float64]]:
    """The loss of each sentence that falls on each type of error, and its whole loss.

    A sentence's loss is divided evenly among its errors.
    """
    losses = lost(counts, measure)
    if one.looked_at is not None:
        losses[one.looked_at :] = 0.0
    each = losses / np.maximum(one.total, 1)
    return {type_: each * of for type_, of in one.per_sentence.items()}, losses


def lost(counts: Counts, measure: Measure) -> NDArray[np.float64]:
    """One minus the score of each sentence that enters."""
    return np.where(counts.rows, 1 - counts.by_sentence(measure.name), 0.0)


def _loss(counts: Counts, measure: Measure, sentences: NDArray[np.bool_]) -> Cell:
    scored = sentences & (counts.status == Status.SCORED)
    if not scored.any():
        return Cell("–")
    losses = lost(counts, measure)[scored]
    mean = float(losses.mean())
    return Cell(f"{100 * mean:.2f}", f"unseen {int((losses == 0).sum())}", value=mean)
