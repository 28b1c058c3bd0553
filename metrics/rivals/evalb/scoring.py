"""EVALB's score of a sentence: words paired, brackets matched, tags compared.

Sekine, Satoshi and Michael John Collins (1997): EVALB; with the repair of quotation marks by David
Ellis (2006). What is odd here is odd there: the aim is the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from crossbank.metrics.rivals.evalb.lines import FINE, UNCLOSED, Lines
from crossbank.metrics.rivals.evalb.parameters import Pair, Parameters
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.vocabulary import Vocabulary

OK, ERROR, SKIP = range(3)
"""The status of a sentence, EVALB's column ``Stat.``"""

COMPARED, NO_WORDS, LENGTHS_DIFFER, WORD_DIFFERS, SHORT_COMPARED, SHORT_WORD_DIFFERS = range(6)
"""How far EVALB came with a sentence; the candidate of one without words is what it calls skipped. The
last two are EVALB_SPMRL's: of gold with one word or none and a candidate of another length."""

QUOTATION_MARKS = ("'", '"', "/")
"""The words that EVALB takes for quotation marks."""


@dataclass(frozen=True)
class Dialect:
    """What the programs of EVALB's family make of labels, tags and short sentences.

    label_ends    the characters before which a label is cut
    deletes_words whether a word whose tag is in DELETE_LABEL is left out
    cuts_tags     whether tags, and the labels in DELETE_LABEL, are cut like labels
    goes_on       whether gold with one word or none is scored although the candidate has more
    """

    label_ends: str = "-="
    deletes_words: bool = True
    cuts_tags: bool = False
    goes_on: bool = False

    def cut(self, label: str) -> str:
        """A label without functions and indices: ``NP-SBJ=2`` is ``NP``, ``-NONE-`` is nothing."""
        return re.split(f"[{self.label_ends}]", label, maxsplit=1)[0]

    def tag(self, tag: str) -> str:
        """A tag as it is compared."""
        return self.cut(tag) if self.cuts_tags else tag


EVALB = Dialect()


class Rows(NamedTuple):
    """One row per pair of lines; every column is int32 of shape ``(lines,)``.

    status, length, matched, gold, candidate, crossing, words, tags
        the columns of EVALB's report; all but the first two are 0 where the sentences were not compared
    outcome
        how far EVALB came with the sentence
    gold_words, candidate_words
        the words on each side that are not deleted
    gold_word, candidate_word
        the codes of the first words that differ
    gold_brackets
        the brackets of gold, whether or not the sentences were compared
    """

    status: Int32Array
    length: Int32Array
    matched: Int32Array
    gold: Int32Array
    candidate: Int32Array
    crossing: Int32Array
    words: Int32Array
    tags: Int32Array
    outcome: Int32Array
    gold_words: Int32Array
    candidate_words: Int32Array
    gold_word: Int32Array
    candidate_word: Int32Array
    gold_brackets: Int32Array


class Rules(NamedTuple):
    """The parameters by code: masks of shape ``(strings,)``, pairs of shape ``(pairs, 2)``.

    ``compared_tag`` is the code under which each tag is compared, shape ``(strings,)``.
    """

    deleted_word: BoolArray
    deleted_quote: BoolArray
    deleted_bracket: BoolArray
    not_in_length: BoolArray
    quote_tag: BoolArray
    quotation_mark: BoolArray
    compared_tag: Int32Array
    same_label: Int32Array
    same_word: Int32Array
    labeled: bool
    goes_on: bool


class Side(NamedTuple):
    """The sentence at hand on one side, without its deleted words: room for the longest one.

    words, brackets, quotes  shape ``(1,)``: how many there are
    word, tag                codes of the words that are not deleted
    label, start, end        the brackets over them
    kept_before              how many kept words stand before each word of the line
    quote_word, quote_place  of each quotation mark, deleted or not: the word of the line that it is,
                             and where it stands, or would stand, among the kept words
    """

    words: Int32Array
    brackets: Int32Array
    quotes: Int32Array
    word: Int32Array
    tag: Int32Array
    label: Int32Array
    start: Int32Array
    end: Int32Array
    kept_before: Int32Array
    quote_word: Int32Array
    quote_place: Int32Array


