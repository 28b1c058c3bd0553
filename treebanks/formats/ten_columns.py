"""Read and write the ten columns that CoNLL-X and CoNLL-U share.

The differences of the two are in ``treebanks.formats.conllx`` and ``treebanks.formats.conllu``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import accumulate
from os import PathLike

import numpy as np

from crossbank.treebanks.arrays import BoolArray, Int32Array, Int32Matrix
from crossbank.treebanks.code_columns import occurring
from crossbank.treebanks.diagnosis import Finding
from crossbank.treebanks.errors import ConversionError, FormatError, excerpt
from crossbank.treebanks.files import decode
from crossbank.treebanks.joining import Lines, written_lines
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.scanners.scanned_chunks import rough_bounds, scan_chunks, whole_columns
from crossbank.treebanks.scanners.ten_column_bytes import DOUBTFUL, Scan, scan
from crossbank.treebanks.tables import EmptyNodes, MultiwordTokens, Sentences, Tokens
from crossbank.treebanks.treebank import Treebank
from crossbank.treebanks.vocabulary import Vocabulary

COLUMNS = ("form", "lemma", "pos", "xpos", "morph", "relation", "deps", "misc")
"""The columns of strings; HEAD comes before ``relation``."""

COUNTED = {
    "blank": "blank columns read as _",
    "loose": "blank lines that have white space or end no sentence",
    "left_out": "columns of multiword tokens and empty nodes dropped",
}
"""The events of the diagnosis, by the column in which the scanner counts them."""

SENTENCES_AT_ONCE = 20_000
"""The number of sentences that the writers hold in memory as cells."""

CODES = {"tokens": 0, "multiword": 2, "empty": 2, "id": 0, "comments": 0}
COLUMNS_WITHOUT_CODES = ("head", "line", "blank", "left_out", "loose", "damaged")
"""The columns of scans without codes, as ``whole_columns`` takes them."""

NO_WORDS = "no words", "at least one sentence"
"""The actual and the expected content in the error for a file without words."""

_BREAK = re.compile(r"[\t\n\r]")


# Reading


def treebank(
    data: bytes, path: str | PathLike[str], *, plain: bool, may_lack_words: bool = False
) -> Treebank:
    """Return sentences in bytes of UTF-8; ``plain`` is CoNLL-X, ``path`` the source. Raises FormatError."""
    data = _with_line_feeds(data)
    scanned = _scanned(data, plain=plain)
    if scanned.problem:
        raise _error(data, scanned, path, plain)
    if len(scanned.head) == 0 and not may_lack_words:
        raise FormatError(path, *NO_WORDS)
    return _treebank_of(data, scanned, path, plain=plain)


def treebank_with_damage(
    data: bytes, path: str | PathLike[str], *, plain: bool
) -> tuple[Treebank, BoolArray] | None:
    """Return sentences, those that cannot be read without words, and a mask of these.

    Returns None if it is doubtful where a sentence ends, and if none can be read.
    """
    data = _with_line_feeds(data)
    scanned = _scanned(data, plain=plain, goes_on=True)
    damaged = scanned.damaged != 0
    if (scanned.damaged == DOUBTFUL).any() or damaged.all():
        return None
    return _treebank_of(data, scanned, path, plain=plain), damaged


def _with_line_feeds(data: bytes) -> bytes:
    if data.find(b"\r") >= 0:
        return data[:].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data


def _treebank_of(data: bytes, scanned: Scan, path: str | PathLike[str], *, plain: bool) -> Treebank:
    try:
        strings = scanned.strings.strings(ord("\r")).decode().split("\r")
    except UnicodeDecodeError:
        decode(data[:], path)  # finds the line, and raises
        raise
    vocabulary, (source,) = Vocabulary(strings).extended([str(path)])
    counts = {event: getattr(scanned, column) for column, event in COUNTED.items()}
    # In CoNLL-X no sentence is without words but those that are damaged.
    without_words = (np.diff(scanned.token_offsets) == 0) & ~(plain & (scanned.damaged != 0))
    counts["sentences without words"] = without_words.astype(np.int32)

    def columns(names: Iterable[str], table: Int32Matrix) -> dict[str, Int32Array]:
        return dict(zip(names, table, strict=True))

    return Treebank.of_tables(
        vocabulary,
        Sentences.numbered(
            len(scanned.line), source, id=scanned.id, line=scanned.line, comments=scanned.comments
        ),
        Tokens.of(scanned.token_offsets, head=scanned.head, **columns(COLUMNS, scanned.tokens)),
        multiword=MultiwordTokens.of(
            scanned.multiword_offsets, **columns(MultiwordTokens.columns(), scanned.multiword)
        ),
        empty=EmptyNodes.of(scanned.empty_offsets, **columns(EmptyNodes.columns(), scanned.empty)),
        diagnosis=tuple(
            Finding("read", event, counts_of_sentences)
            for event, counts_of_sentences in counts.items()
            if counts_of_sentences.any()
        ),
    )


def _scanned(data: bytes, *, plain: bool, goes_on: bool = False) -> Scan:
    """Read the sentences of a text in chunks, on all cores; these begin after empty lines."""
    text = np.frombuffer(data, np.uint8)

    def scan_chunk(first: int, last: int) -> Scan:
        return scan(text, first, last, plain, goes_on)

    rough = rough_bounds(len(data))
    inner = (data.find(b"\n\n", begin) + 2 for begin in rough[1:-1])
    bounds = [0, *accumulate((begin if begin > 1 else len(data) for begin in inner), max), len(data)]
    return scan_chunks(scan_chunk, bounds, _joined)


def _joined(scans: list[Scan]) -> Scan:
    """Return the scans of chunks that follow each other as one scan."""
    pending = 0
    for chunk in scans:
        # The blank lines after a chunk's last sentence belong to the next sentence.
        if len(chunk.loose):
            chunk.loose[0] += pending
            pending = 0
        pending += chunk.pending
    columns = whole_columns(
        scans, CODES, COLUMNS_WITHOUT_CODES, ("token_offsets", "multiword_offsets", "empty_offsets")
    )
    return Scan(**columns, problem="", problem_line=0, words=0, label=slice(0, 0), pending=0)


def after_sentences(text: bytes) -> int:
    """Return the offset after the last empty line that ends a sentence; 0 if there is none.

    A blank line that follows another one belongs to the sentence after it, as ``loose`` counts it.
    """
    empty = b"\n\r\n" if b"\r\n" in text[:65536] else b"\n\n"
    end = len(text)
    while (end := text.rfind(empty, 0, end)) >= 0:
        if text[text.rfind(b"\n", 0, end) + 1 : end].strip():
            return end + len(empty)
        end += 1
    return 0


def _error(data: bytes, scanned: Scan, path: str | PathLike[str], plain: bool) -> FormatError:
    line = data[:].split(b"\n", scanned.problem_line)[scanned.problem_line - 1].decode(errors="replace")
    cells = line.split("\t")
    sentence = data[scanned.label].decode(errors="replace") or len(scanned.line) + 1
    words, after = scanned.words, f"word {scanned.words + 1}"
    text, head = excerpt(cells[0]), cells[6] if len(cells) > 6 else ""
    of_comment = (
        (f"a comment ({excerpt(line)})", "CoNLL-X, which has none (CoNLL-U has)")
        if plain
        else (f"a comment within a sentence ({excerpt(line)})", "comments before its first word")
    )
    actual, expected = {
        "columns": (
            f"{quantity(len(cells), 'column')} ({excerpt(line)})",
            f"{'6, 8 or 10' if plain else '10'} columns separated by tabs",
        ),
        "form": (f"an empty form of {cells[0]}", "a form"),
        "id": (f"the number {text}", after),
        "range": (f"the range {text}", f"one that begins with {after}, after the end of the range before"),
        "range end": (
            f"the range {text}",
            f"one that ends within the sentence, of {quantity(words, 'word')}",
        ),
        "head": (f"the head {excerpt(head)} of {cells[0]}", "the number of a word, 0 or _"),
        "head outside": (f"the head {head} of {cells[0]}", f"_ or a number from 0 to {words}"),
        "comment": of_comment,
    }[scanned.problem]
    return FormatError(path, actual, expected, line=scanned.problem_line, sentence=sentence)


# Writing


class LineWriter:
    """Writer of lines of cells; a cell is the number of a string."""

    EMPTY, NOTHING = 0, 1
    """The numbers of the empty string and of ``_``."""

    def __init__(self, bank: Treebank) -> None:
        self.bank = bank
        self.strings = ["", "_"]
        self._number = np.full(len(bank.vocabulary), -1, np.int32)
        self._number[0] = LineWriter.NOTHING

    def column(self, codes: Int32Array) -> Int32Array:
        """Return the cells of a column. Raises ConversionError for a string with a tab or a line break."""
        used = occurring(len(self._number), codes)
        fresh = used[self._number[used] < 0]
        strings = [self.bank.vocabulary[code] for code in fresh.tolist()]
        if _BREAK.search("".join(strings)):
            wrong = next(wrong_code for wrong_code, string in enumerate(strings) if _BREAK.search(string))
            raise _unwritable(self.bank, int(fresh[wrong]))
        self._number[fresh] = self.added(strings)
        return self._number[codes]

    def numbers(self, values: Int32Array) -> Int32Array:
        """Return the cells of a column of positions as indices: -2 for an empty cell, -1 for 0, 0 for 1."""
        most = int(values.max(initial=0))
        return np.append(np.int32(LineWriter.NOTHING), self.added(map(str, range(most + 2))))[values + 2]

    def added(self, strings: Iterable[str]) -> Int32Array:
        """Return the cells of further strings."""
        begin = len(self.strings)
        self.strings += strings
        return np.arange(begin, len(self.strings), dtype=np.int32)

    def tokens(self, *last: Int32Array) -> Int32Matrix:
        """Return the cells of all tokens, shape ``(columns, tokens)``; ``last`` are those after DEPREL."""
        tokens = self.bank.tokens
        columns = [self.column(getattr(tokens, name)) for name in COLUMNS[:5]]
        heads, positions = self.numbers(tokens.head), self.numbers(tokens.indices())
        return np.stack([positions, *columns, heads, self.column(tokens.relation), *last])

    def text(
        self, cells: Int32Matrix, rows: Int32Array, sentence: Int32Array, before: Int32Array
    ) -> bytearray:
        """Return the text of lines in UTF-8, with an empty one after each sentence.

        cells     shape ``(columns, rows)``
        rows      the row of each line
        sentence  the sentence of each line, in order
        before    the cell before the lines of each sentence, or ``EMPTY``
        """
        ends = np.bincount(sentence, minlength=len(before)).cumsum()
        return written_lines(self.strings, Lines(cells, rows, ends, before))


def _unwritable(bank: Treebank, code: int) -> ConversionError:
    for table in (bank.tokens, bank.multiword, bank.empty):
        for column in table.STRINGS:
            rows = np.flatnonzero(getattr(table, column) == code)
            if len(rows):
                actual = f"the {column} {excerpt(bank.vocabulary[code])}"
                why = f"found {actual}, expected no tabs and line breaks"
                return bank.refused(table.sentence_of(int(rows[0])), why)
    raise ValueError(f"no column has the code {code}")


def encoded(bank: Treebank, write: Callable[[Treebank], bytearray]) -> bytearray:
    """Return the encoded text, written some thousand sentences at a time to hold few cells at once."""
    firsts = range(0, len(bank), SENTENCES_AT_ONCE)
    if len(firsts) == 1:
        return write(bank)
    output = bytearray()
    for first in firsts:
        output += write(bank[first : first + SENTENCES_AT_ONCE])
    return output
