"""Checks of scheme, options and scores: unknown labels, options without effect, impossible scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from crossbank.converters.schemes.views import VIEWS
from crossbank.metrics.checks.check import Check, ComparedChunk, Comparison, Diagnostic
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring, rule_of
from crossbank.metrics.pairing.word_forms import is_punctuation
from crossbank.treebanks.named_arguments import argument
from crossbank.treebanks.quantities import listed, quantity
from crossbank.treebanks.registry import written

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme

MANY_UNKNOWN = 0.1
"""The proportion of the signs whose tags a scheme must know."""


@dataclass(frozen=True, eq=False)
class WrongScheme(Check):
    """Most of gold's categories are unknown to the scheme, and another one knows them.

    Kept are the numbers of the categories.
    """

    is_of_sources: ClassVar[bool] = True
    is_of_gold: ClassVar[bool] = True

    categories: Mapping[str, int]

    @classmethod
    def applies(cls, metric: Metric, scoring: Scoring, scheme: Scheme | None, *, is_raw: bool) -> bool:
        """Whether there is a scheme."""
        return scheme is not None

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count gold's categories."""
        return cls(chunk.gold.vocabulary.counted(chunk.gold.nodes.label))

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report another scheme that fits better."""
        scheme = comparison.scheme
        if scheme is None or not comparison.gold.has_constituents:
            return
        own = scheme.known_proportion(self.categories)
        if own is None or own > 0.5:
            return
        from crossbank.converters.scheme_files import NEARLY_ALL, fitting_schemes

        best, proportion = fitting_schemes(self.categories)
        if proportion > max(NEARLY_ALL, own):
            yield Diagnostic(
                "scheme",
                f"the scheme {scheme.name} knows {100 * own:.0f} % of gold's categories, the scheme "
                f"{best} {100 * proportion:.0f} %",
                "use {}",
                (argument("scheme", best),),
            )


@dataclass(frozen=True, eq=False)
class ForgottenScheme(Check):
    """Without a scheme gold has crossing branches and the candidate has none: these brackets never match.

    Kept are the numbers of discontinuous constituents, and of gold's categories.
    """

    gold: int
    candidate: int
    categories: Mapping[str, int]

    @classmethod
    def applies(cls, metric: Metric, scoring: Scoring, scheme: Scheme | None, *, is_raw: bool) -> bool:
        """Whether brackets are compared without a scheme."""
        return scheme is None and VIEWS[metric.view].of_candidates == "constituents"

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count discontinuous constituents, unless gold was converted."""
        if chunk.pair.gold.history:
            return cls(0, 0, {})
        sides = (chunk.pair.gold, chunk.pair.candidate)
        gold, candidate = (int(np.count_nonzero(bank.spans.discontinuous)) for bank in sides)
        return cls(gold, candidate, chunk.gold.vocabulary.counted(chunk.gold.nodes.label))

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report crossing branches that gold alone has."""
        if self.candidate or not self.gold:
            return
        from crossbank.converters.scheme_files import NEARLY_ALL, fitting_schemes

        best, proportion = fitting_schemes(self.categories)
        hint = "use {}" if proportion > NEARLY_ALL else "use the transformation raise_crossing"
        yield Diagnostic(
            "no_scheme",
            f"gold has {quantity(self.gold, 'discontinuous constituent')} and the candidate none, and no "
            "scheme says how crossing branches are resolved",
            hint,
            (argument("scheme", best),),
        )


@dataclass(frozen=True, eq=False)
class UnknownPunctuation(Check):
    """Words that are signs have tags that the scheme does not know; it deletes punctuation by its tags.

    A tag in its inventory, such as that of brackets in the Penn Treebank, counts by the scheme's own choice.
    Kept are the numbers of signs, of those that are missed, and of their tags.
    """

    is_of_sources: ClassVar[bool] = True
    is_of_gold: ClassVar[bool] = True

    signs: int
    missed: int
    tags: Mapping[str, int]

    @classmethod
    def applies(cls, metric: Metric, scoring: Scoring, scheme: Scheme | None, *, is_raw: bool) -> bool:
        """Whether punctuation is deleted by the tags of a scheme."""
        return scheme is not None and rule_of(scoring.delete, scheme) == "punct"

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count the signs, and those with a tag that the scheme does not know."""
        gold, scheme = chunk.gold, chunk.scheme
        assert scheme is not None
        signs = gold.vocabulary.accepted(gold.tokens.form, is_punctuation, keep=True)
        missed = signs & ~scheme.is_punctuation(gold)
        if missed.any():
            listed_tags, category = scheme.inventory.get("tags", {}), scheme.labels.category
            missed &= ~scheme.is_empty(gold)
            missed[missed] = ~gold.vocabulary.valued(
                gold.tokens.pos[missed],
                lambda tag: tag in listed_tags or category(tag) in listed_tags,
                np.bool_,
            )
        tags = gold.vocabulary.counted(gold.tokens.pos[missed])
        return cls(int(np.count_nonzero(signs)), int(np.count_nonzero(missed)), tags)

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report more than a few signs with unknown tags."""
        scheme = comparison.scheme
        if scheme is None or not self.signs or self.missed <= MANY_UNKNOWN * self.signs:
            return
        named = listed(sorted(self.tags, key=lambda tag: -self.tags[tag])) or "no tag"
        yield Diagnostic(
            "punctuation",
            f"{self.missed:,} of {self.signs:,} signs have a tag that the scheme {scheme.name} "
            f"does not take for punctuation ({named})",
            "use {}, or add the tags to the scheme",
            (argument("delete", "unicode", of_metric=True),),
        )


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
