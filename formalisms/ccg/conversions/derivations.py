"""Signs and rules of all words and nodes of a treebank of CCG derivations.

Nodes are taken by their height above the words, so that the signs of children are known before those of their
parents. Each combination of two signs and a category is examined once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from crossbank.formalisms.ccg.ccg_categories import Category, CategoryError, parse_category
from crossbank.formalisms.ccg.conversions.combining import Combination, change, combine, uncombined
from crossbank.formalisms.ccg.conversions.head_sharing import HeadSharing
from crossbank.formalisms.ccg.conversions.loops.unification import children
from crossbank.formalisms.ccg.conversions.signs import Sign, Slot, lexical_sign
from crossbank.treebanks import ConversionError, Treebank
from crossbank.treebanks.arrays import Int32Array, Int64Array

NO_CHILD = -1


@dataclass(frozen=True, eq=False)
class Derivations:
    """Derivations of a treebank; columns of signs and combinations are indices into the two lists.

    child       the first two children of each node, shape ``(2 * nodes,)``: ``loops.unification.children``
    arity       the number of children of each node, shape ``(nodes,)``
    token_sign  the sign of each token, shape ``(tokens,)``
    node_sign   the sign of each node, shape ``(nodes,)``
    node_rule   the combination of each node's children, shape ``(nodes,)``
    signs, combinations  the lists of distinct ones
    slots       those of words, by index in ``signs``
    separators  the atoms of conjunctions and punctuation, which come before conjuncts
    """

    bank: Treebank
    child: Int64Array
    arity: Int32Array
    token_sign: Int32Array
    node_sign: Int32Array
    node_rule: Int32Array
    signs: list[Sign]
    combinations: list[Combination]
    slots: dict[int, tuple[Slot, ...]]
    separators: frozenset[str]

    @cached_property
    def head_child(self) -> Int32Array:
        """Index of the child with the lexical head, shape ``(nodes,)``."""
        heads = np.array([combination.head for combination in self.combinations] or [0], np.int32)
        children: Int32Array = heads[self.node_rule] if len(self.node_rule) else heads[:0]
        return children

    def lexical_heads(self) -> Int64Array:
        """Return the token that is the lexical head of each node, -1 where a node has none."""
        item: Int64Array = self.child[2 * np.arange(len(self.bank.nodes)) + self.head_child]
        while len(rows := np.flatnonzero(item < NO_CHILD)):
            item[rows] = item[-2 - item[rows]]
        return item

    def uncombined(self) -> dict[str, list[int]]:
        """Return the sentences of the nodes whose children no rule combines, by their categories."""
        sentences = self.bank.nodes.sentence_of_row()
        failed = np.array([not combination.rule for combination in self.combinations] or [False], np.bool_)
        rows = np.flatnonzero(failed[self.node_rule]) if len(self.node_rule) else np.zeros(0, np.intp)
        by_event: dict[str, list[int]] = {}
        for row in rows.tolist():
            by_event.setdefault(self._event(row), []).append(int(sentences[row]))
        return by_event

    def _event(self, row: int) -> str:
        bank = self.bank
        children = [item for item in self.child[2 * row : 2 * row + 2].tolist() if item != NO_CHILD]
        codes = [bank.tokens.pos[item] if item >= 0 else bank.nodes.label[-2 - item] for item in children]
        *names, label = (bank.vocabulary[int(code)] for code in (*codes, bank.nodes.label[row]))
        more = " ..." if self.arity[row] > 2 else ""
        return f"children that cannot combine: {' '.join(names)}{more} to {label}"


class _Signs:
    """Signs and combinations in the order of occurrence, with their indices."""

    def __init__(self, bank: Treebank, sharing: HeadSharing) -> None:
        self._bank, self._sharing = bank, sharing
        self.signs: list[Sign] = []
        self._index_of: dict[Sign, int] = {}
        self.combinations: list[Combination] = []
        self._known: dict[tuple[int, ...], tuple[int, int]] = {}
        self.slots: dict[int, tuple[Slot, ...]] = {}
        self._word: dict[int, int] = {}

    def _category(self, code: int) -> Category:
        try:
            return parse_category(self._bank.vocabulary[code])
        except CategoryError as error:
            raise ConversionError(f"{self._bank.where(0)}: {error}") from error

    def of_word(self, code: int) -> int:
        """Return the position of a word's sign, by the code of its category."""
        if code not in self._word:
            sign, slots = lexical_sign(self._category(code), self._sharing)
            self._word[code] = index = len(self.signs)
            self.signs.append(sign)
            self.slots[index] = slots
        return self._word[code]

    def _index(self, sign: Sign) -> int:
        if sign not in self._index_of:
            self._index_of[sign] = len(self.signs)
            self.signs.append(sign)
        return self._index_of[sign]

    def of_node(self, label: int, left: int, right: int) -> tuple[int, int]:
        """Return the indices of a node's sign and combination; ``right`` is -1 if it has one child."""
        # Equal signs share one index here, whether they belong to words or not.
        indices = (self._index(self.signs[sign]) if sign >= 0 else sign for sign in (left, right))
        key = (label, *indices)
        if key not in self._known:
            parent = self._category(label).bare()
            if right >= 0:
                combination = combine(self.signs[left], self.signs[right], parent, self._sharing)
            else:
                combination = change(self.signs[left], parent, self._sharing)
            if combination is None:
                combination = uncombined(self.signs[left], parent, self._sharing)
            self.combinations.append(combination)
            self._known[key] = self._index(combination.sign), len(self.combinations) - 1
        return self._known[key]


