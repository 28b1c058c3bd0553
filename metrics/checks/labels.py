"""Checks of labels, scheme and options: what cannot match, is unknown to the scheme or has no effect.

Labels cannot match with other names, in another case, or with functions, subtypes or wrappers on one side
only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from crossbank.converters.schemes.views import OF_DEPENDENCIES, VIEWS
from crossbank.metrics.checks.check import Check, ComparedChunk, Comparison, Diagnostic, proportion
from crossbank.metrics.counting.items import by_sentence
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring, rule_of
from crossbank.metrics.pairing.word_forms import are_punctuation
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.code_columns import flags_of_codes
from crossbank.treebanks.named_arguments import NamedArgument, argument, transformed, universal
from crossbank.treebanks.quantities import listed, quantity
from crossbank.treebanks.registry import written
from crossbank.treebanks.vocabulary import Vocabulary

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme


HALF = 0.5
"""The proportion of a side's labels that the other side, or a scheme, may lack; beyond it they are others."""

MOST, SOME = 0.9, 0.1
"""Nearly all of a side's labels or sentences, and more than a few of them."""

UNIVERSAL = re.compile(r"[a-z]+(:[a-z]+)?")
"""The form of the relations of Universal Dependencies, by its validator."""

OF_CONSTITUENTS = frozenset({"constituents", "parseval1991", "flat_keys", "heads"})
"""The views in which constituents' labels are compared."""

WRAPPERS = ("", "TOP", "ROOT", "VROOT", "S1")
"""The labels of nodes that only wrap a tree."""


def compares_labels(metric: Metric) -> bool:
    """Whether a metric, with its options, compares constituents' labels or relations."""
    compares = metric.compares_labels and getattr(metric, "labels", True) is not False
    return compares and metric.view in OF_DEPENDENCIES | OF_CONSTITUENTS


