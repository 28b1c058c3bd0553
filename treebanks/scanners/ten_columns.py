"""The compiled loop that reads the ten columns of CoNLL-X and CoNLL-U: from UTF-8 bytes to codes.

One pass over the bytes, line by line. What is wrong with a line the loop only classifies; the words
for it are found in ``treebanks.formats.ten_columns``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from crossbank.treebanks.arrays import Int32Array, Int64Array
from crossbank.treebanks.scanners.old_interning import (
    FNV_OFFSET,
    FNV_PRIME,
    StringTable,
    codes_of,
    grown,
    key_of,
    string_table,
)

TAB, NEWLINE, SPACE, HASH, DASH, DOT, EQUALS, ZERO, UNDERSCORE = b"\t\n #-.=0_"
SENT_ID = np.frombuffer(b"sent_id", np.uint8)

FINE, COLUMNS, FORM, ID, RANGE, RANGE_END, HEAD, HEAD_OUTSIDE, COMMENT, FULL = range(10)
"""What ended the loop: the end of the text, what is wrong with a line, or a table without room."""

LINE, TOKENS_END, MULTIWORD_END, EMPTY_END, IDENTIFIER, COMMENTS, BLANK, LEFT_OUT = range(8)
"""The columns of ``Scan.sentences``."""

AT_PLACE, AT_LINE, AT_STRING, AT_TOKEN, AT_RANGE, AT_EMPTY, AT_SENTENCE = range(7)
AT_WORDS, AT_ID_BEGIN, AT_ID_END, AT_LOOSE = range(7, 11)
"""Where the loop stands: the next byte and line, how many rows it has, and what belongs to a problem."""

MOST = 10
"""The number of columns that are looked at."""

DEPS = 8
"""The column from which on a brief reading passes over the rest of a line."""


class Scan(NamedTuple):
    """What the loop found; strings are codes.

    begins, ends  shape ``(strings,)``: where each distinct string first stands; code 0 is empty
    tokens        shape ``(8, tokens)``: form, lemma, pos, xpos, morph, relation, deps, misc
    head          shape ``(tokens,)``: a token of the same sentence, -1 for HEAD 0, -2 for none
    multiword     shape ``(5, ranges)``: first and last token, form, morph, misc
    empty         shape ``(9, empty nodes)``: token before or -1, index, form, lemma, pos, xpos,
                  morph, deps, misc
    sentences     shape ``(sentences, 8)``: the line it begins in; where its tokens, ranges and empty
                  nodes end; sent_id and comments; how many columns are blank instead of ``_``; how
                  many columns of ranges and empty nodes that must be ``_`` are not
    problem       what ended the loop
    line          the line of the problem
    words         how many words of its sentence stand before the problem
    label         where in the text the sent_id of its sentence stands; empty if there is none
    loose         the first blank line that ends no sentence or has white space; 0 where there is none
    """

    begins: Int64Array
    ends: Int64Array
    tokens: Int32Array
    head: Int32Array
    multiword: Int32Array
    empty: Int32Array
    sentences: Int64Array
    problem: int
    line: int
    words: int
    label: slice
    loose: int


@njit(cache=True, nogil=True)
def _count_lines(text: NDArray[np.uint8]) -> int:
    count = 1
    for byte in text:
        count += byte == NEWLINE
    return count


def scan(text: NDArray[np.uint8], *, plain: bool, brief: bool = False) -> Scan:
    """Read the sentences of a text, shape ``(bytes,)``, in UTF-8 with ``\\n`` as line end.

    ``plain`` is CoNLL-X: lines of 6, 8 or 10 columns, neither comments, ranges nor empty nodes, and the
    last two columns are one string. ``brief`` leaves the last two columns empty.
    """
    lines = _count_lines(text)
    # No more of anything than lines; pages that are not written cost nothing.
    tokens, head = np.empty((8, lines), np.int32), np.empty(lines, np.int32)
    multiword, empty = np.empty((5, lines), np.int32), np.empty((9, lines), np.int32)
    sentences = np.empty((lines, 8), np.int64)
    at = np.zeros(11, np.int64)
    at[AT_STRING] = 1
    strings = string_table(lines // 16)
    problem = FULL
    while problem == FULL:
        problem = _scan(text, plain, brief, at, strings, tokens, head, multiword, empty, sentences)
        if problem == FULL:
            strings = grown(strings)
    return Scan(
        strings.begins[: at[AT_STRING]],
        strings.ends[: at[AT_STRING]],
        tokens[:, : at[AT_TOKEN]],
        head[: at[AT_TOKEN]],
        multiword[:, : at[AT_RANGE]].copy(),
        empty[:, : at[AT_EMPTY]].copy(),
        sentences[: at[AT_SENTENCE]].copy(),
        problem,
        int(at[AT_LINE]),
        int(at[AT_WORDS]),
        slice(int(at[AT_ID_BEGIN]), int(at[AT_ID_END])),
        int(at[AT_LOOSE]),
    )


@njit(cache=True, nogil=True)
def _number(text: NDArray[np.uint8], begin: int, end: int) -> int:
    """A number as it is written without leading zeros; -1 where it is none."""
    if begin == end or end - begin > 9 or (text[begin] == ZERO and end - begin > 1):
        return -1
    number = 0
    for place in range(begin, end):
        digit = text[place] - ZERO
        if digit < 0 or digit > 9:
            return -1
        number = 10 * number + digit
    return number


@njit(cache=True, nogil=True)
def _behind_spaces(text: NDArray[np.uint8], begin: int, end: int) -> int:
    while begin < end and (text[begin] == SPACE or text[begin] == TAB):
        begin += 1
    return begin


@njit(cache=True, nogil=True)
def _sent_id(text: NDArray[np.uint8], begin: int, end: int) -> tuple[int, int]:
    """Where a comment ``# sent_id = x`` has its ``x``; twice ``end`` where it is another comment."""
    place = _behind_spaces(text, begin + 1, end)
    if end - place < len(SENT_ID):
        return end, end
    for offset in range(len(SENT_ID)):
        if text[place + offset] != SENT_ID[offset]:
            return end, end
    place = _behind_spaces(text, place + len(SENT_ID), end)
    if place == end or text[place] != EQUALS:
        return end, end
    place = _behind_spaces(text, place + 1, end)
    last = end
    while last > place and (text[last - 1] == SPACE or text[last - 1] == TAB):
        last -= 1
    return place, last


