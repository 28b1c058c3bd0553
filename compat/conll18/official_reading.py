"""Words of a CoNLL-U file, read by the rules of the official script.

Some of these rules are looser than the format. A number is anything that Python takes for one, such as
``03`` and ``+3``. A range such as ``2-3`` only says how many of the following lines are its words; neither
its first number nor the numbers of its words are checked. Columns are compared as written, so that
an empty column differs from ``_``. A sentence ends with one blank line. Comments may follow the last
sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from crossbank.compat.conll18.loops import conllu_bytes as loop
from crossbank.metrics.modes.protocol import Path
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array, Int64Array
from crossbank.treebanks.errors import FormatError, excerpt
from crossbank.treebanks.files import decode, utf8_of
from crossbank.treebanks.formats import read
from crossbank.treebanks.scanners.interning import StringTable
from crossbank.treebanks.vocabulary import Vocabulary

SENT_ID = re.compile(rb"^# *sent_id *=? *(.*?) *$", re.MULTILINE)

NEWLINE = 10


class WordColumns(NamedTuple):
    """Words of a file as written; strings are codes of ``strings``.

    strings     by code
    unfilled    the sign of a column without a value
    offsets     the first word of each sentence, then the number of words; shape ``(sentences + 1,)``
    form, lemma, upos, xpos, feats, relation, deps   shape ``(words,)``
    head        the head, counted through the file, or -1 for a root; shape ``(words,)``
    range_offsets  the first multiword token of each sentence, then their number; shape ``(sentences + 1,)``
    range_first    the first word of each multiword token, counted through the file; shape ``(ranges,)``
    range_size     the number of words of each
    range_form     the form of each
    """

    strings: Vocabulary
    unfilled: str
    offsets: Int64Array
    form: Int32Array
    lemma: Int32Array
    upos: Int32Array
    xpos: Int32Array
    feats: Int32Array
    relation: Int32Array
    deps: Int32Array
    head: Int64Array
    range_offsets: Int64Array
    range_first: Int64Array
    range_size: Int32Array
    range_form: Int32Array


NO_HEAD = -1
"""The head of a root, among words counted through the file."""


def columns_of(bank: Treebank) -> WordColumns:
    """Return a treebank's words; a word without a head is taken for a root."""
    tokens, ranges = bank.tokens, bank.multiword
    begin = np.repeat(tokens.offsets[:-1], np.diff(ranges.offsets))
    head = np.where(tokens.head >= 0, tokens.head + tokens.begins(tokens), NO_HEAD)
    words = tokens.form, tokens.lemma, tokens.pos, tokens.xpos, tokens.morph, tokens.relation, tokens.deps
    size = (ranges.last - ranges.first + 1).astype(np.int32)
    of_ranges = ranges.offsets, begin + ranges.first, size, ranges.form
    return WordColumns(bank.vocabulary, "", tokens.offsets, *words, head, *of_ranges)


@dataclass(frozen=True, eq=False)
class FileSource:
    """Bytes of a file and where its sentences are, for identifiers and errors.

    data        UTF-8 with ``\\n`` as line end
    has_lines   whether these are the lines of the file, which was not converted from another format
    begin       the byte at which the first line of each sentence after its comments begins
    """

    path: Path
    data: bytes
    has_lines: bool
    begin: Int64Array

    def sentence_ids(self) -> tuple[str, ...]:
        """Return the identifier of each sentence: ``sent_id`` in the comments before it, else its number."""
        names = [
            (match.start(), match[1].decode("utf-8", "replace")) for match in SENT_ID.finditer(self.data)
        ]
        before = [0, *self.begin.tolist()][: len(self.begin)]
        following = np.searchsorted([index for index, _ in names], before)
        ids = []
        for number, (begin, name) in enumerate(zip(self.begin.tolist(), following.tolist(), strict=True), 1):
            is_named = name < len(names) and names[name][0] < begin
            ids.append(names[name][1] if is_named else str(number))
        return tuple(ids)

    def line(self, offset: int) -> int | None:
        """Return the line, from 1, of a byte; None if the file has no lines."""
        return self.data[:offset].count(b"\n") + 1 if self.has_lines else None

    def where(self, offset: int) -> str:
        """Return the file and the line of a byte."""
        line = self.line(offset)
        return str(self.path) if line is None else f"{self.path}:{line}"

    def error(self, offset: int, actual: str, expected: str, *, in_sentence: bool = True) -> FormatError:
        """Return the error at a byte of the file."""
        sentence = None
        if in_sentence:
            number = int(np.searchsorted(self.begin, offset, side="right"))
            sentence = replace(self, begin=self.begin[:number]).sentence_ids()[-1]
        return FormatError(self.path, actual, expected, line=self.line(offset), sentence=sentence)


class OpenFile(NamedTuple):
    """A file that the script reads to its end.

    offset      the byte at which each word's line begins, shape ``(words,)``
    range_offset  the same for each multiword token, shape ``(ranges,)``
    dotted      the byte at which the first empty node within a multiword token begins, or -1
    """

    source: FileSource
    columns: WordColumns
    offset: Int64Array
    range_offset: Int64Array
    dotted: int


