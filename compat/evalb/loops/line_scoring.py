"""Compiled loop that scores line against line as EVALB does; see ``evalb.evalb_scoring``."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolArray,
    BoolOutput,
    Int32Array,
    Int32Matrix,
    Int32MatrixOutput,
    Int32Output,
    Int64Array,
)

from crossbank.treebanks.arrays import most_rows

OK, ERROR, SKIP = range(3)
"""The status of a sentence, EVALB's column ``Stat.``"""

COMPARED, NO_WORDS, LENGTHS_DIFFER, WORD_DIFFERS, SHORT_COMPARED, SHORT_WORD_DIFFERS = range(6)
"""The result of EVALB for a sentence; it calls a candidate without words skipped. The
last two are EVALB_SPMRL's: of gold with one word or none and a candidate of another length."""

error = cython.declare(cython.int, ERROR)
skip = cython.declare(cython.int, SKIP)
compared = cython.declare(cython.int, COMPARED)
no_words = cython.declare(cython.int, NO_WORDS)
lengths_differ = cython.declare(cython.int, LENGTHS_DIFFER)
word_differs = cython.declare(cython.int, WORD_DIFFERS)
short_compared = cython.declare(cython.int, SHORT_COMPARED)
short_word_differs = cython.declare(cython.int, SHORT_WORD_DIFFERS)

# The columns of ``evalb.scoring.Rows``.
STATUS = cython.declare(cython.int, 0)
LENGTH = cython.declare(cython.int, 1)
MATCHED = cython.declare(cython.int, 2)
GOLD = cython.declare(cython.int, 3)
CANDIDATE = cython.declare(cython.int, 4)
CROSSING = cython.declare(cython.int, 5)
WORDS = cython.declare(cython.int, 6)
TAGS = cython.declare(cython.int, 7)
OUTCOME = cython.declare(cython.int, 8)
GOLD_WORDS = cython.declare(cython.int, 9)
CANDIDATE_WORDS = cython.declare(cython.int, 10)
GOLD_WORD = cython.declare(cython.int, 11)
CANDIDATE_WORD = cython.declare(cython.int, 12)
GOLD_BRACKETS = cython.declare(cython.int, 13)

UNCLOSED = cython.declare(cython.int, -1)


@cython.dataclasses.dataclass(eq=False, repr=False)
class LineColumns:
    """Lines of gold or candidate: columns of ``evalb.lines.Lines``, and the tag that is compared."""

    word_offsets: Int64Array
    word: Int32Array
    tag: Int32Array
    compared_tag: Int32Array
    bracket_offsets: Int64Array
    label: Int32Array
    start: Int32Array
    end: Int32Array
    flawed: BoolArray


@cython.dataclasses.dataclass(eq=False, repr=False)
class ScoringRules:
    """Parameters by code: masks of shape ``(strings,)``, pairs of shape ``(pairs, 2)``.

    The strings of the parameters have the first codes, and those after them are in no mask.
    """

    deleted_word: BoolArray
    deleted_quote: BoolArray
    deleted_bracket: BoolArray
    not_in_length: BoolArray
    quote_tag: BoolArray
    quotation_mark: BoolArray
    same_label: Int32Matrix
    same_word: Int32Matrix
    labeled: cython.bint
    goes_on: cython.bint


@cython.cclass
class ScoredSentence:
    """The current sentence of one side without its deleted words; as large as the longest one.

    words, brackets, quotes  numbers of words, brackets and quotation marks
    word, tag                codes of the words that are not deleted
    label, start, end        the brackets over them
    words_before             how many kept words come before each word of the line
    quote_word, quote_index  for each quotation mark, deleted or not, its index in the line and the index that
                             it has, or would have, among the kept words
    taken                    whether a bracket is matched
    """

    words: cython.Py_ssize_t
    brackets: cython.Py_ssize_t
    quotes: cython.Py_ssize_t
    word: Int32Output
    tag: Int32Output
    label: Int32Output
    start: Int32Output
    end: Int32Output
    words_before: Int32Output
    quote_word: Int32Output
    quote_index: Int32Output
    taken: BoolOutput

    def __init__(self, sides: tuple[LineColumns, LineColumns], lines: int) -> None:
        words = max(most_rows(side.word_offsets, 0, lines) for side in sides)
        brackets = max(most_rows(side.bracket_offsets, 0, lines) for side in sides)
        # A repaired quotation mark can be inserted more than once: space for twice the words.
        size = 2 * words + 1
        self.word, self.tag = np.zeros(size, np.int32), np.zeros(size, np.int32)
        self.words_before = np.zeros(size, np.int32)
        self.quote_word, self.quote_index = np.zeros(size, np.int32), np.zeros(size, np.int32)
        size = max(brackets, 1)
        self.label, self.start = np.zeros(size, np.int32), np.zeros(size, np.int32)
        self.end, self.taken = np.zeros(size, np.int32), np.zeros(size, np.uint8)


