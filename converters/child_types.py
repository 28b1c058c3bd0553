"""What rules about children look at, once for every combination of category and function that occurs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from converters.functions import functions_of_nodes
from converters.scheme import Scheme
from treebanks import Treebank
from treebanks.arrays import BoolArray, Int32Array


@dataclass(frozen=True, eq=False)
class ChildTypes:
    """Tokens and nodes by type.

    categories   every category and word tag that occurs, without functions and subclasses
    functions    every function that occurs; the first is the empty string
    category, function, punctuation  what each type is, shape ``(types,)``: places in the lists, and
                 whether its tokens are punctuation
    token, node  the type of each token and node
    node_category  the category of each node
    """

    categories: list[str]
    functions: list[str]
    category: Int32Array
    function: Int32Array
    punctuation: BoolArray
    token: Int32Array
    node: Int32Array
    node_category: Int32Array

    def with_category(self, accept: Callable[[str], bool]) -> BoolArray:
        """Which types have an accepted category, shape ``(types,)``."""
        accepted = np.fromiter(map(accept, self.categories), np.bool_, len(self.categories))
        found: BoolArray = accepted[self.category]
        return found

    def with_function(self, accept: Callable[[str], bool]) -> BoolArray:
        """Which types have an accepted function, shape ``(types,)``."""
        accepted = np.fromiter(map(accept, self.functions), np.bool_, len(self.functions))
        found: BoolArray = accepted[self.function]
        return found


def child_types(bank: Treebank, scheme: Scheme, *, functions: bool = True) -> ChildTypes:
    """The types of a treebank's tokens and nodes; without functions only categories tell them apart."""
    tokens, nodes = bank.tokens, bank.nodes
    named, node_codes = functions_of_nodes(bank, scheme)
    main_category, no_function = scheme.labels.main_category, scheme.no_function
    categories, tag, label = _numbered(bank, tokens.pos, nodes.label, main_category)
    names, of_token, of_node = _numbered(
        named, tokens.function, node_codes, lambda name: "" if name in no_function or not functions else name
    )
    punctuation = scheme.is_punctuation(bank)
    token = ((tag * len(names)) + of_token) * 2 + punctuation
    node = ((label * len(names)) + of_node) * 2
    used = np.zeros(len(categories) * len(names) * 2, np.bool_)
    used[token] = True
    used[node] = True
    keys = np.flatnonzero(used)
    place = np.zeros(len(used), np.int32)
    place[keys] = np.arange(len(keys))
    return ChildTypes(
        categories=categories,
        functions=names,
        category=(keys // (2 * len(names))).astype(np.int32),
        function=(keys // 2 % len(names)).astype(np.int32),
        punctuation=keys % 2 == 1,
        token=place[token],
        node=place[node],
        node_category=label,
    )


def _numbered(
    bank: Treebank, of_tokens: Int32Array, of_nodes: Int32Array, change: Callable[[str], str]
) -> tuple[list[str], Int32Array, Int32Array]:
    """Two columns as places in one list of changed strings, the empty string first."""
    used = np.zeros(len(bank.vocabulary), np.bool_)
    used[of_tokens] = True
    used[of_nodes] = True
    places = {"": 0}
    table = np.zeros(len(bank.vocabulary), np.int32)
    for code in np.flatnonzero(used).tolist():
        table[code] = places.setdefault(change(bank.vocabulary[code]), len(places))
    return list(places), table[of_tokens], table[of_nodes]
