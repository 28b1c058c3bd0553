"""Reading a file as EVALB reads it: one sentence a line, right or wrong.

EVALB gives up on no line. What it makes of a bracket that is not closed, of one closed too often or
of an empty line is part of its report, so a line is read here by the same rules and not as a tree.
There is no limit on words, brackets or bytes. Strings are compared as bytes, whatever the encoding.
"""

from __future__ import annotations

from os import PathLike
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.files import as_utf8, read_bytes
from crossbank.treebanks.formats import format_of, read
from crossbank.treebanks.vocabulary import Vocabulary

OPEN, CLOSE, NEWLINE, SPACE = b"()\n "

UNCLOSED = -1
"""The end of a bracket that its line does not close."""

FINE, UNBALANCED, TEXT_OUTSIDE, SECOND_WORD = range(4)
"""How the reading of a line ended: well; with brackets open, or closed too often; at text that is
neither a label nor a word; at a second word in a word's bracket."""

BUCKETS = 1 << 18


class Lines(NamedTuple):
    """The sentences of a file as EVALB has them before it deletes anything.

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
    """

    word_offsets: Int64Array
    word: Int32Array
    tag: Int32Array
    bracket_offsets: Int64Array
    label: Int32Array
    start: Int32Array
    end: Int32Array
    flaw: NDArray[np.int8]
    overclosed: Int32Array
    place: Int64Array


def load_lines(
    path: str | PathLike[str], format: str | None = None, encoding: str | None = None
) -> tuple[Vocabulary, Lines]:
    """Read a file of brackets, gzipped or not, or one in another format that is put into brackets.

    Without an ``encoding`` its bytes are left as they are. Trees may go over several lines of which all
    but the first are indented: they are then put on one line each. Where such trees are few and the
    file does not balance, every line stands for itself after all.

    Raises CrossbankError where the file cannot be read or is empty, and FormatError where most trees go
    over several lines and one is unbalanced.
    """
    data = _brackets(path, format or format_of(path), encoding)
    text = np.frombuffer(data, np.uint8)
    begun, continued = _layout(text)
    begins, ends, lines = _read(text, continued > 0)
    if continued > 0 and lines.flaw.any():
        if continued > begun:
            place = int(lines.place[int(lines.flaw.argmax())])
            line = data.count(b"\n", 0, place) + 1
            raise FormatError(path, "an unbalanced tree over several lines", "a balanced one", line=line)
        begins, ends, lines = _read(text, False)
    strings = [data[begin:end] for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]
    return Vocabulary([string.decode("utf-8", "surrogateescape") for string in strings]), lines


def _brackets(path: str | PathLike[str], format: str, encoding: str | None) -> bytes:
    if format == "bracket":
        return as_utf8(read_bytes(path), path, encoding, checked=False)
    from crossbank.treebanks.formats.bracket import dumps

    return dumps(read(path, format, encoding=encoding)).encode()


def flawed(lines: Lines) -> BoolArray:
    """The lines that EVALB complains of, shape ``(lines,)``."""
    result: BoolArray = (lines.flaw != FINE) | (lines.overclosed > 0)
    return result


@njit(cache=True, nogil=True)
def _is_space(byte: int) -> bool:
    return byte == SPACE or 9 <= byte <= 13


@njit(cache=True, nogil=True)
def _layout(text: NDArray[np.uint8]) -> tuple[int, int]:
    """How many lines begin a tree, and how many go on with one.

    A line goes on with a tree that is still open if it is indented more than the line that began it.
    """
    begun = continued = depth = indent = tree_indent = 0
    at_margin = True
    for byte in text:
        if byte == NEWLINE:
            indent, at_margin = 0, True
        elif at_margin and _is_space(byte):
            indent += 1
        else:
            if at_margin:
                at_margin = False
                if depth > 0 and indent > tree_indent:
                    continued += 1
                else:
                    begun += 1
                    depth, tree_indent = 0, indent
            if byte == OPEN:
                depth += 1
            elif byte == CLOSE:
                depth -= 1
    return begun, continued


