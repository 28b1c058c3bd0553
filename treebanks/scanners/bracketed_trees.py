"""Compiled loop that reads bracketed trees: from UTF-8 bytes to columns of codes.

One pass over the bytes. Labels, tags and words get their codes as they are met: eight bytes are looked at
together, in which most strings end, and these bytes are the key of the string. Every bracket is a node until
it closes around nothing but a word: then its label was a tag. There is no stack: the parent column of the
open node tells the reader which node to return to.
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
from cython.cimports.crossbank.treebanks.scanners.byte_words import (
    bytes_before,
    end_of_line,
    end_of_string,
    ends_in,
    known_code,
    word_at,
)
from cython.cimports.crossbank.treebanks.scanners.interning import StringTable
from cython.cimports.crossbank.treebanks.scanners.white_space import is_space
from numpy.typing import NDArray

from crossbank.treebanks.failed_parses import end_of_failed_parse

FINE = cython.declare(cython.int, 0)
UNCLOSED = cython.declare(cython.int, 1)
EXTRA_CLOSE = cython.declare(cython.int, 2)
TEXT_OUTSIDE = cython.declare(cython.int, 3)
DOUBTFUL = cython.declare(cython.int, 4)

PROBLEMS = ("", "unclosed", "extra close", "text outside", "doubtful")
"""The names of the problems, by their numbers."""


class Scan(NamedTuple):
    """Contents of a text, or of a chunk of one.

    strings             the distinct labels, tags and words
    form, pos           shape ``(tokens,)``: codes
    token_parent        shape ``(tokens,)``: nodes of the same sentence, or -1
    label, node_parent  shape ``(nodes,)``, in pre-order
    token_offsets, node_offsets  shape ``(sentences + 1,)``
    line                shape ``(sentences,)``: the line that a sentence begins in, from 1
    wordless            shape ``(sentences,)``: how many nodes without a word were omitted
    untagged            shape ``(sentences,)``: how many words have no tag
    margin              shape ``(sentences,)``: how many brackets within it are at the beginning of a line
    failed              shape ``(sentences,)``: whether the parser failed: a line that says so, or labels
                        without a word
    damaged             shape ``(sentences,)``: whether it cannot be read and has no words
    spaced              shape ``(words with white space in them, 3)``: the token, its first byte, and the byte
                        after its last; its form is only the first part of it
    events              how many sentences have something in the columns from wordless to failed, or had it
                        before they turned out to be damaged
    spanning            how many sentences go over several lines
    lines               how many line ends there are
    problem             the reason why the loop ended, one of ``PROBLEMS``: nothing at the end of the text
    problem_line, offset  the line and the byte of the problem
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
    damaged: NDArray[np.int32]
    spaced: NDArray[np.int64]
    events: int
    spanning: int
    lines: int
    problem: str
    problem_line: int
    offset: int
    depth: int
    margin_line: int


def brackets_opened(text: ByteArray) -> int:
    """Return how many more brackets a text opens than it closes."""
    opened: cython.Py_ssize_t = 0
    with cython.nogil:
        for begin in range(0, text.shape[0], 1 << 16):
            # Small numbers are added up several at once.
            here: cython.int = 0
            for offset in range(begin, min(begin + (1 << 16), text.shape[0])):
                opens = cython.cast(cython.int, text[offset] == ord("("))
                here += opens - cython.cast(cython.int, text[offset] == ord(")"))
            opened += here
    return opened


def end_of_tree(text: ByteArray, offset: cython.Py_ssize_t, depth: cython.Py_ssize_t) -> int:
    """Return the first place from ``offset`` on after a bracket that closes the last open one.

    ``depth`` brackets are open at ``offset``. The length of the text where there is no such place.
    """
    size: cython.Py_ssize_t = text.shape[0]
    with cython.nogil:
        while offset < size:
            if text[offset] == ord("("):
                depth += 1
            elif text[offset] == ord(")"):
                depth -= 1
                if depth == 0:
                    offset += 1
                    break
            offset += 1
    return offset


