"""Symbols of two analyses of the same words, and the costs of replacing one by another.

Edit distances compare strings or trees of labels, tags and words. Labels and tags are numbered from
0, words from -1 downwards. A price is a number of edits: 1 for symbols that have nothing in common.
A table's costs are from 0 to 2 (``metrics.edits.costs``: a deletion and an insertion), so a price is half a
cost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.schemes.scheme import LabelSyntax
from crossbank.metrics.edits.costs import UNRELATED, CostTable, replacement_costs
from crossbank.metrics.loops import replacement_costs as loops
from crossbank.metrics.loops.replacement_costs import Prices
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks.arrays import Int32Array, Int64Array
from crossbank.treebanks.code_columns import occurring

PriceMatrix: TypeAlias = NDArray[np.float64]
"""Prices of replacing each symbol or event of one sequence (rows) by each of another: from 0 to 1."""


class Symbols(NamedTuple):
    """Symbols of gold and candidate, which share one numbering.

    gold_label, candidate_label  shape ``(nodes,)``
    gold_tag, candidate_tag      shape ``(tokens,)``
    gold_word, candidate_word    shape ``(tokens,)``, below 0; equal for equal words of a scored sentence
    closing                      the symbol of a closing bracket
    prices                       prices of replacing one symbol by another
    written                      function that returns the string of a symbol
    """

    gold_label: Int32Array
    candidate_label: Int32Array
    gold_tag: Int32Array
    candidate_tag: Int32Array
    gold_word: Int32Array
    candidate_word: Int32Array
    closing: int
    prices: Prices
    written: Callable[[int], str]


def symbols(
    pair: Pair, cost: str, table: CostTable | None, function_cost: float | None, tag_cost: float = 1.0
) -> Symbols:
    """Return the symbols of a pair, and their prices.

    ``cost`` and ``table`` are as in ``metrics.edits.costs.replacement_costs``. Without a ``function_cost``
    labels are compared unchanged; else a node's function is beside its label or, where that is
    empty, in it (``NP-SBJ``, cut as in the Penn Treebank), and co-indices are not compared. The
    price of a tag is multiplied by ``tag_cost``.
    """
    if function_cost is None:
        gold, candidate = pair.gold.nodes.label, pair.candidate_codes(pair.candidate.nodes.label)
        labels = {code: (pair.string(code), "") for code in occurring(pair.codes, gold, candidate).tolist()}
        category, function = np.arange(pair.codes, dtype=np.int32), np.zeros(pair.codes, np.int32)
    else:
        gold, candidate, labels, category, function = _labels_with_functions(pair)
    first_tag = len(category)
    gold_tag, candidate_tag = pair.gold.tokens.pos, pair.candidate_codes(pair.candidate.tokens.pos)
    strings = {code: name for code, (name, _) in labels.items()}
    for code in occurring(pair.codes, gold_tag, candidate_tag).tolist():
        strings[first_tag + code] = pair.string(code)
    used = np.zeros(first_tag + pair.codes, np.bool_)
    used[list(strings)] = True
    group, replace = replacement_costs(cost, table, used, strings.__getitem__)
    tag_numbers = np.arange(first_tag, first_tag + pair.codes, dtype=np.int32)
    category = np.concatenate((category, tag_numbers))
    function = np.concatenate((function, np.zeros(pair.codes, np.int32)))
    prices = Prices(category, function, group, replace / UNRELATED, function_cost or 0.0, first_tag, tag_cost)
    gold_word = -1 - pair.gold.tokens.form
    candidate_word = -1 - pair.candidate_codes(pair.candidate.tokens.form)
    # Spellings that count as the same word have the same symbol.
    scored_tokens = np.repeat(pair.scored, pair.candidate.tokens.lengths())
    candidate_word[scored_tokens] = gold_word[np.repeat(pair.scored, pair.gold.tokens.lengths())]

    closing = first_tag + pair.codes
    strings |= {code: "-".join(part for part in label if part) for code, label in labels.items()}
    strings[closing] = ")"

    def written(symbol: int) -> str:
        return strings[symbol] if symbol >= 0 else pair.string(-1 - symbol)

    tags = gold_tag + np.int32(first_tag), candidate_tag + np.int32(first_tag)
    return Symbols(gold, candidate, *tags, gold_word, candidate_word, closing, prices, written)


def _labels_with_functions(
    pair: Pair,
) -> tuple[Int32Array, Int32Array, dict[int, tuple[str, str]], Int32Array, Int32Array]:
    """Return numbers of gold's and the candidate's labels, their strings, categories and functions."""
    gold, candidate = pair.gold.nodes, pair.candidate.nodes
    label = np.concatenate((gold.label, pair.candidate_codes(candidate.label))).astype(np.int64)
    beside_label = np.concatenate((gold.function, pair.candidate_codes(candidate.function)))
    written = label * pair.codes + beside_label
    distinct, inverse = np.unique(written, return_inverse=True)
    syntax = LabelSyntax()
    numbers: dict[tuple[str, str], int] = {}
    number = np.zeros(len(distinct), np.int32)
    for at, both in enumerate(distinct.tolist()):
        name, beside = divmod(both, pair.codes)
        parts = syntax.parts(pair.string(name))
        key = parts.category, pair.string(beside) or parts.function
        number[at] = numbers.setdefault(key, len(numbers))
    labels = number[inverse]
    categories: dict[str, int] = {}
    functions: dict[str, int] = {}
    category = [categories.setdefault(name, len(categories)) for name, _ in numbers]
    function = [functions.setdefault(name, len(functions)) for _, name in numbers]
    return (
        labels[: len(gold)],
        labels[len(gold) :],
        {number: strings for strings, number in numbers.items()},
        np.array(category, np.int32),
        np.array(function, np.int32),
    )


class SymbolGroups(NamedTuple):
    """Symbols in groups, which are compared group by group.

    frame    hash of the part that comparable events share, shape ``(events,)``; events with the same frame
             have the same number of symbols
    first    where an event's symbols begin, shape ``(events + 1,)``
    symbols  the symbols of all events
    """

    frame: NDArray[np.uint64]
    first: Int64Array
    symbols: Int32Array


def single(symbols: Int32Array) -> SymbolGroups:
    """Return each symbol as an event of its own."""
    return SymbolGroups(np.zeros(len(symbols), np.uint64), np.arange(len(symbols) + 1), symbols)


def replaced_symbols(a: Int32Array, b: Int32Array, prices: Prices) -> PriceMatrix:
    """Return the costs of replacing each symbol of ``a`` by each of ``b``, at most 1 each."""
    replaced = np.empty(len(a) * len(b), np.float64)
    loops.replaced_symbols(a, b, prices, replaced)
    return replaced.reshape(len(a), len(b))
