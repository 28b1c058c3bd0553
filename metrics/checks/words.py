"""Why words differ: sentences moved by one, words split otherwise, other quotes, another treebank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self, TypeAlias

import numpy as np

from crossbank.metrics.checks.check import Check, ComparedChunk, Comparison, Diagnostic
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring
from crossbank.metrics.pairing.pair import Status, first_difference
from crossbank.metrics.pairing.word_forms import canonical
from crossbank.treebanks import Treebank
from crossbank.treebanks.named_arguments import argument, transformed
from crossbank.treebanks.quantities import quantity

MAX_SENTENCES = 200
"""The number of sentences with other words that are looked at: a fault of a whole file shows in them."""

MAX_WORDS = 5_000
"""The number of words of a sentence that are looked at."""

QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "«": '"', "»": '"'})

Words: TypeAlias = Sequence[str]


@dataclass(frozen=True)
class OtherWords:
    """A sentence in which words differ.

    index               its index in the run
    gold, candidate     its words
    previous, following  the words of gold's neighbouring sentences; None outside of the run
    """

    index: int
    name: str
    gold: Words
    candidate: Words
    previous: Words | None
    following: Words | None


@dataclass(frozen=True, eq=False)
class DifferingWords(Check):
    """Reason why words differ: moved by a sentence, split otherwise, other quotes, another treebank.

    Kept are the first ``MAX_SENTENCES`` sentences with other words, the words of gold's first and last
    sentence of the run, since neighbours may be in another chunk, and three numbers.
    """

    differing: tuple[OtherWords, ...]
    total: int
    unparsed: int
    sentences: int
    first: Words
    last: Words

    @classmethod
    def applies(cls, metric: Metric, scoring: Scoring, scheme: object, *, is_raw: bool) -> bool:
        """Whether words are compared one by one."""
        return metric.word_by_word

    @classmethod
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether sentences are not scored."""
        return not chunk.are_scored

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Take the words of the sentences that differ, and of gold's neighbours."""
        gold, candidate, status = chunk.pair.gold, chunk.pair.candidate, chunk.pair.status
        indices = np.flatnonzero(status == Status.WORDS_DIFFER)
        differing = tuple(
            OtherWords(
                index,
                gold.sentence_id(index),
                _words(gold, index),
                _words(candidate, index),
                _words(gold, index - 1) if index else None,
                _words(gold, index + 1) if index + 1 < len(status) else None,
            )
            for index in indices[:MAX_SENTENCES].tolist()
        )
        unparsed = int(np.count_nonzero(status == Status.NO_PARSE))
        first = _words(gold, 0) if len(status) else ()
        last = _words(gold, len(status) - 1) if len(status) > 1 else first
        return cls(differing, len(indices), unparsed, len(status), first, last)

    def followed_by(self, other: Self, distance: int) -> Self:
        """Join two runs; gold's neighbours at the seam become known if the runs are adjacent."""
        if not self.sentences:
            return other
        if not other.sentences:
            return self
        earlier = list(self.differing)
        later = [replace(one, index=one.index + distance) for one in other.differing]
        if distance == self.sentences:
            if earlier and earlier[-1].index == distance - 1:
                earlier[-1] = replace(earlier[-1], following=other.first)
            if later and later[0].index == distance:
                later[0] = replace(later[0], previous=self.last)
        return type(self)(
            tuple([*earlier, *later][:MAX_SENTENCES]),
            self.total + other.total,
            self.unparsed + other.unparsed,
            distance + other.sentences,
            self.first,
            other.last,
        )

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report the first reason that holds."""
        differing = self.differing
        if not differing:
            return
        for which, neighbours in (
            ("next", [one.following for one in differing]),
            ("previous", [one.previous for one in differing]),
        ):
            moved = sum(
                neighbour is not None and _canonical(neighbour) == _canonical(one.candidate)
                for one, neighbour in zip(differing, neighbours, strict=True)
            )
            # A single sentence may have the words of its neighbour by chance.
            if moved > max(0.8 * len(differing), 1):
                yield Diagnostic(
                    "shifted",
                    f"the candidate's sentences from number {differing[0].index + 1} on have the words of "
                    f"gold's {which} sentence",
                    "a sentence is missing or one too many there: insert an empty line or remove the "
                    "sentence",
                )
                return
        yield self._difference(comparison)

    def _difference(self, comparison: Comparison) -> Diagnostic:
        from crossbank.metrics.pairing.word_alignment import letters

        total, sentences = f"{self.total:,}", quantity(comparison.sentences, "sentence")
        differing, number = self.differing, quantity(self.total, "sentence")
        quotes = sum(_plain(one.gold) == _plain(one.candidate) for one in differing)
        split = sum(
            len(one.gold) != len(one.candidate) and letters(one.gold) == letters(one.candidate) != ""
            for one in differing
        )
        if quotes > 0.5 * len(differing):
            return Diagnostic(
                "quotes",
                f'in {number} words differ by quotation marks only, as `` for "',
                "write quotation marks on both sides in the same way",
            )
        if split > 0.5 * len(differing):
            return Diagnostic(
                "split",
                f"in {number} the candidate has gold's letters, split into other words",
                "use {}, which joins such words, or the metric conll18",
                (argument("align", "yes", of_metric=True),),
            )
        if self.total > 0.9 * max(comparison.sentences - self.unparsed, 1):
            return Diagnostic(
                "other_gold",
                f"in {total} of {sentences} the candidate has other words than gold",
                "this may be another treebank's gold: compare the first words of the two files",
            )
        first = differing[0]
        return Diagnostic(
            "words",
            f"in {total} of {sentences} the candidate has other words than gold, "
            f"first in sentence {first.name} ({first_difference(first.gold, first.candidate)})",
            "correct the words; {} says whether such sentences count as empty or are left out",
            (argument("unscored"),),
        )


def _words(bank: Treebank, sentence: int) -> Words:
    return bank.words(sentence)[:MAX_WORDS]


def _plain(words: Words) -> list[str]:
    plain = [word.translate(QUOTES) for word in _canonical(words)]
    return [word.replace("``", '"').replace("''", '"').replace("`", "'") for word in plain]


def _canonical(words: Words) -> list[str]:
    return [canonical(word) for word in words]


@dataclass(frozen=True, eq=False)
class TracesOnOneSide(Check):
    """Empty elements (traces) are words on one side only. Kept are their numbers."""

    gold: int
    candidate: int

    TAG: ClassVar[str] = "-NONE-"

    @classmethod
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether one of the vocabularies has the tag."""
        return any(bank.vocabulary.code(cls.TAG) >= 0 for bank in (chunk.pair.gold, chunk.pair.candidate))

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count the tokens with the tag of empty elements."""
        return cls(*(cls._count(bank) for bank in (chunk.pair.gold, chunk.pair.candidate)))

    @classmethod
    def _count(cls, bank: Treebank) -> int:
        code = bank.vocabulary.code(cls.TAG)
        return int(np.count_nonzero(bank.tokens.pos == code)) if code >= 0 else 0

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report empty elements that only one side has."""
        if bool(self.gold) == bool(self.candidate):
            return
        side = "gold" if self.gold else "the candidate"
        yield Diagnostic(
            "traces",
            f"only {side} has empty elements (tag {self.TAG}, {max(self.gold, self.candidate):,} of them), "
            "so words differ",
            "delete them: {}",
            (transformed("delete_empty_elements", "ptb"),),
        )
