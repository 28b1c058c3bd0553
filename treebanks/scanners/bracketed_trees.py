"""Compiled loop that reads bracketed trees: from UTF-8 bytes to columns of codes.

One pass over the bytes. Labels, tags and words get their codes as they are met. Every bracket is a node
until it closes around nothing but a word: then its label was a tag. There is no stack: the parent column of
the open node tells the reader which node to return to.
"""

from __future__ import annotations

from typing import Any, NamedTuple

# Compiled with -O3
import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    ByteArray,
    Int32MatrixOutput,
    Int32Output,
    Int64MatrixOutput,
)
from cython.cimports.crossbank.treebanks.scanners.byte_words import end_of_string
from cython.cimports.crossbank.treebanks.scanners.interning import StringTable
from cython.cimports.crossbank.treebanks.scanners.white_space import is_space
from numpy.typing import NDArray

from crossbank.treebanks.failed_parses import end_of_failed_parse

FINE = cython.declare(cython.int, 0)
UNCLOSED = cython.declare(cython.int, 1)
EXTRA_CLOSE = cython.declare(cython.int, 2)
TEXT_OUTSIDE = cython.declare(cython.int, 3)

PROBLEMS = ("", "unclosed", "extra close", "text outside")
"""The names of the problems, by their numbers."""


class Scan(NamedTuple):
    """Contents of a text, or of a piece of one.

    strings             the distinct labels, tags and words
    form, pos           shape ``(tokens,)``: codes
    token_parent        shape ``(tokens,)``: nodes of the same sentence, or -1
    label, node_parent  shape ``(nodes,)``, in pre-order
    token_offsets, node_offsets  shape ``(sentences + 1,)``
    line                shape ``(sentences,)``: the line that a sentence begins in, from 1
    wordless            shape ``(sentences,)``: how many nodes without a word were left out
    untagged            shape ``(sentences,)``: how many words have no tag
    margin              shape ``(sentences,)``: how many brackets within it are at the beginning of a line
    failed              shape ``(sentences,)``: whether the parser failed: a line that says so, or labels
                        without a word
    spaced              shape ``(words with white space in them, 3)``: the token, its first byte, and the byte
                        after its last; its form is only the first part of it
    spanning            how many sentences go over several lines
    lines               how many line ends there are
    problem             the reason why the loop ended, one of ``PROBLEMS``: nothing at the end of the text
    problem_line, place the line and the byte of the problem
    depth, margin_line  unclosed: how many brackets are open, and the first line within the tree that begins
                        with a bracket, or 0
    """

    strings: StringTable
    form: NDArray[np.int32]
    pos: NDArray[np.int32]
    token_parent: NDArray[np.int32]
    label: NDArray[np.int32]
    node_parent: NDArray[np.int32]
    token_offsets: NDArray[np.int64]
    node_offsets: NDArray[np.int64]
    line: NDArray[np.int32]
    wordless: NDArray[np.int32]
    untagged: NDArray[np.int32]
    margin: NDArray[np.int32]
    failed: NDArray[np.int32]
    spaced: NDArray[np.int64]
    spanning: int
    lines: int
    problem: str
    problem_line: int
    place: int
    depth: int
    margin_line: int


def end_of_tree(text: ByteArray, place: cython.Py_ssize_t, depth: cython.Py_ssize_t) -> int:
    """Return the first place from ``place`` on after a bracket that closes the last open one.

    ``depth`` brackets are open at ``place``. The length of the text where there is no such place.
    """
    size: cython.Py_ssize_t = text.shape[0]
    with cython.nogil:
        while place < size:
            if text[place] == ord("("):
                depth += 1
            elif text[place] == ord(")"):
                depth -= 1
                if depth == 0:
                    place += 1
                    break
            place += 1
    return place


def begin_of_open_tree(text: ByteArray, depth: cython.Py_ssize_t) -> int:
    """Return the place of the bracket that opens the tree in which a text ends; 0 where there is none.

    ``depth`` brackets are open at the end of the text.
    """
    place: cython.Py_ssize_t = text.shape[0]
    with cython.nogil:
        while place > 0 and depth > 0:
            place -= 1
            if text[place] == ord("("):
                depth -= 1
            elif text[place] == ord(")"):
                depth += 1
    return place


def scan(
    text: ByteArray,
    place: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
    opened: int,
    by_line: cython.bint,
    tagged: cython.bint,
) -> Scan:
    """Read the trees in the bytes from ``place`` to ``size - 1`` of a text, in which no tree begins before.

    opened   the number of opening brackets there
    by_line  whether each physical line is a sentence; else each outermost bracket is one
    tagged   whether a bracket with nothing but a word in it is a word with its tag; else it is a phrase
    """
    reader = Reader(text, opened, by_line, tagged)
    with cython.nogil:
        place = reader.read(place, size)
    tokens, nodes, found = reader.token, reader.node, reader.found
    columns: list[Any] = [
        reader.strings,
        np.asarray(reader.form)[:tokens],
        np.asarray(reader.pos)[:tokens],
        np.asarray(reader.token_parent)[:tokens],
        np.asarray(reader.label)[:nodes],
        np.asarray(reader.node_parent)[:nodes],
        *np.asarray(reader.offsets)[:, : found + 1],
        *np.asarray(reader.sentences)[:, :found],
        np.asarray(reader.spaced)[: reader.gaps],
        reader.spanning,
        reader.line - 1,
        PROBLEMS[reader.problem],
        reader.problem_line,
        place,
        reader.depth,
        reader.margin_line,
    ]
    return Scan(*columns)


