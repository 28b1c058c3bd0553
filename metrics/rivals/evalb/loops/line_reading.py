"""Compiled loop that reads a file as EVALB does; see ``evalb.lines``."""

from __future__ import annotations

# Compiled with -O3
import cython
from cython.cimports.crossbank.treebanks.arrays import ByteArray, Int32Output, Int64Output
from cython.cimports.crossbank.treebanks.scanners.byte_words import end_of_line, end_of_string
from cython.cimports.crossbank.treebanks.scanners.interning import StringTable
from cython.cimports.crossbank.treebanks.scanners.white_space import is_space

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


@cython.dataclasses.dataclass(eq=False, repr=False)
class Census:
    """Numbers of a text.

    lines            line ends
    begun            lines that begin a tree
    continued        lines that go on with one that is still open, and are indented more than its first line
    opened, closed   brackets
    """

    lines: cython.Py_ssize_t
    begun: cython.Py_ssize_t
    continued: cython.Py_ssize_t
    opened: cython.Py_ssize_t
    closed: cython.Py_ssize_t


def count_lines(text: ByteArray) -> Census:
    """Return how many lines and brackets a text has."""
    lines: cython.Py_ssize_t = 0
    begun: cython.Py_ssize_t = 0
    continued: cython.Py_ssize_t = 0
    opened: cython.Py_ssize_t = 0
    closed: cython.Py_ssize_t = 0
    depth: cython.Py_ssize_t = 0
    tree_indent: cython.Py_ssize_t = 0
    begin: cython.Py_ssize_t = 0
    with cython.nogil:
        while begin < text.shape[0]:
            end = end_of_line(text, begin)
            place = begin
            while place < end and is_space(text[place]):
                place += 1
            if place < end:
                if depth > 0 and place - begin > tree_indent:
                    continued += 1
                else:
                    begun += 1
                    depth, tree_indent = 0, place - begin
                opened_here: cython.int = 0
                closed_here: cython.int = 0
                for inside in range(place, end):
                    opened_here += text[inside] == OPEN
                    closed_here += text[inside] == CLOSE
                opened += opened_here
                closed += closed_here
                depth += opened_here - closed_here
            lines += end < text.shape[0]
            begin = end + 1
    return Census(lines, begun, continued, opened, closed)


@cython.dataclasses.dataclass(eq=False, repr=False)
class Sheet:
    """Columns of ``evalb.lines.Lines``, with room for as many words and brackets as there are ``(``.

    stack  the open brackets of a line by their number in it, from the middle of the array on. A bracket
           that closes nothing takes what lies under the stack, in EVALB's memory zeros: it closes the
           line's first bracket again.
    """

    word_offsets: Int64Output
    word: Int32Output
    tag: Int32Output
    bracket_offsets: Int64Output
    label: Int32Output
    start: Int32Output
    end: Int32Output
    flaw: Int32Output
    overclosed: Int32Output
    place: Int64Output
    stack: Int32Output


def read_lines(text: ByteArray, table: StringTable, sheet: Sheet, by_tree: cython.bint) -> int:
    """Fill in the lines. Returns how many there are.

    ``by_tree``: a sentence ends with the bracket that closes it, not with the line; the reading
    ends at the first sentence with a flaw.
    """
    size, bottom = text.shape[0], sheet.stack.shape[0] // 2
    words: cython.Py_ssize_t = 0
    brackets: cython.Py_ssize_t = 0
    line: cython.Py_ssize_t = 0
    place: cython.Py_ssize_t = 0
    with cython.nogil:
        while place < size:
            if by_tree:
                while place < size and is_space(text[place]):
                    place += 1
                if place == size or (line > 0 and sheet.flaw[line - 1] != 0):
                    break
            limit = end_of_tree(text, place) if by_tree else end_of_line(text, place)
            sheet.place[line] = place
            first_word, first_bracket = words, brackets
            height = 0
            while place < limit:
                byte = text[place]
                if is_space(byte):
                    place += 1
                elif byte == OPEN:
                    label_end = end_of_string(text, place + 1, limit)
                    word_begin = label_end
                    while word_begin < limit and is_space(text[word_begin]):
                        word_begin += 1
                    word_end = word_begin
                    if word_begin > label_end:
                        word_end = end_of_string(text, word_begin, limit)
                    code = table.code(place + 1, label_end)
                    if word_begin > label_end and word_end < limit and text[word_end] == CLOSE:
                        sheet.tag[words] = code
                        sheet.word[words] = table.code(word_begin, word_end)
                        words += 1
                        place = word_end + 1
                        continue
                    if word_end > word_begin and (word_end == limit or text[word_end] != OPEN):
                        sheet.flaw[line] = second_word
                    sheet.label[brackets], sheet.start[brackets] = code, words - first_word
                    sheet.end[brackets] = -1
                    sheet.stack[bottom + height] = brackets - first_bracket
                    height += 1
                    brackets += 1
                    place = label_end
                elif byte == CLOSE:
                    # EVALB complains of the second that closes nothing and of those after, not of the first.
                    if height < 0:
                        sheet.overclosed[line] += 1
                    height -= 1
                    bracket = first_bracket + sheet.stack[bottom + height]
                    sheet.stack[bottom + height] = 0
                    if bracket < brackets:
                        sheet.end[bracket] = words - first_word
                    place += 1
                else:
                    sheet.flaw[line] = max(sheet.flaw[line], text_outside)
                    place = limit
            if sheet.flaw[line] == 0 and height != 0:
                sheet.flaw[line] = unbalanced
            line += 1
            sheet.word_offsets[line], sheet.bracket_offsets[line] = words, brackets
            place = limit if by_tree else limit + 1
    return line


@cython.cfunc
@cython.nogil
def end_of_tree(text: ByteArray, place: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the byte after the bracket that closes a tree."""
    depth: cython.Py_ssize_t = 0
    while place < text.shape[0]:
        if text[place] == OPEN:
            depth += 1
        elif text[place] == CLOSE:
            depth -= 1
            if depth <= 0:
                return place + 1
        place += 1
    return place
