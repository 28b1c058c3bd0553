"""The tables of error types: how many there are, what they cost, and which of them a measure sees.

After Rehbein and van Genabith (2007), sections 5.1 to 5.3, who ask which errors a measure punishes, and which
it does not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts, Measure, Status
from crossbank.metrics.counting.presentation import headline, metric_title
from crossbank.reports.findings.errors import costliest_errors
from crossbank.reports.findings.family import family
from crossbank.reports.findings.finding import Finding
from crossbank.reports.results.typed_errors import CandidateErrors, errors_of, lost, lost_by_type, type_title
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, Table, sentences_link, text_columns, texts

EXAMPLES = 3


class ErrorTypes(Section):
    """The number of errors of each type, what they cost, and which of them a measure sees."""

    key, heading = "errors", "Error types"
    open = ("error-types", "seen", "loss")
    very_large = "types of errors"

    def parts(self) -> Iterable[Table]:
        """The three tables."""
        found = errors_of(self.study)
        return error_types(found), what_measures_see(found), explained_loss(found)

    def findings(self) -> Iterable[Finding]:
        """The types that cost most."""
        return costliest_errors(family(self.study))


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
    )


def _measures(all_errors: Sequence[CandidateErrors]) -> list[tuple[str, Measure]]:
    """The main measure of each metric."""
    return list(
        {
            name: (name, headline(counts))
            for one in all_errors
            for name, counts in one.candidate.counts.items()
        }.values()
    )


def _loss(counts: Counts, measure: Measure, sentences: NDArray[np.bool_]) -> Cell:
    scored = sentences & (counts.status == Status.SCORED)
    if not scored.any():
        return Cell("–")
    losses = lost(counts, measure)[scored]
    mean = float(losses.mean())
    return Cell(f"{100 * mean:.2f}", f"unseen {int((losses == 0).sum())}", value=mean)