def score(
    gold: tuple[Vocabulary, Lines],
    candidate: tuple[Vocabulary, Lines],
    parameters: Parameters,
    dialect: Dialect = EVALB,
) -> tuple[Vocabulary, Rows]:
    """Score line against line, to the end of the shorter file; the vocabulary is that of both."""
    vocabulary, codes = gold[0].extended(candidate[0])
    gold_lines, candidate_lines = gold[1], candidate[1]
    candidate_lines = candidate_lines._replace(
        word=codes[candidate_lines.word], tag=codes[candidate_lines.tag], label=codes[candidate_lines.label]
    )
    vocabulary, label = vocabulary.mapped(gold_lines.label, dialect.cut)
    gold_lines = gold_lines._replace(label=label)
    vocabulary, label = vocabulary.mapped(candidate_lines.label, dialect.cut)
    candidate_lines = candidate_lines._replace(label=label)
    compared_tag = np.arange(len(vocabulary), dtype=np.int32)
    if dialect.cuts_tags:
        vocabulary, compared_tag = vocabulary.mapped(compared_tag, dialect.cut)
        # What cutting brings forth is cut already.
        compared_tag = np.append(compared_tag, np.arange(len(compared_tag), len(vocabulary), dtype=np.int32))
    lines = min(len(gold_lines.flaw), len(candidate_lines.flaw))
    longest = max(_longest(gold_lines.word_offsets), _longest(candidate_lines.word_offsets))
    deepest = max(_longest(gold_lines.bracket_offsets), _longest(candidate_lines.bracket_offsets))
    rows = Rows(*(np.zeros(lines, np.int32) for _ in Rows._fields))
    sides = (_side(longest, deepest), _side(longest, deepest))
    rules = _rules(parameters, dialect, vocabulary, compared_tag)
    _score(gold_lines, candidate_lines, rules, *sides, rows)
    return vocabulary, rows


def _longest(offsets: NDArray[np.int64]) -> int:
    return int(np.diff(offsets).max(initial=0))


def _side(words: int, brackets: int) -> Side:
    # A repaired quotation mark can be put in more than once: twice the words have room.
    rooms = {"words": 1, "brackets": 1, "quotes": 1, "label": brackets, "start": brackets, "end": brackets}
    return Side(*(np.zeros(rooms.get(field, 2 * words + 1), np.int32) for field in Side._fields))


def _rules(
    parameters: Parameters, dialect: Dialect, vocabulary: Vocabulary, compared_tag: Int32Array
) -> Rules:
    def mask(strings: Iterable[str]) -> BoolArray:
        codes = [vocabulary.code(string) for string in strings]
        result = np.zeros(len(vocabulary), np.bool_)
        result[[code for code in codes if code >= 0]] = True
        return result

    def pairs(strings: tuple[Pair, ...]) -> Int32Array:
        codes = [(vocabulary.code(one), vocabulary.code(other)) for one, other in strings]
        known = [pair for pair in codes if min(pair) >= 0]
        return np.array(known, np.int32).reshape(-1, 2)

    of_brackets = replace(parameters, delete_label=tuple(map(dialect.tag, parameters.delete_label)))
    return Rules(
        deleted_word=mask(parameters.delete_label if dialect.deletes_words else ()),
        deleted_quote=mask(parameters.delete_label),
        deleted_bracket=mask(of_brackets.deleted_bracket_labels()),
        not_in_length=mask(parameters.delete_label_for_length),
        quote_tag=mask(parameters.quote_label),
        quotation_mark=mask(QUOTATION_MARKS),
        compared_tag=compared_tag,
        same_label=pairs(parameters.eq_label),
        same_word=pairs(parameters.eq_word),
        labeled=parameters.labeled,
        goes_on=dialect.goes_on,
    )


