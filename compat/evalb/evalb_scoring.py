"""EVALB's score of a sentence: words paired, brackets matched, tags compared.

Sekine, Satoshi and Michael John Collins (1997): EVALB; with the repair of quotation marks by David
Ellis (2006). EVALB's peculiarities are reproduced, since the numbers must be the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, islice, pairwise, repeat
from typing import NamedTuple

import numpy as np

from crossbank.compat.evalb.lines import BracketLines, LineReader, SentenceBuffer, SentenceTexts
from crossbank.compat.evalb.loops.line_reading import SECOND_WORD, TEXT_OUTSIDE, UNBALANCED
from crossbank.compat.evalb.loops.line_scoring import (
    LENGTHS_DIFFER,
    NO_WORDS,
    SHORT_WORD_DIFFERS,
    WORD_DIFFERS,
    LineColumns,
    ScoringRules,
    score_lines,
)
from crossbank.compat.evalb.parameters import EvalbParameters, Pair
from crossbank.metrics.counting.items import by_sentence
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.ranges import map_side_by_side
from crossbank.treebanks.scanners.interning import StringTable

MAX_STRINGS = 1 << 18
"""The number of distinct strings that are kept from chunk to chunk."""

QUOTATION_MARKS = ("'", '"', "/")
"""The words that EVALB takes for quotation marks."""


@dataclass(frozen=True)
class Dialect:
    """Treatment of labels, tags and short sentences by a program of EVALB's family.

    label_ends    the characters before which a label is cut
    deletes_words whether a word whose tag is in DELETE_LABEL is omitted
    cuts_tags     whether tags, and the labels in DELETE_LABEL, are cut like labels
    goes_on       whether gold with one word or none is scored although the candidate has more
    """

    label_ends: str = "-="
    deletes_words: bool = True
    cuts_tags: bool = False
    goes_on: bool = False

    def cut(self, label: str) -> str:
        """Return a label without functions and indices: ``NP-SBJ=2`` is ``NP``, ``-NONE-`` is empty."""
        return re.split(f"[{self.label_ends}]", label, maxsplit=1)[0]

    def tag(self, tag: str) -> str:
        """Return a tag as it is compared."""
        return self.cut(tag) if self.cuts_tags else tag


EVALB = Dialect()


class LineCounts(NamedTuple):
    """One row per pair of lines; every column is int32 of shape ``(lines,)``.

    status, length, matched, gold, candidate, crossing, words, tags
        the columns of EVALB's report; all but the first two are 0 if the sentences were not compared
    outcome
        how far EVALB came with the sentence
    gold_words, candidate_words
        the numbers of words that are not deleted
    gold_word, candidate_word
        the codes of the first words that differ, in the table of the chunk
    gold_brackets
        the brackets of gold, whether or not the sentences were compared
    """

    status: Int32Array
    length: Int32Array
    matched: Int32Array
    gold: Int32Array
    candidate: Int32Array
    crossing: Int32Array
    words: Int32Array
    tags: Int32Array
    outcome: Int32Array
    gold_words: Int32Array
    candidate_words: Int32Array
    gold_word: Int32Array
    candidate_word: Int32Array
    gold_brackets: Int32Array


class ScoredChunk(NamedTuple):
    """Scored lines of both files, to the end of the shorter file.

    first     the number of lines before them
    rows      their rows
    flawed    whether reading each line was an error, in gold or candidate
    unparsed  gold's brackets as EVALB_SPMRL counts them where the candidate has no words, shape ``(lines,)``
    errors    EVALB's messages in their order: the line, from 1, and the message
    """

    first: int
    rows: LineCounts
    flawed_gold: BoolArray
    flawed_candidate: BoolArray
    unparsed: Int32Array
    errors: Sequence[tuple[int, str]]


def scored_chunks(
    gold: SentenceBuffer, candidate: SentenceBuffer, parameters: EvalbParameters, dialect: Dialect = EVALB
) -> Iterator[ScoredChunk]:
    """Yield all lines of two files, chunk by chunk, scored on all cores."""
    rules = CodedParameters(parameters, dialect)
    idle: list[ChunkScorer] = []

    def score(chunk: tuple[int, SentenceTexts, SentenceTexts]) -> ScoredChunk:
        scorer = idle.pop() if idle else ChunkScorer(rules)
        scored = scorer.score(*chunk)
        idle.append(scorer)
        return scored

    return map_side_by_side(score, _aligned(gold, candidate))


def _aligned(
    gold: SentenceBuffer, candidate: SentenceBuffer
) -> Iterator[tuple[int, SentenceTexts, SentenceTexts]]:
    """Yield chunks of both files with equal numbers of sentences, and the number of those before.

    Where one file has more, the last chunk has the first sentence that the other lacks.
    """
    first = 0
    while all([gold.fill(), candidate.fill()]):
        size = min(len(gold), len(candidate))
        yield first, gold.take(size), candidate.take(size)
        first += size
    if len(gold) or len(candidate):
        yield first, gold.take(min(len(gold), 1)), candidate.take(min(len(candidate), 1))


class CodedParameters:
    """Parameters of a program by the codes of a table of strings, which has theirs first.

    rules     those of the loop
    unparsed  the counts of ``-X`` for a bracket: one for it, and one for each DELETE_LABEL, listed twice or
              not, that it is not. By label; the last is that of a label which no parameter names
    """

    def __init__(self, parameters: EvalbParameters, dialect: Dialect) -> None:
        self.parameters, self.dialect = parameters, dialect
        deleted = [dialect.cut(label) for label in parameters.delete_label]
        of_brackets = replace(parameters, delete_label=tuple(map(dialect.tag, parameters.delete_label)))
        listed = (
            parameters.delete_label,
            of_brackets.deleted_bracket_labels(),
            parameters.delete_label_for_length,
            parameters.quote_label,
            QUOTATION_MARKS,
            deleted,
            chain.from_iterable(parameters.eq_label),
            chain.from_iterable(parameters.eq_word),
        )
        strings = dict.fromkeys(["", *chain.from_iterable(listed)])
        self._codes = {string: code for code, string in enumerate(strings)}
        self.rules = ScoringRules(
            deleted_word=self._mask(parameters.delete_label if dialect.deletes_words else ()),
            deleted_quote=self._mask(parameters.delete_label),
            deleted_bracket=self._mask(of_brackets.deleted_bracket_labels()),
            not_in_length=self._mask(parameters.delete_label_for_length),
            quote_tag=self._mask(parameters.quote_label),
            quotation_mark=self._mask(QUOTATION_MARKS),
            same_label=self._pairs(parameters.eq_label),
            same_word=self._pairs(parameters.eq_word),
            labeled=parameters.labeled,
            goes_on=dialect.goes_on,
        )
        equal = {pair for one, other in parameters.eq_label for pair in ((one, other), (other, one))}
        self.unparsed = np.array(
            [
                1 + sum(label != other and (label, other) not in equal for other in deleted)
                for label in strings
            ]
            + [1 + len(deleted)],
            np.int32,
        )

    def table(self) -> StringTable:
        """Return a table that has the strings of the parameters."""
        encoded = [string.encode("utf-8", "surrogateescape") for string in self._codes]
        table = StringTable(np.frombuffer(b"".join(encoded), np.uint8), len(encoded))
        for begin, end in pairwise(accumulate(map(len, encoded))):
            table.code(begin, end)
        return table

    def _mask(self, strings: Iterable[str]) -> BoolArray:
        return np.isin(np.arange(len(self._codes)), [self._codes[string] for string in strings])

    def _pairs(self, pairs: tuple[Pair, ...]) -> Int32Array:
        codes = [(self._codes[one], self._codes[other]) for one, other in pairs]
        return np.array(codes, np.int32).reshape(-1, 2)


class ChunkScorer:
    """Scorer of one chunk after the other, whose memory is used again for the next one."""

    def __init__(self, coded: CodedParameters) -> None:
        self._coded = coded
        self._table = coded.table()
        self._gold, self._candidate = (LineReader(coded.dialect.label_ends) for _ in range(2))

    def score(self, first: int, gold: SentenceTexts, candidate: SentenceTexts) -> ScoredChunk:
        """Return the lines of a chunk; ``first`` lines come before."""
        if self._table.size > MAX_STRINGS:
            self._table = self._coded.table()
        gold_lines = self._gold.read(gold, self._table)
        lines = self._candidate.read(candidate, self._table)
        count = min(len(gold_lines.flaw), len(lines.flaw))
        rows = np.zeros((len(LineCounts._fields), count), np.int32)
        score_lines(self._side(gold_lines), self._side(lines), self._coded.rules, rows)
        scored = LineCounts(*rows)
        # Messages after the last allowed error are never printed, and one line may have infinitely many.
        most = self._coded.parameters.max_error
        errors = self._errors(gold_lines, lines, scored, endless=most is not None)
        errors = islice(errors, None if most is None else max(most, 0) + 2)
        return ScoredChunk(
            first,
            scored,
            gold_lines.flawed[:count],
            lines.flawed[:count],
            self._unparsed(gold_lines)[:count] if (scored.outcome == NO_WORDS).any() else scored.gold,
            [(first + row + 1, message) for row, message in errors],
        )

    def _side(self, lines: BracketLines) -> LineColumns:
        return LineColumns(
            lines.word_offsets,
            lines.word,
            lines.tag,
            lines.cut_tag if self._coded.dialect.cuts_tags else lines.tag,
            lines.bracket_offsets,
            lines.label,
            lines.start,
            lines.end,
            lines.flawed,
        )

    def _unparsed(self, gold: BracketLines) -> Int32Array:
        weight = self._coded.unparsed
        amount = np.where(gold.start != gold.end, weight[np.minimum(gold.label, len(weight) - 1)], 0)
        counted: Int32Array = by_sentence(gold.bracket_offsets, amount).astype(np.int32)
        return counted

    def _errors(
        self, gold: BracketLines, candidate: BracketLines, rows: LineCounts, *, endless: bool
    ) -> Iterator[tuple[int, str]]:
        """Yield all errors in their order: the row and the message."""
        both = len(rows.status)
        wrong = gold.flawed[:both] | candidate.flawed[:both]
        wrong |= np.isin(rows.outcome, (LENGTHS_DIFFER, WORD_DIFFERS, SHORT_WORD_DIFFERS))
        for row in np.flatnonzero(wrong).tolist():
            for lines in (gold, candidate):
                for message in _about_reading(lines, row, endless):
                    yield row, message
            if rows.outcome[row] == LENGTHS_DIFFER:
                yield row, f"Length unmatch ({rows.gold_words[row]}|{rows.candidate_words[row]})"
            elif rows.outcome[row] in (WORD_DIFFERS, SHORT_WORD_DIFFERS):
                words = (self._string(code[row]) for code in (rows.gold_word, rows.candidate_word))
                yield row, "Words unmatch ({}|{})".format(*words)
        if len(gold.flaw) > both:
            for message in _about_reading(gold, both, endless):
                yield both, message
            yield both, "Number of lines unmatch (too many lines in gold file)"
        elif len(candidate.flaw) > both:
            yield both, "Number of lines unmatch (too many lines in test file)"

    def _string(self, code: int) -> str:
        return self._table.string(int(code)).decode("utf-8", "surrogateescape")


def _about_reading(lines: BracketLines, row: int, endless: bool) -> Iterator[str]:
    """Yield the messages about a line.

    At text outside brackets EVALB repeats its message for ever, until there are too many errors. Where there
    never are, such a line is one error.
    """
    yield from repeat("Bracketing unbalance (too many close bracket)", int(lines.overclosed[row]))
    flaw = int(lines.flaw[row])
    if flaw == SECOND_WORD:
        yield "More than two elements in a bracket"
    if flaw in (SECOND_WORD, TEXT_OUTSIDE):
        yield from repeat("Reading sentence") if endless else repeat("Reading sentence", 1)
    if flaw == UNBALANCED:
        yield "Bracketing is unbalanced (too many open bracket)"
