"""Steps of conversions between dependency schemes; each changes heads or relations of a table of words.

All of them look at whole columns, so that a step costs a few passes over the words, however many sentences
they are in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from crossbank.converters.rewriting.word_table import WordTable
from crossbank.converters.rewriting.word_tests import CompiledTest, new_relation
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array

MAX_ROUNDS = 100
"""The maximal number of times that a word can rise: more than the depth of nested function words."""


class Rule(NamedTuple):
    """A rule: its result (a relation, a feature, a level), and its test."""

    gives: str
    test: CompiledTest


def rows_of_any(words: WordTable, tests: Sequence[CompiledTest], rows: Int64Array) -> BoolArray:
    """Return a mask of the rows for which one of several tests holds."""
    held = np.zeros(len(rows), np.bool_)
    for test in tests:
        rest = np.flatnonzero(~held)
        held[rest] = test.holds(words, rows[rest])
    return held


def relabel(words: WordTable, rules: Sequence[tuple[Rule, Mapping[str, bool]]]) -> None:
    """Give words the relation of the first rule that holds; others are unchanged.

    rules  rules, each with the relations of the table for which it may hold
    """
    strings, codes = words.relation
    order = np.argsort(codes, kind="stable")
    begins = np.searchsorted(codes[order], np.arange(len(strings) + 1))
    rows: list[Int64Array] = []
    names: list[str] = []
    chosen: list[Int32Array] = []
    for code, relation in enumerate(strings):
        rest = order[begins[code] : begins[code + 1]]
        for rule, possible in rules:
            if not len(rest):
                break
            if not possible[relation]:
                continue
            held = rule.test.holds(words, rest)
            if held.any():
                rows.append(rest[held])
                chosen.append(np.full(int(held.sum()), len(names), np.int32))
                names.append(new_relation(rule.gives, relation))
                rest = rest[~held]
    if rows:
        words.set_relations(np.concatenate(rows), names, np.concatenate(chosen))


def recall(words: WordTable, feature: str) -> None:
    """Give words the relation that one of their features names."""
    strings, of_word = words.feature
    named = [
        next((part for part in text.split("|") if part.startswith(f"{feature}=")), "") for text in strings
    ]
    has = np.array([bool(part) for part in named], np.bool_)
    rows = words.rows[has[of_word] & (words.head >= 0)] if strings else words.rows
    words.set_relations(rows, [part.partition("=")[2] for part in named], of_word[rows])


def attach_higher(words: WordTable, tests: Sequence[CompiledTest]) -> None:
    """Attach words to the governor of their governor, as long as a test holds for them."""
    rows = words.rows
    for _ in range(MAX_ROUNDS):
        rows = rows[words.head[rows] >= 0]
        rows = rows[words.head[words.head[rows]] >= 0]
        rows = rows[rows_of_any(words, tests, rows)]
        if not len(rows):
            return
        head = words.head.copy()
        head[rows] = words.head[words.head[rows]]
        words.head = head
        words.changed()


def attach_lower(
    words: WordTable, to: CompiledTest, tests: Sequence[CompiledTest], nearest: str = "before"
) -> BoolArray:
    """Attach words to a dependent of their governor for which a test holds; return a mask of them.

    nearest  ``before``: the last such dependent before the word; else the first one after it
    """
    candidates = words.rows[words.head >= 0]
    direction = 1 if nearest == "before" else -1
    order = candidates[np.lexsort((direction * candidates, words.head[candidates]))]
    is_goal = to.holds(words, order)
    latest = np.maximum.accumulate(np.where(is_goal, np.arange(len(order)), -1))
    earlier = np.concatenate([[-1], latest[:-1]])[: len(order)].astype(np.int64)
    goal = np.where(earlier >= 0, order[np.maximum(earlier, 0)], -1)
    has = (goal >= 0) & ~is_goal
    has[has] = words.head[goal[has]] == words.head[order[has]]
    rows, goal = order[has], goal[has]
    held = rows_of_any(words, tests, rows)
    head = words.head.copy()
    head[rows[held]] = goal[held]
    words.head = head
    words.changed()
    moved = np.zeros(len(words), np.bool_)
    moved[rows[held]] = True
    return moved


def group(words: WordTable, test: CompiledTest) -> None:
    """Attach the words of chains to the governor of the first word."""
    in_chain = test.everywhere(words)
    head = words.head
    above = np.where(in_chain, head, -1)
    for _ in range(MAX_ROUNDS):
        higher = in_chain & (above >= 0)
        higher[higher] = in_chain[above[higher]]
        if not higher.any():
            break
        above[higher] = above[above[higher]]
    words.head = np.where(in_chain & (above >= 0), above, head)
    words.changed()


def chain(words: WordTable, test: CompiledTest) -> None:
    """Attach each word to the previous word with the same governor."""
    rows = np.flatnonzero(test.everywhere(words) & (words.head >= 0))
    order = rows[np.lexsort((rows, words.head[rows]))]
    linked = words.head[order[1:]] == words.head[order[:-1]]
    head = words.head.copy()
    head[order[1:][linked]] = order[:-1][linked]
    words.head = head
    words.changed()


def flatten_idioms(words: WordTable, heads: CompiledTest, parts: CompiledTest) -> None:
    """Attach the words of idioms as ``fixed`` to the first of them, which takes the idiom's tag."""
    is_head, is_part = heads.everywhere(words), parts.everywhere(words)
    idiom = np.where(is_head, words.rows, -1)
    for _ in range(MAX_ROUNDS):
        new = is_part & (idiom < 0) & (words.head >= 0)
        new[new] = idiom[words.head[new]] >= 0
        if not new.any():
            break
        idiom[new] = idiom[words.head[new]]
    rows = np.flatnonzero(idiom >= 0)
    if not len(rows):
        return
    order = rows[np.lexsort((rows, idiom[rows]))]
    is_first = np.concatenate([[True], idiom[order[1:]] != idiom[order[:-1]]])
    several = np.bincount(idiom[rows], minlength=len(words)) > 1
    first_of = np.full(len(words), -1, np.int64)
    first_of[idiom[order[is_first]]] = order[is_first]
    head = words.head.copy()
    outside = (idiom < 0) & (head >= 0)
    outside[outside] = idiom[head[outside]] >= 0
    head[outside] = first_of[idiom[head[outside]]]
    further = order[~is_first]
    heads_of_idioms = np.flatnonzero(is_head & several)
    firsts = first_of[heads_of_idioms]
    above = words.head[heads_of_idioms]
    inside = above >= 0
    inside[inside] = idiom[above[inside]] >= 0
    head[firsts] = np.where(inside, first_of[idiom[above]], above)
    head[further] = first_of[idiom[further]]
    codes = words.relation.of_word.copy()
    codes[firsts] = words.relation.of_word[heads_of_idioms]
    words.relation = words.relation._replace(of_word=codes)
    tags = words.tag.of_word.copy()
    tags[firsts] = words.tag.of_word[heads_of_idioms]
    words.tag = words.tag._replace(of_word=tags)
    words.head = head
    words.set_relations(further, ["fixed"], np.zeros(len(further), np.int32))