@cython.cclass
class Reader:
    """State of the loop, and the columns that it fills.

    offsets, sentences  the columns of ``Scan`` in its order: ``(2, sentences + 1)`` and ``(5, sentences)``
    token, node, found, gaps  how many words, nodes, sentences and words with white space have been read
    line          the line of the byte that is read
    first_token, first_node, first_line  of the open sentence: what comes before it, and its line
    wordless, untagged, margin    its counts so far
    failed        whether one of its brackets has a label, or a line says that the parser failed
    current       its open node, counted from the first one, or -1
    childless     whether no bracket has come since that of the open node
    first_word, word_begin, word_end  the first of the words since then, and the bytes from it to the last
    filled        the node after the last one that has a word
    code          the string that was read last
    """

    text: ByteArray
    by_line: cython.bint
    tagged: cython.bint
    strings: StringTable
    form: Int32Output
    pos: Int32Output
    token_parent: Int32Output
    label: Int32Output
    node_parent: Int32Output
    offsets: Int64MatrixOutput
    sentences: Int32MatrixOutput
    spaced: Int64MatrixOutput
    token: cython.Py_ssize_t
    node: cython.Py_ssize_t
    found: cython.Py_ssize_t
    gaps: cython.Py_ssize_t
    spanning: cython.Py_ssize_t
    line: cython.Py_ssize_t
    problem: cython.int
    problem_line: cython.Py_ssize_t
    depth: cython.Py_ssize_t
    margin_line: cython.Py_ssize_t
    first_token: cython.Py_ssize_t
    first_node: cython.Py_ssize_t
    first_line: cython.Py_ssize_t
    wordless: cython.int
    untagged: cython.int
    margin: cython.int
    failed: cython.bint
    current: cython.int
    childless: cython.bint
    first_word: cython.Py_ssize_t
    word_begin: cython.Py_ssize_t
    word_end: cython.Py_ssize_t
    filled: cython.Py_ssize_t
    code: cython.int

    def __init__(self, text: ByteArray, opened: int, by_line: bool, tagged: bool) -> None:
        self.text, self.by_line, self.tagged = text, by_line, tagged
        self.strings = StringTable(text, min(opened >> 3, 1 << 12))
        # There are hardly more words or nodes than brackets. Pages that are not written cost nothing.
        self.form, self.pos = np.empty(opened + 1, np.int32), np.empty(opened + 1, np.int32)
        self.token_parent = np.empty(opened + 1, np.int32)
        self.label, self.node_parent = np.empty(opened, np.int32), np.empty(opened, np.int32)
        rows = opened // 16 + 16
        self.offsets, self.sentences = np.zeros((2, rows + 1), np.int64), np.empty((5, rows), np.int32)
        self.spaced = np.empty((16, 3), np.int64)
        self.token = self.node = self.found = self.gaps = self.spanning = 0
        self.line, self.problem, self.problem_line, self.depth, self.margin_line = 1, FINE, 0, 0, 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def read(self, place: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Read to the end of the text or to the first problem. Returns where that is."""
        limit = size
        while place < size:
            if self.by_line:
                limit = place
                while limit < size and self.text[limit] != ord("\n"):
                    limit += 1
            else:
                while place < size and is_space(self.text[place]):
                    self.line += self.text[place] == ord("\n")
                    place += 1
                if place == size:
                    break
            self.begin_sentence()
            place = self.read_sentence(place, limit)
            if self.problem == FINE:
                self.problem = self.end_sentence()
            if self.problem != FINE:
                break
            if self.by_line:
                place = limit + 1
                self.line += 1
        return place

    @cython.cfunc
    @cython.nogil
    def begin_sentence(self) -> cython.void:
        """Note where the columns stand, and that nothing of the next sentence has come yet."""
        self.first_token, self.first_node, self.first_line = self.token, self.node, self.line
        self.wordless = self.untagged = self.margin = 0
        self.margin_line = 0
        self.failed = self.childless = False
        self.current = -1
        self.first_word, self.filled = self.token, self.node

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def read_sentence(self, place: cython.Py_ssize_t, limit: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Read to the end of the line, or to the bracket that closes the sentence. Returns where that is."""
        while place < limit:
            byte = self.text[place]
            if byte == ord("("):
                place = self.open_node(place, limit)
            elif byte == ord(")"):
                if self.current < 0:
                    self.problem, self.problem_line = EXTRA_CLOSE, self.line
                    break
                self.close_node()
                place += 1
                if self.current < 0 and not self.by_line:
                    break
            elif is_space(byte):
                if byte == ord("\n"):
                    self.line += 1
                place += 1
            elif self.current < 0:
                place = self.read_failed_parse(place, limit)
                break
            else:
                place = self.read_word(place, limit)
        return place

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def open_node(self, place: cython.Py_ssize_t, limit: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Read an opening bracket and the label right after it. Returns where that ends.

        The words before it within its parent have no tag.
        """
        if self.current >= 0 and self.text[place - 1] == ord("\n"):
            self.margin += 1
            if self.margin_line == 0:
                self.margin_line = self.line
        if self.childless:
            self.untagged += cython.cast(cython.int, self.token - self.first_word)
        end = self.read_string(place + 1, limit)
        self.failed = self.failed or end > place + 1
        self.label[self.node], self.node_parent[self.node] = self.code, self.current
        self.current = cython.cast(cython.int, self.node - self.first_node)
        self.node += 1
        self.first_word, self.childless = self.token, True
        return end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def close_node(self) -> cython.int:
        """Close the open node. Around nothing but a word it is a tag, and without words it is left out."""
        node = self.first_node + self.current
        self.current = self.node_parent[node]
        words = self.token - self.first_word
        if self.childless and words > 0:
            if self.tagged:
                if words > 1:
                    self.join_words()
                self.pos[self.first_word], self.token_parent[self.first_word] = self.label[node], self.current
                self.node = self.filled = node
            else:
                self.untagged += cython.cast(cython.int, words)
        elif node >= self.filled:
            self.wordless += cython.cast(cython.int, self.node - node)
            self.node = node
        self.childless = False
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def join_words(self) -> cython.int:
        """Take all words of the open node as one word with white space in it."""
        if self.gaps == self.spaced.shape[0]:
            with cython.gil:
                self.spaced = longer(self.spaced, 0)
        self.spaced[self.gaps, 0], self.spaced[self.gaps, 1] = self.first_word, self.word_begin
        self.spaced[self.gaps, 2] = self.word_end
        self.gaps += 1
        self.token = self.first_word + 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def read_failed_parse(self, place: cython.Py_ssize_t, limit: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Read a line that says that the parser failed; other text is a problem. Returns where it ends."""
        end: cython.Py_ssize_t = 0
        with cython.gil:
            end = end_of_failed_parse(np.asarray(self.text), place)
        # A range of the text ends within such a line if the sentence has brackets of its own.
        if end == 0 or end > limit:
            self.problem, self.problem_line = TEXT_OUTSIDE, self.line
            return place
        self.failed = True
        return end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def read_word(self, place: cython.Py_ssize_t, limit: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Read a word of the open node. Returns where it ends."""
        if self.token == self.form.shape[0]:
            self.lengthen_words()
        if self.token == self.first_word:
            self.word_begin = place
        self.word_end = self.read_string(place, limit)
        self.form[self.token], self.pos[self.token], self.token_parent[self.token] = (
            self.code,
            0,
            self.current,
        )
        self.token += 1
        self.filled = self.node
        self.untagged += not self.childless
        return self.word_end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def read_string(self, begin: cython.Py_ssize_t, limit: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Give the bytes up to a bracket or white space their code. Returns where they end."""
        place = end_of_string(self.text, begin, limit)
        self.code = self.strings.code(begin, place)
        return place

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def lengthen_words(self) -> cython.int:
        """Make room for as many words again. A function whose views of memory change is slow to enter."""
        with cython.gil:
            self.form, self.pos = longer(self.form, 0), longer(self.pos, 0)
            self.token_parent = longer(self.token_parent, 0)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def end_sentence(self) -> cython.int:
        """Write the row of the sentence that has been read. Returns the problem that it has."""
        self.problem_line = self.first_line
        if self.current >= 0:
            while self.current >= 0:
                self.depth += 1
                self.current = self.node_parent[self.first_node + self.current]
            return UNCLOSED
        if self.token == self.first_token:
            self.wordless = 0
        else:
            self.failed = False
        self.problem_line = 0
        if self.found == self.sentences.shape[1]:
            with cython.gil:
                self.offsets, self.sentences = longer(self.offsets, 1), longer(self.sentences, 1)
        self.spanning += self.line > self.first_line
        self.sentences[0, self.found] = cython.cast(cython.int, self.first_line)
        self.sentences[1, self.found], self.sentences[2, self.found] = self.wordless, self.untagged
        self.sentences[3, self.found] = self.margin
        self.sentences[4, self.found] = self.failed
        self.found += 1
        self.offsets[0, self.found], self.offsets[1, self.found] = self.token, self.node
        return FINE


def longer(columns: NDArray[Any], axis: int) -> NDArray[Any]:
    """Columns with the same rows and room for as many more; ``axis`` is that of the rows."""
    return np.concatenate((columns, np.empty_like(columns)), axis)
