"""Gold and candidate in chunks with the same sentences: memory does not depend on the size of their sources.

A source is read chunk by chunk. The facts of the whole source (``Facts``) are known before its first
chunk is yielded: the source is read ahead until an analysis occurs, or to its end if necessary.

Blank lines of a candidate are separators between its trees, or sentences without a parse. Where each blank
line is between two trees of one line and no two trees are neighbours, its file does not decide it: readers
count the lines in the diagnosis, and they are sentences if gold has as many sentences as the candidate has
trees and blank lines. Sentences of a candidate in any order are matched with gold's (``sentence_matching``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from threading import Lock
from typing import NamedTuple

import numpy as np

from crossbank.treebanks.arrays import offsets_of
from crossbank.treebanks.diagnosis import BLANK_LINES, FAILED_PARSES, Finding
from crossbank.treebanks.errors import CrossbankError
from crossbank.treebanks.named_arguments import argument
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.ranges import side_by_side
from crossbank.treebanks.sentence_matching import is_unordered, match_sentences
from crossbank.treebanks.tables import TABLES
from crossbank.treebanks.treebank import Treebank

CHUNK = 5 << 19
"""The number of bytes of text of a chunk of a file: smaller ones take more time, larger ones more memory."""

ELEMENTS = 5_000
"""The number of elements of a chunk of an iterable."""


FACTS = "facts"
"""The key under which a stored source has its facts."""


@dataclass(frozen=True)
class Facts:
    """The kinds of annotation in a source.

    Conversions and metrics depend on the facts of the source, not of the chunk: a chunk may have no parse, or
    no sentence with several analyses, although the source has some.

    file  the file of the first sentence
    """

    has_constituents: bool = False
    has_dependencies: bool = False
    has_relations: bool = False
    has_tags: bool = False
    has_several_analyses: bool = False
    file: str = ""

    @classmethod
    def of(cls, bank: Treebank) -> Facts:
        """Return the facts of a treebank."""
        return cls(
            bank.has_constituents,
            bank.has_dependencies,
            bank.has_relations,
            bank.has_tags,
            bank.has_several_analyses,
            bank.vocabulary[int(bank.sentences.source[0])] if len(bank) else "",
        )

    @property
    def is_analysed(self) -> bool:
        """Return whether a sentence has an analysis."""
        return self.has_constituents or self.has_dependencies or self.has_relations

    def __or__(self, other: Facts) -> Facts:
        """Return the facts of two sources together."""
        if self == other:
            return self
        return Facts(
            self.has_constituents or other.has_constituents,
            self.has_dependencies or other.has_dependencies,
            self.has_relations or other.has_relations,
            self.has_tags or other.has_tags,
            self.has_several_analyses or other.has_several_analyses,
            self.file or other.file,
        )


class SourceSize(NamedTuple):
    """Name of a source, and the number of its sentences."""

    name: str
    sentences: int


class LengthMismatchError(CrossbankError):
    """Gold and candidate with different numbers of sentences.

    gold, candidate  their names and numbers of sentences
    """

    def __init__(self, gold: SourceSize, candidate: SourceSize, aligning: str = "") -> None:
        self.gold, self.candidate = gold, candidate
        hint = f" ({aligning} aligns them by their text)" if aligning else ""
        sentences = quantity(candidate.sentences, "sentence")
        super().__init__(f"{candidate.name} has {sentences}, {gold.name} has {gold.sentences:,}{hint}")


class Chunk(NamedTuple):
    """Sentences of a part of a source, such as one of several files.

    part  the index of the part
    """

    part: int
    bank: Treebank


class ChunkedSource:
    """A source of sentences that is read chunk by chunk.

    parts          the names of its parts, such as files; empty if the sentences have the names
    lengths        the number of sentences of each part that were yielded
    blank_lines    the number of undecided blank lines of each part that were yielded: ``with_blank_lines``
    is_of_files    whether any thread may read it
    is_read_ahead  whether the whole source is read before the first chunk is yielded, for its facts
    read_again     a function that returns all chunks again, if the source can be read again
    """

    def __init__(
        self,
        parts: list[str],
        chunks: Iterator[Chunk],
        *,
        is_read_ahead: bool = False,
        is_of_files: bool = False,
        read_again: Callable[[], Iterator[Chunk]] | None = None,
    ) -> None:
        self.parts = parts
        self.is_of_files = is_of_files
        self._chunks, self._read_again = chunks, read_again
        self.lengths, self.blank_lines = [0] * len(parts), [0] * len(parts)
        self._ahead: deque[Chunk] = deque()
        self._is_read_ahead = is_read_ahead
        self._facts: Facts | None = None
        self._reading = Lock()

    def facts(self) -> Facts:
        """Return the facts of the whole source."""
        if self._facts is None:
            self._facts = Facts()
            while self._is_read_ahead or not self._facts.is_analysed:
                chunk = next(self._chunks, None)
                if chunk is None:
                    break
                self._ahead.append(chunk)
                self._facts |= Facts.of(chunk.bank)
        return self._facts

    def __iter__(self) -> Iterator[Chunk]:
        """Yield the chunks, once; yielded chunks are not stored."""
        self.facts()
        while True:
            with self._reading:
                chunk = self._ahead.popleft() if self._ahead else next(self._chunks, None)
                if chunk is None:
                    return
                self.lengths[chunk.part] += number_of_sentences(chunk.bank)
                self.blank_lines[chunk.part] += number_of_blank_lines(chunk.bank)
            yield chunk
            del chunk

    def is_unordered(self) -> bool:
        """Return whether sentences may be in another order than gold's; call it before the first chunk."""
        self.facts()
        return any(is_unordered(chunk.bank) for chunk in self._ahead)

    def size(self, part: int | None = None) -> tuple[int, int]:
        """Return the numbers of sentences and of undecided blank lines, of one part or of all.

        A source that can be read again is read once more; all of another one is read ahead.
        """
        chunks: Iterable[Chunk]
        with self._reading:
            if self._read_again is not None:
                chunks, sentences, blank_lines = self._read_again(), 0, 0
            else:
                self._ahead.extend(self._chunks)
                parts = slice(part, None if part is None else part + 1)
                chunks, sentences, blank_lines = (
                    self._ahead,
                    sum(self.lengths[parts]),
                    sum(self.blank_lines[parts]),
                )
            for chunk in chunks:
                if part in (None, chunk.part):
                    sentences += number_of_sentences(chunk.bank)
                    blank_lines += number_of_blank_lines(chunk.bank)
                del chunk
        return sentences, blank_lines

    def has_several_chunks(self) -> bool:
        """Return whether there is more than one chunk; two are read ahead."""
        self.facts()
        while len(self._ahead) < 2 and (chunk := next(self._chunks, None)) is not None:
            self._ahead.append(chunk)
        return len(self._ahead) > 1

    def whole(self) -> Treebank:
        """Return all sentences."""
        return Treebank.concatenate([chunk.bank for chunk in self])


