"""Checks of a candidate: whether it is gold itself, unparsed or incomplete, has gold's tags, other heads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from crossbank.converters.schemes.views import OF_DEPENDENCIES, VIEWS
from crossbank.metrics.checks.check import Check, ComparedChunk, Comparison, Diagnostic
from crossbank.metrics.counting.items import by_sentence
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring
from crossbank.metrics.pairing.pair import Status
from crossbank.treebanks import ROOT, UNATTACHED, Treebank
from crossbank.treebanks.code_columns import numbers_of_codes
from crossbank.treebanks.named_arguments import argument, transformed
from crossbank.treebanks.quantities import quantity

MIN_SENTENCES = 2
"""The fewest sentences at which it is suspicious that they are gold's, or that parses are missing."""

MIN_TAGS = 200
"""The fewest tokens at which it is suspicious that all tags are right."""

MANY_MISSING = 1 / 3
"""The proportion of sentences without a parse at which a file may have been cut."""

COLUMNS = (
    ("tokens", ("parent", "head"), ("form", "pos", "relation", "function")),
    ("nodes", ("parent",), ("label", "function")),
    ("relations", ("head_index", "dependent_index"), ("name", "head_word", "dependent_word")),
)
"""The tables in which a candidate may be gold itself, with their columns of numbers and of strings."""


@dataclass(frozen=True, eq=False)
class IdenticalToGold(Check):
    """The candidate has gold's tokens, tags, constituents, dependencies and relations in every sentence.

    Functions are compared if the candidate has some: gold without its functions is gold all the same. Of
    several analyses of a sentence the chosen one is compared; nothing is reported if others are scored. Kept
    are four flags and a number.
    """

    is_of_sources: ClassVar[bool] = True

    differs: bool
    differs_in_functions: bool
    has_functions: bool
    is_same_object: bool
    sentences: int

    @classmethod
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether there are enough sentences."""
        return len(chunk.gold) >= MIN_SENTENCES

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Compare the columns of both sides."""
        gold, candidate = chunk.gold.only_chosen(), chunk.candidate.only_chosen()
        if gold is candidate:
            return cls(False, False, False, True, len(gold))
        sizes = [len(getattr(gold, name)) == len(getattr(candidate, name)) for name, *_ in COLUMNS]
        if not all(sizes) or any(_differing_numbers(gold, candidate)):
            return cls(True, True, False, False, len(gold))
        differing = set()
        for name in _differing_strings(gold, candidate):
            differing.add(name)
            if name != "function":
                return cls(True, True, False, False, len(gold))
        functions = bool(candidate.tokens.function.any() or candidate.nodes.function.any())
        return cls(False, bool(differing), functions, False, len(gold))

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report a candidate that does not differ from gold."""
        gold = comparison.gold
        if self.differs or self.is_same_object or self.sentences < MIN_SENTENCES:
            return
        if self.has_functions and self.differs_in_functions:
            return
        others_scored = comparison.scoring.best != "chosen" or comparison.metric.all_analyses
        if comparison.candidate.has_several_analyses and others_scored:
            return
        if gold.has_constituents or gold.has_dependencies:
            yield Diagnostic(
                "identical",
                "the candidate is identical to gold in every sentence",
                "check that it is a parser's output",
            )


def _differing_numbers(gold: Treebank, candidate: Treebank) -> Iterator[bool]:
    for table, numbers, _ in COLUMNS:
        one, other = getattr(gold, table), getattr(candidate, table)
        for name in numbers:
            yield getattr(one, name).tobytes() != getattr(other, name).tobytes()


def _differing_strings(gold: Treebank, candidate: Treebank) -> Iterator[str]:
    codes = candidate.vocabulary.translation(gold.vocabulary)
    for table, _, strings in COLUMNS:
        one, other = getattr(gold, table), getattr(candidate, table)
        for name in strings:
            if getattr(one, name).tobytes() != numbers_of_codes(getattr(other, name), codes).tobytes():
                yield name


@dataclass(frozen=True, eq=False)
class MissingParses(Check):
    """A large part of the candidate's sentences has no parse. Kept is their number."""

    missing: int

    @classmethod
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether sentences are not scored."""
        return not chunk.pair.are_scored and len(chunk.pair) >= MIN_SENTENCES

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count the sentences without a parse."""
        return cls(int(np.count_nonzero(chunk.pair.status == Status.NO_PARSE)))

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report a third of the sentences or more."""
        if self.missing >= MANY_MISSING * comparison.sentences and self.missing >= MIN_SENTENCES:
            yield Diagnostic(
                "missing",
                f"the candidate has no parse for {self.missing:,} of "
                f"{quantity(comparison.sentences, 'sentence')}",
                "check that its file is complete; {} decides how these sentences count",
                (argument("unscored"),),
            )


@dataclass(frozen=True, eq=False)
class WordsAlone(Check):
    """The candidate has words, with tags or not, and no analysis. Kept are two flags."""

    is_analysed: bool
    has_tags: bool
    has_sentence_of_words: bool

    @classmethod
    def applies(cls, metric: Metric, scoring: Scoring, scheme: object, *, is_raw: bool) -> bool:
        """Whether the metric's view is made of trees."""
        return VIEWS[metric.view].of_trees

    @classmethod
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether there is no phrase."""
        return not chunk.candidate.has_constituents

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Look for an analysis, and for a sentence of two words or more."""
        candidate = chunk.candidate
        if candidate.has_constituents or candidate.has_dependencies or candidate.has_relations:
            return cls(True, False, False)
        return cls(False, candidate.has_tags, bool((candidate.tokens.lengths() > 1).any()))

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report a candidate without any analysis."""
        if not self.is_analysed and self.has_sentence_of_words:
            words = "words with tags" if self.has_tags else "words"
            yield Diagnostic(
                "words_alone",
                f"the candidate has {words}, and neither phrases nor heads in any sentence",
                "check that its file is a parser's output",
            )


@dataclass(frozen=True, eq=False)
class GoldTags(Check):
    """The candidate is declared to be parsed from raw text, but all its tags are gold's.

    Kept are the numbers of tags and of those that are gold's.
    """

    tags: int
    same: int

    @classmethod
    def applies(cls, metric: Metric, scoring: Scoring, scheme: object, *, is_raw: bool) -> bool:
        """Whether tags can be compared, and must not be gold's."""
        return is_raw and metric.word_by_word

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Compare the tags of scored sentences."""
        gold, candidate = chunk.pair.gold.tokens, chunk.pair.candidate.tokens
        tags = chunk.pair.aligned(chunk.pair.candidate_codes(candidate.pos), -1)
        known = (tags >= 0) & (gold.pos > 0)
        return cls(int(known.sum()), int((known & (tags == gold.pos)).sum()))

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report that all tags are gold's, if they are many."""
        if self.tags >= MIN_TAGS and self.same == self.tags:
            yield Diagnostic(
                "gold_tags",
                "the candidate is said to be parsed from raw text, but has gold's tag at all "
                f"{quantity(self.tags, 'word')}",
                "say that it was given gold's tags, or parse raw text",
            )


