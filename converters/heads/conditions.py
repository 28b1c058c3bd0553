"""Conditions of rules about children, checked for all children of a treebank at once.

A condition distinguishes children of one category and function, so it splits types of children. Rules
remain tables of types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

import numpy as np

from crossbank.converters.deletions import children_of_nodes
from crossbank.converters.heads.child_types import ChildTypes
from crossbank.converters.schemes.head_rules import Condition
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array

Truths: TypeAlias = Mapping[Condition, BoolArray]
"""The types for which each condition holds, shape ``(types,)``."""


def with_conditions(
    bank: Treebank, types: ChildTypes, conditions: Iterable[Condition]
) -> tuple[ChildTypes, Truths]:
    """Return the types after some conditions have split them, and those for which each condition holds."""
    conditions = dict.fromkeys(conditions)
    truths: dict[Condition, BoolArray] = {}
    if not conditions:
        return types, truths
    refined = types
    for condition in conditions:
        refined, old, true = refined.split_by(*_holds(bank, types, condition))
        truths = {known: truth[old] for known, truth in truths.items()}
        truths[condition] = true
    return refined, truths


def _formed(bank: Treebank, forms: tuple[str, ...]) -> BoolArray:
    """Return a mask of the tokens that have one of some forms, also with a capital letter."""
    codes = [bank.vocabulary.code(form) for form in (*forms, *map(str.capitalize, forms))]
    has_form: BoolArray = np.isin(bank.tokens.form, codes)
    return has_form


def _fits(condition: Condition, types: ChildTypes) -> BoolArray:
    if condition.kind in ("first", "last"):
        return ~types.punctuation
    matching: BoolArray = np.logical_or.reduce([types.like(label) for label in condition.labels or ("*",)])
    return matching & types.serving_as(condition.functions) if condition.functions else matching


def _holds(bank: Treebank, types: ChildTypes, condition: Condition) -> tuple[BoolArray, BoolArray]:
    """Return the masks of the tokens and nodes for which a condition holds."""
    matching = _fits(condition, types)
    token, node = matching.take(types.token), matching.take(types.node)
    if condition.forms:
        token, node = token & _formed(bank, condition.forms), np.zeros(len(node), np.bool_)
    if condition.kind == "is":
        return token, node
    if condition.kind == "over":
        return np.zeros(len(token), np.bool_), children_of_nodes(bank, token, node) > 0
    tokens, nodes = bank.tokens, bank.nodes
    over = [nodes.parent_rows(table) for table in (tokens, nodes)]
    positions = tokens.indices(), bank.spans.start
    # The places of the first and the last wanted child of each node; the last entry is no node's.
    first, last = np.full(len(nodes) + 1, len(tokens), np.int32), np.full(len(nodes) + 1, -1, np.int32)
    for chosen, above, position in zip((token, node), over, positions, strict=True):
        rows = np.flatnonzero(chosen & (above != NO_PARENT))
        np.minimum.at(first, above[rows], position[rows])
        np.maximum.at(last, above[rows], position[rows])

    def holds(above: Int64Array, position: Int32Array) -> BoolArray:
        before, behind = position < last[above], position > first[above]
        true: dict[str, BoolArray] = {"before": before, "behind": behind, "beside": before | behind}
        true |= {"first": position == first[above], "last": position == last[above]}
        return true[condition.kind]

    of_token, of_node = map(holds, over, positions)
    return of_token, of_node
