"""Compiled loop that reads a file as EVALB does; see ``evalb.lines``."""

from __future__ import annotations

# Compiled with -O3
import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    ByteArray,
    Int32Output,
    Int64Array,
    Int64Output,
)
from cython.cimports.crossbank.treebanks.scanners.byte_words import end_of_line, end_of_string
from cython.cimports.crossbank.treebanks.scanners.interning import StringTable
from cython.cimports.crossbank.treebanks.scanners.white_space import is_space
from numpy.typing import NDArray

FINE, UNBALANCED, TEXT_OUTSIDE, SECOND_WORD = range(4)
"""The end of the reading of a line: well; with brackets open, or closed too often; at text that is
neither a label nor a word; at a second word in a word's bracket."""

UNCLOSED = -1
"""The end of a bracket that its line does not close."""

unbalanced = cython.declare(cython.int, UNBALANCED)
text_outside = cython.declare(cython.int, TEXT_OUTSIDE)
second_word = cython.declare(cython.int, SECOND_WORD)

OPEN = cython.declare(cython.uchar, 40)
CLOSE = cython.declare(cython.uchar, 41)
NEWLINE = cython.declare(cython.uchar, 10)
RETURN = cython.declare(cython.uchar, 13)


@cython.dataclasses.dataclass(eq=False, repr=False)
class Census:
    """Lines of a text that is read block by block; a block may end anywhere.

    begun       lines that begin a tree
    continued   lines that go on with one that is still open, and are indented more than its first line
    depth       the brackets that are open
    tree_indent the indent of the line that began the tree
    indent      the white space that the line at hand begins with
    is_blank    whether it has had nothing else
    """

    begun: cython.Py_ssize_t = 0
    continued: cython.Py_ssize_t = 0
    depth: cython.Py_ssize_t = 0
    tree_indent: cython.Py_ssize_t = 0
    indent: cython.Py_ssize_t = 0
    is_blank: cython.bint = True


def count_lines(text: ByteArray, census: Census) -> None:
    """Count the lines of the next block of a text."""
    with cython.nogil:
        for offset in range(text.shape[0]):
            byte = text[offset]
            if byte == NEWLINE:
                census.indent, census.is_blank = 0, True
            elif census.is_blank and is_space(byte):
                census.indent += 1
            else:
                if census.is_blank:
                    census.is_blank = False
                    if census.depth > 0 and census.indent > census.tree_indent:
                        census.continued += 1
                    else:
                        census.begun += 1
                        census.depth, census.tree_indent = 0, census.indent
                census.depth += (byte == OPEN) - (byte == CLOSE)


def has_indented_line(text: ByteArray, before: cython.uchar) -> cython.bint:
    """Return whether a line begins with white space, and is not empty.

    before  the byte before the text
    """
    is_indented: cython.bint = False
    offset: cython.Py_ssize_t = 0
    with cython.nogil:
        if before != NEWLINE:
            offset = end_of_line(text, 0) + 1
        while offset < text.shape[0] and not is_indented:
            byte = text[offset]
            is_indented = is_space(byte) and byte != NEWLINE and byte != RETURN
            offset = end_of_line(text, offset) + 1
    return is_indented


def sentence_ends(text: ByteArray, by_tree: cython.bint, is_last: cython.bint) -> NDArray[np.int64]:
    """Return the byte after each whole sentence; a text that ``is_last`` has no other.

    by_tree  whether a sentence ends with the bracket that closes it; else it ends with the line
    """
    ends: Int64Output = np.empty(text.shape[0] + 1, np.int64)
    sentences: cython.Py_ssize_t = 0
    offset: cython.Py_ssize_t = 0
    size = text.shape[0]
    with cython.nogil:
        while True:
            while by_tree and offset < size and is_space(text[offset]):
                offset += 1
            if offset == size:
                break
            end = end_of_tree(text, offset) if by_tree else end_of_line(text, offset)
            if end == size and not is_last:
                break
            offset = end if by_tree else min(end + 1, size)
            ends[sentences] = offset
            sentences += 1
    return np.array(ends[:sentences])