def number_of_sentences(bank: Treebank) -> int:
    """Return the number of sentences, each with one analysis or several."""
    if not bank.has_several_analyses:
        return len(bank)
    return int(np.count_nonzero(bank.sentences.analysis == 0))


class ChunkBuffer:
    """Buffer of the sentences of a source that were read and not yet taken.

    name   name of the source in messages, by default its files
    taken  the number of sentences that were taken
    """

    def __init__(self, name: str, chunks: Iterable[Chunk]) -> None:
        self._name, self.taken = name, 0
        self._files: dict[str, None] = {}
        self._chunks = iter(chunks)
        self._rest: Treebank | None = None
        self._usual = 0

    def __len__(self) -> int:
        return 0 if self._rest is None else number_of_sentences(self._rest)

    def fill(self) -> bool:
        """Read the next chunk unless the buffer has half a chunk; return whether it has a sentence.

        So the small rest of a chunk is joined to the next one.
        """
        while (self._rest is None or len(self) <= self._usual // 2) and self._read_on() and not len(self):
            pass
        return len(self) > 0

    def fill_up(self, sentences: int) -> None:
        """Read until the buffer has this many sentences, or to the end."""
        while (self._rest is None or len(self) < sentences) and self._read_on():
            pass

    def _read_on(self) -> bool:
        """Read the next chunk; return whether there was one."""
        chunk = next(self._chunks, None)
        if chunk is None:
            return False
        self._usual = max(number_of_sentences(chunk.bank), 1)
        if not self._name:
            self._files |= dict.fromkeys(files_of(chunk.bank))
        rest = self._rest if len(self) else None
        self._rest = chunk.bank if rest is None else Treebank.concatenate([rest, chunk.bank])
        return True

    @property
    def name(self) -> str:
        """Name of the source in messages."""
        return self._name or name_of_files(list(self._files))

    def take(self, sentences: int) -> Treebank:
        """Remove sentences from the beginning of the buffer, and return them."""
        bank, rest = self._rest, None
        assert bank is not None
        if sentences < len(self):
            rows = _rows_of_first(bank, sentences)
            bank, rest = bank.between(0, rows), bank.between(rows, len(bank)).compact()
        self._rest = rest
        self.taken += sentences
        return bank

    def skip_wordless(self) -> None:
        """Skip the sentences in the buffer if none of them has a word."""
        while len(self) and not len(self._rest.tokens):  # type: ignore[union-attr]
            self._rest = None
            self.fill()

    def empty(self) -> Treebank | None:
        """Return the treebank of a source without a sentence."""
        return self._rest if not self.taken else None

    def drain(self) -> int:
        """Read to the end; return the number of sentences of the source."""
        rest = len(self) + sum(number_of_sentences(chunk.bank) for chunk in self._chunks)
        self._rest = None
        return self.taken + rest


def _rows_of_first(bank: Treebank, sentences: int) -> int:
    """Return the number of rows of the first sentences, which may have several analyses each."""
    if not bank.has_several_analyses:
        return sentences
    return int(np.flatnonzero(bank.sentences.analysis == 0)[sentences])


def aligned_chunks(gold: ChunkedSource, candidate: ChunkedSource) -> Iterator[tuple[Treebank, Treebank]]:
    """Yield chunks of gold and candidate with equal numbers of sentences.

    Chunks of the two sources may have different sizes: the longer of two chunks is split, and its rest is
    joined to the next. If both sources have several files, the first belongs to the first and so on, and each
    pair has equal numbers of sentences. Blank lines of a candidate that are undecided are
    sentences where gold has as many sentences as the candidate with them. A candidate whose sentences are in
    any order is one chunk.

    Raises
    ------
    LengthMismatchError
        If one source has more sentences; the error has both numbers. Sentences without a word at the very
        end of the candidate are not counted.

    """
    if candidate.is_unordered():
        yield aligned_treebanks(gold, candidate)
        return
    facts = gold.facts()
    by_text = facts.has_dependencies and not facts.has_constituents
    aligning = str(argument("metric", "conll18")) if by_text else ""
    if len(gold.parts) == 1 or len(candidate.parts) == 1:
        left = ChunkBuffer(_name(gold), gold)
        right = ChunkBuffer(_name(candidate), decided_chunks(gold, candidate))
        yield from _aligned(left, right, aligning)
        return
    by_part = (groupby(source, key=attrgetter("part")) for source in (gold, candidate))
    for (part, one), (_, other) in zip(*by_part, strict=True):
        left = ChunkBuffer(gold.parts[part], one)
        right = ChunkBuffer(candidate.parts[part], decided_chunks(gold, candidate, part, other))
        yield from _aligned(left, right, "")


def decided_chunks(
    gold: ChunkedSource,
    candidate: ChunkedSource,
    part: int | None = None,
    chunks: Iterable[Chunk] | None = None,
) -> Iterator[Chunk]:
    """Yield the chunks of a candidate or of a part of it; blank lines are included if they are sentences."""
    are_sentences: bool | None = None
    for chunk in candidate if chunks is None else chunks:
        if blank_lines := number_of_blank_lines(chunk.bank):
            if are_sentences is None:
                are_sentences = sum(candidate.size(part)) == gold.size(part)[0]
            if are_sentences:
                candidate.lengths[chunk.part] += blank_lines
                chunk = Chunk(chunk.part, with_blank_lines(chunk.bank))
        yield chunk
        del chunk


def aligned_treebanks(gold: ChunkedSource, candidate: ChunkedSource) -> tuple[Treebank, Treebank]:
    """Return all of two sources, of which the candidate has its blank lines if these are sentences."""
    # For sources in memory, a thread would take longer than reading.
    sources = [gold.whole, candidate.whole]
    are_files = gold.is_of_files and candidate.is_of_files
    left, right = side_by_side(sources) if are_files else [whole() for whole in sources]
    return left, candidate_beside(right, left)


def _aligned(left: ChunkBuffer, right: ChunkBuffer, aligning: str) -> Iterator[tuple[Treebank, Treebank]]:
    while all(side_by_side([left.fill, right.fill])):
        size = min(len(left), len(right))
        yield left.take(size), right.take(size)
    if not len(left):
        right.skip_wordless()
    if len(left) or len(right):
        sizes = [SourceSize(buffer.name, buffer.drain()) for buffer in (left, right)]
        raise LengthMismatchError(sizes[0], sizes[1], aligning or str(argument("words", "align")))
    if (gold := left.empty()) is not None and (candidate := right.empty()) is not None:
        yield gold, candidate


def files_of(bank: Treebank) -> list[str]:
    """Return the names of the files of a treebank's sentences, in their order."""
    return bank.vocabulary.decode(np.array(list(dict.fromkeys(bank.sentences.source.tolist())), np.int32))


def name_of_files(files: list[str]) -> str:
    """Return the name of the first file, and the number of the others."""
    further = len(files) - 1
    first = files[0] if files and files[0] else "the treebank"
    return first + (f" (and {quantity(further, 'more file')})" if further > 0 else "")


def _name(source: ChunkedSource) -> str:
    return name_of_files(source.parts) if source.parts[0] else ""


def number_of_blank_lines(bank: Treebank) -> int:
    """Return the number of undecided blank lines: separators or sentences without a parse."""
    return sum(one.total for one in bank.diagnosis if one.event == BLANK_LINES)


def candidate_beside(candidate: Treebank, gold: Treebank) -> Treebank:
    """Return a candidate in gold's order, with its blank lines if these are sentences."""
    if not candidate.diagnosis:
        return candidate
    if is_unordered(candidate):
        return match_sentences(gold, candidate)
    sentences = number_of_sentences(gold)
    blank_lines = number_of_blank_lines(candidate)
    are_sentences = blank_lines and len(candidate) + blank_lines == sentences
    return with_blank_lines(candidate) if are_sentences else candidate


def with_blank_lines(bank: Treebank) -> Treebank:
    """Return a treebank whose blank lines are sentences without a parse, counted as failed parses."""
    counts = [one.counts for one in bank.diagnosis if one.event == BLANK_LINES]
    before = np.sum(counts, axis=0, dtype=np.int64)
    following = np.repeat(np.arange(len(bank)), before + 1)
    trees = np.arange(len(bank)) + np.cumsum(before)
    distance = trees[following] - np.arange(len(following))

    def spread(values: np.ndarray) -> np.ndarray:
        """Return one value for each sentence, which is 0 for blank lines."""
        return np.where(distance == 0, values[following], 0).astype(values.dtype)

    tables = {}
    for name in TABLES:
        table = getattr(bank, name)
        if name != "sentences":
            columns = {column: getattr(table, column) for column in table.known()}
            tables[name] = type(table).of(offsets_of(spread(table.lengths())), **columns)
    sentences = bank.sentences.select(following)
    line = sentences.line - distance.astype(np.int32)
    is_by_line = np.isin(sentences.source, bank.sentences.source[before > 0])
    sentences = sentences.replace(
        id=spread(bank.sentences.id),
        comments=spread(bank.sentences.comments),
        line=line,
        ordinal=np.where(is_by_line, line, sentences.ordinal),
    )
    diagnosis = [
        Finding(one.step, one.event, spread(one.counts)) for one in bank.diagnosis if one.event != BLANK_LINES
    ]
    failed = Finding("read", FAILED_PARSES, (distance > 0).astype(np.int32))
    return bank.replace(sentences=sentences, diagnosis=(*diagnosis, failed), **tables)