MIN_HEADS = 10
"""The fewest heads that show that they are counted from zero."""


class _OfHeads(Check):
    """A check of the heads of words that are compared one by one."""

    @classmethod
    def applies(cls, metric: Metric, scoring: Scoring, scheme: object, *, is_raw: bool) -> bool:
        """Whether heads of words are compared one by one."""
        return metric.view in OF_DEPENDENCIES and metric.word_by_word


@dataclass(frozen=True, eq=False)
class HeadsFromZero(_OfHeads):
    """Nearly all heads of the candidate are one less than gold's, or one more. Kept are four numbers."""

    heads: int
    same: int
    one_less: int
    one_more: int

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count the heads that are gold's, one less and one more."""
        gold = chunk.pair.gold.tokens.head
        candidate = chunk.pair.aligned(chunk.pair.candidate.tokens.head, UNATTACHED)
        known = (gold >= 0) & (candidate != UNATTACHED)
        moved = (candidate - gold)[known]
        same, less, more = (int(np.count_nonzero(moved == step)) for step in (0, -1, 1))
        return cls(len(moved), same, less, more)

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report heads that are moved by one."""
        if self.heads < MIN_HEADS or self.same >= 0.3 * self.heads:
            return
        for moved, direction in ((self.one_less, "less"), (self.one_more, "more")):
            if moved > 0.6 * self.heads:
                yield Diagnostic(
                    "heads_from_zero",
                    f"{100 * moved / self.heads:.0f} % of the candidate's heads are one {direction} than "
                    "gold's",
                    "heads are counted from 1, and 0 is the root: add or subtract 1 in the candidate's file",
                )


@dataclass(frozen=True, eq=False)
class SeveralRoots(_OfHeads):
    """Sentences of the candidate have several roots where gold has one. Kept are two numbers."""

    several: int
    one_in_gold: int

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count the sentences with one root in gold, and those with several in the candidate."""
        gold, candidate = (
            by_sentence(bank.tokens.offsets, bank.tokens.head == ROOT)
            for bank in (chunk.pair.gold, chunk.pair.candidate)
        )
        several = (gold == 1) & (candidate > 1) & chunk.pair.scored
        return cls(int(np.count_nonzero(several)), int(np.count_nonzero(gold == 1)))

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report more than a few sentences with several roots."""
        sentences = comparison.sentences
        if self.several > 0.01 * sentences and self.one_in_gold > 0.95 * sentences:
            yield Diagnostic(
                "roots",
                f"the candidate has several roots, and gold one, in {self.several:,} of "
                f"{quantity(sentences, 'sentence')}",
                "{} keeps the root over most words",
                (transformed("single_root"),),
            )
