"""Checks of scores and options: impossible scores, unusual averages, options without effect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from crossbank.metrics.checks.check import Check, ComparedChunk, Comparison, Diagnostic
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring
from crossbank.treebanks.named_arguments import argument
from crossbank.treebanks.registry import written


class _OfCounts(Check):
    """A check that keeps nothing: the counts tell."""

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Observe nothing."""
        return cls()


@dataclass(frozen=True, eq=False)
class LabelledAboveUnlabelled(_OfCounts):
    """LAS is above UAS, which no labelled attachment can be."""

    @classmethod
    def applies(cls, metric: Metric, scoring: Scoring, scheme: object, *, is_raw: bool) -> bool:
        """Whether the metric has both measures."""
        return {"las", "uas"} <= {measure.name for measure in metric.measures}

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report LAS above UAS."""
        counts = comparison.counts
        if not {"las", "uas"} <= {measure.name for measure in counts.measures} or not counts.rows.any():
            return
        las, uas = counts.value("las"), counts.value("uas")
        if las > uas + 1e-9:
            yield Diagnostic(
                "las_above_uas",
                f"LAS is {100 * las:.2f} and UAS {100 * uas:.2f}, but every labelled attachment is an "
                "attachment",
                "labels and heads were counted over different words: see the signature",
            )


@dataclass(frozen=True, eq=False)
class MeanOfSentences(_OfCounts):
    """The score is a mean over sentences where the literature sums brackets or tokens over all of them."""

    @classmethod
    def applies(cls, metric: Metric, scoring: Scoring, scheme: object, *, is_raw: bool) -> bool:
        """Whether a micro average is usual, and not given."""
        return scoring.average == "macro" and metric.micro_averaged

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report the macro average."""
        yield Diagnostic(
            "average",
            f"average=macro makes {comparison.metric.name} the mean of the sentences' scores, where the "
            "literature divides sums over all sentences",
            "leave out {} to compare with published numbers",
            (argument("average", "macro", of_metric=True),),
        )


@dataclass(frozen=True, eq=False)
class OptionsWithoutEffect(_OfCounts):
    """Functions are to be compared and conversions have stripped them: the signature says what was done."""

    @classmethod
    def applies(cls, metric: Metric, scoring: Scoring, scheme: object, *, is_raw: bool) -> bool:
        """Whether an option compares functions."""
        options = metric.of_functions.items()
        return any(written(getattr(metric, name)) != written(without) for name, without in options)

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report options that the signature has with another value."""
        metric, choices = comparison.metric, dict(comparison.counts.signature.choices)
        for name, without in metric.of_functions.items():
            value, done = written(getattr(metric, name)), choices.get(name)
            if done == written(without) != value:
                yield Diagnostic(
                    "option",
                    f"{name}={value} has no effect on {metric.name}: conversions strip all functions, "
                    f"and it is scored with {name}={done}",
                    f"leave out {name}={value}, or the conversion strip_functions",
                )