def load(path: Path, format: str, encoding: str | None, *, skips_empty: bool, with_deps: bool) -> OpenFile:
    """Read a file; DEPS are omitted unless ``with_deps``.

    ``skips_empty``: whether empty nodes within multiword tokens are omitted, or read as words. Raises
    FormatError, with the line, for errors that end the script, and where there is nothing to read.
    """
    has_lines = format in ("conllu", "bracket")
    if has_lines:
        data = utf8_of(path, encoding)
    else:
        from crossbank.treebanks.formats.conllu import dumps

        data = dumps(read(path, format, encoding=encoding)).encode()
    if data.find(b"\r") >= 0:
        data = data[:].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    text, entries = np.frombuffer(data, np.uint8), np.zeros(loop.ENTRIES, np.int64)
    # There are at most as many words, ranges and sentences as lines. Memory that is not written is not used.
    lines = int(np.count_nonzero(text == ord("\n"))) + 2
    table = StringTable(text, lines // 16)
    columns = np.zeros((7, lines), np.int32)
    head, size, form = (np.empty(lines, np.int32) for _ in range(3))
    index, first, range_offset, begin = (np.empty(lines, np.int64) for _ in range(4))
    words_end, ranges_end = np.zeros(lines, np.int64), np.zeros(lines, np.int64)
    ends = words_end[1:], ranges_end[1:]
    sheet = loop.Sheet(columns, head, index, first, size, form, range_offset, *ends, begin, with_deps)
    loop.scan(text, table, sheet, entries, skips_empty=skips_empty)
    words, ranges, sentences = entries[:3].tolist()
    if entries[loop.PROBLEM] != loop.FINE:
        raise _build_error(
            FileSource(path, data, has_lines, begin[: sentences + 1]), entries.tolist(), head[:words]
        )
    try:
        strings = Vocabulary(table.strings(NEWLINE).decode().split("\n"))
    except UnicodeDecodeError:
        decode(data[:], path)  # finds the line, and raises
        raise
    offsets = words_end[: sentences + 1]
    begins = np.repeat(offsets[:-1], np.diff(offsets))
    heads = np.where(head[:words] > 0, begins + head[:words] - 1, NO_HEAD)
    of_ranges = ranges_end[: sentences + 1], first[:ranges], size[:ranges], form[:ranges]
    return OpenFile(
        FileSource(path, data, has_lines, begin[:sentences]),
        WordColumns._make((strings, "_", offsets, *columns[:, :words], heads, *of_ranges)),
        index[:words],
        range_offset[:ranges],
        int(entries[loop.DOTTED]),
    )


def _build_error(source: FileSource, entries: list[int], head: Int32Array) -> FormatError:
    """Return the error at which the loop stopped; ``head`` has the heads of the words read before it."""
    problem, index, number, dotted = (
        entries[entry] for entry in (loop.PROBLEM, loop.OFFSET, loop.EXPECTED, loop.DOTTED)
    )
    end = source.data.find(b"\n", index)
    line = source.data[index : None if end < 0 else end].decode(errors="replace")
    cells = line.split("\t")
    in_sentence = True
    match problem:
        case loop.ID | loop.HEAD if dotted >= source.begin[-1]:
            index, actual = dotted, "an empty node within a multiword token"
            expected = "its words alone (version=2.x leaves empty nodes out)"
        case loop.COLUMNS if line.isspace():
            actual, expected, in_sentence = "a line of white space", "an empty line", False
        case loop.COLUMNS if line.startswith("#"):
            actual = f"a comment within a sentence ({excerpt(line)})"
            expected = "comments before its first word"
        case loop.COLUMNS:
            actual = f"{len(cells)} column{'s' * (len(cells) > 1)} ({excerpt(line)})"
            expected = "10 columns separated by tabs"
        case loop.FORM:
            actual, expected = f"an empty form of {cells[0]}", "a form"
        case loop.ID:
            actual, expected = f"the number {excerpt(cells[0])}", f"word {number}"
        case loop.RANGE:
            actual, expected = f"the range {excerpt(cells[0])}", "two numbers with a hyphen between"
        case loop.UNFINISHED:
            actual, expected = "the end of a sentence within a multiword token", "all words of the token"
        case loop.HEAD if cells[6] in ("_", ""):
            actual, expected = "a word without a head", "a head for every word"
        case loop.HEAD:
            actual, expected = f"the head {excerpt(cells[6])} of {cells[0]}", "the number of a word, or 0"
        case loop.HEAD_OUTSIDE:
            actual = f"the head {cells[6]} of {cells[0]}"
            expected = f"a word of the sentence, of {number - 1} word{'s' * (number != 2)}, or 0"
        case loop.CYCLE:
            actual, expected = "a cycle", "a tree"
        case loop.ROOTS:
            roots = int((head[len(head) - number + 1 :] == 0).sum())
            actual, expected = f"{roots or 'no'} root{'s' * (roots != 1)}", "one root"
        case loop.BLANK:
            actual, expected, in_sentence = "a blank line that ends no sentence", "one blank line", False
        case _:
            actual, expected = "the end of the file", "a blank line after the last sentence"
            in_sentence = False
    return source.error(index, actual, expected, in_sentence=in_sentence)