def derivations(bank: Treebank, sharing: HeadSharing) -> Derivations:
    """Return the signs and rules of a treebank whose tags and labels are categories.

    Raises ConversionError if a category does not parse or a constituent is discontinuous.
    """
    tokens, nodes = bank.tokens, bank.nodes
    if len(bank.discontinuous_sentences):
        sentence = int(bank.discontinuous_sentences[0])
        raise bank.refused(
            sentence,
            "found a discontinuous constituent, expected continuous ones (raise_crossing makes them so)",
        )
    child, arity, height = children(
        tokens.offsets, tokens.parent, nodes.offsets, nodes.parent, bank.spans.start
    )
    signs = _Signs(bank, sharing)
    codes, which = np.unique(tokens.pos, return_inverse=True)
    by_code = np.array([signs.of_word(code) for code in codes.tolist()] or [0], np.int32)
    token_sign = by_code[which.reshape(-1)] if len(tokens) else np.zeros(0, np.int32)
    node_sign, node_rule = np.zeros(len(nodes), np.int32), np.zeros(len(nodes), np.int32)
    order = np.argsort(height, kind="stable")
    levels = np.split(order, np.flatnonzero(np.diff(height[order])) + 1) if len(nodes) else []
    for rows in levels:
        left, right = (_signs_of(child[2 * rows + side], token_sign, node_sign) for side in (0, 1))
        right[arity[rows] > 2] = NO_CHILD
        size = len(signs.signs) + 1
        keys = (nodes.label[rows].astype(np.int64) * size + left) * size + right + 1
        distinct, first, which = np.unique(keys, return_index=True, return_inverse=True)
        columns = (column[first].tolist() for column in (nodes.label[rows], left, right))
        results = np.array(list(map(signs.of_node, *columns)), np.int32).reshape(len(distinct), 2)
        node_sign[rows], node_rule[rows] = results[which.reshape(-1)].T
    of_rows = child, arity, token_sign, node_sign, node_rule
    separators = sharing.conjunctions | sharing.punctuation
    return Derivations(bank, *of_rows, signs.signs, signs.combinations, signs.slots, separators)


def _signs_of(items: Int64Array, token_sign: Int32Array, node_sign: Int32Array) -> Int64Array:
    """Return the signs of children, -1 if there is none."""
    signs = np.full(len(items), NO_CHILD, np.int64)
    is_token, is_node = items >= 0, items < NO_CHILD
    signs[is_token] = token_sign[items[is_token]]
    signs[is_node] = node_sign[-2 - items[is_node]]
    return signs