def begin_of_open_tree(text: ByteArray, depth: cython.Py_ssize_t) -> int:
    """Return the offset of the bracket that opens the tree in which a text ends; 0 if there is none.

    ``depth`` brackets are open at the end of the text.
    """
    offset: cython.Py_ssize_t = text.shape[0]
    with cython.nogil:
        while offset > 0 and depth > 0:
            offset -= 1
            if text[offset] == ord("("):
                depth -= 1
            elif text[offset] == ord(")"):
                depth += 1
    return offset


def scan(
    text: ByteArray,
    offset: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
    by_line: cython.bint,
    tagged: cython.bint,
    strings: StringTable,
    goes_on: cython.bint = False,
) -> Scan:
    """Read the trees in the bytes from ``offset`` to ``size - 1`` of a text, in which no tree begins before.

    by_line  whether each physical line is a sentence; else each outermost bracket is one
    tagged   whether a bracket with nothing but a word in it is a word with its tag; else it is a phrase
    strings  the table into which strings are entered; it may have those of texts before this one
    goes_on  whether a tree with a problem is left without words; it ends before the next line that begins
             with a bracket. If it is doubtful whether it does, the problem is ``doubtful``
    """
    reader = Reader(text, size - offset, by_line, tagged, strings, goes_on)
    with cython.nogil:
        offset = reader.read(offset, size)
    tokens, nodes, sentences = reader.token, reader.node, reader.sentence_count
    columns: list[Any] = [
        reader.strings,
        *reader.word_columns[:, :tokens],
        *reader.node_columns[:, :nodes],
        *reader.offset_columns[:, : sentences + 1],
        *reader.sentence_columns[:, :sentences],
        reader.spaced_words[: reader.gaps],
        reader.events,
        reader.spanning,
        reader.line - 1,
        PROBLEMS[reader.problem],
        reader.problem_line,
        offset,
        reader.depth,
        reader.margin_line,
    ]
    return Scan(*columns)