@njit(cache=True, nogil=True)
def _score(
    gold_lines: Lines, candidate_lines: Lines, rules: Rules, gold: Side, candidate: Side, rows: Rows
) -> None:
    """Fill the rows, one after the other."""
    taken = np.zeros(len(candidate.label), np.bool_)
    for line in range(len(rows.status)):
        for word in range(gold_lines.word_offsets[line], gold_lines.word_offsets[line + 1]):
            rows.length[line] += not rules.not_in_length[gold_lines.tag[word]]
        _lay_out(gold_lines, line, rules, gold)
        _lay_out(candidate_lines, line, rules, candidate)
        if candidate.words[0] > 0 and gold.words[0] != candidate.words[0]:
            _fix_quotes(gold_lines, candidate_lines, line, rules, gold, candidate)
        _keep_counted(rules, gold)
        _keep_counted(rules, candidate)
        rows.gold_brackets[line] = gold.brackets[0]
        _compare_words(rules, gold, candidate, line, rows)
        if rows.outcome[line] == NO_WORDS:
            rows.status[line] = SKIP
        elif (
            rows.outcome[line] != COMPARED
            or gold_lines.flaw[line] != FINE
            or gold_lines.overclosed[line] > 0
            or candidate_lines.flaw[line] != FINE
            or candidate_lines.overclosed[line] > 0
        ):
            rows.status[line] = ERROR
        if rows.outcome[line] in (COMPARED, SHORT_COMPARED):
            rows.gold[line], rows.candidate[line] = gold.brackets[0], candidate.brackets[0]
            rows.matched[line] = _matching(rules, gold, candidate, taken)
            rows.crossing[line] = _crossing(gold, candidate)
            rows.words[line] = gold.words[0]
            for word in range(gold.words[0]):
                tag, other = rules.compared_tag[gold.tag[word]], rules.compared_tag[candidate.tag[word]]
                rows.tags[line] += _same(tag, other, rules.same_label)


@njit(cache=True, nogil=True)
def _same(one: int, other: int, pairs: Int32Array) -> bool:
    """Whether two codes are equal or one of the pairs, whichever comes first in it."""
    if one == other:
        return True
    for pair in range(len(pairs)):
        first, second = pairs[pair]
        if (one == first and other == second) or (one == second and other == first):
            return True
    return False


@njit(cache=True, nogil=True)
def _lay_out(lines: Lines, line: int, rules: Rules, side: Side) -> None:
    """A sentence without the words whose tag is deleted, and its brackets over those that are left."""
    first, last = lines.word_offsets[line], lines.word_offsets[line + 1]
    words = quotes = 0
    for word in range(first, last):
        tag = lines.tag[word]
        side.kept_before[word - first] = words
        if rules.quote_tag[tag] and rules.quotation_mark[lines.word[word]]:
            side.quote_word[quotes], side.quote_place[quotes] = word, words
            quotes += 1
        if not rules.deleted_word[tag]:
            side.word[words], side.tag[words] = lines.word[word], tag
            words += 1
    side.kept_before[last - first] = words
    first, last = lines.bracket_offsets[line], lines.bracket_offsets[line + 1]
    for bracket in range(first, last):
        start, end = lines.start[bracket], lines.end[bracket]
        side.label[bracket - first] = lines.label[bracket]
        side.start[bracket - first] = side.kept_before[start]
        side.end[bracket - first] = UNCLOSED if end == UNCLOSED else side.kept_before[end]
    side.words[0], side.brackets[0], side.quotes[0] = words, last - first, quotes


@njit(cache=True, nogil=True)
def _fix_quotes(
    gold_lines: Lines, candidate_lines: Lines, line: int, rules: Rules, gold: Side, candidate: Side
) -> None:
    """Put deleted quotation marks back where the other side has one under a tag that is not deleted.

    QUOTE_LABEL says which tags to look at. EVALB does this only where the numbers of words differ.
    """
    for one in range(candidate.quotes[0]):
        place = candidate.quote_place[one]
        tag = candidate_lines.tag[candidate.quote_word[one]]
        for other in range(gold.quotes[0]):
            gold_tag = gold_lines.tag[gold.quote_word[other]]
            if gold.quote_place[other] != place or gold_tag == tag:
                continue
            if rules.deleted_quote[gold_tag] and not rules.deleted_quote[tag]:
                _put_back(gold_lines, line, gold, other)
            elif rules.deleted_quote[tag] and not rules.deleted_quote[gold_tag]:
                _put_back(candidate_lines, line, candidate, one)


