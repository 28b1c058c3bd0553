"""Gold and candidate sentence by sentence: the same words, or a reason why not.

Sentences are paired by their order, and every word is compared: a shift by one sentence is seen at
the first word and never scored. Words are the same where they are after Unicode normalisation (NFC)
and with the characters that Penn files escape (``-LRB-``) as themselves: see ``canonical``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.pairing.word_forms import NO_COUNTERPART, canonical, stand_for_themselves
from crossbank.treebanks import FormatError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.cached_properties import cached_property
from crossbank.treebanks.chunks import LengthMismatchError, SourceSize, files_of, name_of_files
from crossbank.treebanks.code_columns import numbers_of_codes
from crossbank.treebanks.diagnosis import FAILED_PARSES
from crossbank.treebanks.named_arguments import argument
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.vocabulary import Vocabulary


@dataclass(frozen=True)
class UnscoredSentence:
    """A sentence that cannot be scored: which, where it is in the candidate's file, and why."""

    sentence: str
    where: str
    status: Status
    detail: str


@dataclass(frozen=True, eq=False)
class Pair:
    """Two treebanks with the same number of sentences, and how each pair of sentences stands.

    ``status`` has shape ``(sentences,)``; in scored sentences token ``i`` of the one is token ``i``
    of the other. Metrics count gold alone in the others.

    first     index in gold's source of the first sentence
    is_chunk  whether this is a chunk of a larger comparison, which may lack what the whole has
    """

    gold: Treebank
    candidate: Treebank
    status: NDArray[np.int8]
    first: int = field(default=0, kw_only=True)
    is_chunk: bool = field(default=False, kw_only=True)

    def __len__(self) -> int:
        return len(self.status)

    @cached_property
    def scored(self) -> BoolArray:
        """A mask of the sentences that are scored."""
        result: BoolArray = self.status == 0  # SCORED
        return result

    @cached_property
    def are_scored(self) -> bool:
        """Whether all sentences are scored."""
        return not np.count_nonzero(self.status)

    @cached_property
    def has_counterpart(self) -> BoolArray:
        """A mask of gold's tokens: those that both sides have, where words were aligned; else all."""
        counterparts = np.ones(len(self.gold.tokens), np.bool_)
        for bank in (self.gold, self.candidate):
            code = bank.vocabulary.code(NO_COUNTERPART)
            if code >= 0:
                tags = bank.tokens.pos if bank is self.gold else self.aligned(bank.tokens.pos, 0)
                counterparts &= tags != code
        return counterparts

    @cached_property
    def _translation(self) -> Int32Array:
        codes = self.candidate.vocabulary.translation(self.gold.vocabulary)
        unknown = (codes < 0).nonzero()[0]
        if not len(unknown):
            return codes
        strings = self.candidate.vocabulary.decode(unknown)
        if not (has_canonical_strings(self.gold) and all(stand_for_themselves(strings))):
            _, same = same_strings(self.gold.vocabulary, self.candidate.vocabulary)
            codes = np.where(codes >= 0, codes, same)
            unknown = (codes < 0).nonzero()[0]
        codes = codes.copy()
        codes[unknown] = unknown + len(self.gold.vocabulary)
        return codes

    @property
    def codes(self) -> int:
        """Number of codes: gold's, and after them those of ``candidate_codes``."""
        return len(self.gold.vocabulary) + len(self.candidate.vocabulary)

    def candidate_codes(self, codes: Int32Array) -> Int32Array:
        """A column of the candidate in gold's codes; strings that gold lacks get the codes after them."""
        return numbers_of_codes(codes, self._translation)

    def aligned(self, column: Int32Array, absent: int) -> Int32Array:
        """A column of the candidate's tokens over gold's tokens: ``absent`` where a sentence is not scored.

        Both have shape ``(tokens,)``, each of its own side.
        """
        over_gold = np.full(len(self.gold.tokens), absent, np.int32)
        of_gold = np.repeat(self.scored, self.gold.tokens.lengths())
        over_gold[of_gold] = column[np.repeat(self.scored, self.candidate.tokens.lengths())]
        return over_gold

    def string(self, code: int) -> str:
        """Return the string of a code of gold's vocabulary, or of one that ``candidate_codes`` gave."""
        known = len(self.gold.vocabulary)
        return self.gold.vocabulary[code] if code < known else self.candidate.vocabulary[code - known]

    def sentence_ids(self) -> Sequence[str]:
        """Return the sentences' identifiers, gold's."""
        return self.gold.sentence_ids

    def select(self, sentences: Sequence[int]) -> Pair:
        """Return the pairs of some sentences, in the order given."""
        chosen = np.asarray(sentences, np.intp)
        return Pair(
            self.gold.select(chosen), self.candidate.select(chosen), self.status[chosen], first=self.first
        )

    def problems(self) -> Iterator[UnscoredSentence]:
        """Yield the sentences that cannot be scored, in order, each with its problem."""
        for sentence in np.flatnonzero(~self.scored).tolist():
            status = Status(int(self.status[sentence]))
            detail = str(status)
            if status is Status.WORDS_DIFFER:
                detail = first_difference(self.gold.words(sentence), self.candidate.words(sentence))
            yield UnscoredSentence(
                self.gold.sentence_id(sentence), self.candidate.where(sentence), status, detail
            )


