"""Labels that cannot match: other names, another case, functions, subtypes or wrappers on one side only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from crossbank.converters.schemes.views import OF_DEPENDENCIES, VIEWS
from crossbank.metrics.checks.check import Check, ComparedChunk, Comparison, Diagnostic, proportion
from crossbank.metrics.counting.items import by_sentence
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.named_arguments import NamedArgument, argument, transformed, universal
from crossbank.treebanks.quantities import listed, quantity

if TYPE_CHECKING:
    from crossbank.converters.schemes.scheme import Scheme

HALF = 0.5
"""The proportion of a side's labels that the other side may lack; beyond it the label sets are disjoint."""

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
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count the labels of both sides."""
        count = _relations if chunk.metric.view in OF_DEPENDENCIES else _labels
        gold = chunk.pair.gold
        return cls(gold.derived(count, lambda: count(gold)), count(chunk.pair.candidate))

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


def _labels(bank: Treebank) -> Mapping[str, int]:
    return bank.vocabulary.counted(bank.nodes.label)


def _relations(bank: Treebank) -> Mapping[str, int]:
    return bank.vocabulary.counted(bank.tokens.relation)


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
        if most > MOST and least < SOME:
            side, name = ("gold", gold) if of_gold == most else ("the candidate", candidate)
            yield Diagnostic(
                "wrappers",
                f"only {side} has a node {name or 'without a label'} over its trees, a bracket that the "
                "other side cannot have",
                # Without roots on both sides the other side would lose more.
                "delete them on that side: {}",
                (transformed("delete_roots"),),
            )
        elif least > MOST and gold != candidate and has_labels and compares_labels(comparison.metric):
            names = (gold or "one without a label", candidate or "one without a label")
            yield Diagnostic(
                "wrappers",
                f"the node over gold's trees is {names[0]}, over the candidate's {names[1]}, so they never "
                "match",
                "leave them out with {}, or delete them on both sides: {}",
                (argument("root", "no", of_metric=True), transformed("delete_roots")),
            )


def _wrappers(bank: Treebank) -> Mapping[str, int]:
    """Return the numbers of nodes that are the only root of a sentence, by those labels that wrap trees."""
    nodes = bank.nodes
    # In pre-order the first node of a sentence is a root.
    first = nodes.offsets[:-1][nodes.lengths() > 0]
    codes = {code: name for name in WRAPPERS if (code := bank.vocabulary.code(name)) >= 0}
    occurring = codes.keys() & set(nodes.label[first].tolist())
    if not occurring:
        return {}
    roots = by_sentence(nodes.offsets, nodes.parent == NO_PARENT)
    labels = nodes.label[nodes.offsets[:-1][roots == 1]]
    numbers = {codes[code]: int(np.count_nonzero(labels == code)) for code in occurring}
    return {name: number for name, number in numbers.items() if number}


def _most_frequent(numbers: Mapping[str, int], sentences: int) -> tuple[str, float]:
    """Return the most frequent label of wrappers, and the proportion of sentences with it."""
    if not numbers:
        return "", 0.0
    most = max(numbers, key=lambda name: (numbers[name], name))
    return most, numbers[most] / max(sentences, 1)
