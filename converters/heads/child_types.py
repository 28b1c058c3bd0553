"""Types of children: rules examine each combination of category and function only once.

A condition of a rule distinguishes children of one category and function, so it splits types of children.
Rules remain tables of types.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.deletions import children_of_nodes
from crossbank.converters.labels import functions_of_nodes, functions_of_tokens
from crossbank.converters.schemes.head_rules import Condition
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.code_columns import occurring
from crossbank.treebanks.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class ChildTypes:
    """Tokens and nodes by type.

    categories   every category and tag that occurs, without functions and subclasses
    functions    every function that occurs; the first is the empty string
    category, function  of each type, as indices into these lists, shape ``(types,)``
    punctuation  whether the tokens of each type are punctuation, shape ``(types,)``
    token, node  the type of each token and node
    node_category  the category of each node
    vocabulary     the treebank's, with the functions that only labels have
    node_function  each node's function, from its edge or else its label, as a code of that vocabulary
    separators     the characters between the parts of a function, such as ``LOC-PRD``
    """

    categories: list[str]
    functions: list[str]
    category: Int32Array
    function: Int32Array
    punctuation: BoolArray
    token: Int32Array
    node: Int32Array
    node_category: Int32Array
    vocabulary: Vocabulary
    node_function: Int32Array
    separators: str = ""

    def nodes_called(self, categories: Collection[str]) -> BoolArray:
        """Return a mask of the nodes with one of some categories, shape ``(nodes,)``."""
        return self.with_category(categories.__contains__).take(self.node)

    def with_category(self, accept: Callable[[str], bool]) -> BoolArray:
        """Return a mask of the types that have an accepted category, shape ``(types,)``."""
        accepted = np.fromiter(map(accept, self.categories), np.bool_, len(self.categories))
        is_member: BoolArray = accepted[self.category]
        return is_member

    def with_function(self, accept: Callable[[str], bool]) -> BoolArray:
        """Return a mask of the types that have an accepted function, shape ``(types,)``."""
        accepted = np.fromiter(map(accept, self.functions), np.bool_, len(self.functions))
        is_member: BoolArray = accepted[self.function]
        return is_member

    def like(self, pattern: str) -> BoolArray:
        """Return a mask of the types whose category matches a pattern; wildcards do not match punctuation."""
        matches = self.with_category(lambda category: fnmatchcase(category, pattern))
        return matches & ~self.punctuation if any(c in pattern for c in "*?[") else matches

    def serving_as(self, names: Collection[str]) -> BoolArray:
        """Return a mask of the types with one of some functions.

        A function of several parts counts as each part.
        """

        def accept(function: str) -> bool:
            return function in names or (
                bool(self.separators) and any(f in names for f in function.split("-"))
            )

        return self.with_function(accept)

    def split_by(self, token: BoolArray, node: BoolArray) -> tuple[ChildTypes, Int32Array, BoolArray]:
        """Split the types into selected and other ones by masks of tokens and nodes.

        Returns the new types, the old type of each, and whether it is selected.
        """
        size = 2 * len(self.category)
        keys, of_token, of_node = _renumbered(self.token * 2 + token, self.node * 2 + node, size)
        old = (keys // 2).astype(np.int32)
        columns = {name: getattr(self, name)[old] for name in ("category", "function", "punctuation")}
        return replace(self, token=of_token, node=of_node, **columns), old, keys % 2 == 1


def child_types(bank: Treebank, scheme: Scheme, *, functions: bool = True) -> ChildTypes:
    """Return types of a treebank's tokens and nodes; without functions only categories distinguish them."""
    tokens, nodes = bank.tokens, bank.nodes
    named, node_codes = functions_of_nodes(bank, scheme)
    named, token_codes = functions_of_tokens(named, scheme)
    main_category, no_function = scheme.labels.main_category, scheme.no_function
    categories, tag, label = numbered(bank, tokens.pos, nodes.label, main_category)
    names, of_token, of_node = numbered(
        named, token_codes, node_codes, lambda name: "" if name in no_function or not functions else name
    )
    punctuation = scheme.is_punctuation(bank)
    token = ((tag * len(names)) + of_token) * 2 + punctuation
    node = ((label * len(names)) + of_node) * 2
    keys, token, node = _renumbered(token, node, len(categories) * len(names) * 2)
    return ChildTypes(
        categories=categories,
        functions=names,
        category=(keys // (2 * len(names))).astype(np.int32),
        function=(keys // 2 % len(names)).astype(np.int32),
        punctuation=keys % 2 == 1,
        token=token,
        node=node,
        node_category=label,
        vocabulary=named.vocabulary,
        node_function=node_codes,
        separators=scheme.labels.function,
    )


def _renumbered(
    token: Int32Array, node: Int32Array, size: int
) -> tuple[NDArray[np.intp], Int32Array, Int32Array]:
    """Return the numbers below ``size`` that occur in two columns, and the columns as indices into them."""
    keys = occurring(size, token, node)
    number = np.zeros(size, np.int32)
    number[keys] = np.arange(len(keys))
    return keys, number.take(token), number.take(node)


def numbered(
    bank: Treebank, of_tokens: Int32Array, of_nodes: Int32Array, change: Callable[[str], str]
) -> tuple[list[str], Int32Array, Int32Array]:
    """Return the distinct changed strings of two columns, and both columns as indices into them.

    The empty string is the first.
    """
    numbers = {"": 0}
    table = np.zeros(len(bank.vocabulary), np.int32)
    for code in occurring(len(table), of_tokens, of_nodes).tolist():
        table[code] = numbers.setdefault(change(bank.vocabulary[code]), len(numbers))
    return list(numbers), table.take(of_tokens), table.take(of_nodes)


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
    if condition.type in ("first", "last"):
        return ~types.punctuation
    matching: BoolArray = np.logical_or.reduce([types.like(label) for label in condition.labels or ("*",)])
    return matching & types.serving_as(condition.functions) if condition.functions else matching


def _holds(bank: Treebank, types: ChildTypes, condition: Condition) -> tuple[BoolArray, BoolArray]:
    """Return the masks of the tokens and nodes for which a condition holds."""
    matching = _fits(condition, types)
    token, node = matching.take(types.token), matching.take(types.node)
    if condition.forms:
        token, node = token & _formed(bank, condition.forms), np.zeros(len(node), np.bool_)
    if condition.type == "is":
        return token, node
    if condition.type == "over":
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
        return true[condition.type]

    of_token, of_node = map(holds, over, positions)
    return of_token, of_node
