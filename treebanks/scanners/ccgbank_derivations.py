"""Compiled loop that reads derivations in the notation of CCGbank: from UTF-8 bytes to columns of codes.

A line that begins with a bracket is a derivation; any other line with text is the header of the next one. The
loop only classifies the errors of a derivation; ``formalisms.ccg.formats.auto`` makes the messages.
"""

from __future__ import annotations

from typing import NamedTuple

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import ByteArray, Int32MatrixOutput, Int64MatrixOutput
from cython.cimports.crossbank.treebanks.scanners.interning import StringTable
from numpy.typing import NDArray

FINE = cython.declare(cython.int, 0)
UNCLOSED = cython.declare(cython.int, 1)
EXTRA_CLOSE = cython.declare(cython.int, 2)
BRACKET = cython.declare(cython.int, 3)
NODE_FIELDS = cython.declare(cython.int, 4)
LEAF_FIELDS = cython.declare(cython.int, 5)
CHILDREN = cython.declare(cython.int, 6)
TEXT = cython.declare(cython.int, 7)
NO_LEAF = cython.declare(cython.int, 8)
TWO_TREES = cython.declare(cython.int, 9)

PROBLEMS = (
    "", "unclosed", "extra close", "bracket", "node fields", "leaf fields", "children", "text", "no leaf",
    "two trees",
)  # fmt: skip
"""The names of the problems, by their numbers."""

CATEGORY, MODIFIED_POS, POS, WORD, MARKED, PARENT = range(6)
"""The rows of ``Scan.tokens``: the fields of a leaf in their order, and the node that it hangs on."""

LABEL, HEAD, NODE_PARENT = range(3)
"""The rows of ``Scan.nodes``: category, which child is the head as it is written, and the node above."""

LINE, HEADER_BEGIN, HEADER_END, TOKENS_END, NODES_END = range(5)
"""The columns of ``Scan.sentences``: its line, the bytes of its header, where its tokens and nodes end."""


class Scan(NamedTuple):
    """Result of the loop; strings are codes.

    strings    the strings that the codes stand for
    tokens     shape ``(6, tokens)``
    nodes      shape ``(3, nodes)``
    sentences  shape ``(sentences, 5)``
    problem    the reason why the loop ended, one of ``PROBLEMS``: nothing at the end of the text
    line, offset  the line of the problem and its byte
    expected, actual  of ``children``: how many children a node says that it has, and how many it has
    """

    strings: StringTable
    tokens: NDArray[np.int32]
    nodes: NDArray[np.int32]
    sentences: NDArray[np.int64]
    problem: str
    line: int
    offset: int
    expected: int
    actual: int


def scan(text: ByteArray) -> Scan:
    """Read the derivations of a text, shape ``(bytes,)``, in UTF-8."""
    # No more of anything than brackets or lines; pages that are not written cost nothing.
    brackets, lines = (int(np.count_nonzero(np.asarray(text) == sign)) for sign in (ord("("), ord("\n")))
    reader = Reader(text, brackets + 1, lines + 2)
    with cython.nogil:
        reader.read()
    return Scan(
        reader.strings,
        np.asarray(reader.token)[:, : reader.tokens],
        np.asarray(reader.node)[:, : reader.nodes],
        np.asarray(reader.sentence)[: reader.count],
        PROBLEMS[reader.problem],
        reader.line,
        reader.offset,
        reader.expected,
        reader.actual,
    )