def turn(words: WordTable, tests: Sequence[CompiledTest], stay: Sequence[CompiledTest]) -> None:
    """Make words the governors of their governor and of its dependents, except for those that stay.

    Of two such words with one governor, the last one becomes the governor.
    """
    head, rows = words.head, words.rows
    complement = rows[rows_of_any(words, tests, rows) & (head >= 0)]
    below = np.full(len(words), -1, np.int64)
    below[head[complement]] = complement
    complement = complement[below[head[complement]] == complement]
    is_complement = np.zeros(len(words), np.bool_)
    is_complement[complement] = True
    lowest = _followed(below)
    function = np.flatnonzero(below >= 0)
    on_function = np.flatnonzero((head >= 0) & ~is_complement)
    on_function = on_function[below[head[on_function]] >= 0]
    going = on_function[~rows_of_any(words, stay, on_function)]
    new = head.copy()
    new[going] = lowest[head[going]]
    # The lowest word of a chain of governors gets the head and relation of the highest.
    tops = function[~is_complement[function]]
    new_codes = words.relation.of_word.copy()
    new[lowest[tops]] = new[tops]
    new_codes[lowest[tops]] = words.relation.of_word[tops]
    new[function] = lowest[function]
    new_codes[function] = words.relation.of_word[below[function]]
    words.head = new
    words.relation = words.relation._replace(of_word=new_codes)
    words.turned = np.zeros(len(words), np.bool_)
    words.turned[function] = True
    words.changed()


def _followed(pointer: Int64Array) -> Int64Array:
    """Return the last row that is reached from each row by following pointers."""
    end = np.where(pointer >= 0, pointer, np.arange(len(pointer)))
    for _ in range(MAX_ROUNDS):
        further = end[end]
        if np.array_equal(further, end):
            break
        end = further
    return end


def promote(words: WordTable, rules: Sequence[Rule]) -> None:
    """Make function words govern the word that they depend on, each the previous one.

    The first in the chain has the lowest level; of equal levels, words after the governor precede, then the
    nearest.
    """
    level = np.full(len(words), -1, np.int64)
    for rule in rules:
        undecided = words.rows[(level < 0) & (words.head >= 0)]
        level[undecided[rule.test.holds(words, undecided)]] = int(rule.gives)
    function = np.flatnonzero(level >= 0)
    if not len(function):
        return
    host = words.head[function]
    function = function[np.lexsort((np.abs(function - host), function < host, level[function], host))]
    host = words.head[function]
    is_first = np.concatenate([[True], host[1:] != host[:-1]])
    is_last = np.concatenate([is_first[1:], [True]])
    outermost = np.full(len(words), -1, np.int64)
    outermost[host[is_last]] = function[is_last]
    top = _followed(outermost)
    new, new_codes, codes = words.head.copy(), words.relation.of_word.copy(), words.relation.of_word
    turned = np.zeros(len(words), np.bool_)
    # A word under a function word keeps its dependents; its own head and relation go to the top.
    hosts = host[is_last]
    is_function = np.zeros(len(words), np.bool_)
    is_function[function] = True
    free = hosts[~is_function[hosts]]
    new[top[free]], new_codes[top[free]] = words.head[free], codes[free]
    lower = np.where(is_first, host, top[np.concatenate([[0], function[:-1]])])
    new[lower], new_codes[lower] = function, codes[function]
    turned[lower] = True
    # Dependents of a word stay with it, and rise by rules.
    words.head, words.turned = new, turned
    words.relation = words.relation._replace(of_word=new_codes)
    words.changed()


def rise(words: WordTable, tests: Sequence[CompiledTest], stay: Sequence[CompiledTest]) -> None:
    """Attach dependents of words under a function word to it, repeatedly as long as a test holds.

    stay  tests of words that do not rise
    """
    rows = words.rows[~rows_of_any(words, stay, words.rows)]
    for _ in range(MAX_ROUNDS):
        rows = rows[(words.head[rows] >= 0) & ~words.turned[rows]]
        rows = rows[words.turned[words.head[rows]]]
        moved = rows_of_any(words, tests, rows)
        if not moved.any():
            return
        head = words.head.copy()
        head[rows[moved]] = words.head[words.head[rows[moved]]]
        words.head = head
        words.changed()
