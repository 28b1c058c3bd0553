"""The engine that matches tree patterns, and ``find``, which searches a treebank with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from crossbank.converters.patterns.items import (
    BEGIN,
    END,
    FUNCTION,
    HEAD,
    LABEL,
    LAST,
    LAST_CHILD,
    PARENT,
    PREVIOUS,
    ROW,
    TreeItems,
    tree_items,
)
from crossbank.converters.patterns.program import OPERATORS, Instruction, Program, compile_pattern
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.treebank import Treebank

NOTHING = -1
"""No item."""

LABELLED, SERVES, RELATE, NAME, FORGET, SAME, LOAD, EITHER, GO, NOT, ONCE, STOP, FOUND = map(int, Instruction)


@dataclass(frozen=True)
class FoundNode:
    """A node, tag or word.

    sentence  the sentence, from 0
    place     its place in the tree in pre-order from 0, tags and words counted: the position
              ``tree.treepositions()[place]`` of the sentence's ``nltk.Tree``
    node      the row in its sentence's nodes, None for tags and words
    token     the row in its sentence's tokens, None for nodes
    label     category, tag or form
    words     the forms below
    """

    sentence: int
    place: int
    node: int | None
    token: int | None
    label: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Match(FoundNode):
    """A node that a pattern fits, with the nodes that the pattern names."""

    names: Mapping[str, FoundNode] = field(default_factory=dict)


class Matches:
    """What was found, in the order of the treebank; each match is made when it is asked for."""

    def __init__(self, bank: Treebank, items: TreeItems, names: tuple[str, ...], rows: Int32Array) -> None:
        self.bank, self.items, self.names, self.rows = bank, items, names, rows
        self.sentences = np.searchsorted(items.offsets, rows[:, 0], side="right") - 1

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, number: int) -> Match:
        sentence, row = int(self.sentences[number]), self.rows[number].tolist()
        named = zip(self.names, row[1:], strict=True)
        names = {name: FoundNode(**self._node(sentence, item)) for name, item in named if item != NOTHING}
        return Match(**self._node(sentence, row[0]), names=names)

    def __iter__(self) -> Iterator[Match]:
        return map(self.__getitem__, range(len(self)))

    def _node(self, sentence: int, item: int) -> dict[str, Any]:
        table, decode = self.items.table, self.bank.vocabulary.decode
        row, last = int(table[item, ROW]), int(table[item, LAST])
        below = table[item : last + 1]
        tokens = np.sort(below[below[:, LAST_CHILD] == NOTHING, BEGIN])
        return {
            "sentence": sentence,
            "place": item - int(self.items.offsets[sentence]),
            "node": -1 - row if row < 0 else None,
            "token": row if row >= 0 else None,
            "label": self.bank.vocabulary[int(table[item, LABEL])],
            "words": tuple(decode(self.bank.tokens.form[tokens])),
        }


def find(pattern: str | Program, bank: Treebank) -> Matches:
    """All nodes, tags and words of a treebank that a pattern fits, each once.

    Raises PatternError for a pattern that does not parse.

    >>> [match.words for match in find("NP < PP", bank)]  # doctest: +SKIP
    """
    program = compile_pattern(pattern) if isinstance(pattern, str) else pattern
    items = tree_items(bank)
    rows = match(program, items, program.sets(bank.vocabulary), first_only=True)
    return Matches(bank, items, program.names, rows)


def match(program: Program, items: TreeItems, sets: NDArray[np.bool_], *, first_only: bool) -> Int32Array:
    """The items that a program fits, with the items it names, shape ``(matches, 1 + names)``.

    ``sets`` are ``program.sets`` of the treebank's vocabulary. With ``first_only`` each item is found
    once, with the first nodes to fit the names; without, once for each choice of them.
    """
    rows: Int32Array = _run(program.code, program.registers, len(program.names), sets, *items, first_only)
    return rows


@njit(cache=True, nogil=True)
def _run(
    code: Int32Array,
    registers: int,
    names: int,
    sets: NDArray[np.bool_],
    items: Int32Array,
    word: Int32Array,
    offsets: Int64Array,
    token_offsets: Int64Array,
    crossing: BoolArray,
    first_only: bool,
) -> Int32Array:
    """Run a program on every item.

    ``choices`` is a stack of instructions that can go on in another way: where to go on is known from
    the instruction and the registers. NOT and ONCE lie on it as marks.
    """
    found = np.empty((1024, 1 + names), np.int32)
    count = 0
    register = np.zeros(registers, np.int32)
    named = np.zeros(names, np.int32)
    choices = np.zeros(len(code) + 1, np.int32)
    for sentence in range(len(offsets) - 1):
        bounds = (
            offsets[sentence],
            offsets[sentence + 1],
            token_offsets[sentence],
            token_offsets[sentence + 1],
        )
        for root in range(offsets[sentence], offsets[sentence + 1]):
            if code[0, 0] == LABELLED and not sets[code[0, 2], items[root, LABEL]]:
                continue  # as the program would find, but quicker
            register[0] = root
            for name in range(names):
                named[name] = NOTHING
            height = 0
            at = 0
            again = False  # whether the instruction is asked for another way
            while True:
                kind, a, b = code[at, 0], code[at, 1], code[at, 2]
                fits = True
                if kind == RELATE:
                    latest = register[b] if again else -1
                    item = _related(
                        items,
                        word,
                        bounds,
                        crossing[sentence],
                        code[at, 3],
                        code[at, 4],
                        sets,
                        register[a],
                        latest,
                    )
                    fits = item >= 0
                    register[b] = item
                    choices[height] = at
                    height += fits
                    at += 1
                elif again:
                    fits = kind != ONCE  # but EITHER or NOT
                    at = b
                elif kind == LABELLED:
                    fits = sets[b, items[register[a], LABEL]]
                    at += 1
                elif kind == SERVES:
                    fits = sets[b, items[register[a], FUNCTION]]
                    at += 1
                elif kind == NAME:
                    named[b] = register[a]
                    at += 1
                elif kind == FORGET:
                    named[b] = NOTHING
                    at += 1
                elif kind == SAME:
                    fits = named[b] == register[a]
                    at += 1
                elif kind == LOAD:
                    fits = named[b] >= 0
                    register[a] = named[b]
                    at += 1
                elif kind == GO:
                    at = b
                elif kind == STOP:
                    while choices[height - 1] != b:
                        height -= 1
                    height -= 1
                    fits = code[b, 0] == ONCE
                    at += 1
                elif kind == FOUND:
                    if count == len(found):
                        more = np.empty((2 * count, 1 + names), np.int32)
                        more[:count] = found
                        found = more
                    found[count, 0] = root
                    found[count, 1:] = named
                    count += 1
                    fits = False
                    if first_only:
                        break
                else:  # EITHER, NOT, ONCE
                    choices[height] = at
                    height += 1
                    at += 1
                again = not fits
                if again:
                    if height == 0:
                        break
                    height -= 1
                    at = choices[height]
    return found[:count].copy()


PARENT_OF, CHILD_OF = OPERATORS["<"], OPERATORS[">"]
HAS_NTH, IS_NTH = OPERATORS["<N"], OPERATORS[">N"]
HAS_NTH_LAST, IS_NTH_LAST = OPERATORS["<-N"], OPERATORS[">-N"]
HAS_ONLY, IS_ONLY = OPERATORS["<:"], OPERATORS[">:"]
HAS_HEAD, IS_HEAD = OPERATORS["<#"], OPERATORS[">#"]
DOMINATES, DOMINATED = OPERATORS["<<"], OPERATORS[">>"]
HAS_LEFTMOST, IS_LEFTMOST = OPERATORS["<<,"], OPERATORS[">>,"]
HAS_RIGHTMOST, IS_RIGHTMOST = OPERATORS["<<'"], OPERATORS[">>'"]
HAS_SINGLE, IS_SINGLE = OPERATORS["<<:"], OPERATORS[">>:"]
HAS_DEEP_HEAD, IS_DEEP_HEAD = OPERATORS["<<#"], OPERATORS[">>#"]
HAS_BY_CHAIN, IS_BY_CHAIN = OPERATORS["<+(C)"], OPERATORS[">+(C)"]
RIGHT_BEFORE, RIGHT_AFTER = OPERATORS["."], OPERATORS[","]
BEFORE, AFTER = OPERATORS[".."], OPERATORS[",,"]
SISTER, NEXT_SISTER, PREVIOUS_SISTER = OPERATORS["$"], OPERATORS["$."], OPERATORS["$,"]
LATER_SISTER, EARLIER_SISTER = OPERATORS["$.."], OPERATORS["$,,"]


@njit(cache=True, nogil=True)
def _related(
    items: Int32Array,
    word: Int32Array,
    bounds: tuple[int, int, int, int],
    crossing: bool,
    operator: int,
    number: int,
    sets: NDArray[np.bool_],
    item: int,
    latest: int,
) -> int:
    """The next item in a relation to ``item`` behind the ``latest`` one, or -1.

    ``latest`` is -1 before the first. A word is related to nothing: relations start at nodes and tags,
    as in NLTK, whose words are strings.
    """
    first_item, behind_items, first_token, behind_tokens = bounds
    if items[item, LAST_CHILD] < 0:
        return -1
    first = latest < 0
    here = item if first else latest

    if operator == PARENT_OF:
        child = item + 1 if first else items[latest, LAST] + 1
        return child if child <= items[item, LAST] else -1
    if operator == DOMINATES:
        return here + 1 if here < items[item, LAST] else -1
    if operator == HAS_BY_CHAIN:
        below = here + 1 if first or sets[number, items[here, LABEL]] else items[here, LAST] + 1
        return below if below <= items[item, LAST] else -1
    if operator == HAS_LEFTMOST:
        return here + 1 if items[here, LAST] > here else -1
    if operator == HAS_RIGHTMOST:
        return int(items[here, LAST_CHILD])
    if operator == HAS_SINGLE:
        return here + 1 if items[here, LAST] > here and items[here, LAST_CHILD] == here + 1 else -1
    if operator == HAS_DEEP_HEAD:
        return int(head_child(items, here))

    if operator == DOMINATED:
        return int(items[here, PARENT])
    if operator == IS_BY_CHAIN:
        return int(items[here, PARENT]) if first or sets[number, items[here, LABEL]] else -1
    if operator == IS_LEFTMOST:
        return int(items[here, PARENT]) if items[here, PARENT] == here - 1 else -1
    if operator == IS_RIGHTMOST:
        above = items[here, PARENT]
        return above if above >= 0 and items[above, LAST] == items[here, LAST] else -1
    if operator == IS_SINGLE:
        return int(items[here, PARENT]) if _is_only_child(items, here) else -1
    if operator == IS_DEEP_HEAD:
        return int(items[here, PARENT]) if _ishead_child(items, here) else -1

    if operator == RIGHT_BEFORE:
        if not first:
            above = items[here, PARENT]
            return above if above >= 0 and items[above, BEGIN] == items[here, BEGIN] else -1
        token = items[item, END]
        return int(word[token]) if token < behind_tokens else -1
    if operator == RIGHT_AFTER:
        if not first:
            above = items[here, PARENT]
            return above if above >= 0 and items[above, END] == items[here, END] else -1
        token = items[item, BEGIN] - 1
        return int(word[token]) if token >= first_token else -1
    if operator == BEFORE:  # behind what the item dominates, unless branches cross
        other = here + 1 if not first else first_item if crossing else items[item, LAST] + 1
        while other < behind_items and items[other, BEGIN] < items[item, END]:
            other += 1
        return other if other < behind_items else -1
    if operator == AFTER:
        other = first_item if first else here + 1
        behind = behind_items if crossing else item
        while other < behind and items[other, END] > items[item, BEGIN]:
            other += 1
        return other if other < behind else -1

    above = items[item, PARENT]
    first_sister = above + 1 if above >= 0 else first_item
    last_inside = items[above, LAST] if above >= 0 else behind_items - 1
    if operator == SISTER:
        sister = first_sister if first else items[here, LAST] + 1
        if sister == item:
            sister = items[item, LAST] + 1
        return sister if sister <= last_inside else -1
    if operator == LATER_SISTER:
        return items[here, LAST] + 1 if items[here, LAST] < last_inside else -1
    if operator == EARLIER_SISTER:
        return int(items[here, PREVIOUS])

    if not first:  # what follows gives one item at most
        return -1
    if operator == CHILD_OF:
        return int(above)
    if operator == NEXT_SISTER:
        return items[item, LAST] + 1 if items[item, LAST] < last_inside else -1
    if operator == PREVIOUS_SISTER:
        return int(items[item, PREVIOUS])
    if operator == HAS_ONLY:
        return item + 1 if items[item, LAST_CHILD] == item + 1 else -1
    if operator == IS_ONLY:
        return above if _is_only_child(items, item) else -1
    if operator == HAS_HEAD:
        return int(head_child(items, item))
    if operator == IS_HEAD:
        return above if _ishead_child(items, item) else -1
    if operator == HAS_NTH:
        child = item + 1
        for _ in range(number - 1):
            if child <= items[item, LAST]:
                child = items[child, LAST] + 1
        return child if child <= items[item, LAST] else -1
    if operator == HAS_NTH_LAST:
        child = items[item, LAST_CHILD]
        for _ in range(number - 1):
            if child >= 0:
                child = items[child, PREVIOUS]
        return int(child)
    if above < 0:
        return -1
    sister = item
    if operator == IS_NTH:
        for _ in range(number - 1):
            sister = items[sister, PREVIOUS]
            if sister < 0:
                return -1
        return above if items[sister, PREVIOUS] < 0 else -1
    for _ in range(number - 1):  # IS_NTH_LAST
        sister = items[sister, LAST] + 1
        if sister > last_inside:
            return -1
    return above if items[sister, LAST] == last_inside else -1


@njit(cache=True, nogil=True)
def _is_only_child(items: Int32Array, item: int) -> bool:
    above = items[item, PARENT]
    return bool(above == item - 1 and above >= 0 and items[above, LAST] == items[item, LAST])


@njit(cache=True, nogil=True)
def _ishead_child(items: Int32Array, item: int) -> bool:
    above = items[item, PARENT]
    return bool(above >= 0 and items[above, HEAD] >= 0 and items[above, HEAD] == items[item, HEAD])


@njit(cache=True, nogil=True)
def head_child(items: Int32Array, item: int) -> int:
    """The child of an item that has its lexical head, or -1; ``items`` are ``TreeItems.table``."""
    head = items[item, HEAD]
    child = item + 1
    while child <= items[item, LAST] and head >= 0:
        if items[child, HEAD] == head:
            return child
        child = items[child, LAST] + 1
    return -1
