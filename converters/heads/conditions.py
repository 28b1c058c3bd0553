"""Conditions of rules about children, checked for all children of a treebank at once.

A condition distinguishes children of one category and function, so it splits types of children. Rules
remain tables of types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

import numpy as np

from crossbank.converters.heads.child_types import ChildTypes
from crossbank.converters.loops.heads import outermost
from crossbank.converters.schemes.head_rules import Condition
from crossbank.treebanks import Treebank
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
    tokens, nodes = bank.tokens, bank.nodes
    place = tokens.places()
    begin = np.concatenate((place, bank.spans.start)).astype(np.int32)
    above = np.concatenate((nodes.parent_rows(tokens), nodes.parent_rows(nodes)))
    kind = np.concatenate((types.token, types.node))
    apart = types
    for condition in conditions:
        wanted = _wanted(condition, types)[kind]
        if condition.forms:
            wanted &= np.concatenate((_formed(bank, condition.forms), np.zeros(len(nodes), np.bool_)))
        holds = _holds(condition, begin, above, wanted, len(nodes))
        apart, old, true = apart.told_apart(holds[: len(tokens)], holds[len(tokens) :])
        truths = {known: truth[old] for known, truth in truths.items()}
        truths[condition] = true
    return apart, truths


def _formed(bank: Treebank, forms: tuple[str, ...]) -> BoolArray:
    """A mask of the tokens that have one of some forms, also with a capital letter."""
    codes = [bank.vocabulary.code(form) for form in (*forms, *map(str.capitalize, forms))]
    among = np.zeros(len(bank.vocabulary), np.bool_)
    among[[code for code in codes if code >= 0]] = True
    found: BoolArray = among[bank.tokens.form]
    return found


def _wanted(condition: Condition, types: ChildTypes) -> BoolArray:
    """A mask of the types that a condition mentions."""
    if condition.kind in ("first", "last"):
        return ~types.punctuation
    wanted: BoolArray = np.logical_or.reduce([types.like(label) for label in condition.labels or ("*",)])
    return wanted & types.serving_as(condition.functions) if condition.functions else wanted


def _holds(
    condition: Condition, begin: Int32Array, above: Int64Array, wanted: BoolArray, nodes: int
) -> BoolArray:
    """Return the children for which a condition holds: tokens, and after them nodes, as in all arrays here.

    No two children of a node begin at the same token, so a child that begins elsewhere is a sister.
    """
    first, last = outermost(begin, above, wanted, nodes)
    found: BoolArray
    match condition.kind:
        case "first":
            found = begin == first[above]
        case "last":
            found = begin == last[above]
        case "before":
            found = begin < last[above]
        case "behind":
            found = begin > first[above]
        case "beside":
            found = (begin < last[above]) | (begin > first[above])
        case "is":
            found = wanted
        case "over":
            found = np.zeros(len(begin), np.bool_)
            found[len(begin) - nodes :] = last[:-1] >= 0
    return found
