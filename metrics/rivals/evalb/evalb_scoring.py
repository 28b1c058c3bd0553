"""EVALB's score of a sentence: words paired, brackets matched, tags compared.

Sekine, Satoshi and Michael John Collins (1997): EVALB; with the repair of quotation marks by David
Ellis (2006). Oddities of EVALB are kept, since the numbers must be the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from crossbank.metrics.rivals.evalb.lines import Lines, flawed
from crossbank.metrics.rivals.evalb.loops.line_scoring import Rules, Side, score_lines
from crossbank.metrics.rivals.evalb.parameters import Pair, Parameters
from crossbank.treebanks.arrays import BoolArray, Int32Array
from crossbank.treebanks.ranges import in_ranges
from crossbank.treebanks.vocabulary import Vocabulary

QUOTATION_MARKS = ("'", '"', "/")
"""The words that EVALB takes for quotation marks."""


@dataclass(frozen=True)
class Dialect:
    """Treatment of labels, tags and short sentences by a program of EVALB's family.

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
    vocabulary, other_label = vocabulary.mapped(candidate_lines.label, dialect.cut)
    gold_lines, candidate_lines = (
        gold_lines._replace(label=label),
        candidate_lines._replace(label=other_label),
    )
    compared_tag = np.arange(len(vocabulary), dtype=np.int32)
    if dialect.cuts_tags:
        vocabulary, compared_tag = vocabulary.mapped(compared_tag, dialect.cut)
        # Strings that the cut has added need no cut.
        compared_tag = np.append(compared_tag, np.arange(len(compared_tag), len(vocabulary), dtype=np.int32))
    lines = min(len(gold_lines.flaw), len(candidate_lines.flaw))
    rules = _rules(parameters, dialect, vocabulary, compared_tag)
    rows = np.zeros((len(Rows._fields), lines), np.int32)
    own, other = (Side(*side[:7], flawed(side)) for side in (gold_lines, candidate_lines))
    in_ranges(partial(score_lines, own, other, rules, rows), lines)
    return vocabulary, Rows(*rows)


def _rules(
    parameters: Parameters, dialect: Dialect, vocabulary: Vocabulary, compared_tag: Int32Array
) -> Rules:
    def mask(strings: Iterable[str]) -> BoolArray:
        return np.isin(np.arange(len(vocabulary)), [vocabulary.code(string) for string in strings])

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
