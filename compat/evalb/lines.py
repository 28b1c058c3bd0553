"""Read files as EVALB does: one sentence per line, well-formed or not.

EVALB reads malformed lines too: its scores show how it treats brackets that are not closed, surplus closing
brackets and empty lines. So a line is read here by the same rules, not as a tree. Words, brackets and bytes
are not limited. Strings are compared as bytes, whatever the encoding.

A file is read in blocks and never kept as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from crossbank.compat.evalb.loops.line_reading import (
    FINE,
    BracketSheet,
    Census,
    count_lines,
    has_indented_line,
    read_lines,
    sentence_ends,
)
from crossbank.metrics.modes.protocol import Path, chunks_of_trees
from crossbank.treebanks.arrays import BoolArray, ByteArray, Int32Array, Int64Array
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.files import utf8_blocks
from crossbank.treebanks.scanners.interning import StringTable

BLOCK = 1 << 20
"""The number of bytes of a block: columns of this size stay in the processor's cache."""

NEWLINE = ord("\n")


class BracketLines(NamedTuple):
    """Sentences of a chunk as EVALB reads them, before it deletes anything.

    A word is ``(tag word)``, or ``(tag )`` with an empty word. Every other bracket is one, whether
    or not there is a label or a word in it.

    word_offsets        shape ``(lines + 1,)``: the words of line i are rows ``[i]`` to ``[i + 1]``
    word, tag, cut_tag  shape ``(words,)``: codes; ``cut_tag`` is the tag cut as labels are
    bracket_offsets     shape ``(lines + 1,)``
    label               shape ``(brackets,)``, in the order in which they open: codes of the cut labels
    start, end          the words before the bracket opens and before it closes, or ``UNCLOSED``
    flaw                shape ``(lines,)``: the error that ended reading, or ``FINE``
    overclosed          shape ``(lines,)``: the number of surplus closing brackets that EVALB reports
    """

    word_offsets: Int64Array
    word: Int32Array
    tag: Int32Array
    cut_tag: Int32Array
    bracket_offsets: Int64Array
    label: Int32Array
    start: Int32Array
    end: Int32Array
    flaw: Int32Array
    overclosed: Int32Array

    @property
    def flawed(self) -> BoolArray:
        """A mask of the lines that EVALB reports as errors, shape ``(lines,)``."""
        return np.asarray((self.flaw != FINE) | (self.overclosed > 0))


class SentenceTexts(NamedTuple):
    """Text of whole sentences.

    ends  the byte after each sentence
    """

    text: ByteArray
    ends: Int64Array