@cython.dataclasses.dataclass(eq=False, repr=False)
class BracketSheet:
    """Columns of ``evalb.lines.Lines``, as many words and brackets as there are bytes.

    stack       the open brackets of a line by their number in it, from the middle of the array on. A bracket
                that closes nothing takes what lies under the stack, in EVALB's memory zeros: it closes the
                line's first bracket again.
    label_ends  whether a label ends before a byte, shape ``(256,)``
    """

    word_offsets: Int64Output
    word: Int32Output
    tag: Int32Output
    cut_tag: Int32Output
    bracket_offsets: Int64Output
    label: Int32Output
    start: Int32Output
    end: Int32Output
    flaw: Int32Output
    overclosed: Int32Output
    stack: Int32Output
    label_ends: BoolArray


def read_lines(text: ByteArray, ends: Int64Array, table: StringTable, sheet: BracketSheet) -> None:
    """Fill in the lines of a text, of which each ends before one of ``ends``."""
    bottom = sheet.stack.shape[0] // 2
    words: cython.Py_ssize_t = 0
    brackets: cython.Py_ssize_t = 0
    offset: cython.Py_ssize_t = 0
    table.text = text
    with cython.nogil:
        for line in range(ends.shape[0]):
            limit = cython.cast(cython.Py_ssize_t, ends[line])
            if limit > offset and text[limit - 1] == NEWLINE:
                limit -= 1
            first_word, first_bracket = words, brackets
            height: cython.Py_ssize_t = 0
            lowest: cython.Py_ssize_t = 0
            sheet.flaw[line] = sheet.overclosed[line] = 0
            while offset < limit:
                byte = text[offset]
                if is_space(byte):
                    offset += 1
                elif byte == OPEN:
                    label_end = end_of_string(text, offset + 1, limit)
                    word_begin = label_end
                    while word_begin < limit and is_space(text[word_begin]):
                        word_begin += 1
                    word_end = word_begin
                    if word_begin > label_end:
                        word_end = end_of_string(text, word_begin, limit)
                    cut_end = offset + 1
                    while cut_end < label_end and not sheet.label_ends[text[cut_end]]:
                        cut_end += 1
                    code = table.code(offset + 1, cut_end)
                    if word_begin > label_end and word_end < limit and text[word_end] == CLOSE:
                        sheet.cut_tag[words] = code
                        if cut_end < label_end:
                            code = table.code(offset + 1, label_end)
                        sheet.tag[words] = code
                        sheet.word[words] = table.code(word_begin, word_end)
                        words += 1
                        offset = word_end + 1
                        continue
                    if word_end > word_begin and (word_end == limit or text[word_end] != OPEN):
                        sheet.flaw[line] = second_word
                    sheet.label[brackets], sheet.start[brackets] = code, words - first_word
                    sheet.end[brackets] = -1
                    sheet.stack[bottom + height] = brackets - first_bracket
                    height += 1
                    brackets += 1
                    offset = label_end
                elif byte == CLOSE:
                    # EVALB complains of the second that closes nothing and of those after, not of the first.
                    if height < 0:
                        sheet.overclosed[line] += 1
                    height -= 1
                    lowest = min(lowest, height)
                    bracket = first_bracket + sheet.stack[bottom + height]
                    sheet.stack[bottom + height] = 0
                    if bracket < brackets:
                        sheet.end[bracket] = words - first_word
                    offset += 1
                else:
                    sheet.flaw[line] = max(sheet.flaw[line], text_outside)
                    offset = limit
            if sheet.flaw[line] == 0 and height != 0:
                sheet.flaw[line] = unbalanced
            for under in range(bottom + lowest, bottom):
                sheet.stack[under] = 0
            sheet.word_offsets[line + 1], sheet.bracket_offsets[line + 1] = words, brackets
            offset = cython.cast(cython.Py_ssize_t, ends[line])


@cython.cfunc
@cython.nogil
def end_of_tree(text: ByteArray, offset: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the byte after the bracket that closes a tree."""
    depth: cython.Py_ssize_t = 0
    while offset < text.shape[0]:
        if text[offset] == OPEN:
            depth += 1
        elif text[offset] == CLOSE:
            depth -= 1
            if depth <= 0:
                return offset + 1
        offset += 1
    return offset
