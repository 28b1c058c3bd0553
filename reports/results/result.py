"""The result of scoring, and of comparing candidates, as Python users get it from ``crossbank``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.counting.presentation import headline, measures_of_part, metric_title
from crossbank.metrics.pairing.pair import Problem
from crossbank.metrics.statistics.bootstrap import Interval, intervals
from crossbank.metrics.statistics.defaults import ALPHA, LEVEL, SAMPLES, SEED
from crossbank.reports.results.comparisons import Comparison
from crossbank.reports.results.counts import per_sentence
from crossbank.reports.results.result_table import ResultTable
from crossbank.reports.tables.table import shown
from crossbank.treebanks.errors import OptionError


class UnknownMeasureError(OptionError, KeyError):
    """A measure that the metric does not have."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, eq=False)
class Result(Mapping[str, float]):
    """One candidate under one metric: ``result["f1"]`` is a score. Proportions lie between 0 and 1.

    counts    what was counted, sentence by sentence
    problems  the sentences that could not be scored, each with its place in the file and the reason
    """

    counts: Counts
    problems: tuple[Problem, ...] = ()

    @property
    def metric(self) -> str:
        """The metric's name."""
        return self.counts.signature.metric

    @property
    def signature(self) -> str:
        """Everything that the scores depend on, for a paper's method section."""
        return str(self.counts.full_signature)

    def __getitem__(self, measure: str) -> float:
        """A score; NaN if no sentence enters it. Raises UnknownMeasureError, which is a KeyError."""
        known = [found.name for found in self.counts.measures]
        if measure not in known:
            raise UnknownMeasureError(f"measure of {self.metric}", measure, known)
        return self.counts.value(measure) if self.counts.rows.any() else float("nan")

    def __iter__(self) -> Iterator[str]:
        """The measures' names."""
        return (measure.name for measure in self.counts.measures)

    def __len__(self) -> int:
        """The number of measures."""
        return len(self.counts.measures)

    @property
    def sentences(self) -> ResultTable:
        """One row for each sentence: identifier, status, counts and scores; None if it enters no score."""
        return per_sentence([self.counts])

    def interval(
        self,
        measure: str | None = None,
        *,
        level: float = LEVEL,
        samples: int = SAMPLES,
        seed: int = SEED,
    ) -> Interval:
        """A score with its bootstrap percentile interval (Efron and Tibshirani 1993).

        Without ``measure`` the metric's main measure is taken. The same seed gives the same interval.
        Raises UnknownMeasureError.
        """
        chosen = headline(self.counts).name if measure is None else measure
        self[chosen]
        return intervals(self.counts, samples=samples, seed=seed, level=level)[chosen]

    @property
    def breakdowns(self) -> list[str]:
        """The kinds of parts by which ``breakdown`` divides the counts."""
        return list(self.counts.parts)

    def breakdown(self, by: str) -> ResultTable:
        """One row for each label, relation, ...: its counts and scores, the most frequent first.

        Raises OptionError if the metric has no such breakdown.
        """
        if by not in self.counts.parts:
            raise OptionError(f"breakdown of {self.metric}", by, self.breakdowns or "none")
        parts = self.counts.parts[by]()
        sums = parts.sums(self.counts.rows)
        places = list(range(len(parts.keys)))
        if not parts.ordered:
            sides = [sums[side] for side in ("gold", "candidate") if side in sums] or [
                next(iter(sums.values()))
            ]
            places.sort(key=lambda place: (-sum(float(side[place]) for side in sides), parts.keys[place]))
        return ResultTable(
            {
                by: [parts.keys[place] for place in places],
                **{name: column[places] for name, column in sums.items()},
                **{
                    measure.name: measure.score(sums)[places]
                    for measure in measures_of_part(self.counts, by)
                    if measure.name not in sums
                },
            }
        )

    def __repr__(self) -> str:
        from crossbank.reports.texts.console import as_table

        return as_table([self.counts])

    def _repr_html_(self) -> str:
        """The scores with what they mean, the signature and the number of sentences, for notebooks."""
        entering = int(self.counts.rows.sum())
        rows = "".join(
            f"<tr><th>{escape(measure.heading)}</th>"
            f"<td>{shown(self[measure.name] if entering else None, measure)}</td>"
            f"<td>{escape(measure.meaning)}</td></tr>"
            for measure in self.counts.measures
        )
        said = ", ".join(f"{number:,} {status}" for status, number in self.counts.status_counts().items())
        return (
            f"<table><caption>{escape(metric_title(self.metric))}: sentences {escape(said)}</caption>"
            f"<tbody>{rows}</tbody></table><p><code>{escape(self.signature)}</code></p>"
        )


@dataclass(frozen=True, eq=False)
class Differences:
    """Candidates compared with each other: every pair, under every measure.

    results      by candidate and metric
    comparisons  every pair of candidates under every measure, probabilities corrected for all of them as one
    family alpha        two candidates are called different where the corrected probability is no larger
    """

    results: Mapping[str, Mapping[str, Result]]
    comparisons: Sequence[Comparison]
    alpha: float = ALPHA

    @property
    def table(self) -> ResultTable:
        """One row for each pair and measure: the difference, its interval and its probabilities."""
        found = self.comparisons
        return ResultTable(
            {
                "metric": [one.metric for one in found],
                "measure": [one.measure.name for one in found],
                "candidate": [one.candidate for one in found],
                "other": [one.other for one in found],
                "difference": [one.difference.value for one in found],
                "low": [one.difference.low for one in found],
                "high": [one.difference.high for one in found],
                "p": [one.difference.p for one in found],
                "corrected": [one.difference.corrected for one in found],
                "different": [one.significant(self.alpha) for one in found],
            }
        )

    def between(self, one: str, other: str) -> ResultTable:
        """The scores of one candidate minus those of another. Raises OptionError for an unknown candidate."""
        for name in (one, other):
            if name not in self.results:
                raise OptionError("candidate", name, list(self.results))
        found = [
            comparison.turned() if comparison.candidate == other else comparison
            for comparison in self.comparisons
            if {comparison.candidate, comparison.other} == {one, other}
        ]
        return Differences(self.results, found, self.alpha).table

    def __repr__(self) -> str:
        return repr(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()
