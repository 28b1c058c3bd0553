"""Checks of words: why they differ (a sentence too many, other tokens), and how files write them."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Self, TypeAlias

import numpy as np

from crossbank.metrics.checks.check import MAX_KEYS, Check, ComparedChunk, Comparison, Diagnostic
from crossbank.metrics.counting.metric import Metric
from crossbank.metrics.counting.scoring import Scoring
from crossbank.metrics.pairing.pair import Status, first_difference, has_canonical_strings, is_canonical
from crossbank.metrics.pairing.word_forms import ALIGNED, ESCAPES, canonical, has_escape
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.damage.correction import SKIPPED, STEP
from crossbank.treebanks.diagnosis import CHOICES
from crossbank.treebanks.files import STANDARD
from crossbank.treebanks.named_arguments import argument, transformed
from crossbank.treebanks.quantities import describe_amount, quantity
from crossbank.treebanks.sentence_matching import BY_IDENTIFIER, matched_findings

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
    is_same_as_read     whether the words were the same before gold and candidate were converted
    """

    index: int
    name: str
    gold: Words
    candidate: Words
    previous: Words | None
    following: Words | None
    is_same_as_read: bool = False


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
        return not chunk.pair.are_scored

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Take the words of the sentences that differ, and of gold's neighbours."""
        gold, candidate, status = chunk.pair.gold, chunk.pair.candidate, chunk.pair.status
        indices = np.flatnonzero(status == Status.WORDS_DIFFER)
        has_as_read = len(chunk.gold) == len(chunk.candidate) == len(gold)
        differing = tuple(
            OtherWords(
                index,
                gold.sentence_id(index),
                _words(gold, index),
                _words(candidate, index),
                _words(gold, index - 1) if index else None,
                _words(gold, index + 1) if index + 1 < len(status) else None,
                has_as_read and chunk.gold.words(index) == chunk.candidate.words(index),
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
                    "one sentence is missing or added there: insert an empty line or remove the sentence",
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
                f'{number} of the candidate differ from gold by quotation marks only, as `` for "',
                "write quotation marks on both sides in the same way",
            )
        if split > 0.5 * len(differing):
            return Diagnostic(
                "split",
                f"{number} of the candidate have gold's letters, split into other words",
                "use {}, which aligns such words, or the metric conll18",
                (argument("words", "characters"),),
            )
        first = differing[0]
        if all(one.is_same_as_read for one in differing):
            return Diagnostic(
                "deleted_words",
                f"in {total} of {sentences} other words were deleted from the candidate than from gold, "
                f"first in sentence {first.name} ({first_difference(first.gold, first.candidate)})",
                "its own tags decide which words are deleted; {} decides how such sentences count",
                (argument("unscored"),),
            )
        if self.total > 0.9 * max(comparison.sentences - self.unparsed, 1):
            return Diagnostic(
                "other_gold",
                f"{total} of {sentences} of the candidate have other words than gold",
                "is it the same text? compare the first words of the two files",
            )
        return Diagnostic(
            "words",
            f"{total} of {sentences} of the candidate have other words than gold, "
            f"first in sentence {first.name} ({first_difference(first.gold, first.candidate)})",
            "correct the words, or use {}; {} decides how such sentences count",
            (argument("words", "align"), argument("unscored")),
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
        gold, candidate = chunk.pair.gold.vocabulary, chunk.pair.candidate.vocabulary
        return gold.code(cls.TAG) >= 0 or candidate.code(cls.TAG) >= 0

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


HEAD = 1 << 16
"""The number of bytes of a file in which a line end is looked for."""

BRACKETS = frozenset(ESCAPES.values())
"""The characters that are escaped."""


@dataclass(frozen=True, eq=False)
class OtherNormalForms(Check):
    """Forms are in NFC on one side and in NFD on the other, or escaped on one side only.

    Kept are the distinct forms of each side that are not ASCII or have brackets: at least the first
    ``MAX_KEYS`` in alphabetical order, on which it reports.
    """

    is_of_sources: ClassVar[bool] = True

    gold: frozenset[str]
    candidate: frozenset[str]
    differ: bool

    @classmethod
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether a side has forms that do not stand for themselves."""
        return not (has_canonical_strings(chunk.gold) and is_canonical(chunk.candidate.vocabulary))

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Take the forms of both sides that are not ASCII, escapes and brackets."""
        gold, candidate = chunk.gold, chunk.candidate
        of_gold: frozenset[str] = gold.derived(_special_forms, lambda: _special_forms(gold))
        return cls(of_gold, _special_forms(candidate), cls.may_report(chunk))

    def followed_by(self, other: Self, distance: int) -> Self:
        """Return the forms of two runs."""
        return type(self)(
            _joined(self.gold, other.gold),
            _joined(self.candidate, other.candidate),
            self.differ or other.differ,
        )

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report decomposed forms beside composed ones, and escapes beside brackets."""
        if not self.differ:
            return
        forms = (_first(self.gold), _first(self.candidate))
        names = (("gold", "the candidate"), ("the candidate", "gold"))
        plain = [{form for form in side if not form.isascii()} for side in forms]
        composed = [sum(unicodedata.is_normalized("NFC", form) for form in side) for side in plain]
        for own, (side, other) in enumerate(names):
            decomposed = len(plain[own]) - composed[own]
            if decomposed > 0.5 * len(plain[own]) and composed[1 - own] > 0.5 * len(plain[1 - own]):
                yield Diagnostic(
                    "normalisation",
                    f"{side} has {quantity(decomposed, 'form')} in NFD (decomposed), "
                    f"where {other} has NFC (composed)",
                    "they count as the same words here, but not in other programs: write both files in NFC",
                )
        sources = (comparison.gold.file, comparison.candidate.file)
        gold, candidate = (Path(file.removesuffix(".gz")) for file in sources)
        if gold.suffix != candidate.suffix or (not gold.suffix and (str(gold) == STANDARD or gold.exists())):
            return  # formats that need escapes are beside those that do not, or names tell no format
        escaped = [{form for form in side if any(escape in form for escape in ESCAPES)} for side in forms]
        brackets = [{form for form in side if form in BRACKETS} for side in forms]
        for own, (side, _) in enumerate(names):
            raw = {canonical(form) for form in escaped[own]}
            if escaped[own] and not brackets[own] and brackets[1 - own] & raw:
                yield Diagnostic(
                    "escapes",
                    f"only {side} writes brackets as {sorted(escaped[own])[0]}",
                    "they count as the same words here, but not in other programs",
                )


def are_special(forms: Sequence[str]) -> BoolArray:
    """Return of each form whether it is not ASCII, contains an escape or is a bracket."""
    special: BoolArray = ~np.fromiter(map(str.isascii, forms), np.bool_, len(forms))
    special |= np.fromiter(map(BRACKETS.__contains__, forms), np.bool_, len(forms))
    if any(map("\n".join(forms).__contains__, ESCAPES)):
        special |= np.fromiter(map(has_escape, forms), np.bool_, len(forms))
    return special


def _joined(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    if other <= one:
        return one
    forms = one | other
    # Sorting as often as there are chunks would take longer than all else.
    return _first(forms) if len(forms) > 4 * MAX_KEYS else forms


def _first(forms: frozenset[str]) -> frozenset[str]:
    """Return the first forms in alphabetical order: the same whatever the chunks are."""
    return forms if len(forms) <= MAX_KEYS else frozenset(sorted(forms)[:MAX_KEYS])


def _special_forms(bank: Treebank) -> frozenset[str]:
    """Return the forms that are not ASCII, contain an escape or are a bracket."""
    special = bank.vocabulary.flagged(are_special)
    if not np.count_nonzero(special):
        return frozenset()
    codes = bank.vocabulary.occurring(bank.tokens.form)
    return frozenset(bank.vocabulary.decode(codes[special[codes]]))


@dataclass(frozen=True, eq=False)
class OtherLineEnds(Check):
    """One file has Windows line ends and the other has not. Kept is nothing: the facts name the files."""

    is_of_sources: ClassVar[bool] = True

    @classmethod
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether both were read from the lines of files."""
        gold, candidate = chunk.gold.sentences.line, chunk.candidate.sentences.line
        return len(gold) > 0 < len(candidate) and bool(gold[0] and candidate[0])

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Observe nothing."""
        return cls()

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report line ends of Windows in one of two files."""
        ends = []
        for name in (comparison.gold.file, comparison.candidate.file):
            path = Path(name)
            if not name or path.suffix == ".gz" or not path.is_file():
                return
            with path.open("rb") as stream:
                ends.append(b"\r\n" in stream.read(HEAD))
        if ends[0] != ends[1]:
            yield Diagnostic(
                "line_ends",
                f"only the file of {'gold' if ends[0] else 'the candidate'} has Windows line ends (CRLF)",
                "no effect here, but other programs may read them as part of the last word",
            )


@dataclass(frozen=True, eq=False)
class DamagedSentences(Check):
    """Sentences of a source could not be read. Kept is how often each kind of damage occurs in it."""

    is_of_sources: ClassVar[bool] = True

    gold: Mapping[str, int]
    candidate: Mapping[str, int]

    @classmethod
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether readers have noted something."""
        return bool(chunk.gold.diagnosis or chunk.candidate.diagnosis)

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count the damage of both sides."""
        return cls(_damage(chunk.gold), _damage(chunk.candidate))

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report the sentences without a parse, and what was repaired in others."""
        for name, kinds in (("gold", self.gold), ("the candidate", self.candidate)):
            if not kinds:
                continue
            repaired = {kind: number for kind, number in kinds.items() if kind != SKIPPED}
            parts = [f"{kinds[SKIPPED]:,} have no parse"] if SKIPPED in kinds else []
            parts += [f"repaired: {', '.join(f'{n:,} {kind}' for kind, n in repaired.items())}"] * bool(
                repaired
            )
            yield Diagnostic(
                "damaged",
                f"{name} has damaged sentences among {quantity(comparison.sentences, 'sentence')}; "
                f"{'; '.join(parts)}",
                "{} refuses them",
                (argument("damaged", "stop"),),
            )


def _damage(bank: Treebank) -> Counter[str]:
    return Counter({one.event: one.total for one in bank.diagnosis if one.step == STEP})


@dataclass(frozen=True, eq=False)
class ReadingChoices(Check):
    """Sentences of the candidate could be read in several ways. Kept is what was chosen, and how often."""

    is_of_sources: ClassVar[bool] = True

    chosen: Mapping[str, int]

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count the choices."""
        diagnosis = chunk.candidate.diagnosis
        return cls(Counter({one.event: one.total for one in diagnosis if one.step == CHOICES}))

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report all choices."""
        if not self.chosen:
            return
        parts = [describe_amount(number, event) for event, number in self.chosen.items()]
        yield Diagnostic(
            "reading_choices",
            f"the candidate's {quantity(comparison.sentences, 'sentence')}: {', '.join(parts)}",
            "look at these sentences in the candidate's file",
        )


@dataclass(frozen=True, eq=False)
class MatchedSentences(Check):
    """Sentences in any order were matched by something else than identifiers. Kept is how, and how often."""

    is_of_sources: ClassVar[bool] = True

    matched: Mapping[str, int]

    @classmethod
    def may_report(cls, chunk: ComparedChunk) -> bool:
        """Whether sentences were matched."""
        return bool(chunk.candidate.diagnosis and matched_findings(chunk.candidate))

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count how sentences were matched."""
        return cls(Counter({one.event: one.total for one in matched_findings(chunk.candidate)}))

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report all matches if not all are by identifier."""
        if self.matched.keys() <= {BY_IDENTIFIER}:
            return
        parts = [describe_amount(number, event) for event, number in self.matched.items()]
        sentences = quantity(comparison.sentences, "sentence of gold", "sentences of gold")
        yield Diagnostic(
            "matched",
            f"{sentences}: {', '.join(parts)}",
            "check the identifiers in the candidate's file",
        )


@dataclass(frozen=True, eq=False)
class AlignedWords(Check):
    """Words that differ were aligned. Kept is how often each event occurred."""

    events: Mapping[str, int]

    @classmethod
    def applies(cls, metric: Metric, scoring: Scoring, scheme: object, *, is_raw: bool) -> bool:
        """Whether words are aligned."""
        return scoring.words != "same" and not metric.judges_words

    @classmethod
    def observe(cls, chunk: ComparedChunk) -> Self:
        """Count what was aligned."""
        of_step = (one for one in chunk.pair.candidate.diagnosis if one.step == ALIGNED)
        return cls(Counter({one.event: one.total for one in of_step}))

    def report(self, comparison: Comparison) -> Iterator[Diagnostic]:
        """Report each event with its number."""
        if self.events:
            events = "; ".join(f"{event}: {number:,}" for event, number in sorted(self.events.items()))
            yield Diagnostic(
                "aligned_words",
                f"words were aligned ({events})",
                "{} compares only the sentences with the same words",
                (argument("words", "same"),),
            )
