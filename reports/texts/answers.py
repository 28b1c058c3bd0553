"""A candidate's errors by type as a table, and one of its sentences beside gold as a drawing."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from html import escape

from crossbank.converters.schemes.scheme import Scheme
from crossbank.metrics.analyses.error_rates import rates_of
from crossbank.metrics.analyses.tree_repair import ERRORS_OF_VIEW, MAX_TYPED, NOT_TYPED
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Views, scoring_of
from crossbank.metrics.engine import Evaluation
from crossbank.reports.results.result_table import ResultTable
from crossbank.treebanks import Treebank
from crossbank.treebanks.errors import CrossbankWarning, RequirementError
from crossbank.treebanks.quantities import quantity

MEASURED_BY = {"constituents": "parseval", "dependencies": "dependencies"}
"""The metric in whose view errors are typed."""

MAX_LISTED_SENTENCES = 20
"""Maximal number of sentences in a warning."""


class ErrorTable(ResultTable):
    """A row for each type of error.

    statuses  the number of sentences, and of sentences with each status, such as no parse
    """

    statuses: Mapping[str, int]


def build_error_table(
    gold: Treebank, candidate: Treebank, scheme: Scheme | None, words: str = "same"
) -> ErrorTable:
    """Return a row for each type of error: errors, sentences, too high and too low, constructions, rate.

    Errors are those of constituents, or of dependencies where one side has no constituents; ``words`` says
    which words are compared (``metrics.counting.scoring``). Raises
    CrossbankError without a scheme, whose labels tell the types.
    """
    if scheme is None:
        raise RequirementError("errors", "a scheme, whose labels define the types of errors")
    has_trees = gold.has_constituents and candidate.has_constituents
    view = "constituents" if has_trees else "dependencies"
    assert view in ERRORS_OF_VIEW
    scoring = scoring_of([MEASURED_BY[view]], {"words": words})
    evaluation = Evaluation(scoring, scheme, keep="trees")
    evaluation.add(0, Views(gold, scheme), Views(candidate, scheme))
    (metric,) = evaluation.result().metrics
    (pair,) = metric.pairs
    errors = list(ERRORS_OF_VIEW[view](pair, scheme.error_types))
    if not_typed := [pair.gold.sentence_id(error.sentence) for error in errors if error.type == NOT_TYPED]:
        number = quantity(len(not_typed), "sentence")
        names = ", ".join(not_typed[:MAX_LISTED_SENTENCES]) + (
            ", ..." if len(not_typed) > MAX_LISTED_SENTENCES else ""
        )
        reason = f"more than {MAX_TYPED:,} words or constituents"
        warnings.warn(
            CrossbankWarning(f"the errors of {number} with {reason} are not typed: {names}"), stacklevel=2
        )
    rates = rates_of(pair, scheme.error_types, view, errors)
    total = sum(one.errors for one in rates)
    table = ErrorTable(
        {
            "type": [one.type for one in rates],
            "errors": [one.errors for one in rates],
            "proportion": [one.errors / total for one in rates],
            **{
                name: [getattr(one, name) for one in rates]
                for name in ("sentences", "high", "low", "constructions", "rate")
            },
        }
    )
    table.statuses = metric.counts.status_counts()
    return table


class SentenceDrawing:
    """One sentence of gold and candidate with the differences marked, as text, or as SVG in a notebook."""

    def __init__(self, gold: Treebank, candidate: Treebank, metric: Metric) -> None:
        self.pair = metric.pair(gold, candidate)

    def __repr__(self) -> str:
        from crossbank.reports.texts.tree_pair import format_tree_pair

        head = f"sentence {self.pair.gold.sentence_id(0)}: {' '.join(self.pair.gold.words(0))}\n"
        return head + (format_tree_pair(self.pair, 0) if self.pair.scored[0] else self._problem())

    def _repr_html_(self) -> str:
        from crossbank.reports.results.differences import mark_nodes, mark_tags
        from crossbank.treebanks.pictures.drawing import svg
        from crossbank.treebanks.pictures.layout import draw_tree

        gold, candidate = self.pair.gold, self.pair.candidate
        head = f"<p><b>{escape(gold.sentence_id(0))}</b> {escape(' '.join(gold.words(0)))}</p>"
        if not self.pair.scored[0]:
            return f"{head}<p>{escape(self._problem())}</p>"
        of_gold, of_candidate = mark_nodes(self.pair, 0)
        drawings = {
            "Gold": draw_tree(gold, 0, of_gold),
            "Candidate": draw_tree(candidate, 0, of_candidate, mark_tags(self.pair, 0)),
        }
        pictures = "".join(
            f'<figure style="margin:0;overflow-x:auto"><figcaption>{name}</figcaption>'
            f"{svg(drawing, title=name, alone=True)}</figure>"
            for name, drawing in drawings.items()
        )
        return head + pictures

    def _problem(self) -> str:
        return next(self.pair.problems()).detail
