"""Grammar and chart of a sentence, which all loops of chart parsing use.

Cocke, Kasami and Younger's algorithm over rules of one and two symbols: ``viterbi.py`` fills a chart with
best derivations, ``inside.py`` with sums over all of them, ``outside.py`` passes the posteriors down again,
and ``further_derivations.py`` reads further derivations off the chart.

Cells are filled in the order of their right end, then from short to long. So the right parts of all splits of
a cell end at the same word. Only cells that end at this word are stored as arrays over all symbols
(``column``); the chart stores one row per item. ``chart.pxd`` repeats the declarations for the other loops.
"""

from __future__ import annotations

# Compiled with -O3: see setup.py.
import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolMatrix,
    Float64Array,
    Float64MatrixOutput,
    Float64Output,
    Int32Array,
    Int32Output,
    Int64Array,
    Int64Output,
)

# The rule of an item that is a tag over its word.
LEXICAL = cython.declare(cython.int, -1)

# The result of a loop if the chart is full.
FULL = cython.declare(cython.int, -1)

# Steps that a cell counts as between two checks for Ctrl-C: a large grammar takes a millisecond per cell.
CELL = cython.declare(cython.int, 1 << 15)

# The score of a symbol that a cell does not have: below every logarithm of a probability.
NONE = cython.declare(cython.double, -1e300)

# Terms of a constituent's sum below the largest one divided by this power of two are dropped.
NEGLIGIBLE = cython.declare(cython.int, -1000)


@cython.dataclasses.dataclass(eq=False, repr=False)
class Rules:
    """A grammar as arrays.

    left_offsets   where the binary rules with each symbol as left child begin; rules are sorted by it
    parent, left, right, weight  the symbols of a binary rule, and its weight
    unary_parent, unary_child, unary_weight  unary rules, those of a child before those of its parents
    cyclic         whether unary rules form a cycle
    tag_offsets, tag, tag_weight  the tags of each terminal, and their weights
    chain_offsets, chain_parent, chain_weight
                   for each child the symbols that derive it by unary rules, including the child itself
                   unless no rule is applied, with the sum over all derivations; only for inside sums
    group          the number of each symbol's group; pruning and gains are by group
    prior          added to a symbol's score when the symbols of a cell are compared for the beam
    beam           maximal distance of a symbol's score from the best one of its cell; 0 means no limit

    Weights are logarithms with base 2 for best derivations, probabilities for sums.
    """

    left_offsets: Int64Array
    parent: Int32Array
    left: Int32Array
    right: Int32Array
    weight: Float64Array
    unary_parent: Int32Array
    unary_child: Int32Array
    unary_weight: Float64Array
    cyclic: cython.bint
    tag_offsets: Int64Array
    tag: Int32Array
    tag_weight: Float64Array
    chain_offsets: Int64Array
    chain_parent: Int32Array
    chain_weight: Float64Array
    group: Int32Array
    prior: Float64Array
    beam: cython.double


@cython.cclass
class Chart:
    """Arrays for the chart of one sentence: one row for each item, cell after cell.

    begin       where each cell's items begin; cell ``cell_of(start, end)``
    symbol      the symbol of each item
    score       score of the best derivation, or the sum times two to the power of ``-exponent[cell]``
    rule        for best derivations: number of the top rule (binary, then unary rules), or ``LEXICAL``
    split       where a binary rule's right child begins; the child of a unary rule
    posterior   for sums: the expected number of nodes of this symbol over this span
    column, column_rule, column_split, column_posterior
                the cells that end at the current word, as arrays over all symbols
    touched     the symbols of the current cell, the first ``count`` of them
    """

    symbols: cython.int
    count: cython.Py_ssize_t
    begin: Int64Output
    exponent: Int32Output
    symbol: Int32Output
    score: Float64Output
    rule: Int32Output
    split: Int32Output
    posterior: Float64Output
    column: Float64MatrixOutput
    column_rule: Int32Output
    column_split: Int32Output
    column_posterior: Float64MatrixOutput
    touched: Int32Output
    above: Float64Output
    below: Float64Output

    def __init__(self, symbols: int, length: int, items: int, *, sums: bool) -> None:
        cells = length * (length + 1) // 2
        self.symbols, self.count = symbols, 0
        self.begin = np.zeros(cells + 1, np.int64)
        self.exponent = np.zeros(cells, np.int32)
        self.symbol = np.empty(items, np.int32)
        self.score = np.empty(items, np.float64)
        self.rule = np.empty(0 if sums else items, np.int32)
        self.split = np.empty(0 if sums else items, np.int32)
        self.posterior = np.empty(items if sums else 0, np.float64)
        self.column = np.empty((length, symbols), np.float64)
        self.column_rule = np.empty(0 if sums else symbols, np.int32)
        self.column_split = np.empty(0 if sums else symbols, np.int32)
        self.column_posterior = np.empty((length if sums else 0, symbols), np.float64)
        self.touched = np.empty(symbols, np.int32)
        self.above = np.zeros(symbols if sums else 0, np.float64)
        self.below = np.zeros(symbols if sums else 0, np.float64)


@cython.cfunc
@cython.nogil
def cell_of(start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the cell of a span: cells are ordered by their end, then from short to long."""
    return (end - 1) * end // 2 + (end - 1 - start)


@cython.cfunc
@cython.nogil
def find(
    chart: Chart, start: cython.Py_ssize_t, end: cython.Py_ssize_t, symbol: cython.int
) -> cython.Py_ssize_t:
    """Return the item of a symbol over a span, or -1."""
    cell: cython.Py_ssize_t = cell_of(start, end)
    for item in range(chart.begin[cell], chart.begin[cell + 1]):
        if chart.symbol[item] == symbol:
            return item
    return -1


@cython.cfunc
@cython.nogil
def clear_column(chart: Chart, end: cython.Py_ssize_t, value: cython.double) -> cython.void:
    """Empty the column of the cells that end at a word; ``value`` marks symbols that a cell does not have."""
    for start in range(end):
        for symbol in range(chart.symbols):
            chart.column[start, symbol] = value


@cython.cfunc
@cython.nogil
def prune(
    rules: Rules,
    chart: Chart,
    start: cython.Py_ssize_t,
    cell: cython.Py_ssize_t,
    allowed: BoolMatrix,
    none: cython.double,
) -> cython.void:
    """Remove from the current cell the symbols whose group is not allowed in it."""
    count: cython.Py_ssize_t = 0
    for item in range(chart.count):
        symbol = chart.touched[item]
        if allowed[cell, rules.group[symbol]]:
            chart.touched[count] = symbol
            count += 1
        else:
            chart.column[start, symbol] = none
    chart.count = count