def first_difference(gold: Sequence[str], candidate: Sequence[str]) -> str:
    """Return what keeps two sentences from being the same: the first word that differs, or their lengths."""
    for position, (expected, actual) in enumerate(zip(gold, candidate, strict=False), 1):
        if canonical(expected) != canonical(actual):
            return f"word {position}: found {actual!r}, expected {expected!r}"
    return f"found {quantity(len(candidate), 'word')}, expected {len(gold)}"


def pair(
    gold: Treebank,
    candidate: Treebank,
    *,
    delete: BoolArray | None = None,
    align: bool = False,
    leave_out: Callable[[Treebank, BoolArray, str], Treebank] = Treebank.without_tokens,
) -> Pair:
    """Pair the sentences of two treebanks and compare their words.

    With ``align`` sentences whose words are the same letters, split differently, are scored as far as
    that allows (``metrics.pairing.word_alignment``); of joined words the first says whether they are deleted.
    Words that ``erase`` took from one side alone are omitted on both.

    ``delete`` marks tokens of gold, shape ``(tokens,)``, that are to be omitted on both sides
    after the words have been compared (punctuation, by gold's tags: a wrong tag in the candidate
    then costs no sentence). A sentence without any other token is skipped. ``leave_out`` is what
    is done with the tokens of a mask on either side: they are deleted.

    Raises CrossbankError if the numbers of sentences differ; sentences without a word at the
    very end of the candidate are not counted then (an empty last line).
    """
    if len(candidate) != (sentences := len(gold)):
        if len(candidate) > sentences and not candidate.tokens.lengths()[sentences:].any():
            candidate = candidate.select(np.arange(sentences))
        refuse_other_number(gold, candidate)
    status = word_status(gold, candidate)
    for step in _steps(align, "erase" in gold.history and "erase" in candidate.history):
        differing = np.flatnonzero(status == Status.WORDS_DIFFER)
        if len(differing):
            gold, candidate, remaining = step(gold, candidate, differing)
            delete = delete[remaining] if delete is not None else None
            status = word_status(gold, candidate)
    if delete is not None and np.count_nonzero(delete):
        scored, both = status == Status.SCORED, delete
        if not scored.all():
            both = np.zeros(len(candidate.tokens), np.bool_)
            of_gold, of_candidate = (np.repeat(scored, side.tokens.lengths()) for side in (gold, candidate))
            both[of_candidate] = delete[of_gold]
        counted = gold.tokens.counted(~delete)
        status[scored & (counted == 0)] = Status.SKIPPED
        gold, candidate = leave_out(gold, delete, "pair"), leave_out(candidate, both, "pair")
    return Pair(gold, candidate, status)


Step: TypeAlias = Callable[[Treebank, Treebank, NDArray[np.intp]], tuple[Treebank, Treebank, BoolArray]]


def _steps(align: bool, erased: bool) -> list[Step]:
    """Return the treatment of sentences whose words differ."""
    if not (align or erased):
        return []
    from crossbank.metrics.pairing.word_alignment import align_words, without_words_of_one_side

    return [align_words] * align + [without_words_of_one_side] * erased


def word_status(gold: Treebank, candidate: Treebank) -> NDArray[np.int8]:
    """Status of each sentence by its words; shape ``(sentences,)``."""
    if have_same_words(gold, candidate):
        return np.zeros(len(gold), np.int8)  # SCORED
    gold_codes, candidate_codes = same_strings(gold.vocabulary, candidate.vocabulary)
    forms = (
        numbers_of_codes(gold.tokens.form, gold_codes),
        numbers_of_codes(candidate.tokens.form, candidate_codes),
    )
    return status_by_words(gold.tokens.offsets, forms[0], candidate.tokens.offsets, forms[1])