@cython.cclass
class Reader:
    """State of the loop, and the columns that it fills.

    word_columns, node_columns, offset_columns, sentence_columns, spaced_words
                  the columns of ``Scan`` in its order, as arrays: to make these of the loop's views of them
                  takes longer than to read a sentence
    goes_on       whether a tree with a problem is left without words
    before, before_spans  the offset at which the tree before the open one begins, and whether it goes over
                  several lines
    has_text_at_margin  whether a line within the open tree begins with a word
    token, node, sentence_count, gaps, events  how many words, nodes, sentences, words with white space and
                  sentences with an event are read
    line          the line of the byte that is read
    first_token, first_node, first_line  of the open sentence: what comes before it, and its line
    wordless, untagged, margin    its counts
    failed        whether one of its brackets has a label, or a line says that the parser failed
    current       its open node, counted from the first one, or -1
    """

    text: ByteArray
    by_line: cython.bint
    tagged: cython.bint
    goes_on: cython.bint
    before: cython.Py_ssize_t
    before_spans: cython.bint
    has_text_at_margin: cython.bint
    strings: StringTable
    form: Int32Output
    pos: Int32Output
    token_parent: Int32Output
    label: Int32Output
    node_parent: Int32Output
    offsets: Int64MatrixOutput
    sentences: Int32MatrixOutput
    spaced: Int64MatrixOutput
    word_columns: NDArray[Any]
    node_columns: NDArray[Any]
    offset_columns: NDArray[Any]
    sentence_columns: NDArray[Any]
    spaced_words: NDArray[Any]
    token: cython.Py_ssize_t
    node: cython.Py_ssize_t
    sentence_count: cython.Py_ssize_t
    gaps: cython.Py_ssize_t
    events: cython.Py_ssize_t
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

    def __init__(
        self, text: ByteArray, bytes: int, by_line: bool, tagged: bool, strings: StringTable, goes_on: bool
    ) -> None:
        self.text, self.by_line, self.tagged = text, by_line, tagged
        self.goes_on, self.before, self.before_spans = goes_on, -1, False
        self.strings, strings.text = strings, text
        # A word or a node takes about ten bytes or more. Pages that are not written cost nothing.
        items = bytes // 8 + 16
        rows = items // 16 + 16
        self.word_columns, self.node_columns = np.empty((3, items), np.int32), np.empty((2, items), np.int32)
        self.offset_columns = np.empty((2, rows + 1), np.int64)
        self.sentence_columns = np.empty((6, rows), np.int32)
        self.spaced = self.spaced_words = np.empty((16, 3), np.int64)
        self.view_words()
        self.view_nodes()
        self.view_sentences()
        self.offsets[0, 0] = self.offsets[1, 0] = 0
        self.token = self.node = self.sentence_count = self.gaps = self.events = self.spanning = 0
        self.line, self.problem, self.problem_line, self.depth, self.margin_line = 1, FINE, 0, 0, 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def view_words(self) -> cython.int:
        """Give the loop the columns of words."""
        self.form, self.pos, self.token_parent = self.word_columns
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def view_nodes(self) -> cython.int:
        """Give the loop the columns of nodes."""
        self.label, self.node_parent = self.node_columns
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def view_sentences(self) -> cython.int:
        """Give the loop the columns of sentences."""
        self.offsets, self.sentences = self.offset_columns, self.sentence_columns
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def read(self, offset: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Read to the end of the text or to the first problem. Returns where that is.

        What the open sentence changes is in local variables, which the compiler keeps in registers:

        childless     whether no bracket has come since that of the open node
        first_word, word_begin, word_end  the first of the words since then, and the bytes from it to the last
        filled        the node after the last one that has a word
        """
        text, by_line, tagged = self.text, self.by_line, self.tagged
        form, pos, token_parent = self.form, self.pos, self.token_parent
        label, node_parent = self.label, self.node_parent
        slots, shift = self.strings.slots, self.strings.shift
        token, node = self.token, self.node
        line: cython.Py_ssize_t = self.line
        code: cython.int = 0
        leaf: cython.int = 0
        word_begin = word_end = offset
        limit = size
        while offset < size:
            if by_line:
                limit = end_of_line(text, offset)
                limit = min(limit, size)
            else:
                while offset < size and is_space(text[offset]):
                    line += text[offset] == ord("\n")
                    offset += 1
                if offset == size:
                    break
            begin = offset
            self.begin_sentence(token, node, line)
            first_node = node
            first_word, filled = token, node
            current: cython.int = -1
            wordless: cython.int = 0
            untagged: cython.int = 0
            failed: cython.bint = False
            childless: cython.bint = False
            while offset < limit:
                byte = text[offset]
                if byte == ord("("):
                    # The label right after it, which may be empty. The words before it have no tag.
                    if current >= 0 and text[offset - 1] == ord("\n"):
                        self.note_margin(line)
                        if self.goes_on:
                            break
                    if childless:
                        untagged += cython.cast(cython.int, token - first_word)
                    offset += 1
                    word = word_at(text, offset)
                    ends = ends_in(word)
                    end = limit + 1
                    if ends != 0:
                        end = offset + bytes_before(ends)
                        code = known_code(slots, shift, word, ends)
                    if end > limit or code < 0:
                        end = end_of_string(text, offset, limit)
                        code = self.strings.code(offset, end)
                        if self.strings.shift != shift:
                            slots, shift = self.strings.slots, self.strings.shift
                    failed = failed or end > offset
                    offset = end + 1
                    if tagged and offset < limit and text[end] == ord(" ") and text[offset] != ord("("):
                        # Most brackets with a word next to their label have nothing else: it is a tag.
                        word = word_at(text, offset)
                        ends = ends_in(word)
                        stop = limit + 1
                        if ends != 0:
                            stop = offset + bytes_before(ends)
                            leaf = known_code(slots, shift, word, ends)
                        if stop > limit or leaf < 0:
                            stop = end_of_string(text, offset, limit)
                            leaf = self.strings.code(offset, stop)
                            if self.strings.shift != shift:
                                slots, shift = self.strings.slots, self.strings.shift
                        if offset < stop < limit and text[stop] == ord(")"):
                            if token == form.shape[0]:
                                self.lengthen_words()
                                form, pos, token_parent = self.form, self.pos, self.token_parent
                            form[token], pos[token], token_parent[token] = leaf, code, current
                            first_word = token
                            token += 1
                            filled = node
                            childless = False
                            offset = stop + 1
                            if current < 0 and not by_line:
                                break
                            continue
                    if node == label.shape[0]:
                        self.lengthen_nodes()
                        label, node_parent = self.label, self.node_parent
                    label[node], node_parent[node] = code, current
                    current = cython.cast(cython.int, node - first_node)
                    node += 1
                    first_word, childless = token, True
                    offset = end
                elif byte == ord(")"):
                    if current < 0:
                        self.problem, self.problem_line = EXTRA_CLOSE, line
                        break
                    # Around nothing but a word it is a tag, and without words it is omitted.
                    closed = first_node + current
                    current = node_parent[closed]
                    if childless and token > first_word:
                        if tagged:
                            if token > first_word + 1:
                                self.join_words(first_word, word_begin, word_end)
                                token = first_word + 1
                            pos[first_word], token_parent[first_word] = label[closed], current
                            node = filled = closed
                        else:
                            untagged += cython.cast(cython.int, token - first_word)
                    elif closed >= filled:
                        wordless += cython.cast(cython.int, node - closed)
                        node = closed
                    childless = False
                    offset += 1
                    if current < 0 and not by_line:
                        break
                elif is_space(byte):
                    line += byte == ord("\n")
                    offset += 1
                elif current < 0:
                    end = self.end_of_failed_parse(offset, limit, line)
                    failed = end > offset
                    offset = end
                    break
                else:
                    if token == form.shape[0]:
                        self.lengthen_words()
                        form, pos, token_parent = self.form, self.pos, self.token_parent
                    if token == first_word:
                        word_begin = offset
                    self.has_text_at_margin = self.has_text_at_margin or text[offset - 1] == ord("\n")
                    word_end = end_of_string(text, offset, limit)
                    code = self.strings.code(offset, word_end)
                    if self.strings.shift != shift:
                        slots, shift = self.strings.slots, self.strings.shift
                    form[token], pos[token], token_parent[token] = code, 0, current
                    token += 1
                    filled = node
                    untagged += not childless
                    offset = word_end
            self.token, self.node, self.line, self.current = token, node, line, current
            self.wordless, self.untagged, self.failed = wordless, untagged, failed
            if self.problem == FINE:
                self.problem = self.end_sentence()
            if self.problem != FINE:
                if not self.goes_on:
                    break
                offset = self.leave_out_tree(begin, offset, size)
                if self.problem != FINE:
                    break
                token, node, line = self.token, self.node, self.line
                continue
            self.before = begin
            if by_line:
                offset = limit + 1
                line += 1
        self.line = line
        return offset

    @cython.cfunc
    @cython.nogil
    def begin_sentence(
        self, token: cython.Py_ssize_t, node: cython.Py_ssize_t, line: cython.Py_ssize_t
    ) -> cython.void:
        """Note the lengths of the columns."""
        self.first_token, self.first_node, self.first_line = token, node, line
        self.margin = 0
        self.margin_line = 0
        self.has_text_at_margin = False

    @cython.cfunc
    @cython.nogil
    def note_margin(self, line: cython.Py_ssize_t) -> cython.void:
        """Count a bracket at the beginning of a line within a tree."""
        self.margin += 1
        if self.margin_line == 0:
            self.margin_line = line

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def join_words(
        self, first_word: cython.Py_ssize_t, begin: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.int:
        """Take all words of the open node as one word with white space in it."""
        if self.gaps == self.spaced.shape[0]:
            with cython.gil:
                self.spaced = self.spaced_words = longer(self.spaced_words, 0)
        self.spaced[self.gaps, 0], self.spaced[self.gaps, 1] = first_word, begin
        self.spaced[self.gaps, 2] = end
        self.gaps += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def end_of_failed_parse(
        self, offset: cython.Py_ssize_t, limit: cython.Py_ssize_t, line: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Return where a line ends that says that the parser failed; other text is a problem."""
        end: cython.Py_ssize_t = 0
        with cython.gil:
            end = end_of_failed_parse(np.asarray(self.text), offset)
        # A range of the text ends within such a line if the sentence has brackets of its own.
        if end == 0 or end > limit:
            self.problem, self.problem_line = TEXT_OUTSIDE, line
            return offset
        return end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def lengthen_words(self) -> cython.int:
        """Double the columns of words."""
        with cython.gil:
            self.word_columns = longer(self.word_columns, 1)
            self.view_words()
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def lengthen_nodes(self) -> cython.int:
        """Double the columns of nodes."""
        with cython.gil:
            self.node_columns = longer(self.node_columns, 1)
            self.view_nodes()
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
        if self.sentence_count == self.sentences.shape[1]:
            with cython.gil:
                self.offset_columns = longer(self.offset_columns, 1)
                self.sentence_columns = longer(self.sentence_columns, 1)
                self.view_sentences()
        self.before_spans = self.line > self.first_line
        self.spanning += self.before_spans
        self.sentences[0, self.sentence_count] = cython.cast(cython.int, self.first_line)
        self.sentences[1, self.sentence_count], self.sentences[2, self.sentence_count] = (
            self.wordless,
            self.untagged,
        )
        self.sentences[3, self.sentence_count] = self.margin
        self.sentences[4, self.sentence_count] = self.failed
        self.sentences[5, self.sentence_count] = 0
        self.events += self.wordless + self.untagged + self.margin + self.failed > 0
        self.sentence_count += 1
        self.offsets[0, self.sentence_count], self.offsets[1, self.sentence_count] = self.token, self.node
        return FINE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def leave_out_tree(
        self, begin: cython.Py_ssize_t, offset: cython.Py_ssize_t, size: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Leave the tree with a problem without words. Returns the offset after it.

        begin   the offset at which the open tree begins, or what is after one
        offset  the offset of the problem
        """
        text = self.text
        unclosed: cython.bint = self.problem == UNCLOSED
        first_line: cython.Py_ssize_t = self.first_line
        is_at_margin: cython.bint = begin == 0 or text[begin - 1] == ord("\n")
        self.problem, self.depth, self.margin = FINE, 0, 0
        if unclosed:
            if not is_at_margin or self.has_text_at_margin:
                self.problem = DOUBTFUL
                return offset
        else:
            line_begin = begin
            while line_begin > 0 and text[line_begin - 1] != ord("\n"):
                line_begin -= 1
            if not is_at_margin and self.sentence_count > 0 and self.before >= 0:
                # What is after a tree on its line belongs to it.
                first_line = self.sentences[0, self.sentence_count - 1]
                is_whole: cython.bint = self.before == 0 or text[self.before - 1] == ord("\n")
                if not is_whole or (not self.before_spans and self.before != line_begin):
                    self.problem = DOUBTFUL
                    return offset
                self.sentence_count -= 1
                self.spanning -= self.before_spans
                self.first_token = cython.cast(cython.Py_ssize_t, self.offsets[0, self.sentence_count])
                self.first_node = cython.cast(cython.Py_ssize_t, self.offsets[1, self.sentence_count])
            elif (
                not is_at_margin
                or text[begin] == ord("`")
                or text[begin] == ord("~")
                or text[begin] == ord(")")
            ):
                self.problem = DOUBTFUL
                return offset
            while offset < size and text[offset] != ord("\n"):
                offset += 1
            following = offset
            while following < size and is_space(text[following]):
                following += 1
            if following < size and (text[following] != ord("(") or text[following - 1] != ord("\n")):
                self.problem = DOUBTFUL
                return offset
        self.token, self.node, self.before = self.first_token, self.first_node, -1
        while self.gaps > 0 and self.spaced[self.gaps - 1, 0] >= self.token:
            self.gaps -= 1
        self.first_line, self.current = first_line, -1
        self.wordless = self.untagged = 0
        self.failed = False
        line = self.line
        self.line = first_line
        self.end_sentence()
        self.line = line
        self.sentences[5, self.sentence_count - 1] = 1
        return offset


def longer(columns: NDArray[Any], axis: int) -> NDArray[Any]:
    """Return columns with the same rows and as many unset ones; ``axis`` is that of the rows."""
    return np.concatenate((columns, np.empty_like(columns)), axis)