@njit(cache=True, nogil=True)
def _is_nothing(text: NDArray[np.uint8], begin: int, end: int) -> bool:
    """Whether a column is ``_`` or blank."""
    return begin == end or (end - begin == 1 and text[begin] == UNDERSCORE)


@njit(cache=True, nogil=True)
def _scan(
    text: NDArray[np.uint8],
    plain: bool,
    brief: bool,
    at: Int64Array,
    strings: StringTable,
    tokens: Int32Array,
    head: Int32Array,
    multiword: Int32Array,
    empty: Int32Array,
    sentences: Int64Array,
) -> int:
    """The loop of ``scan``; with the table of strings full it stops, to be called again.

    ``at`` says where it stands; it goes on from the beginning of the sentence.
    """
    size, place, line, next_code = len(text), at[AT_PLACE], at[AT_LINE], at[AT_STRING]
    token, ranged, empties, found = at[AT_TOKEN], at[AT_RANGE], at[AT_EMPTY], at[AT_SENTENCE]
    begins, ends = np.zeros(MOST, np.int64), np.zeros(MOST, np.int64)
    keys, codes = np.zeros(MOST, np.int64), np.zeros(MOST, np.int64)
    problem, room = FINE, len(strings.begins)
    # The sentence that is open
    first_token, first_line, rows = token, 0, 0
    comments_begin = comments_end = id_begin = id_end = 0
    blank = left_out = 0
    range_last = range_line = 0  # the last word of the last range
    promised = False  # the line before was a range, so that its first word must follow
    empty_index = 0
    highest = highest_line = 0  # the highest HEAD
    # The end of the text counts as a blank line.
    while place <= size:
        begin = place
        line += 1
        if next_code + MOST > room:
            at[AT_STRING] = next_code
            return FULL

        # A comment
        if begin < size and text[begin] == HASH:
            while place < size and text[place] != NEWLINE:
                place += 1
            if plain or rows > 0:
                problem = COMMENT
                break
            if first_line == 0:
                first_line, comments_begin = line, begin
            comments_end = place
            if id_begin == id_end:
                id_begin, id_end = _sent_id(text, begin, place)
            place += place < size
            continue

        # The columns, each with its hash
        columns, key = 0, FNV_OFFSET
        begins[0] = begin
        while place < size:
            byte = text[place]
            if byte == NEWLINE:
                break
            place += 1
            if byte != TAB:
                key = (key ^ byte) * FNV_PRIME
                continue
            if columns < MOST:
                ends[columns], keys[columns] = place - 1, key
            columns, key = columns + 1, FNV_OFFSET
            if columns < MOST:
                begins[columns] = place
            if brief and columns == DEPS:
                while place < size and text[place] != NEWLINE:
                    columns += text[place] == TAB
                    place += 1
                begins[DEPS:], ends[DEPS:] = place, place
        if columns < MOST:
            ends[columns], keys[columns] = place, key
        columns += 1

        # The end of a sentence, or a further blank line
        if begin == place or _behind_spaces(text, begin, place) == place:
            if at[AT_LOOSE] == 0 and begin < size and (first_line == 0 or begin < place):
                at[AT_LOOSE] = line
            place += 1
            if first_line == 0:
                continue
            words = token - first_token
            if highest > words:
                problem, line = HEAD_OUTSIDE, highest_line
                break
            if range_last > words:
                problem, line = RANGE_END, range_line
                break
            row = sentences[found]
            row[LINE], row[BLANK], row[LEFT_OUT] = first_line, blank, left_out
            row[TOKENS_END], row[MULTIWORD_END], row[EMPTY_END] = token, ranged, empties
            begins[0], ends[0], keys[0] = id_begin, id_end, key_of(text, id_begin, id_end)
            begins[1], ends[1] = comments_begin, comments_end
            keys[1] = key_of(text, comments_begin, comments_end)
            next_code = codes_of(text, 0, 2, begins, ends, keys, codes, strings, next_code)
            row[IDENTIFIER], row[COMMENTS] = codes[0], codes[1]
            found += 1
            first_token, first_line, rows = token, 0, 0
            comments_begin = comments_end = id_begin = id_end = 0
            blank = left_out = range_last = empty_index = highest = 0
            at[AT_PLACE], at[AT_LINE], at[AT_SENTENCE] = place, line, found
            at[AT_TOKEN], at[AT_RANGE], at[AT_EMPTY] = token, ranged, empties
            continue

        # A word, a range or an empty node: which one, ID tells
        if first_line == 0:
            first_line = line
        rows += 1
        if columns != 10 and not (plain and (columns == 6 or columns == 8)):
            problem = COLUMNS
            break
        words = token - first_token
        is_word = _number(text, begins[0], ends[0]) == words + 1
        first, last, mark = -1, -1, 0
        if not is_word and not plain:
            for middle in range(begins[0], ends[0]):
                if text[middle] == DASH or text[middle] == DOT:
                    mark = text[middle]
                    first, last = _number(text, begins[0], middle), _number(text, middle + 1, ends[0])
                    break
        is_range = mark == DASH
        if is_range and (first != words + 1 or last < first or range_last > words):
            problem = RANGE
            break
        is_empty = mark == DOT and first == words and last == empty_index + 1 and not promised
        if not (is_word or is_range or is_empty):
            problem = ID
            break
        if begins[1] == ends[1]:
            problem = FORM
            break

        # What is nothing becomes an empty run of bytes; a form may be `_`, and the lemma of a form `_`
        if columns < MOST:
            begins[columns:], ends[columns:] = 0, 0
        elif plain:
            # PHEAD and PDEPREL are one string
            blank += (begins[8] == ends[8]) + (begins[9] == ends[9])
            both = not (_is_nothing(text, begins[8], ends[8]) and _is_nothing(text, begins[9], ends[9]))
            begins[9] = begins[8] if both else ends[9]
            ends[8] = begins[8]
            keys[9] = key_of(text, begins[9], ends[9])
        form_is_nothing = _is_nothing(text, begins[1], ends[1])
        for column in range(2, min(columns, DEPS) if plain or brief else columns):
            length = ends[column] - begins[column]
            blank += length == 0
            if length == 1 and text[begins[column]] == UNDERSCORE and not (column == 2 and form_is_nothing):
                ends[column] = begins[column]
        number = -2 if begins[6] == ends[6] else _number(text, begins[6], ends[6])
        begins[6] = ends[6]
        next_code = codes_of(text, 1, MOST, begins, ends, keys, codes, strings, next_code)

        if is_word:
            if number == -1:
                problem = HEAD
                break
            head[token] = max(number - 1, -2)
            if number > highest:
                highest, highest_line = number, line
            for column in range(1, 6):
                tokens[column - 1, token] = codes[column]
            for column in range(7, 10):
                tokens[column - 2, token] = codes[column]
            token += 1
            promised, empty_index = False, 0
        elif is_range:
            multiword[0, ranged], multiword[1, ranged] = first - 1, last - 1
            multiword[2, ranged], multiword[3, ranged], multiword[4, ranged] = codes[1], codes[5], codes[9]
            for column in (3, 4, 7, 8):
                left_out += codes[column] != 0
            # Behind the form `_` the lemma `_` is read as that character, not as nothing.
            underscore = ends[1] - begins[1] == 1 and text[begins[1]] == 95
            left_out += codes[2] != 0 and not (codes[2] == codes[1] and underscore)
            left_out += number != -2
            ranged += 1
            promised, range_last, range_line = True, last, line
        else:
            empty[0, empties], empty[1, empties] = first - 1, last
            for column in range(1, 6):
                empty[column + 1, empties] = codes[column]
            empty[7, empties], empty[8, empties] = codes[8], codes[9]
            left_out += (codes[7] != 0) + (number != -2)
            empties += 1
            empty_index = last
        place += place < size
    at[AT_LINE], at[AT_STRING], at[AT_WORDS] = line, next_code, token - first_token
    at[AT_ID_BEGIN], at[AT_ID_END] = id_begin, id_end
    return problem