@njit(cache=True, nogil=True)
def _put_back(lines: Lines, line: int, side: Side, quote: int) -> None:
    """Insert a quotation mark among the kept words and make room for it in the brackets."""
    word, place = side.quote_word[quote], side.quote_place[quote]
    for later in range(side.words[0], place, -1):
        side.word[later], side.tag[later] = side.word[later - 1], side.tag[later - 1]
    side.word[place], side.tag[place] = lines.word[word], lines.tag[word]
    side.words[0] += 1
    number = word - lines.word_offsets[line]
    for bracket in range(side.brackets[0]):
        row = lines.bracket_offsets[line] + bracket
        if lines.start[row] > number:
            side.start[bracket] += 1
            side.end[bracket] += 1
        elif lines.end[row] > number or lines.end[row] == UNCLOSED:
            side.end[bracket] += 1
    for later in range(quote, side.quotes[0]):
        side.quote_place[later] += 1


@njit(cache=True, nogil=True)
def _keep_counted(rules: Rules, side: Side) -> None:
    """Leave out the brackets without a word and those whose label is deleted."""
    kept = 0
    for bracket in range(side.brackets[0]):
        label, start, end = side.label[bracket], side.start[bracket], side.end[bracket]
        if start != end and not rules.deleted_bracket[label]:
            side.label[kept], side.start[kept], side.end[kept] = label, start, end
            kept += 1
    side.brackets[0] = kept


@njit(cache=True, nogil=True)
def _compare_words(rules: Rules, gold: Side, candidate: Side, line: int, rows: Rows) -> None:
    """Whether the two sentences have the same words, and if not, what differs first."""
    rows.gold_words[line], rows.candidate_words[line] = gold.words[0], candidate.words[0]
    short = gold.words[0] != candidate.words[0] and gold.words[0] <= 1 and rules.goes_on
    if candidate.words[0] == 0:
        rows.outcome[line] = NO_WORDS
    elif gold.words[0] != candidate.words[0] and not short:
        rows.outcome[line] = LENGTHS_DIFFER
    else:
        rows.outcome[line] = SHORT_COMPARED if short else COMPARED
        for word in range(gold.words[0]):
            if not _same(gold.word[word], candidate.word[word], rules.same_word):
                rows.outcome[line] = SHORT_WORD_DIFFERS if short else WORD_DIFFERS
                rows.gold_word[line], rows.candidate_word[line] = gold.word[word], candidate.word[word]
                break


@njit(cache=True, nogil=True)
def _matching(rules: Rules, gold: Side, candidate: Side, taken: BoolArray) -> int:
    """Each bracket of gold, in order, takes the first free one with its span and an equal label.

    Where labels are equal in pairs that do not chain (A = B, B = C), the order decides how many
    find a partner. Brackets stand in the order of their starts.
    """
    taken[: candidate.brackets[0]] = False
    matched = first = 0
    for bracket in range(gold.brackets[0]):
        start, end = gold.start[bracket], gold.end[bracket]
        while first < candidate.brackets[0] and candidate.start[first] < start:
            first += 1
        other = first
        while other < candidate.brackets[0] and candidate.start[other] == start:
            same_span = not taken[other] and candidate.end[other] == end
            if same_span and (
                not rules.labeled or _same(gold.label[bracket], candidate.label[other], rules.same_label)
            ):
                taken[other] = True
                matched += 1
                break
            other += 1
    return matched


@njit(cache=True, nogil=True)
def _crossing(gold: Side, candidate: Side) -> int:
    """The candidate's brackets that cross at least one of gold's."""
    crossing = 0
    for bracket in range(candidate.brackets[0]):
        start, end = candidate.start[bracket], candidate.end[bracket]
        for other in range(gold.brackets[0]):
            if gold.start[other] >= end:
                break
            if (
                gold.start[other] < start < gold.end[other] < end
                or start < gold.start[other] < end < gold.end[other]
            ):
                crossing += 1
                break
    return crossing
