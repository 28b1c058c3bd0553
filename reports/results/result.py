"""Results of scoring and of comparing candidates in Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from html import escape
from typing import Any

import numpy as np

from crossbank.metrics.counting.counts import Breakdown, Column, Counts, Signature, format_value
from crossbank.metrics.counting.metric import Metric, metric_class, reference_of
from crossbank.metrics.counting.presentation import headline, measures_of_breakdown, metric_title
from crossbank.metrics.modes.modes_by_name import measures_of_mode
from crossbank.metrics.pairing.pair import Pair, UnscoredSentence
from crossbank.metrics.statistics.bootstrap import Interval, intervals
from crossbank.metrics.statistics.defaults import LEVEL, SAMPLES, SEED
from crossbank.metrics.statistics.estimates import Estimate
from crossbank.reports.results.counts_in_files import select_counted_measures, tabulate_sentences
from crossbank.reports.results.result_table import ItemTable, ResultTable
from crossbank.treebanks.errors import CrossbankError, CrossbankWarning, OptionError


class UnknownMeasureError(OptionError, KeyError):
    """A measure that the metric does not have."""

    def __str__(self) -> str:
        return str(self.args[0])


class SignatureText(str):
    """A signature as text, with its parts as attributes.

    metric   the metric's name
    version  its version
    choices  the values of its choices by their names
    """

    metric: str
    version: str
    choices: Mapping[str, str]

    def __new__(cls, signature: Signature) -> SignatureText:
        """Return the text of a signature."""
        made = super().__new__(cls, signature)
        made.metric, made.version = signature.metric, signature.version
        made.choices = dict(signature.choices)
        return made

    def __reduce__(self) -> tuple[type[SignatureText], tuple[Signature]]:
        return SignatureText, (Signature(self.metric, self.version, tuple(self.choices.items())),)


@dataclass(frozen=True, eq=False)
class Result(Mapping[str, float]):
    """One candidate under one metric: ``result["f1"]`` is a score. Proportions lie between 0 and 1.

    Results are added up where shards, batches or processes have counted one each: ``sum(results)`` has the
    scores of all sentences. They can be pickled, without ``items``.

    counts     the counts by sentence
    problems   the sentences that could not be scored, each with its index in the file and the reason
    candidate  the candidate's name or file
    warnings   the diagnostics of the comparison, as ``crossbank.CrossbankWarning``
    mode       the mode of the counts (``mode="evalb"``), or the empty string
    report     the output of the mode's reference evaluator, or the empty string
    seen       the metric, and the sentences in its view, from which ``items`` are made
    """

    counts: Counts
    problems: tuple[UnscoredSentence, ...] = ()
    candidate: str = "candidate"
    warnings: tuple[CrossbankWarning, ...] = ()
    mode: str = ""
    report: str = ""
    seen: tuple[Metric, Pair] | None = None

    @property
    def metric(self) -> str:
        """The metric's name."""
        return self.counts.signature.metric

    @property
    def signature(self) -> SignatureText:
        """Everything that the scores depend on, for a paper's method section; its ``choices`` by name."""
        return SignatureText(self.counts.full_signature)

    def __add__(self, other: Result) -> Result:
        """Return the result over the sentences of both. Raises CrossbankError where their choices differ."""
        if not isinstance(other, Result):
            return NotImplemented
        if (self.metric, self.mode) != (other.metric, other.mode):
            pair = f"{other.mode or other.metric} beside {self.mode or self.metric}"
            raise CrossbankError(f"results: found {pair}, expected the same metric")
        warnings = {str(warning): warning for warning in (*self.warnings, *other.warnings)}
        return Result(
            Counts.joined([self.counts, other.counts], with_breakdowns=True),
            self.problems + other.problems,
            self.candidate if self.candidate == other.candidate else f"{self.candidate}+{other.candidate}",
            tuple(warnings.values()),
            self.mode,
        )

    def __radd__(self, other: object) -> Result:
        return self if other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        """Return whether two results have equal counts of the same sentences, or a mapping equal scores."""
        if not isinstance(other, Result):
            return Mapping.__eq__(self, other)
        one, two = self.counts, other.counts
        if (one.numbers is None) != (two.numbers is None):
            one, two = one.summed(), two.summed()
        return (
            (one.full_signature, list(self), self.mode, self.report)
            == (two.full_signature, list(other), other.mode, other.report)
            and (one.numbers is not None or list(one.sentences) == list(two.sentences))
            and np.array_equal(one.status, two.status)
            and (one.numbers is two.numbers is None or np.array_equal(one.numbers, two.numbers))  # type: ignore[arg-type]
            and all(_are_same(column, two.columns[name]) for name, column in one.columns.items())
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        counts = self.counts
        state = {field.name: getattr(counts, field.name) for field in fields(Counts)}
        state["sentences"] = list(counts.sentences)
        state["breakdowns"] = {name: made() for name, made in counts.breakdowns.items()}
        state["measures"] = {measure.name: measure.title for measure in counts.measures}
        rest = self.problems, self.candidate, self.warnings, self.mode, self.report
        return _restore_result, (reference_of(self.metric), state, rest)

    def __getitem__(self, measure: str) -> float:
        """Return a score; NaN if no sentence enters it. Raises UnknownMeasureError, which is a KeyError."""
        try:
            self.counts.measure(measure)
        except KeyError:
            raise UnknownMeasureError(f"measure of {self.metric}", measure, list(self)) from None
        return self.counts.value(measure) if np.count_nonzero(self.counts.rows) else float("nan")

    def __iter__(self) -> Iterator[str]:
        return (measure.name for measure in self.counts.measures)

    def __len__(self) -> int:
        return len(self.counts.measures)

    @property
    def sentences(self) -> ResultTable:
        """One row for each sentence: identifier, status, counts and scores; None if it enters no score.

        The metric and the candidate come first, so that tables of several can be put together; the count
        ``candidate`` is called ``candidate_count``.
        """
        self.counts.require_sentences("a table of sentences")
        table = tabulate_sentences([self.counts])
        return table.renamed({"candidate": "candidate_count"}).preceded_by(
            metric=self.metric, candidate=self.candidate
        )

    @property
    def items(self) -> ItemTable:
        """One row for each thing that was compared: a bracket, an arc, a word; on which side, and if matched.

        Sentences that were not scored have no rows; ``sentences`` says how they count.
        Called as ``items()`` it is the method of mappings. Raises CrossbankError if the sentences are no
        longer there: in sums of results, and in those of another process.
        """
        return ItemTable(self._items, self)

    def _items(self) -> dict[str, list[Any]]:
        if self.seen is None:
            raise CrossbankError(
                f"items of {self.metric}: found counts alone, as sums, modes and other processes give them, "
                "expected a result of score"
            )
        metric, pair = self.seen
        ids, scored = pair.sentence_ids(), np.flatnonzero(pair.scored).tolist()
        rows = [(ids[sentence], item) for sentence in scored for item in metric.items(pair, sentence)]
        return {
            "metric": [self.metric] * len(rows),
            "candidate": [self.candidate] * len(rows),
            "sentence": [sentence for sentence, _ in rows],
            **{
                name: [getattr(item, name) for _, item in rows]
                for name in ("type", "label", "side", "matched", "score")
            },
            "tokens": [list(item.tokens) for _, item in rows],
            "gold_analysis": [item.gold for _, item in rows],
            "candidate_analysis": [item.candidate for _, item in rows],
        }

    def interval(
        self, measure: str | None = None, *, level: float = LEVEL, samples: int = SAMPLES, seed: int = SEED
    ) -> Interval:
        """Return a score with its bootstrap percentile interval (Efron and Tibshirani 1993).

        Without ``measure`` the metric's main measure is taken. The same seed gives the same interval.
        Raises UnknownMeasureError.
        """
        chosen = headline(self.counts).name if measure is None else measure
        if not self.counts.rows.any():
            return Interval(self[chosen], self[chosen], self[chosen], level)
        self[chosen]
        self.counts.require_sentences("an interval")
        return intervals(self.counts, samples=samples, seed=seed, level=level)[chosen]

    @property
    def breakdowns(self) -> list[str]:
        """Names of the breakdowns: see ``breakdown``."""
        return list(self.counts.breakdowns)

    def breakdown(self, by: str) -> ResultTable:
        """Return one row for each label, relation, ...: its counts and scores, the most frequent first.

        Raises OptionError if the metric has no such breakdown.
        """
        if by not in self.counts.breakdowns:
            raise OptionError(f"breakdown of {self.metric}", by, self.breakdowns or "none")
        table = self.counts.breakdowns[by]()
        sums = table.sums(self.counts.rows)
        order = list(range(len(table.keys)))
        if not table.ordered:
            sides = [sums[side] for side in ("gold", "candidate") if side in sums]
            sides = sides or [next(iter(sums.values()))]
            order.sort(key=lambda key: (-sum(float(side[key]) for side in sides), table.keys[key]))
        return ResultTable(
            {
                by: [table.keys[key] for key in order],
                **{name: column[order] for name, column in sums.items()},
                **{
                    measure.name: measure.score(sums)[order]
                    for measure in measures_of_breakdown(self.counts, by)
                    if measure.name not in sums
                },
            }
        )

    def __repr__(self) -> str:
        from crossbank.reports.tables.console import format_scores

        return format_scores([self.counts])

    def _repr_html_(self) -> str:
        entering = int(self.counts.rows.sum())
        rows = "".join(
            f"<tr><th>{escape(measure.heading)}</th>"
            f"<td>{format_value(self[measure.name] if entering else None, measure)}</td>"
            f"<td>{escape(measure.meaning)}</td></tr>"
            for measure in self.counts.measures
        )
        statuses = ", ".join(f"{number:,} {status}" for status, number in self.counts.status_counts().items())
        return (
            f"<table><caption>{escape(metric_title(self.metric))}: sentences {escape(statuses)}</caption>"
            f"<tbody>{rows}</tbody></table><p><code>{escape(self.signature)}</code></p>"
        )


def _restore_result(metric: str, state: dict[str, Any], rest: tuple[Any, ...]) -> Result:
    mode = rest[3]
    measures = measures_of_mode(mode) if mode else metric_class(metric).measures
    state["measures"] = select_counted_measures(measures, state["signature"], state["measures"])
    state["breakdowns"] = {name: partial(_identity, table) for name, table in state["breakdowns"].items()}
    return Result(Counts(**state), *rest)


def _are_same(one: Column, other: Column) -> bool:
    """Return whether counts are the same, except for the order in which they were added up."""
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-12, atol=0))


