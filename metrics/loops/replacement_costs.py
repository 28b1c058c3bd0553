"""Costs of replacing symbols and events, with the arrays of ``metrics.edits.symbols``.

``replacement_costs.pxd`` repeats the declarations for the loops of other modules that call these.
"""

from __future__ import annotations

# Compiled with -O3: see setup.py.
import cython
from cython.cimports.crossbank.treebanks.arrays import (
    Float64Matrix,
    Float64Output,
    Int32Array,
    Int64Array,
    UInt64Array,
)
from cython.cimports.crossbank.treebanks.forest import Forest
from cython.cimports.crossbank.treebanks.loops.interrupts import look

# Rows of at least this many columns take long enough to check for signals.
LONG_ROW = cython.declare(cython.int, 1000)


@cython.dataclasses.dataclass(eq=False, repr=False)
class Prices:
    """Costs of replacing symbols, in edits.

    category, function  of each label or tag, as numbers: equal ones have equal numbers
    group               of each category, for ``replace``; all three have shape ``(symbols,)``
    replace             the price of replacing a category by another, shape ``(groups, groups)``
    function_cost       the price of a wrong function
    first_tag           the first symbol that is a tag
    tag_cost            the factor of a tag's price
    """

    category: Int32Array
    function: Int32Array
    group: Int32Array
    replace: Float64Matrix
    function_cost: cython.double
    first_tag: cython.int
    tag_cost: cython.double


@cython.dataclasses.dataclass(eq=False, repr=False)
class Events:
    """Symbols in groups: the columns of ``metrics.edits.symbols.SymbolGroups``."""

    frame: UInt64Array
    first: Int64Array
    symbols: Int32Array


@cython.dataclasses.dataclass(eq=False, repr=False)
class SymbolTrees:
    """Trees whose nodes and tokens are symbols.

    start        the first token of each node
    label, leaf  symbols of nodes and tokens; no leaf where tokens do not belong to the trees
    """

    forest: Forest
    start: Int32Array
    label: Int32Array
    leaf: Int32Array


@cython.cfunc
@cython.nogil
def price(prices: Prices, a: cython.int, b: cython.int) -> cython.double:
    """Return the cost of replacing one symbol by another, which may be more than 1."""
    cost: cython.double = 0.0
    if a == b:
        return cost
    if a < 0 or b < 0 or (a >= prices.first_tag) != (b >= prices.first_tag):
        return 1.0
    if prices.category[a] != prices.category[b]:
        cost = prices.replace[prices.group[a], prices.group[b]]
    if prices.function[a] != prices.function[b]:
        cost += prices.function_cost
    return cost * prices.tag_cost if a >= prices.first_tag else cost


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def price_symbols(
    a: Int32Array,
    rows: cython.Py_ssize_t,
    b: Int32Array,
    columns: cython.Py_ssize_t,
    prices: Prices,
    replaced: Float64Output,
) -> cython.int:
    """Fill in the costs of replacing the first ``rows`` symbols by the first ``columns``, at most 1 each."""
    for row in range(rows):
        if columns > LONG_ROW:
            look(columns)
        for column in range(columns):
            replaced[row * columns + column] = min(price(prices, a[row], b[column]), 1.0)
    return 0


def replaced_symbols(a: Int32Array, b: Int32Array, prices: Prices, replaced: Float64Output) -> None:
    """Fill in the costs of replacing each symbol of ``a`` by each of ``b``, row by row, at most 1 each."""
    price_symbols(a, a.shape[0], b, b.shape[0], prices, replaced)


def priced_pairs(a: Int32Array, b: Int32Array, prices: Prices, cost: Float64Output) -> None:
    """Fill in the cost of replacing each symbol of ``a`` by the one beside it in ``b``, at most 1 each."""
    for index in range(a.shape[0]):
        cost[index] = min(price(prices, a[index], b[index]), 1.0)