@dataclass(frozen=True, eq=False)
class UnlikeLabels(Check):
    """Labels cannot match: other names, in other case, or with functions or subtypes on one side only.

    Kept are the numbers of the labels, or relations, of both sides.
    """

    gold: Mapping[str, int]
    candidate: Mapping[str, int]

    @classmethod
    def applies(cls, metric: Metric, scoring: Scoring, scheme: object, *, is_raw: bool) -> bool:
        """Whether labels are compared."""
        return compares_labels(metric)

    @classmethod
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether a label of the candidate is not one of gold's, or gold has functions or subtypes."""
        gold, candidate = chunk.pair.gold, chunk.pair.candidate
        column = _relation_codes if chunk.metric.view in OF_DEPENDENCIES else _label_codes
        are_plain = gold.derived(column, lambda: _plain_labels(gold.vocabulary, *column(gold)))
        codes = candidate.vocabulary.translation(gold.vocabulary)
        return not are_plain.take(codes.take(column(candidate)[0])).all()

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count the labels of both sides."""
        column = _relation_codes if chunk.metric.view in OF_DEPENDENCIES else _label_codes
        sides = (chunk.pair.gold, chunk.pair.candidate)
        return cls(*(bank.vocabulary.counted(column(bank)[0]) for bank in sides))

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report other names or another case, functions and subtypes."""
        if not self.gold or not self.candidate:
            return
        are_relations = comparison.metric.view in OF_DEPENDENCIES
        new = self.candidate.keys() - self.gold.keys()
        disjoint = [*self._other_names(are_relations, comparison.scheme)] if new else []
        yield from disjoint or (self._other_case(are_relations) if new else ())
        if not are_relations:
            yield from self._one_sided_functions(comparison.scheme)
        elif comparison.metric.word_by_word and not disjoint:
            yield from self._one_sided_subtypes()

    def _other_names(self, are_relations: bool, scheme: Scheme | None) -> Iterator[Diagnostic]:
        """Most of the candidate's labels are none of gold's in any case, nor without functions or subtypes.

        A few (``punct``, ``root``, ``dep``) are in nearly all schemes.
        """
        gold, candidate = self.gold, self.candidate
        separator, what = (":", "relations") if are_relations else ("-", "labels")

        def names(label: str) -> set[str]:
            return {label.casefold(), label.partition(separator)[0].casefold()}

        known = {name for label in gold for name in names(label)}
        other = {label for label in candidate if known.isdisjoint(names(label))}
        share = proportion(candidate, other.__contains__)
        if share <= HALF:
            return
        message = f"no {what[:-1]} of the candidate is one of gold's"
        if share < 1:
            message = f"{100 * share:.0f} % of the candidate's {what} are none of gold's"
        expected = sorted(gold.keys() - candidate.keys()) or sorted(gold)
        hint, renamed = "bring one side's names to the other's: {}", _renamed(what, ["OLD>NEW"])
        if (
            are_relations
            and scheme is not None
            and scheme.universal
            and proportion(candidate, UNIVERSAL.fullmatch) > MOST
        ):
            hint = "compare it with gold in Universal Dependencies: {}"
            renamed = universal(scheme.name)
        message = f"{message}: found {listed(sorted(other))}, expected {listed(expected)}"
        yield Diagnostic("disjoint", message, hint, (renamed,))

    def _other_case(self, are_relations: bool) -> Iterator[Diagnostic]:
        gold, candidate = self.gold, self.candidate
        what = "relations" if are_relations else "labels"
        by_case = {label.casefold(): label for label in gold if label not in candidate}
        other_case = {
            label: by_case[label.casefold()]
            for label in sorted(candidate.keys() - gold.keys())
            if label.casefold() in by_case
        }
        if other_case:
            named = listed([f"{label} for {known}" for label, known in other_case.items()])
            number = sum(candidate[label] for label in other_case)
            renamed = _renamed(what, [f"{label}>{known}" for label, known in other_case.items()])
            yield Diagnostic(
                "case",
                f"{what} of the candidate differ from gold's by case only: {named}, in "
                f"{quantity(number, 'place')}",
                "write both sides in the same case: {}",
                (renamed,),
            )

    def _one_sided_functions(self, scheme: Scheme | None) -> Iterator[Diagnostic]:
        if "-" not in "".join(self.gold) and "-" not in "".join(self.candidate):
            return
        # R-SIMPX is a category: nothing is called R.
        known = self.gold.keys() | self.candidate.keys()

        def has_function(label: str) -> bool:
            category, separator, _ = label.partition("-")
            return bool(separator) and category in known

        gold, candidate = (proportion(side, has_function) for side in (self.gold, self.candidate))
        if max(gold, candidate) <= SOME or min(gold, candidate) > 0:
            return
        hint = "name the scheme ({}), which strips them, or strip them: {}"
        if scheme is not None:
            mark = scheme.labels.function[:1]
            read = f"reads functions only after {mark!r}" if mark else "has no functions in labels"
            hint = f"the scheme {scheme.name} {read}; strip them without {{}}: {{}}"
        yield Diagnostic(
            "functions",
            f"only {'gold' if gold else 'the candidate'} has functions in its labels "
            f"({100 * max(gold, candidate):.0f} % of them), so these never match",
            hint,
            (argument("scheme"), transformed("strip_functions")),
        )

    def _one_sided_subtypes(self) -> Iterator[Diagnostic]:
        """Relations have subtypes (``nsubj:pass``) on one side only."""
        gold, candidate = (
            proportion(side, lambda label: ":" in label) for side in (self.gold, self.candidate)
        )
        if max(gold, candidate) > 0.01 and min(gold, candidate) == 0:
            yield Diagnostic(
                "subtypes",
                f"only {'gold' if gold else 'the candidate'} has relations with subtypes "
                f"({100 * max(gold, candidate):.1f} % of its relations)",
                "use {}, which strips subtypes",
                (argument("metric", "conll18"),),
            )


def _label_codes(bank: Treebank) -> tuple[Int32Array, str]:
    """Return the labels, and the separator before their functions."""
    return bank.nodes.label, "-"


def _relation_codes(bank: Treebank) -> tuple[Int32Array, str]:
    """Return the relations, and the separator before their subtypes."""
    return bank.tokens.relation, ":"


def _plain_labels(vocabulary: Vocabulary, codes: Int32Array, separator: str) -> BoolArray:
    """A mask of the codes of labels, of none if one has a separator; the last one is for -1."""
    occurring = vocabulary.occurring(codes)
    are_plain = np.zeros(len(vocabulary) + 1, np.bool_)
    if separator not in "".join(vocabulary.decode(occurring)):
        are_plain[occurring] = are_plain[0] = True
    return are_plain


def _renamed(what: str, names: list[str]) -> NamedArgument:
    of = ",of=relations" if what == "relations" else ""
    return transformed(f"map_labels:labels={'+'.join(names)}{of}")


