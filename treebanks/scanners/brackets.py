"""The compiled loop that reads bracketed trees: from UTF-8 bytes to columns of codes.

One pass over the bytes. Labels, tags and words are interned as they are met: a hash table (open
addressing, FNV-1a) gives each distinct run of bytes a code, so that a string is decoded once,
however often it occurs. Every bracket is a node until it closes around nothing but a word: then its
label was a tag. There is no stack: the parent column of the open node says what to return to.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from crossbank.treebanks.arrays import Int32Array, Int64Array
from crossbank.treebanks.scanners.old_interning import FNV_OFFSET, FNV_PRIME, grown, string_table

OPEN, CLOSE, SPACE, NEWLINE = 40, 41, 32, 10

FINE, UNCLOSED, EXTRA_CLOSE, TEXT_OUTSIDE, NO_WORD = range(5)
"""What ended the loop: the end of the text, or one of four errors."""

SENTENCES_FULL, TOKENS_FULL, STRINGS_FULL, SPACED_FULL = range(5, 9)
"""What makes the loop stop for larger arrays."""

LINE, TOKENS, NODES, WORDLESS, UNTAGGED, MARGIN = range(6)
"""The columns of ``Scan.sentences``."""

(
    AT_PLACE, AT_LINE, AT_TOKEN, AT_NODE, AT_SENTENCE, AT_SPACED, AT_STRING, AT_SPANNING, AT_DEPTH,
    AT_MARGIN_LINE,
) = range(10)  # fmt: skip
"""Where the loop stands, or what it stumbled over."""


class Scan(NamedTuple):
    """What the loop found.

    begins, ends        shape ``(strings,)``: where each distinct string first stands; code 0 is empty
    form, pos           shape ``(tokens,)``: codes
    token_parent        shape ``(tokens,)``: nodes of the same sentence, or -1
    label, node_parent  shape ``(nodes,)``, in pre-order
    sentences           shape ``(sentences, 6)``: the line it begins in; where its tokens and its nodes
                        end; how many nodes without a word were left out, how many words have no tag,
                        and how many brackets within it stand at the beginning of a line
    spaced              shape ``(words with white space in them, 3)``: the token, its first byte, and
                        the byte behind its last; its form is only the first part of it
    spanning            how many sentences go over several lines
    problem             what ended the loop
    line, place         the line and the byte of the problem
    depth, margin_line  UNCLOSED: the brackets that are open, and the first line within the tree, if
                        any, that begins with a bracket
    """

    begins: Int64Array
    ends: Int64Array
    form: Int32Array
    pos: Int32Array
    token_parent: Int32Array
    label: Int32Array
    node_parent: Int32Array
    sentences: Int64Array
    spaced: Int64Array
    spanning: int
    problem: int
    line: int
    place: int
    depth: int
    margin_line: int


@njit(cache=True, nogil=True)
def _is_space(byte: int) -> bool:
    return byte == SPACE or 9 <= byte <= 13


@njit(cache=True, nogil=True)
def _count_open(text: NDArray[np.uint8]) -> int:
    count = 0
    for byte in text:
        count += byte == OPEN
    return count


def scan(text: NDArray[np.uint8], *, by_line: bool = False) -> Scan:
    """Read the trees of a text, shape ``(bytes,)``, in UTF-8.

    ``by_line``: each physical line is a sentence, else each outermost bracket is one.
    """
    # No more nodes than brackets, and hardly more words; pages that are not written cost nothing.
    opened = _count_open(text)
    form, pos, token_parent = (np.empty(opened + 1, np.int32) for _ in range(3))
    label, node_parent = np.empty(opened, np.int32), np.empty(opened, np.int32)
    sentences, spaced = np.empty((opened // 16 + 16, 6), np.int64), np.empty((16, 3), np.int64)
    strings = string_table(min(opened >> 3, 1 << 16))
    at = np.zeros(10, np.int64)
    at[AT_LINE], at[AT_STRING] = 1, 1
    while True:
        problem = _scan(
            text, by_line, at, form, pos, token_parent, label, node_parent, sentences, spaced, *strings
        )  # fmt: skip
        if problem == SENTENCES_FULL:
            sentences = _longer(sentences)
        elif problem == TOKENS_FULL:
            form, pos, token_parent = _longer(form), _longer(pos), _longer(token_parent)
        elif problem == SPACED_FULL:
            spaced = _longer(spaced)
        elif problem == STRINGS_FULL:
            strings = grown(strings)
        else:
            break
    tokens, nodes = at[AT_TOKEN], at[AT_NODE]
    return Scan(
        strings.begins[: at[AT_STRING]],
        strings.ends[: at[AT_STRING]],
        form[:tokens],
        pos[:tokens],
        token_parent[:tokens],
        label[:nodes],
        node_parent[:nodes],
        sentences[: at[AT_SENTENCE]],
        spaced[: at[AT_SPACED]],
        int(at[AT_SPANNING]),
        problem,
        int(at[AT_LINE]),
        int(at[AT_PLACE]),
        int(at[AT_DEPTH]),
        int(at[AT_MARGIN_LINE]),
    )


def _longer(table: NDArray[Any]) -> NDArray[Any]:
    longer = np.empty((2 * len(table), *table.shape[1:]), table.dtype)
    longer[: len(table)] = table
    return longer


@njit(cache=True, nogil=True)
def _scan(
    text: NDArray[np.uint8],
    by_line: bool,
    at: Int64Array,
    form: Int32Array,
    pos: Int32Array,
    token_parent: Int32Array,
    label: Int32Array,
    node_parent: Int32Array,
    sentences: Int64Array,
    spaced: Int64Array,
    slots: Int32Array,
    hashes: Int64Array,
    begins: Int64Array,
    ends: Int64Array,
) -> int:
    """The loop of ``scan``; where an array is full it stops before the sentence, to be called again.

    ``at`` says where it stands: it is read at the beginning and written at the end.
    """
    place, line, tokens, nodes = at[AT_PLACE], at[AT_LINE], at[AT_TOKEN], at[AT_NODE]
    found, gaps, known, spanning = at[AT_SENTENCE], at[AT_SPACED], at[AT_STRING], at[AT_SPANNING]
    mask = len(slots) - 1
    size = len(text)
    while place < size:
        at[AT_PLACE], at[AT_LINE], at[AT_TOKEN], at[AT_NODE] = place, line, tokens, nodes
        at[AT_SENTENCE], at[AT_SPACED], at[AT_STRING], at[AT_SPANNING] = found, gaps, known, spanning
        if found == len(sentences):
            return SENTENCES_FULL
        # One sentence: to the end of the line, or to the bracket that closes the outermost one.
        limit = size
        if by_line:
            limit = place
            while limit < size and text[limit] != NEWLINE:
                limit += 1
        else:
            while place < size and _is_space(text[place]):
                line += text[place] == NEWLINE
                place += 1
            if place == size:
                break
        first_line, first_token, first_node = line, tokens, nodes
        wordless = untagged = margin = margin_line = named = 0
        current = -1  # the innermost open bracket, counted within the sentence
        childless = False  # it has had no bracket inside, and so may be a tag
        bare = False  # it opened at the byte before, and so may get a label
        first_word, word_begin, word_end = tokens, 0, 0  # the words met since it opened
        filled = nodes  # how many nodes there were at the last word: those behind have no word yet
        done = False
        while place < limit and not done:
            byte = text[place]
            if byte == OPEN:
                if current >= 0 and text[place - 1] == NEWLINE:
                    margin += 1
                    if margin_line == 0:
                        margin_line = line
                if childless:
                    untagged += tokens - first_word
                label[nodes], node_parent[nodes] = 0, current
                current = nodes - first_node
                nodes += 1
                first_word = tokens
                childless = bare = True
                place += 1
            elif byte == CLOSE:
                if current >= 0:
                    node = first_node + current
                    current = node_parent[node]
                    if childless and tokens > first_word:
                        if tokens > first_word + 1:
                            if gaps == len(spaced):
                                at[AT_STRING] = known
                                return SPACED_FULL
                            spaced[gaps, 0], spaced[gaps, 1], spaced[gaps, 2] = (
                                first_word,
                                word_begin,
                                word_end,
                            )
                            gaps += 1
                            tokens = first_word + 1
                        pos[first_word], token_parent[first_word] = label[node], current
                        nodes = filled = node
                    elif node >= filled:
                        wordless += nodes - node
                        nodes = node
                    done = current < 0 and not by_line
                else:
                    at[AT_LINE], at[AT_PLACE] = line, place
                    return EXTRA_CLOSE
                childless = bare = False
                place += 1
            elif _is_space(byte):
                line += byte == NEWLINE
                bare = False
                place += 1
            else:
                # A label or a word. Its hash is computed on the way to its end.
                begin, key = place, FNV_OFFSET
                while place < limit:
                    byte = text[place]
                    if byte <= CLOSE and (byte >= OPEN or _is_space(byte)):
                        break
                    key = (key ^ byte) * FNV_PRIME
                    place += 1
                slot = (key ^ (key >> 32)) & mask
                code = slots[slot]
                while code != 0:
                    if hashes[slot] == key and ends[code] - begins[code] == place - begin:
                        here, there = begin, begins[code]
                        while here < place and text[here] == text[there]:
                            here += 1
                            there += 1
                        if here == place:
                            break
                    slot = (slot + 1) & mask
                    code = slots[slot]
                if code == 0:
                    if known == len(begins):
                        at[AT_STRING] = known
                        return STRINGS_FULL
                    code = known
                    slots[slot], hashes[slot] = code, key
                    begins[code], ends[code] = begin, place
                    known += 1
                if bare:
                    label[nodes - 1] = code
                    named = 1
                    bare = False
                    continue
                if current < 0:
                    at[AT_LINE], at[AT_PLACE] = line, begin
                    return TEXT_OUTSIDE
                if tokens == len(form):
                    at[AT_STRING] = known
                    return TOKENS_FULL
                if tokens == first_word:
                    word_begin = begin
                word_end = place
                form[tokens], pos[tokens], token_parent[tokens] = code, 0, current
                tokens += 1
                filled = nodes
                if not childless:
                    untagged += 1
        if current >= 0:
            depth = 0
            while current >= 0:
                depth += 1
                current = node_parent[first_node + current]
            at[AT_LINE], at[AT_DEPTH], at[AT_MARGIN_LINE] = first_line, depth, margin_line
            return UNCLOSED
        if tokens == first_token:
            if named:
                at[AT_LINE] = first_line
                return NO_WORD
            wordless = 0
        spanning += line > first_line
        row = sentences[found]
        row[LINE], row[TOKENS], row[NODES], row[WORDLESS] = first_line, tokens, nodes, wordless
        row[UNTAGGED], row[MARGIN] = untagged, margin
        found += 1
        if by_line:
            place = limit + 1
            line += 1
    at[AT_PLACE], at[AT_LINE], at[AT_TOKEN], at[AT_NODE] = place, line, tokens, nodes
    at[AT_SENTENCE], at[AT_SPACED], at[AT_STRING], at[AT_SPANNING] = found, gaps, known, spanning
    return FINE