def score_lines(
    gold_side: LineColumns,
    candidate_side: LineColumns,
    rules: ScoringRules,
    rows: Int32MatrixOutput,
) -> None:
    """Fill in the columns of all lines."""
    sides = gold_side, candidate_side
    gold = ScoredSentence(sides, rows.shape[1])
    candidate = ScoredSentence(sides, rows.shape[1])
    with cython.nogil:
        for line in range(rows.shape[1]):
            for word in range(gold_side.word_offsets[line], gold_side.word_offsets[line + 1]):
                rows[LENGTH, line] += not is_in(gold_side.tag[word], rules.not_in_length)
            lay_out(gold_side, line, rules, gold)
            lay_out(candidate_side, line, rules, candidate)
            if candidate.words > 0 and gold.words != candidate.words:
                fix_quotes(gold_side, candidate_side, line, rules, gold, candidate)
            keep_counted(rules, gold)
            keep_counted(rules, candidate)
            rows[GOLD_BRACKETS, line] = gold.brackets
            compare_words(rules, gold, candidate, line, rows)
            if rows[OUTCOME, line] == no_words:
                rows[STATUS, line] = skip
            elif rows[OUTCOME, line] != compared or gold_side.flawed[line] or candidate_side.flawed[line]:
                rows[STATUS, line] = error
            if rows[OUTCOME, line] == compared or rows[OUTCOME, line] == short_compared:
                rows[GOLD, line], rows[CANDIDATE, line] = gold.brackets, candidate.brackets
                rows[MATCHED, line] = count_matching(rules, gold, candidate)
                rows[CROSSING, line] = count_crossing(gold, candidate, not gold_side.flawed[line])
                rows[WORDS, line] = gold.words
                for word in range(gold.words):
                    rows[TAGS, line] += is_same(gold.tag[word], candidate.tag[word], rules.same_label)


@cython.cfunc
@cython.nogil
def is_in(code: cython.int, mask: BoolArray) -> cython.bint:
    """Return whether a mask of the first codes has a code."""
    return code < mask.shape[0] and mask[code]


@cython.cfunc
@cython.nogil
def is_same(one: cython.int, other: cython.int, pairs: Int32Matrix) -> cython.bint:
    """Return whether two codes are equal or one of the pairs, in either order."""
    if one == other:
        return True
    for pair in range(pairs.shape[0]):
        if (one == pairs[pair, 0] and other == pairs[pair, 1]) or (
            one == pairs[pair, 1] and other == pairs[pair, 0]
        ):
            return True
    return False


@cython.cfunc
@cython.nogil
def lay_out(
    side: LineColumns, line: cython.Py_ssize_t, rules: ScoringRules, scored: ScoredSentence
) -> cython.void:
    """Fill in a sentence without the words whose tag is deleted, and its brackets over the other words."""
    first, last = side.word_offsets[line], side.word_offsets[line + 1]
    words: cython.Py_ssize_t = 0
    quotes: cython.Py_ssize_t = 0
    for word in range(first, last):
        tag = side.tag[word]
        scored.words_before[word - first] = words
        if is_in(tag, rules.quote_tag) and is_in(side.word[word], rules.quotation_mark):
            scored.quote_word[quotes], scored.quote_index[quotes] = word - first, words
            quotes += 1
        if not is_in(tag, rules.deleted_word):
            scored.word[words], scored.tag[words] = side.word[word], side.compared_tag[word]
            words += 1
    scored.words_before[last - first] = words
    first, last = side.bracket_offsets[line], side.bracket_offsets[line + 1]
    for bracket in range(first, last):
        end = side.end[bracket]
        scored.label[bracket - first] = side.label[bracket]
        scored.start[bracket - first] = scored.words_before[side.start[bracket]]
        scored.end[bracket - first] = UNCLOSED if end == UNCLOSED else scored.words_before[end]
    scored.words, scored.brackets, scored.quotes = words, last - first, quotes


@cython.cfunc
@cython.nogil
def fix_quotes(
    gold_side: LineColumns,
    candidate_side: LineColumns,
    line: cython.Py_ssize_t,
    rules: ScoringRules,
    gold: ScoredSentence,
    candidate: ScoredSentence,
) -> cython.void:
    """Put deleted quotation marks back where the other side has one under a tag that is not deleted.

    QUOTE_LABEL says which tags to look at. EVALB does this only where the numbers of words differ.
    """
    for one in range(candidate.quotes):
        index = candidate.quote_index[one]
        tag = candidate_side.tag[candidate_side.word_offsets[line] + candidate.quote_word[one]]
        for other in range(gold.quotes):
            gold_tag = gold_side.tag[gold_side.word_offsets[line] + gold.quote_word[other]]
            if gold.quote_index[other] != index or gold_tag == tag:
                continue
            is_deleted = is_in(tag, rules.deleted_quote)
            gold_is_deleted = is_in(gold_tag, rules.deleted_quote)
            if gold_is_deleted and not is_deleted:
                put_back(gold_side, line, gold, other)
            elif is_deleted and not gold_is_deleted:
                put_back(candidate_side, line, candidate, one)


