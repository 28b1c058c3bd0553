"""Loops that align the words of two texts by their cheapest edits, and put unmatched words into trees."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    Int32Array,
    Int32Output,
    Int64Array,
    Int64Output,
)
from cython.cimports.crossbank.treebanks.forest import Forest

# Cost of a word that only one text has, in quarters. A word with another spelling costs four to six quarters.
ALONE = cython.declare(cython.int, 4)

# Maximal number of words of one text in a group.
JOINED = cython.declare(cython.int, 32)

UNREACHED = cython.declare(cython.int, 1 << 29)

# A step is a word of one text alone or a pair of groups: gold's number of words times STEP plus the other's.
STEP = cython.declare(cython.int, 64)


@cython.dataclasses.dataclass(eq=False, repr=False)
class SpelledWords:
    """Words of one text.

    key      a number of each word, which words with the same characters share in both texts
    letters  the characters of all words
    offsets  where those of each word begin, with one entry more
    """

    key: Int32Array
    letters: Int32Array
    offsets: Int64Array


@cython.dataclasses.dataclass(eq=False, repr=False)
class WordRange:
    """Ranges of words of gold and the candidate that are aligned: first words, and one past the last."""

    gold: cython.Py_ssize_t
    gold_stop: cython.Py_ssize_t
    candidate: cython.Py_ssize_t
    candidate_stop: cython.Py_ssize_t


@cython.cclass
class EditWorkspace:
    """Scratch arrays: the cost and the last step of the cheapest path to each pair of prefixes."""

    cost: Int32Output
    step: Int32Output
    row: Int32Output

    def __init__(self, cells: int, longest: int) -> None:
        self.cost, self.step = np.empty(cells, np.int32), np.zeros(cells, np.int32)
        self.row = np.empty(longest + 1, np.int32)


def align_spelled_words(
    gold: SpelledWords, candidate: SpelledWords, words: WordRange, sizes: Int64Output, longest: int
) -> int:
    """Fill in the groups of the cheapest path from gold's words to the candidate's; return their number.

    sizes  pairs of numbers of words of gold and of the candidate in each group, from the last group to
               the first; room for two numbers for each word
    longest    the number of characters of the longest word

    Words with the same key cost nothing, nor do groups of words with the same characters. A word with another
    spelling costs more than a word that is alone, and less than two: more than half of its characters must
    be the same.
    """
    rows: cython.Py_ssize_t = words.gold_stop - words.gold + 1
    columns: cython.Py_ssize_t = words.candidate_stop - words.candidate + 1
    workspace = EditWorkspace(rows * columns, longest)
    g: cython.Py_ssize_t
    c: cython.Py_ssize_t
    groups: cython.Py_ssize_t = 0
    with cython.nogil:
        for cell in range(rows * columns):
            workspace.cost[cell] = UNREACHED
        workspace.cost[0] = 0
        for g in range(rows):
            for c in range(columns):
                at = g * columns + c
                cost: cython.int = workspace.cost[at]
                if g + 1 < rows and c + 1 < columns:
                    one, other = words.gold + g, words.candidate + c
                    if gold.key[one] == candidate.key[other]:
                        reach(workspace, at + columns + 1, cost, STEP + 1)
                    else:
                        price: cython.int = price_of_spelling(gold, one, candidate, other, workspace.row)
                        if price >= 0:
                            reach(workspace, at + columns + 1, cost + price, STEP + 1)
                        step: cython.int = joined_step(gold, one, candidate, other, words)
                        if step:
                            reach(workspace, at + (step // STEP) * columns + step % STEP, cost, step)
                if g + 1 < rows:
                    reach(workspace, at + columns, cost + ALONE, STEP)
                if c + 1 < columns:
                    reach(workspace, at + 1, cost + ALONE, 1)
        at = rows * columns - 1
        while at > 0:
            taken: cython.int = workspace.step[at]
            sizes[2 * groups] = taken // STEP
            sizes[2 * groups + 1] = taken % STEP
            at -= (taken // STEP) * columns + taken % STEP
            groups += 1
    return groups


@cython.cfunc
@cython.nogil
def reach(
    workspace: EditWorkspace, cell: cython.Py_ssize_t, cost: cython.int, step: cython.int
) -> cython.void:
    """Store a step to a pair of prefixes if no other path there is cheaper.

    Of paths with the same cost the last is stored: words are matched early, and of neighbouring unmatched
    words gold's come first.
    """
    if cost <= workspace.cost[cell]:
        workspace.cost[cell] = cost
        workspace.step[cell] = step


@cython.cfunc
@cython.nogil
def price_of_spelling(
    gold: SpelledWords,
    one: cython.Py_ssize_t,
    candidate: SpelledWords,
    other: cython.Py_ssize_t,
    row: Int32Output,
) -> cython.int:
    """Return the cost of a word as another spelling of a word of gold; -1 if the two are too different.

    The cost is that of one word plus the proportion of edited characters (Levenshtein), rounded down to
    quarters.
    """
    g, c = gold.offsets[one], candidate.offsets[other]
    m: cython.Py_ssize_t = gold.offsets[one + 1] - g
    n: cython.Py_ssize_t = candidate.offsets[other + 1] - c
    longer: cython.Py_ssize_t = m if m > n else n
    if 2 * (longer - (n if m > n else m)) >= longer:
        return -1
    most: cython.Py_ssize_t = (longer - 1) // 2
    for column in range(n + 1):
        row[column] = cython.cast(cython.int, column)
    for letter in range(m):
        diagonal: cython.int = row[0]
        row[0] = cython.cast(cython.int, letter + 1)
        least: cython.int = row[0]
        for column in range(n):
            edits: cython.int = diagonal + (gold.letters[g + letter] != candidate.letters[c + column])
            diagonal = row[column + 1]
            if diagonal + 1 < edits:
                edits = diagonal + 1
            if row[column] + 1 < edits:
                edits = row[column] + 1
            row[column + 1] = edits
            if edits < least:
                least = edits
        if least > most:
            return -1
    if row[n] > most:
        return -1
    return ALONE + cython.cast(cython.int, (ALONE * row[n]) // longer)


@cython.cfunc
@cython.nogil
def joined_step(
    gold: SpelledWords,
    one: cython.Py_ssize_t,
    candidate: SpelledWords,
    other: cython.Py_ssize_t,
    words: WordRange,
) -> cython.int:
    """Return the step over the shortest groups from two words on with the same characters, or 0."""
    g, c = gold.offsets[one], candidate.offsets[other]
    left: cython.int = 1
    right: cython.int = 1
    while True:
        g_stop, c_stop = gold.offsets[one + left], candidate.offsets[other + right]
        while g < g_stop and c < c_stop:
            if gold.letters[g] != candidate.letters[c]:
                return 0
            g += 1
            c += 1
        if g == g_stop and c == c_stop:
            return left * STEP + right
        if g == g_stop:
            left += 1
            if left > JOINED or one + left > words.gold_stop:
                return 0
        else:
            right += 1
            if right > JOINED or other + right > words.candidate_stop:
                return 0


def attach_new_tokens(
    forest: Forest, is_new: BoolArray, start: Int32Array, end: Int32Array, parent: Int32Output
) -> None:
    """Fill in the node above each new token: the lowest one that dominates words on both sides of it.

    At the beginning and the end of a sentence it is the root next to it. ``start`` and ``end`` are those of
    the nodes' spans without the new tokens.
    """
    with cython.nogil:
        for sentence in range(forest.token_offsets.shape[0] - 1):
            begin, stop = forest.token_offsets[sentence], forest.token_offsets[sentence + 1]
            base = forest.node_offsets[sentence]
            token: cython.Py_ssize_t = begin
            while token < stop:
                if not is_new[token]:
                    token += 1
                    continue
                following: cython.Py_ssize_t = token
                while following < stop and is_new[following]:
                    following += 1
                node: cython.int = -1
                if token > begin:
                    node = forest.token_parent[token - 1]
                elif following < stop:
                    node = forest.token_parent[following]
                if token > begin and following < stop:
                    while node >= 0 and not (
                        start[base + node] <= following - begin and end[base + node] > following - begin
                    ):
                        node = forest.node_parent[base + node]
                else:
                    while node >= 0 and forest.node_parent[base + node] >= 0:
                        node = forest.node_parent[base + node]
                while token < following:
                    parent[token] = node
                    token += 1