def _identity(breakdown: Breakdown) -> Breakdown:
    return breakdown


@dataclass(frozen=True, eq=False)
class Differences:
    """Candidates compared with each other: every pair, under every measure.

    results      by candidate and metric
    estimates    every pair of candidates under every measure, corrected as one family; where the sentences
    without a score differ, the best candidate and each other also over the sentences that are scored in both
    """

    results: Mapping[str, Mapping[str, Result]]
    estimates: Sequence[Estimate]

    @property
    def table(self) -> ResultTable:
        """One row for each pair, measure and population: difference, interval and probabilities."""
        rows = self.estimates
        return ResultTable(
            {
                "metric": [row.metric for row in rows],
                "measure": [row.measure.name for row in rows],
                "candidate": [row.candidate for row in rows],
                "other": [row.other for row in rows],
                "population": [row.population for row in rows],
                "n": [row.n for row in rows],
                "difference": [row.value for row in rows],
                "low": [row.low for row in rows],
                "high": [row.high for row in rows],
                "p": [row.p for row in rows],
                "corrected": [row.p_corrected for row in rows],
                "different": [row.significant for row in rows],
                "detectable": [row.detectable for row in rows],
                "needed": [row.needed for row in rows],
            }
        )

    def between(self, one: str, other: str) -> ResultTable:
        """Return one candidate's scores minus another's. Raises OptionError for an unknown candidate."""
        for name in (one, other):
            if name not in self.results:
                raise OptionError("candidate", name, list(self.results))
        rows = [
            row.turned() if row.candidate == other else row
            for row in self.estimates
            if {row.candidate, row.other} == {one, other}
        ]
        return Differences(self.results, rows).table

    def __repr__(self) -> str:
        return repr(self.table) if self.estimates else "\n".join(map(repr, self._alone()))

    def _repr_html_(self) -> str:
        return (
            self.table._repr_html_()
            if self.estimates
            else "".join(one._repr_html_() for one in self._alone())
        )

    def _alone(self) -> list[Result]:
        """Return all results, which are displayed if there are no pairs to compare."""
        return [result for of_candidate in self.results.values() for result in of_candidate.values()]
