"""Tokens of gold with the heads and relations of both sides; which count, and which are wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.pairing.word_forms import is_punctuation
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array

START, END = ".S", ".E"
"""The marks for the words before the first and after the last of a sentence."""

ANY = "*"
"""The mark for any word or tag."""

DERIV = "DERIV"
"""The relation of derivational links, which can be omitted."""

NUMBER = re.compile(r"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|(?i:inf(inity)?|nan))", re.ASCII)


@dataclass(frozen=True, eq=False)
class ParallelTokens:
    """Tokens that both files have, with the annotation of gold and of the system.

    All arrays but ``starts`` and ``lengths`` have shape ``(tokens,)``; strings are codes.

    strings         of bytes, one character each
    starts          the line, from 1, in which each sentence begins, shape ``(sentences,)``
    lengths         how many tokens a sentence has, shape ``(sentences,)``; none between two blank lines,
                    and where the files end
    sentence        counted from 0
    number          the token's place in its sentence, from 1
    word, pos       gold's; the system's are not looked at
    gold_head, gold_relation, head, relation
    """

    strings: list[str]
    starts: Int64Array
    lengths: Int64Array
    sentence: Int64Array
    number: Int64Array
    word: Int32Array
    pos: Int32Array
    gold_head: Int32Array
    gold_relation: Int32Array
    head: Int32Array
    relation: Int32Array

    @cached_property
    def wrong_head(self) -> BoolArray:
        """Heads are compared as strings."""
        return np.asarray(self.gold_head != self.head)

    @cached_property
    def wrong_relation(self) -> BoolArray:
        """Relations are compared whole and with case."""
        return np.asarray(self.gold_relation != self.relation)

    @cached_property
    def wrong(self) -> BoolArray:
        """True if head or relation are wrong."""
        return self.wrong_head | self.wrong_relation

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """Every string as the number that Perl takes it for, by code."""
        used = set(np.unique(np.concatenate((self.gold_head, self.head))).tolist())
        return np.array([number_of(s) if code in used else 0.0 for code, s in enumerate(self.strings)])

    def scored(self, *, punctuation: bool, deriv: bool) -> Int64Array:
        """Return the tokens that count: with or without punctuation and derivational links in gold."""
        counts = np.ones(len(self.word), np.bool_)
        if not punctuation:
            used = set(np.unique(self.word).tolist())
            marks = [
                code in used and is_punctuation(word.encode("latin-1").decode("utf-8", "replace"))
                for code, word in enumerate(self.strings)
            ]
            counts &= ~np.array(marks, np.bool_)[self.word]
        if not deriv:
            left_out = [relation == DERIV for relation in self.strings]
            counts &= ~np.array(left_out, np.bool_)[self.gold_relation]
        return np.flatnonzero(counts)

    def neighbour(self, column: Int32Array, tokens: Int64Array, distance: int) -> Int32Array:
        """Return the entries of a column at the neighbours of some tokens, such as -2 or 1 away.

        Outside the sentence it is the code of ``START`` or ``END``.
        """
        index = self.number[tokens] + distance
        outside = (index < 1) | (index > self.lengths[self.sentence[tokens]])
        edge = self.strings.index(START if distance < 0 else END)
        neighbours: Int32Array = np.where(outside, edge, column[np.where(outside, 0, tokens + distance)])
        return neighbours


def number_of(string: str) -> float:
    """Return the number that Perl takes a string for, by its beginning; 0 if it begins with none.

    >>> number_of("3rd"), number_of("-1"), number_of("_")
    (3.0, -1.0, 0.0)
    """
    match = NUMBER.match(string)
    return float(match[0]) if match else 0.0