@dataclass(frozen=True, eq=False)
class UnlikeWrappers(Check):
    """A node such as TOP or ROOT is over the whole tree on one side only, or has another name there.

    Kept are the numbers of such nodes by their labels, of sentences with words, and whether both sides have
    a label.
    """

    gold: Mapping[str, int]
    candidate: Mapping[str, int]
    gold_sentences: int
    candidate_sentences: int
    gold_has_label: bool
    candidate_has_label: bool

    @classmethod
    def applies(cls, metric: Metric, scoring: Scoring, scheme: object, *, is_raw: bool) -> bool:
        """Whether brackets of roots are compared."""
        return (
            VIEWS[metric.view].of_candidates == "constituents" and getattr(metric, "root", True) is not False
        )

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count the nodes over whole trees."""
        gold, candidate = chunk.pair.gold, chunk.pair.candidate
        return cls(
            gold.derived(_wrappers, lambda: _wrappers(gold)),
            _wrappers(candidate),
            int(np.count_nonzero(gold.tokens.lengths())),
            int(np.count_nonzero(candidate.tokens.lengths())),
            bool(np.count_nonzero(gold.nodes.label)),
            bool(np.count_nonzero(candidate.nodes.label)),
        )

    @classmethod
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether a first node of a side wraps its tree."""
        gold, candidate = chunk.pair.gold, chunk.pair.candidate
        return bool(gold.derived(_wrappers, lambda: _wrappers(gold)) or _wrappers(candidate))

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report nodes over nearly all trees of one side, or with two names."""
        gold, of_gold = _most_frequent(self.gold, self.gold_sentences)
        candidate, of_candidate = _most_frequent(self.candidate, self.candidate_sentences)
        least, most = sorted((of_gold, of_candidate))
        has_labels = self.gold_has_label and self.candidate_has_label
        # A response may have more structure than its key.
        of_response = bool(VIEWS[comparison.metric.view].candidates) and of_candidate == most
        if most > MOST and least < SOME and not of_response:
            side, name = ("gold", gold) if of_gold == most else ("the candidate", candidate)
            yield Diagnostic(
                "wrappers",
                f"only {side} has a node {name or 'without a label'} over its trees",
                # Without roots on both sides the other side would lose more.
                "delete it there: {}",
                (transformed("delete_roots"),),
            )
        elif least > MOST and gold != candidate and has_labels and compares_labels(comparison.metric):
            names = (gold or "one without a label", candidate or "one without a label")
            yield Diagnostic(
                "wrappers",
                f"the node over gold's trees is {names[0]}, over the candidate's {names[1]}, so they never "
                "match",
                "exclude them with {}, or delete them on both sides: {}",
                (argument("root", "no", of_metric=True), transformed("delete_roots")),
            )


def _wrappers(bank: Treebank) -> Mapping[str, int]:
    """Return the numbers of nodes that are the only root of a sentence, by those labels that wrap trees."""
    nodes = bank.nodes
    # In pre-order the first node of a sentence is a root.
    first = nodes.offsets[:-1][nodes.lengths() > 0]
    distinct = {*nodes.label.take(first).tolist()}
    codes = {code: name for code in distinct if (name := bank.vocabulary[code]) in WRAPPERS}
    if not codes:
        return {}
    roots = by_sentence(nodes.offsets, nodes.parent == NO_PARENT)
    labels = nodes.label[nodes.offsets[:-1][roots == 1]]
    numbers = {codes[code]: int(np.count_nonzero(labels == code)) for code in codes}
    return {name: number for name, number in numbers.items() if number}


def _most_frequent(numbers: Mapping[str, int], sentences: int) -> tuple[str, float]:
    """Return the most frequent label of wrappers, and the proportion of sentences with it."""
    if not numbers:
        return "", 0.0
    most = max(numbers, key=lambda name: (numbers[name], name))
    return most, numbers[most] / max(sentences, 1)


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
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether the scheme does not know most of gold's categories."""
        assert chunk.scheme is not None
        known = chunk.scheme.known_proportion(cls.observed(chunk).categories)
        return known is not None and known <= HALF

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
        if own is None or own > HALF:
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
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether signs are missed."""
        return cls.observed(chunk).missed > 0

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count the signs, and those with a tag that the scheme does not know."""
        gold, scheme = chunk.gold, chunk.scheme
        assert scheme is not None
        signs = flags_of_codes(gold.tokens.form, gold.vocabulary.flagged(are_punctuation))
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
