"""Tests of words, made of what a file says: masks over rows of a table of words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from crossbank.converters.rewriting.punctuation import crosses
from crossbank.converters.rewriting.word_table import WordTable
from crossbank.converters.universal.notation import labels
from crossbank.treebanks.arrays import BoolArray, Int64Array

Clause: TypeAlias = Callable[[WordTable, Int64Array], BoolArray]

_PARTS = re.compile(r"([^:@$]*)(?::([^@$]*))?(?:@([^$]*))?(?:\$(.*))?", re.DOTALL)


def split_relation(relation: str) -> tuple[str, str | None, str | None, str | None]:
    """Return the base of a relation, its subtype (``:``), deep (``@``) and semantic extension (``$``).

    >>> split_relation("comp:obj@x")
    ('comp', 'obj', 'x', None)
    """
    match = _PARTS.fullmatch(relation)
    assert match is not None  # the expression matches any text
    return match[1], match[2], match[3], match[4]


def relation_matches(pattern: str, relation: str) -> bool:
    """Return whether a relation is one of a pattern."""
    base, *requested, _ = split_relation(pattern)
    actual_base, *actual, _ = split_relation(relation)
    return fnmatchcase(actual_base, base) and all(
        pattern is None or _part_matches(pattern, part or "")
        for pattern, part in zip(requested, actual, strict=True)
    )


def _part_matches(pattern: str, part: str) -> bool:
    return fnmatchcase(part, pattern) if pattern else not part


def new_relation(gives: str, relation: str) -> str:
    """Return the relation that a rule gives in the stead of another one.

    >>> new_relation("acl:{extension}", "mod@relcl"), new_relation("acl:{extension}", "mod")
    ('acl:relcl', 'acl')
    """
    if "{" not in gives:
        return gives
    base, subtype, extension, _ = split_relation(relation)
    text = gives.replace("{base}", base).replace("{subtype}", subtype or "")
    return re.sub(r"[:@]+(?=[:@]|$)", "", text.replace("{extension}", extension or ""))


class WordTests:
    """Tests by what a file says; those with names are in ``named``."""

    def __init__(self, named: Mapping[str, Any], flags: Sequence[str]) -> None:
        self.named, self.flags = named, set(flags)
        self._compiled: dict[str, CompiledTest] = {}

    def test(self, content: Mapping[str, Any]) -> CompiledTest:
        """Return a test, made once."""
        known = repr(content)
        if known not in self._compiled:
            self._compiled[known] = CompiledTest(list(self._clauses(content)))
        return self._compiled[known]

    def _clauses(self, content: Mapping[str, Any]) -> Any:
        for key, value in content.items():
            if key in ("tag", "upos", "form", "lemma", "feature", "relation"):
                yield _strings(key, labels(value))
            elif key == "is":
                for name in labels(value):
                    yield _flag(name) if name in self.flags else self._named(name)
            elif key == "side":
                yield _side(value)
            elif key == "order":
                yield _orders(labels(value))
            elif key == "turned":
                yield _turned(value)
            elif key == "root":
                yield _root(value)
            elif key == "furthest":
                yield _furthest(value)
            elif key == "crosses":
                yield _crosses(value)
            elif key == "same":
                yield _same(labels(value))
            elif key == "head":
                yield _head(self.test(value))
            elif key in ("dependent", "before", "behind"):
                side = {"dependent": "", "before": "left", "behind": "right"}[key]
                yield _dependent(self.test({**value, "side": side} if side else value))
            elif key == "sister":
                yield _sister(self.test(value))
            elif key == "any":
                yield _any([self.test(way) for way in value])
            elif key == "unless":
                ways = value if isinstance(value, list) else [value]
                yield _unless([self.test(way) for way in ways])

    def _named(self, name: str) -> Clause:
        test = self.test(self.named[name])
        return test.holds


class CompiledTest:
    """A test: all its clauses hold."""

    def __init__(self, clauses: list[Clause]) -> None:
        self.clauses = clauses

    def holds(self, words: WordTable, rows: Int64Array) -> BoolArray:
        """Return whether the test holds of some rows."""
        mask = np.ones(len(rows), np.bool_)
        alive = np.arange(len(rows))
        for clause in self.clauses:
            if not len(alive):
                break
            held = clause(words, rows[alive])
            mask[alive[~held]] = False
            alive = alive[held]
        return mask

    def everywhere(self, words: WordTable) -> BoolArray:
        """Return whether the test holds of each word."""
        number, mask = words.masks.get(id(self), (-1, None))
        if mask is None or number != words.number:
            mask = self.holds(words, words.rows)
            words.masks[id(self)] = words.number, mask
        return mask


def _strings(name: str, patterns: tuple[str, ...]) -> Clause:
    key = name, "\n".join(patterns)

    def accepts(text: str) -> bool:
        if name == "relation":
            return any(relation_matches(pattern, text) for pattern in patterns)
        if name == "feature":
            features = text.split("|")
            return any(fnmatchcase(feature, pattern) for pattern in patterns for feature in features)
        text = text.lower() if name in ("form", "lemma") else text
        return any(fnmatchcase(text, pattern) for pattern in patterns)

    def clause(words: WordTable, rows: Int64Array) -> BoolArray:
        column = words.column(name)
        known = words.lookups.get(key)
        if known is None or known[0] is not column.strings:
            accepted = np.array([accepts(text) for text in column.strings], np.bool_)
            known = words.lookups[key] = column.strings, accepted
        return known[1][column.of_word[rows]]

    return clause


def _flag(name: str) -> Clause:
    return lambda words, rows: words.flags[name][rows]


def _side(side: str) -> Clause:
    def clause(words: WordTable, rows: Int64Array) -> BoolArray:
        head = words.head[rows]
        return (head >= 0) & ((rows < head) if side == "left" else (rows > head))

    return clause


def _orders(orders: tuple[str, ...]) -> Clause:
    def clause(words: WordTable, rows: Int64Array) -> BoolArray:
        governor = words.head[rows]
        above = np.where(governor >= 0, words.head[governor], -1)
        at = {"W": rows, "G": governor, "A": above}
        held = np.zeros(len(rows), np.bool_)
        for order in orders:
            in_order = above >= 0
            for one, other in pairwise(order):
                in_order &= at[one] < at[other]
            held |= in_order
        return held

    return clause


def _turned(value: bool) -> Clause:
    return lambda words, rows: words.turned[rows] == value


def _root(value: bool) -> Clause:
    return lambda words, rows: (words.head[rows] < 0) == value


def _furthest(value: bool) -> Clause:
    def clause(words: WordTable, rows: Int64Array) -> BoolArray:
        head = words.head
        governed = np.flatnonzero(head >= 0)
        last = np.full(len(words), -1, np.int64)
        last[head[governed]] = governed
        first = np.full(len(words), -1, np.int64)
        first[head[governed[::-1]]] = governed[::-1]
        is_furthest: BoolArray = (rows == last[head[rows]]) | (rows == first[head[rows]])
        return is_furthest if value else ~is_furthest

    return clause


def _crosses(value: bool) -> Clause:
    def clause(words: WordTable, rows: Int64Array) -> BoolArray:
        held = words.head[rows] >= 0
        held[held] = crosses(words.head, rows[held])
        return held if value else ~held

    return clause


def _same(names: tuple[str, ...]) -> Clause:
    def clause(words: WordTable, rows: Int64Array) -> BoolArray:
        held = words.head[rows] >= 0
        for name in names:
            codes = words.column(name).of_word
            held &= codes[rows] == codes[words.head[rows]]
        return held

    return clause


def _head(test: CompiledTest) -> Clause:
    def clause(words: WordTable, rows: Int64Array) -> BoolArray:
        head = words.head[rows]
        held = head >= 0
        held[held] = test.holds(words, head[held])
        return held

    return clause


def _dependent(test: CompiledTest) -> Clause:
    def clause(words: WordTable, rows: Int64Array) -> BoolArray:
        governs = np.zeros(len(words) + 1, np.bool_)
        governs[words.head[test.everywhere(words)]] = True
        return governs[rows]

    return clause


def _sister(test: CompiledTest) -> Clause:
    def clause(words: WordTable, rows: Int64Array) -> BoolArray:
        mask = test.everywhere(words)
        count = np.bincount(words.head[mask] + 1, minlength=len(words) + 1)
        held: BoolArray = (words.head[rows] >= 0) & (count[words.head[rows] + 1] > mask[rows])
        return held

    return clause


def _any(tests: list[CompiledTest]) -> Clause:
    def clause(words: WordTable, rows: Int64Array) -> BoolArray:
        held = np.zeros(len(rows), np.bool_)
        for test in tests:
            rest = np.flatnonzero(~held)
            held[rest] = test.holds(words, rows[rest])
        return held

    return clause


def _unless(tests: list[CompiledTest]) -> Clause:
    either = _any(tests)
    return lambda words, rows: ~either(words, rows)