def have_same_words(gold: Treebank, candidate: Treebank) -> bool:
    """Return whether all sentences have words, which are the same strings on both sides."""
    words, candidate_words = gold.tokens, candidate.tokens
    if words.offsets.tobytes() != candidate_words.offsets.tobytes() or np.count_nonzero(
        words.lengths()
    ) < len(gold):
        return False
    codes = candidate.vocabulary.translation(gold.vocabulary)
    return words.form.tobytes() == numbers_of_codes(candidate_words.form, codes).tobytes()


def has_canonical_strings(bank: Treebank) -> bool:
    """Return whether all strings of a treebank stand for themselves."""
    return bank.derived("canonical", lambda: is_canonical(bank.vocabulary))


def status_by_words(
    gold_offsets: Int64Array, gold_form: Int32Array, candidate_offsets: Int64Array, candidate_form: Int32Array
) -> NDArray[np.int8]:
    """Status of each sentence, from the codes of its words in one vocabulary; shape ``(sentences,)``."""
    words, candidate_words = np.diff(gold_offsets), np.diff(candidate_offsets)
    same_lengths = gold_offsets.tobytes() == candidate_offsets.tobytes()
    if same_lengths and words.all() and gold_form.tobytes() == candidate_form.tobytes():
        return np.full(len(words), Status.SCORED, np.int8)
    alike = words == candidate_words
    lengths = [words == 0, candidate_words == 0, ~alike]
    status = np.select(lengths, [Status.NO_GOLD, Status.NO_PARSE, Status.WORDS_DIFFER], Status.SCORED)
    differing = gold_form[np.repeat(alike, words)] != candidate_form[np.repeat(alike, candidate_words)]
    status[np.repeat(np.flatnonzero(alike), words[alike])[differing]] = Status.WORDS_DIFFER
    return status.astype(np.int8)


def same_strings(gold: Vocabulary, candidate: Vocabulary) -> tuple[Int32Array, Int32Array]:
    """For every code of each vocabulary gold's first code of the same string (``canonical``), else -1."""
    if is_canonical(gold) and is_canonical(candidate):
        return np.arange(len(gold), dtype=np.int32), candidate.translation(gold)
    return gold.translation(gold, canonical), candidate.translation(gold, canonical)


@lru_cache(maxsize=2)
def is_canonical(vocabulary: Vocabulary) -> bool:
    """True if all strings stand for themselves."""
    return all(vocabulary.flagged(stand_for_themselves).tolist())


def refuse_other_number(gold: Treebank, candidate: Treebank) -> None:
    """Raise LengthMismatchError if there are more or fewer sentences than in gold."""
    if len(gold) != len(candidate):
        dependencies = gold.has_dependencies and not gold.has_constituents
        raise LengthMismatchError(
            SourceSize(name_of_files(files_of(gold)), len(gold)),
            SourceSize(name_of_files(files_of(candidate)), len(candidate)),
            str(argument("metric", "conll18")) if dependencies else "",
        )


def refuse_failed_parses(gold: Treebank) -> None:
    """Raise FormatError where gold has a parser's sign that it failed in place of a tree."""
    for finding in gold.diagnosis:
        if finding.event == FAILED_PARSES and finding.total:
            sentence = int(finding.sentences()[0])
            raise FormatError(
                gold.vocabulary[int(gold.sentences.source[sentence])] or "gold",
                "a tree without words in gold",
                "at least one word, or (()) for a sentence without annotation",
                line=int(gold.sentences.line[sentence]) or None,
                sentence=gold.sentence_id(sentence),
            )


def file_of(bank: Treebank) -> str:
    """Return the file of a treebank's first sentence, for error messages."""
    return (bank.vocabulary[int(bank.sentences.source[0])] if len(bank) else "") or "the treebank"


class Status(IntEnum):
    """Status of a sentence: scored, or the reason why it could not be."""

    SCORED = 0
    NO_PARSE = 1
    WORDS_DIFFER = 2
    NO_GOLD = 3
    SKIPPED = 4
    CYCLE = 5
    SEVERAL_ROOTS = 6

    def __str__(self) -> str:
        return "skipped by rule" if self is Status.SKIPPED else self.name.lower().replace("_", " ")
