"""Expected number of each constituent and rule of a sentence, from its inside sums.

Posteriors are passed down instead of outside probabilities (posterior divided by inside sum), which could
underflow.
"""

from __future__ import annotations

# Compiled with -O3: see setup.py.
import cython
from cython.cimports.crossbank.parsers.loops.chart import (
    CELL,
    NEGLIGIBLE,
    Chart,
    Rules,
    cell_of,
    clear_column,
    find,
)
from cython.cimports.crossbank.treebanks.arrays import Float64MatrixOutput, Float64Output, Int32Array
from cython.cimports.crossbank.treebanks.loops.interrupts import look
from cython.cimports.libc.math import ldexp


@cython.dataclasses.dataclass(eq=False, repr=False)
class Uses:
    """Expected number of uses of binary rules, unary rules and lexical entries, in the order of ``Rules``."""

    binary: Float64Output
    unary: Float64Output
    tag: Float64Output


def fill_posteriors(rules: Rules, chart: Chart, words: Int32Array, root: cython.int, uses: Uses) -> None:
    """Fill in the expected number of nodes of every item, and add up how often each rule is used.

    Call it after ``fill_inside`` of a sentence that ``root`` derives.
    """
    length: cython.Py_ssize_t = words.shape[0]
    with cython.nogil:
        for item in range(chart.begin[length * (length + 1) // 2]):
            chart.posterior[item] = 0.0
        chart.posterior[find(chart, 0, length, root)] = 1.0
        for end in range(length, 0, -1):
            spread_column(chart, end)
            for start in range(end):
                look(CELL)
                cell = cell_of(start, end)
                pass_down_unary_rules(rules, chart, start, cell, uses)
                if start == end - 1:
                    count_tags(rules, chart, cell, words[start], uses)
                else:
                    pass_down_binary_rules(rules, chart, start, end, uses)
                for item in range(chart.begin[cell], chart.begin[cell + 1]):
                    chart.above[chart.symbol[item]] = 0.0
                    chart.below[chart.symbol[item]] = 0.0


@cython.cfunc
@cython.nogil
def spread_column(chart: Chart, end: cython.Py_ssize_t) -> cython.void:
    """Store the cells that end at a word as arrays over all symbols, with posteriors of zero."""
    clear_column(chart, end, 0.0)
    for start in range(end):
        for symbol in range(chart.symbols):
            chart.column_posterior[start, symbol] = 0.0
        cell = cell_of(start, end)
        for item in range(chart.begin[cell], chart.begin[cell + 1]):
            chart.column[start, chart.symbol[item]] = chart.score[item]


@cython.cfunc
@cython.nogil
def pass_down_unary_rules(
    rules: Rules, chart: Chart, start: cython.Py_ssize_t, cell: cython.Py_ssize_t, uses: Uses
) -> cython.void:
    """Pass the posteriors of a cell down its chains of unary rules, and count these.

    ``above`` is the posterior of a symbol at the top of a chain, divided by its sum; ``below`` is the same
    for the symbol below any number of unary rules.
    """
    for item in range(chart.begin[cell], chart.begin[cell + 1]):
        symbol = chart.symbol[item]
        score = chart.posterior[item] + chart.column_posterior[start, symbol]
        chart.above[symbol] = score / chart.score[item] if score > 0.0 else 0.0
    for item in range(chart.begin[cell], chart.begin[cell + 1]):
        symbol = chart.symbol[item]
        score = chart.above[symbol]
        for chain in range(rules.chain_offsets[symbol], rules.chain_offsets[symbol + 1]):
            score += chart.above[rules.chain_parent[chain]] * rules.chain_weight[chain]
        chart.below[symbol] = score
        chart.posterior[item] = score * chart.score[item]
    for rule in range(rules.unary_parent.shape[0]):
        score = chart.below[rules.unary_parent[rule]]
        if score > 0.0:
            score *= rules.unary_weight[rule]
            uses.unary[rule] += score * chart.column[start, rules.unary_child[rule]]


@cython.cfunc
@cython.nogil
def count_tags(
    rules: Rules, chart: Chart, cell: cython.Py_ssize_t, word: cython.int, uses: Uses
) -> cython.void:
    """Count the tags over a word."""
    for rule in range(rules.tag_offsets[word], rules.tag_offsets[word + 1]):
        uses.tag[rule] += ldexp(
            chart.below[rules.tag[rule]] * rules.tag_weight[rule],
            cython.cast(cython.int, -chart.exponent[cell]),
        )


@cython.cfunc
@cython.nogil
def pass_down_binary_rules(
    rules: Rules, chart: Chart, start: cython.Py_ssize_t, end: cython.Py_ssize_t, uses: Uses
) -> cython.void:
    """Pass the posteriors of a cell down to the parts of its constituents, and count binary rules."""
    cell: cython.Py_ssize_t = cell_of(start, end)
    for middle in range(start + 1, end):
        left, right = cell_of(start, middle), cell_of(middle, end)
        power = chart.exponent[left] + chart.exponent[right] - chart.exponent[cell]
        if power < NEGLIGIBLE or chart.begin[right] == chart.begin[right + 1]:
            continue
        for part in range(chart.begin[left], chart.begin[left + 1]):
            symbol = chart.symbol[part]
            score = ldexp(chart.score[part], cython.cast(cython.int, power))
            for rule in range(rules.left_offsets[symbol], rules.left_offsets[symbol + 1]):
                passed = chart.below[rules.parent[rule]]
                if passed > 0.0:
                    passed *= rules.weight[rule] * score * chart.column[middle, rules.right[rule]]
                    if passed > 0.0:
                        chart.posterior[part] += passed
                        chart.column_posterior[middle, rules.right[rule]] += passed
                        uses.binary[rule] += passed


def group_posteriors(rules: Rules, chart: Chart, sums: Float64MatrixOutput) -> None:
    """Add up the posteriors of the symbols of each group, in every cell: shape ``(cells, groups)``."""
    with cython.nogil:
        for cell in range(sums.shape[0]):
            for item in range(chart.begin[cell], chart.begin[cell + 1]):
                sums[cell, rules.group[chart.symbol[item]]] += chart.posterior[item]
