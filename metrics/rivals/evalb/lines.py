"""Reading a file as EVALB reads it: one sentence a line, right or wrong.

EVALB reads every line, malformed or not. Its report shows what it makes of a bracket that is not closed, of
one that is closed too often, and of an empty line. So a line is read here by the same rules, not as a tree.
There is no limit on words, brackets or bytes. Strings are compared as bytes, whatever the encoding.
"""

from __future__ import annotations

from os import PathLike
from typing import NamedTuple

import numpy as np

from crossbank.metrics.rivals.evalb.loops.line_reading import FINE, Census, Sheet, count_lines, read_lines
from crossbank.metrics.rivals.protocol import read_trees
from crossbank.treebanks.arrays import BoolArray, ByteArray, Int32Array, Int64Array
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.files import as_utf8, read_bytes
from crossbank.treebanks.scanners.interning import StringTable
from crossbank.treebanks.vocabulary import Vocabulary

NEWLINE = 10


class Lines(NamedTuple):
    """Sentences of a file as EVALB has them before it deletes anything.

    A word is ``(tag word)``, or ``(tag )`` with an empty word. Every other bracket is one, whether
    or not there is a label or a word in it.

    word_offsets     shape ``(lines + 1,)``: the words of line i are rows ``[i]`` to ``[i + 1]``
    word, tag        shape ``(words,)``: codes
    bracket_offsets  shape ``(lines + 1,)``
    label            shape ``(brackets,)``, in the order in which they open: codes
    start, end       the words before the bracket opens and before it closes, or ``UNCLOSED``
    flaw             shape ``(lines,)``: how the reading ended
    overclosed       shape ``(lines,)``: how often EVALB complains of a bracket that closes nothing
    place            shape ``(lines,)``: the byte at which the line begins
    joined           how many lines were read as parts of the trees that began before them
    """

    word_offsets: Int64Array
    word: Int32Array
    tag: Int32Array
    bracket_offsets: Int64Array
    label: Int32Array
    start: Int32Array
    end: Int32Array
    flaw: Int32Array
    overclosed: Int32Array
    place: Int64Array
    joined: int = 0


def load_lines(
    path: str | PathLike[str], format: str = "bracket", encoding: str | None = None
) -> tuple[Vocabulary, Lines]:
    """Read a file of brackets, gzipped or not, or one in another format that is put into brackets.

    Without an ``encoding`` its bytes are left as they are. Trees may go over several lines of which all
    but the first are indented: they are then put on one line each. Where such trees are few and the
    file does not balance, every line stands for itself after all.

    Raises CrossbankError where the file cannot be read or is empty, and FormatError where most trees go
    over several lines and one is unbalanced.
    """
    if format == "bracket":
        data = as_utf8(read_bytes(path), path, encoding, checked=False)
    else:
        from crossbank.treebanks.formats.bracket import dumps

        data = dumps(read_trees(path, format, encoding)).encode()
    text = np.frombuffer(data, np.uint8)
    census = count_lines(text)
    joined = census.continued
    table, lines = _read(text, census, by_tree=joined > 0)
    if joined > 0 and lines.flaw.any():
        if joined > census.begun:
            place = int(lines.place[int(lines.flaw.argmax())])
            line = data.count(b"\n", 0, place) + 1
            raise FormatError(path, "an unbalanced tree over several lines", "a balanced one", line=line)
        table, lines = _read(text, census, by_tree=False)
        joined = 0
    # No string has a newline in it.
    strings = table.strings(NEWLINE).decode("utf-8", "surrogateescape").split("\n")
    return Vocabulary(strings), lines._replace(joined=joined)


def _read(text: ByteArray, census: Census, *, by_tree: bool) -> tuple[StringTable, Lines]:
    opened, closed = census.opened, census.closed
    most = 1 + (opened if by_tree else census.lines)
    # No more words and brackets than opening brackets; pages that are never written cost nothing.
    word, tag, label, start, end = (np.empty(opened, np.int32) for _ in range(5))
    word_offsets, bracket_offsets = np.zeros(most + 1, np.int64), np.zeros(most + 1, np.int64)
    flaw, overclosed, place = np.zeros(most, np.int32), np.zeros(most, np.int32), np.zeros(most, np.int64)
    stack = np.zeros(2 * max(closed, opened) + 3, np.int32)
    sheet = Sheet(word_offsets, word, tag, bracket_offsets, label, start, end, flaw, overclosed, place, stack)
    table = StringTable(text, opened // 16)
    count = read_lines(text, table, sheet, by_tree)
    of_words, of_brackets = (slice(offsets[count]) for offsets in (word_offsets, bracket_offsets))
    word_offsets, bracket_offsets = word_offsets[: count + 1], bracket_offsets[: count + 1]
    words = word_offsets, word[of_words], tag[of_words]
    brackets = bracket_offsets, label[of_brackets], start[of_brackets], end[of_brackets]
    return table, Lines._make((*words, *brackets, flaw[:count], overclosed[:count], place[:count], 0))


def flawed(lines: Lines) -> BoolArray:
    """Return the lines that EVALB complains of, shape ``(lines,)``."""
    return np.asarray((lines.flaw != FINE) | (lines.overclosed > 0))