@cython.cclass
class Reader:
    """State of the loop, and the columns that it fills.

    children        shape ``(2, nodes)``: how many children each node says that it has, and how many it has
    tokens, nodes, count  how many tokens, nodes and sentences have been read
    current, base   the innermost open node, counted from the first of its derivation, which is ``base``
    """

    text: ByteArray
    strings: StringTable
    token: Int32MatrixOutput
    node: Int32MatrixOutput
    children: Int32MatrixOutput
    sentence: Int64MatrixOutput
    tokens: cython.Py_ssize_t
    nodes: cython.Py_ssize_t
    count: cython.Py_ssize_t
    line: cython.Py_ssize_t
    offset: cython.Py_ssize_t
    base: cython.Py_ssize_t
    current: cython.int
    problem: cython.int
    expected: cython.int
    actual: cython.int

    def __init__(self, text: ByteArray, brackets: int, lines: int) -> None:
        self.text, self.strings = text, StringTable(text, 1 << 12)
        self.token, self.node = np.empty((6, brackets), np.int32), np.empty((3, brackets), np.int32)
        self.children, self.sentence = np.empty((2, brackets), np.int32), np.empty((lines, 5), np.int64)
        self.tokens = self.nodes = self.count = self.line = self.offset = self.base = 0
        self.problem = self.expected = self.actual = 0
        self.current = -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def read(self) -> cython.int:
        """Read line by line, to the end of the text or to the first problem."""
        size: cython.Py_ssize_t = self.text.shape[0]
        following: cython.Py_ssize_t = 0
        header: cython.Py_ssize_t = 0
        header_begin: cython.Py_ssize_t = 0
        header_end: cython.Py_ssize_t = 0
        while following < size:
            self.line += 1
            begin = stop = following
            while stop < size and self.text[stop] != ord("\n"):
                stop += 1
            following = stop + 1
            while stop > begin and (self.text[stop - 1] == ord(" ") or self.text[stop - 1] == ord("\r")):
                stop -= 1
            while begin < stop and self.text[begin] == ord(" "):
                begin += 1
            if begin == stop:
                continue
            if self.text[begin] == ord("("):
                self.problem = self.derivation(begin, stop)
                if self.problem != FINE:
                    return 0
                self.end_sentence(header if header > 0 else self.line, header_begin, header_end)
                header = header_begin = header_end = 0
            else:
                if header > 0:  # the one before has no derivation
                    self.end_sentence(header, header_begin, header_end)
                header, header_begin, header_end = self.line, begin, stop
        if header > 0:
            self.end_sentence(header, header_begin, header_end)
        return 0

    @cython.cfunc
    @cython.nogil
    def end_sentence(
        self, line: cython.Py_ssize_t, header_begin: cython.Py_ssize_t, header_end: cython.Py_ssize_t
    ) -> cython.void:
        """Write the row of a sentence whose tokens and nodes have been read."""
        self.sentence[self.count, 0] = line
        self.sentence[self.count, 1], self.sentence[self.count, 2] = header_begin, header_end
        self.sentence[self.count, 3], self.sentence[self.count, 4] = self.tokens, self.nodes
        self.count += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def derivation(self, begin: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.int:
        """Read the derivation between two bytes. Returns the problem that ended it."""
        first: cython.Py_ssize_t = self.tokens
        closed: cython.bint = False
        self.base, self.current = self.nodes, -1
        self.offset = begin
        while begin < stop:
            self.offset = begin
            if self.text[begin] == ord(" "):
                begin += 1
            elif self.text[begin] == ord(")"):
                if self.current < 0:
                    return EXTRA_CLOSE
                self.expected = self.children[0, self.base + self.current]
                self.actual = self.children[1, self.base + self.current]
                if self.expected != self.actual:
                    return CHILDREN
                self.current = self.node[2, self.base + self.current]
                closed = self.current < 0
                begin += 1
            elif self.text[begin] != ord("("):
                return TEXT
            elif closed:
                return TWO_TREES
            elif begin + 3 >= stop or self.text[begin + 1] != ord("<") or self.text[begin + 3] != ord(" "):
                return BRACKET
            else:
                if self.current >= 0:
                    self.children[1, self.base + self.current] += 1
                if self.text[begin + 2] == ord("T"):
                    begin = self.inner_node(begin + 4, stop)
                    if begin == 0:
                        return NODE_FIELDS
                elif self.text[begin + 2] == ord("L"):
                    begin = self.leaf(begin + 4, stop)
                    if begin == 0:
                        return LEAF_FIELDS
                    closed = self.current < 0
                else:
                    return BRACKET
        if self.current >= 0:
            return UNCLOSED
        return FINE if self.tokens > first else NO_LEAF

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def inner_node(self, begin: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Read ``S[dcl] 0 2>``: category, head, number of children. Returns the byte after it, or 0."""
        children: cython.int = 0
        for field in range(2):
            end = self.end_of_field(begin, stop)
            if begin == end or not end < stop:
                return 0
            self.node[field, self.nodes] = self.strings.code(begin, end)
            begin = end + 1
        end = begin
        # Derivations have two children at most; trees of other schemes that are written so have more.
        while begin < stop and begin < end + 6 and ord("0") <= self.text[begin] <= ord("0") + 9:
            children = 10 * children + self.text[begin] - ord("0")
            begin += 1
        if begin == end or begin >= stop or self.text[begin] != ord(">"):
            return 0
        self.children[0, self.nodes], self.children[1, self.nodes] = children, 0
        self.node[2, self.nodes] = self.current
        self.current = cython.cast(cython.int, self.nodes - self.base)
        self.nodes += 1
        return begin + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def leaf(self, begin: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Read the five fields of a leaf, ``N NN NN dog N>)``, to ``>)``. Returns the byte after it, or 0."""
        for field in range(4):
            end = self.end_of_field(begin, stop)
            if begin == end or not end < stop:
                return 0
            self.token[field, self.tokens] = self.strings.code(begin, end)
            begin = end + 1
        end = begin
        while end + 1 < stop and self.text[end] != ord(" "):
            if self.text[end] == ord(">") and self.text[end + 1] == ord(")"):
                break
            end += 1
        if end == begin or end + 1 >= stop or self.text[end] != ord(">"):
            return 0
        self.token[4, self.tokens] = self.strings.code(begin, end)
        self.token[5, self.tokens] = self.current
        self.tokens += 1
        return end + 2

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=False)
    def end_of_field(self, begin: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the byte after a field, which is a space, or ``stop``."""
        while begin < stop and self.text[begin] != ord(" "):
            begin += 1
        return begin