class LineReader:
    """Reader of the lines of chunks; each call overwrites the arrays of the previous one.

    label_ends  the characters before which a label is cut
    """

    def __init__(self, label_ends: str) -> None:
        self._label_ends = np.isin(np.arange(256), list(label_ends.encode()))
        self._allocate(2 * BLOCK, BLOCK // 64)

    def _allocate(self, size: int, lines: int) -> None:
        """Make arrays for this many bytes and lines. Unused memory pages cost nothing."""
        self._size, self._lines = size, lines
        word, tag, cut_tag, label, start, end = (np.empty(size, np.int32) for _ in range(6))
        word_offsets, bracket_offsets = np.zeros(lines + 1, np.int64), np.zeros(lines + 1, np.int64)
        flaw, overclosed = np.empty(lines, np.int32), np.empty(lines, np.int32)
        words, brackets = (word_offsets, word, tag, cut_tag), (bracket_offsets, label, start, end)
        self._columns = BracketLines(*words, *brackets, flaw, overclosed)
        self._sheet = BracketSheet(*self._columns, np.zeros(2 * size + 3, np.int32), self._label_ends)

    def read(self, sentences: SentenceTexts, table: StringTable) -> BracketLines:
        """Return the lines of some sentences, with codes of the table."""
        size, count = len(sentences.text), len(sentences.ends)
        if size > self._size or count > self._lines:
            self._allocate(max(2 * size, self._size), max(2 * count, self._lines))
        read_lines(sentences.text, sentences.ends, table, self._sheet)
        every = self._columns
        words, brackets = int(every.word_offsets[count]), int(every.bracket_offsets[count])
        return BracketLines(
            every.word_offsets[: count + 1],
            every.word[:words],
            every.tag[:words],
            every.cut_tag[:words],
            every.bracket_offsets[: count + 1],
            every.label[:brackets],
            every.start[:brackets],
            every.end[:brackets],
            every.flaw[:count],
            every.overclosed[:count],
        )


class LineFile:
    """A file of brackets, gzipped or not, or one in another format that is converted to brackets.

    joined  the number of lines that continue a tree of a line before

    Without an ``encoding`` its bytes are unchanged. Trees may span several lines of which all but the first
    are indented: each is then one sentence. If such trees are few and the file is unbalanced, every line is
    read as a sentence.

    Raises CrossbankError if the file cannot be read or is empty, and FormatError if most trees span
    several lines and one is unbalanced.
    """

    def __init__(self, path: Path, format: str = "bracket", encoding: str | None = None) -> None:
        self._path, self._format, self._encoding = path, format, encoding
        self.joined = self._count_joined()

    def sentences(self, limit: int | None = None) -> SentenceBuffer:
        """Return the sentences, to be read; with a ``limit`` the first ones."""
        return SentenceBuffer(self._blocks(), by_tree=self.joined > 0, limit=limit)

    def _blocks(self) -> Iterator[bytes]:
        if self._format == "bracket":
            return utf8_blocks(self._path, self._encoding, BLOCK)
        from crossbank.treebanks.formats.bracket import dumps

        return (dumps(bank).encode() for bank in chunks_of_trees(self._path, self._format, self._encoding))

    def _count_joined(self) -> int:
        """Return the number of lines that belong to trees of lines before; all of the file is read."""
        before, is_indented = NEWLINE, False
        for block in self._blocks():
            is_indented = is_indented or has_indented_line(_bytes_of(block), before)
            before = block[-1] if block else before
        if not is_indented:
            return 0
        census = Census()
        for block in self._blocks():
            count_lines(_bytes_of(block), census)
        line = self._first_unbalanced_tree() if census.continued else 0
        if line and census.continued > census.begun:
            raise FormatError(
                self._path, "an unbalanced tree over several lines", "a balanced one", line=line
            )
        return 0 if line else census.continued

    def _first_unbalanced_tree(self) -> int:
        """Return the line of the first tree with a flaw; 0 if there is none."""
        buffer, reader, line = SentenceBuffer(self._blocks(), by_tree=True), LineReader(""), 1
        while buffer.fill():
            sentences = buffer.take(len(buffer))
            text = sentences.text.tobytes()
            flaw = reader.read(sentences, StringTable(sentences.text, 0)).flaw
            if flaw.any():
                tree = int(np.flatnonzero(flaw)[0])
                begin = int(sentences.ends[tree - 1]) if tree else 0
                begin = len(text) - len(text[begin:].lstrip())
                return line + text.count(b"\n", 0, begin)
            line += text.count(b"\n")
        return 0


class SentenceBuffer:
    """Buffer of a file's sentences that were read and not yet taken.

    by_tree  whether a sentence ends with the bracket that closes it; else it ends with the line
    limit    the number of sentences after which the file is not read on
    """

    def __init__(self, blocks: Iterator[bytes], *, by_tree: bool, limit: int | None = None) -> None:
        self._blocks, self._by_tree, self._limit = blocks, by_tree, limit
        self._rest = b""
        self._begin = 0
        self._ends: Int64Array = np.zeros(0, np.int64)
        self._usual = 0

    def __len__(self) -> int:
        return len(self._ends)

    def fill(self) -> bool:
        """Read another block unless half of one is left; return whether there is a sentence."""
        while len(self) <= self._usual // 2 and self._limit != 0:
            block = next(self._blocks, None)
            rest = self._rest[self._begin :]
            if block is None and not rest:
                break
            self._rest, self._begin = rest + (block or b""), 0
            is_last = block is None
            self._ends = sentence_ends(_bytes_of(self._rest), self._by_tree, is_last)[: self._limit]
            self._usual = len(self)
            if is_last:
                break
        return len(self) > 0

    def take(self, sentences: int) -> SentenceTexts:
        """Return and remove the first sentences."""
        begin = self._begin
        self._begin = int(self._ends[sentences - 1]) if sentences else begin
        taken = SentenceTexts(_bytes_of(self._rest)[begin : self._begin], self._ends[:sentences] - begin)
        self._ends = self._ends[sentences:]
        if self._limit is not None:
            self._limit -= sentences
        return taken


def _bytes_of(text: bytes) -> ByteArray:
    return np.frombuffer(text, np.uint8)