@cython.cfunc
@cython.nogil
def put_back(
    side: LineColumns, line: cython.Py_ssize_t, scored: ScoredSentence, quote: cython.Py_ssize_t
) -> cython.void:
    """Insert a quotation mark among the kept words and widen the brackets around it."""
    word, index = scored.quote_word[quote], scored.quote_index[quote]
    for later in range(scored.words, index, -1):
        scored.word[later], scored.tag[later] = scored.word[later - 1], scored.tag[later - 1]
    scored.word[index] = side.word[side.word_offsets[line] + word]
    scored.tag[index] = side.compared_tag[side.word_offsets[line] + word]
    scored.words += 1
    for bracket in range(scored.brackets):
        row = side.bracket_offsets[line] + bracket
        if side.start[row] > word:
            scored.start[bracket] += 1
            scored.end[bracket] += 1
        elif side.end[row] > word or side.end[row] == UNCLOSED:
            scored.end[bracket] += 1
    for later in range(quote, scored.quotes):
        scored.quote_index[later] += 1


@cython.cfunc
@cython.nogil
def keep_counted(rules: ScoringRules, scored: ScoredSentence) -> cython.void:
    """Omit the brackets without a word and those whose label is deleted."""
    count: cython.Py_ssize_t = 0
    for bracket in range(scored.brackets):
        if scored.start[bracket] != scored.end[bracket] and not is_in(
            scored.label[bracket], rules.deleted_bracket
        ):
            scored.label[count] = scored.label[bracket]
            scored.start[count], scored.end[count] = scored.start[bracket], scored.end[bracket]
            count += 1
    scored.brackets = count


@cython.cfunc
@cython.nogil
def compare_words(
    rules: ScoringRules,
    gold: ScoredSentence,
    candidate: ScoredSentence,
    line: cython.Py_ssize_t,
    rows: Int32MatrixOutput,
) -> cython.void:
    """Fill in whether the two sentences have the same words, and if not, the first difference."""
    short: cython.bint = gold.words != candidate.words and gold.words <= 1 and rules.goes_on
    rows[GOLD_WORDS, line], rows[CANDIDATE_WORDS, line] = gold.words, candidate.words
    if candidate.words == 0:
        rows[OUTCOME, line] = no_words
    elif gold.words != candidate.words and not short:
        rows[OUTCOME, line] = lengths_differ
    else:
        rows[OUTCOME, line] = short_compared if short else compared
        for word in range(gold.words):
            if not is_same(gold.word[word], candidate.word[word], rules.same_word):
                rows[OUTCOME, line] = short_word_differs if short else word_differs
                rows[GOLD_WORD, line], rows[CANDIDATE_WORD, line] = gold.word[word], candidate.word[word]
                break


@cython.cfunc
@cython.nogil
def count_matching(rules: ScoringRules, gold: ScoredSentence, candidate: ScoredSentence) -> cython.int:
    """Return the number of matches: each bracket of gold, in order, takes the first free one that equals it.

    If equivalences of labels do not chain (A = B, B = C), the number of matches depends on this order.
    Brackets are in the order of their starts.
    """
    matched: cython.int = 0
    first: cython.Py_ssize_t = 0
    for other in range(candidate.brackets):
        candidate.taken[other] = False
    for bracket in range(gold.brackets):
        start, end = gold.start[bracket], gold.end[bracket]
        while first < candidate.brackets and candidate.start[first] < start:
            first += 1
        other = first
        while other < candidate.brackets and candidate.start[other] == start:
            if (
                not candidate.taken[other]
                and candidate.end[other] == end
                and (
                    not rules.labeled
                    or is_same(gold.label[bracket], candidate.label[other], rules.same_label)
                )
            ):
                candidate.taken[other] = True
                matched += 1
                break
            other += 1
    return matched


@cython.cfunc
@cython.nogil
def count_crossing(gold: ScoredSentence, candidate: ScoredSentence, is_nested: cython.bint) -> cython.int:
    """Return the number of the candidate's brackets that cross at least one of gold's.

    is_nested  whether no bracket of gold crosses another: then none that is matched does
    """
    crossing: cython.int = 0
    for bracket in range(candidate.brackets):
        if is_nested and candidate.taken[bracket]:
            continue
        start, end = candidate.start[bracket], candidate.end[bracket]
        for other in range(gold.brackets):
            if gold.start[other] >= end:
                break
            if (
                gold.start[other] < start < gold.end[other] < end
                or start < gold.start[other] < end < gold.end[other]
            ):
                crossing += 1
                break
    return crossing
