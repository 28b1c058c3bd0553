"""Compiled loop that reads bracketed trees: from UTF-8 bytes to columns of codes.

One pass over the bytes. Labels, tags and words get their codes as they are met. Every bracket is a node
until it closes around nothing but a word: then its label was a tag. There is no stack: the parent column of
the open node tells the loop which node to return to.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import ByteArray, Int32Output, Int64Output
from cython.cimports.crossbank.treebanks.scanners.interning import BITS, FIRST_KEY, PRIME, StringTable
from cython.cimports.crossbank.treebanks.scanners.white_space import is_space
from numpy.typing import NDArray

FINE, UNCLOSED, EXTRA_CLOSE, TEXT_OUTSIDE, NO_WORD = range(5)
"""The end of the loop: at the end of the text, or at one of four errors."""


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
    spaced              shape ``(words with white space in them, 3)``: the token, its first byte, and the byte
                        after its last; its form is only the first part of it
    spanning            how many sentences go over several lines
    lines               how many line ends there are
    problem             the reason why the loop ended
    problem_line, place the line and the byte of the problem
    depth, margin_line  UNCLOSED: how many brackets are open, and the first line within the tree that begins
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
    spaced: NDArray[np.int64]
    spanning: int
    lines: int
    problem: int
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
    unclosed: cython.int = UNCLOSED
    extra_close: cython.int = EXTRA_CLOSE
    text_outside: cython.int = TEXT_OUTSIDE
    no_word: cython.int = NO_WORD
    strings = StringTable(text, min(opened >> 3, 1 << 12))
    # There are no more nodes than brackets, and hardly more words. Pages that are not written cost nothing.
    form: Int32Output = np.empty(opened + 1, np.int32)
    pos: Int32Output = np.empty(opened + 1, np.int32)
    token_parent: Int32Output = np.empty(opened + 1, np.int32)
    label: Int32Output = np.empty(opened, np.int32)
    node_parent: Int32Output = np.empty(opened, np.int32)
    rows = opened // 16 + 16
    token_offsets: Int64Output = np.empty(rows + 1, np.int64)
    node_offsets: Int64Output = np.empty(rows + 1, np.int64)
    begin_line: Int32Output = np.empty(rows, np.int32)
    wordless_nodes: Int32Output = np.empty(rows, np.int32)
    untagged_words: Int32Output = np.empty(rows, np.int32)
    margins: Int32Output = np.empty(rows, np.int32)
    spaced: Int64Output = np.empty(48, np.int64)
    # Where the loop stands
    line: cython.Py_ssize_t = 1
    tokens: cython.Py_ssize_t = 0
    nodes: cython.Py_ssize_t = 0
    found: cython.Py_ssize_t = 0
    gaps: cython.Py_ssize_t = 0
    spanning: cython.Py_ssize_t = 0
    problem: cython.int = FINE
    problem_line: cython.Py_ssize_t = 0
    depth: cython.Py_ssize_t = 0
    # The sentence
    margin_line: cython.Py_ssize_t = 0
    done: cython.bint
    first_key: cython.ulonglong = FIRST_KEY
    prime: cython.ulonglong = PRIME
    bits: cython.ulonglong = BITS
    token_offsets[0] = node_offsets[0] = 0
    with cython.nogil:
        while place < size:
            # One sentence: to the end of the line, or to the bracket that closes the outermost one.
            limit = size
            if by_line:
                limit = place
                while limit < size and text[limit] != ord("\n"):
                    limit += 1
            else:
                while place < size and is_space(text[place]):
                    line += text[place] == ord("\n")
                    place += 1
                if place == size:
                    break
            if found == begin_line.shape[0]:
                with cython.gil:
                    token_offsets, node_offsets = longer(token_offsets), longer(node_offsets)
                    begin_line, margins = longer(begin_line), longer(margins)
                    wordless_nodes, untagged_words = longer(wordless_nodes), longer(untagged_words)
            first_line, first_token, first_node = line, tokens, nodes
            wordless = untagged = margin = 0
            margin_line = 0
            named = done = childless = bare = False
            current = -1
            first_word, word_begin, word_end, filled = tokens, 0, 0, nodes
            while place < limit and not done:
                byte = text[place]
                if byte == ord("("):
                    if current >= 0 and text[place - 1] == ord("\n"):
                        margin += 1
                        if margin_line == 0:
                            margin_line = line
                    if childless:
                        untagged += cython.cast(cython.int, tokens - first_word)
                    label[nodes], node_parent[nodes] = 0, current
                    current = cython.cast(cython.int, nodes - first_node)
                    nodes += 1
                    first_word = tokens
                    childless = bare = True
                    place += 1
                elif byte == ord(")"):
                    if current < 0:
                        problem, problem_line = extra_close, line
                        break
                    node = first_node + current
                    current = node_parent[node]
                    if childless and tokens > first_word and not tagged:
                        untagged += cython.cast(cython.int, tokens - first_word)
                    elif childless and tokens > first_word:
                        if tokens > first_word + 1:
                            if 3 * gaps == spaced.shape[0]:
                                with cython.gil:
                                    spaced = longer(spaced)
                            spaced[3 * gaps], spaced[3 * gaps + 1] = first_word, word_begin
                            spaced[3 * gaps + 2] = word_end
                            gaps += 1
                            tokens = first_word + 1
                        pos[first_word], token_parent[first_word] = label[node], current
                        nodes = filled = node
                    elif node >= filled:
                        wordless += cython.cast(cython.int, nodes - node)
                        nodes = node
                    done = current < 0 and not by_line
                    childless = bare = False
                    place += 1
                elif is_space(byte):
                    line += byte == ord("\n")
                    bare = False
                    place += 1
                else:
                    # A label or a word
                    begin = place
                    key = first_key
                    while place < limit:
                        byte = text[place]
                        if byte <= ord(")") and (byte >= ord("(") or is_space(byte)):
                            break
                        key = ((key ^ cython.cast(cython.ulonglong, byte)) * prime) & bits
                        place += 1
                    if bare:
                        label[nodes - 1] = strings.code_of_key(begin, place, key)
                        named = True
                        bare = False
                        continue
                    if current < 0:
                        problem, problem_line, place = text_outside, line, begin
                        break
                    if tokens == form.shape[0]:
                        with cython.gil:
                            form, pos, token_parent = longer(form), longer(pos), longer(token_parent)
                    if tokens == first_word:
                        word_begin = begin
                    word_end = place
                    form[tokens], pos[tokens], token_parent[tokens] = (
                        strings.code_of_key(begin, place, key),
                        0,
                        current,
                    )
                    tokens += 1
                    filled = nodes
                    if not childless:
                        untagged += 1
            if problem != 0:
                break
            if current >= 0:
                problem, problem_line = unclosed, first_line
                while current >= 0:
                    depth += 1
                    current = node_parent[first_node + current]
                break
            if tokens == first_token:
                if named:
                    problem, problem_line = no_word, first_line
                    break
                wordless = 0
            spanning += line > first_line
            begin_line[found] = cython.cast(cython.int, first_line)
            wordless_nodes[found], untagged_words[found], margins[found] = wordless, untagged, margin
            found += 1
            token_offsets[found], node_offsets[found] = tokens, nodes
            if by_line:
                place = limit + 1
                line += 1
    return Scan(
        strings,
        np.asarray(form)[:tokens],
        np.asarray(pos)[:tokens],
        np.asarray(token_parent)[:tokens],
        np.asarray(label)[:nodes],
        np.asarray(node_parent)[:nodes],
        np.asarray(token_offsets)[: found + 1],
        np.asarray(node_offsets)[: found + 1],
        np.asarray(begin_line)[:found],
        np.asarray(wordless_nodes)[:found],
        np.asarray(untagged_words)[:found],
        np.asarray(margins)[:found],
        np.asarray(spaced)[: 3 * gaps].reshape(gaps, 3),
        spanning,
        line - 1,
        problem,
        problem_line,
        place,
        depth,
        margin_line,
    )


def longer(column: NDArray[Any]) -> NDArray[Any]:
    """A column with the same rows and room for as many more."""
    return np.concatenate((column, np.empty_like(column)))
