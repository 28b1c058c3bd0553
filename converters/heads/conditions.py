"""Conditions of rules about children, checked for all children of a treebank at once.

A condition distinguishes children of one category and function, so it splits types of children. Rules
remain tables of types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

import numpy as np

from crossbank.converters.delete_nodes import children_of_nodes
from crossbank.converters.heads.child_types import ChildTypes
from crossbank.converters.schemes.head_rules import Condition
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array

Truths: TypeAlias = Mapping[Condition, BoolArray]
"""The types for which each condition holds, shape ``(types,)``."""


def with_conditions(
    bank: Treebank, types: ChildTypes, conditions: Iterable[Condition]
) -> tuple[ChildTypes, Truths]:
    """The types after some conditions have split them, and those for which each condition holds."""
    conditions = dict.fromkeys(conditions)
    truths: dict[Condition, BoolArray] = {}
    if not conditions:
        return types, truths
    apart = types
    for condition in conditions:
        apart, old, true = apart.told_apart(*_holds(bank, types, condition))
        truths = {known: truth[old] for known, truth in truths.items()}
        truths[condition] = true
    return apart, truths


def _formed(bank: Treebank, forms: tuple[str, ...]) -> BoolArray:
    """A mask of the tokens that have one of some forms, also with a capital letter."""
    codes = [bank.vocabulary.code(form) for form in (*forms, *map(str.capitalize, forms))]
    found: BoolArray = np.isin(bank.tokens.form, codes)
    return found


def _wanted(condition: Condition, types: ChildTypes) -> BoolArray:
    if condition.kind in ("first", "last"):
        return ~types.punctuation
    wanted: BoolArray = np.logical_or.reduce([types.like(label) for label in condition.labels or ("*",)])
    return wanted & types.serving_as(condition.functions) if condition.functions else wanted


def _holds(bank: Treebank, types: ChildTypes, condition: Condition) -> tuple[BoolArray, BoolArray]:
    """Masks of the tokens and nodes for which a condition holds."""
    wanted = _wanted(condition, types)
    token, node = wanted.take(types.token), wanted.take(types.node)
    if condition.forms:
        token, node = token & _formed(bank, condition.forms), np.zeros(len(node), np.bool_)
    if condition.kind == "is":
        return token, node
    if condition.kind == "over":
        return np.zeros(len(token), np.bool_), children_of_nodes(bank, token, node) > 0
    tokens, nodes = bank.tokens, bank.nodes
    over = [nodes.parent_rows(table) for table in (tokens, nodes)]
    places = tokens.places(), bank.spans.start
    # The places of the first and the last wanted child of each node; the last entry is no node's.
    first, last = np.full(len(nodes) + 1, len(tokens), np.int32), np.full(len(nodes) + 1, -1, np.int32)
    for chosen, above, place in zip((token, node), over, places, strict=True):
        rows = np.flatnonzero(chosen & (above != NO_PARENT))
        np.minimum.at(first, above[rows], place[rows])
        np.maximum.at(last, above[rows], place[rows])

    def holds(above: Int64Array, place: Int32Array) -> BoolArray:
        before, behind = place < last[above], place > first[above]
        true: dict[str, BoolArray] = {"before": before, "behind": behind, "beside": before | behind}
        true |= {"first": place == first[above], "last": place == last[above]}
        return true[condition.kind]

    of_token, of_node = map(holds, over, places)
    return of_token, of_node