@njit(cache=True, nogil=True)
def _read(text: NDArray[np.uint8], by_tree: bool) -> tuple[Int64Array, Int64Array, Lines]:
    """Where each string first begins and ends in the text, by code, and the lines.

    ``by_tree``: a sentence ends with the bracket that closes it, not with the line; the reading
    ends at the first sentence with a flaw.
    """
    size = len(text)
    opened = closed = newlines = 0
    for byte in text:
        opened += byte == OPEN
        closed += byte == CLOSE
        newlines += byte == NEWLINE
    most = 1 + (opened if by_tree else newlines)
    # No more words and brackets than opening brackets; pages that are never written cost nothing.
    word, tag = np.empty(opened, np.int32), np.empty(opened, np.int32)
    label, start, end = np.empty(opened, np.int32), np.empty(opened, np.int32), np.empty(opened, np.int32)
    word_offsets, bracket_offsets = np.zeros(most + 1, np.int64), np.zeros(most + 1, np.int64)
    flaw, overclosed = np.zeros(most, np.int8), np.zeros(most, np.int32)
    places = np.zeros(most, np.int64)
    begins, ends = np.empty(2 * opened + 1, np.int64), np.empty(2 * opened + 1, np.int64)
    begins[0] = ends[0] = 0
    following, buckets = np.empty(2 * opened + 1, np.int32), np.zeros(BUCKETS, np.int32)
    known = 1
    # The open brackets of a line, by their number in it. A bracket that closes nothing takes what
    # lies under the stack, in EVALB's memory zeros: it closes the line's first bracket again. Here
    # the numbers below 0 are at the array's end.
    stack = np.zeros(opened + closed + 1, np.int32)
    words = brackets = line = place = 0
    while place < size:
        if by_tree:
            while place < size and _is_space(text[place]):
                place += 1
            if place == size or (line > 0 and flaw[line - 1] != FINE):
                break
        limit = _end_of_sentence(text, place, by_tree)
        places[line] = place
        first_word, first_bracket = words, brackets
        height = 0
        while place < limit:
            byte = text[place]
            if _is_space(byte):
                place += 1
            elif byte == OPEN:
                label_end = _end_of_string(text, place + 1, limit)
                word_begin = label_end
                while word_begin < limit and _is_space(text[word_begin]):
                    word_begin += 1
                word_end = _end_of_string(text, word_begin, limit) if word_begin > label_end else word_begin
                code, known = _code(text, place + 1, label_end, begins, ends, following, buckets, known)
                if word_begin > label_end and word_end < limit and text[word_end] == CLOSE:
                    tag[words] = code
                    word[words], known = _code(
                        text, word_begin, word_end, begins, ends, following, buckets, known
                    )
                    words += 1
                    place = word_end + 1
                    continue
                if word_end > word_begin and (word_end == limit or text[word_end] != OPEN):
                    flaw[line] = SECOND_WORD
                label[brackets], start[brackets], end[brackets] = code, words - first_word, UNCLOSED
                stack[height] = brackets - first_bracket
                height += 1
                brackets += 1
                place = label_end
            elif byte == CLOSE:
                # EVALB complains of the second that closes nothing and of those behind, not of the first.
                if height < 0:
                    overclosed[line] += 1
                height -= 1
                bracket = first_bracket + stack[height]
                stack[height] = 0
                if bracket < brackets:
                    end[bracket] = words - first_word
                place += 1
            else:
                flaw[line] = max(flaw[line], TEXT_OUTSIDE)
                place = limit
        if flaw[line] == FINE and height != 0:
            flaw[line] = UNBALANCED
        line += 1
        word_offsets[line], bracket_offsets[line] = words, brackets
        place = limit if by_tree else limit + 1
    lines = Lines(
        word_offsets[: line + 1],
        word[:words],
        tag[:words],
        bracket_offsets[: line + 1],
        label[:brackets],
        start[:brackets],
        end[:brackets],
        flaw[:line],
        overclosed[:line],
        places[:line],
    )
    return begins[:known], ends[:known], lines


@njit(cache=True, nogil=True)
def _end_of_sentence(text: NDArray[np.uint8], place: int, by_tree: bool) -> int:
    """The newline that ends a line, or the byte behind a tree."""
    depth = 0
    while place < len(text):
        byte = text[place]
        if not by_tree:
            if byte == NEWLINE:
                break
        elif byte == OPEN:
            depth += 1
        elif byte == CLOSE:
            depth -= 1
            if depth <= 0:
                return place + 1
        place += 1
    return place


@njit(cache=True, nogil=True)
def _end_of_string(text: NDArray[np.uint8], place: int, limit: int) -> int:
    """Where a label or word ends: at a bracket, at white space, or at the end of the line."""
    while place < limit:
        byte = text[place]
        if byte in (OPEN, CLOSE) or _is_space(byte):
            break
        place += 1
    return place


@njit(cache=True, nogil=True)
def _code(
    text: NDArray[np.uint8],
    begin: int,
    end: int,
    begins: Int64Array,
    ends: Int64Array,
    following: Int32Array,
    buckets: Int32Array,
    known: int,
) -> tuple[int, int]:
    """The code of a string, and how many strings are known then; a hash table with chains."""
    if begin == end:
        return 0, known
    key = np.uint32(2166136261)  # FNV-1a
    for place in range(begin, end):
        key = np.uint32((key ^ text[place]) * np.uint32(16777619))
    bucket = (key ^ (key >> np.uint32(16))) % BUCKETS
    code = buckets[bucket]
    while code != 0:
        if ends[code] - begins[code] == end - begin:
            here, there = begin, begins[code]
            while here < end and text[here] == text[there]:
                here += 1
                there += 1
            if here == end:
                return code, known
        code = following[code]
    following[known], buckets[bucket] = buckets[bucket], known
    begins[known], ends[known] = begin, end
    return known, known + 1
