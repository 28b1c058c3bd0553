"""Sum over all derivations of every constituent of a sentence: inside probabilities."""

from __future__ import annotations

# Compiled with -O3: see setup.py.
import cython
from cython.cimports.crossbank.parsers.loops.chart import (
    CELL,
    FULL,
    NEGLIGIBLE,
    Chart,
    Rules,
    cell_of,
    clear_column,
    find,
    prune,
)
from cython.cimports.crossbank.treebanks.arrays import BoolMatrix, Int32Array
from cython.cimports.crossbank.treebanks.loops.interrupts import look
from cython.cimports.libc.math import floor, ldexp, log2


def fill_inside(rules: Rules, chart: Chart, words: Int32Array, allowed: BoolMatrix) -> cython.Py_ssize_t:
    """Fill in the sum over all derivations of every constituent, and return the number of items, or ``FULL``.

    Sums of a cell share an exponent, so that no probability is too small for a long sentence.
    """
    length: cython.Py_ssize_t = words.shape[0]
    capacity: cython.Py_ssize_t = chart.symbol.shape[0]
    pruned: cython.bint = allowed.shape[0] > 0
    items: cython.Py_ssize_t = 0
    cell: cython.Py_ssize_t = 0
    with cython.nogil:
        for end in range(1, length + 1):
            clear_column(chart, end, 0.0)
            for start in range(end - 1, -1, -1):
                look(CELL)
                chart.begin[cell] = items
                chart.count = 0
                if start < end - 1:
                    exponent = highest_exponent(chart, start, end)
                    sums_of_binary_rules(rules, chart, start, end, exponent)
                else:
                    exponent = 0
                    tags_of_word(rules, chart, start, words[start])
                if pruned:
                    prune(rules, chart, start, cell, allowed, 0.0)
                sums_of_unary_rules(rules, chart, start, cell, allowed)
                if items + chart.count > capacity:
                    items = FULL
                    break
                chart.exponent[cell] = exponent + store_scaled(chart, start, items)
                items += chart.count
                cell += 1
                chart.begin[cell] = items
            if items == FULL:
                break
    return items


@cython.cfunc
@cython.nogil
def tags_of_word(rules: Rules, chart: Chart, start: cython.Py_ssize_t, word: cython.int) -> cython.void:
    """Put the tags of a word into the current cell."""
    if word < 0:
        return
    for rule in range(rules.tag_offsets[word], rules.tag_offsets[word + 1]):
        add(chart, start, rules.tag[rule], rules.tag_weight[rule])


@cython.cfunc
@cython.nogil
def add(chart: Chart, start: cython.Py_ssize_t, symbol: cython.int, part: cython.double) -> cython.void:
    """Add a part to the sum of a symbol of the current cell.

    A symbol with a sum above zero is in the list. A part that underflowed to zero must not enter the symbol:
    it would be entered a second time later, and the list has room for one entry per symbol.
    """
    if part > 0.0:
        if chart.column[start, symbol] == 0.0:
            chart.touched[chart.count] = symbol
            chart.count += 1
        chart.column[start, symbol] += part


@cython.cfunc
@cython.nogil
def sums_of_binary_rules(
    rules: Rules, chart: Chart, start: cython.Py_ssize_t, end: cython.Py_ssize_t, exponent: cython.int
) -> cython.void:
    """Add the sums of binary rules over two shorter cells, times two to the power of ``-exponent``."""
    for middle in range(start + 1, end):
        left = cell_of(start, middle)
        power = chart.exponent[left] + chart.exponent[cell_of(middle, end)] - exponent
        if power < NEGLIGIBLE:
            continue
        for item in range(chart.begin[left], chart.begin[left + 1]):
            symbol = chart.symbol[item]
            score = ldexp(chart.score[item], cython.cast(cython.int, power))
            for rule in range(rules.left_offsets[symbol], rules.left_offsets[symbol + 1]):
                other: cython.double = chart.column[middle, rules.right[rule]]
                if other == 0.0:
                    continue
                other *= score * rules.weight[rule]
                add(chart, start, rules.parent[rule], other)


@cython.cfunc
@cython.nogil
def sums_of_unary_rules(
    rules: Rules, chart: Chart, start: cython.Py_ssize_t, cell: cython.Py_ssize_t, allowed: BoolMatrix
) -> cython.void:
    """Add to each symbol the sums of all symbols that it derives by chains of unary rules."""
    pruned: cython.bint = allowed.shape[0] > 0
    bases: cython.Py_ssize_t = chart.count
    for item in range(bases):
        chart.below[chart.touched[item]] = chart.column[start, chart.touched[item]]
    for item in range(bases):
        symbol = chart.touched[item]
        score = chart.below[symbol]
        chart.below[symbol] = 0.0
        for chain in range(rules.chain_offsets[symbol], rules.chain_offsets[symbol + 1]):
            parent = rules.chain_parent[chain]
            if pruned and not allowed[cell, rules.group[parent]]:
                continue
            add(chart, start, parent, score * rules.chain_weight[chain])


@cython.cfunc
@cython.nogil
def store_scaled(chart: Chart, start: cython.Py_ssize_t, items: cython.Py_ssize_t) -> cython.int:
    """Store the current cell, scaled to a largest sum from 1 to 2, and return the power of two removed."""
    highest: cython.double = 0.0
    power: cython.int = 0
    for item in range(chart.count):
        highest = max(highest, chart.column[start, chart.touched[item]])
    if highest > 0.0:
        power = cython.cast(cython.int, floor(log2(highest)))
    for item in range(chart.count):
        symbol = chart.touched[item]
        chart.column[start, symbol] = ldexp(chart.column[start, symbol], -power)
        chart.symbol[items + item] = symbol
        chart.score[items + item] = chart.column[start, symbol]
    return power


@cython.cfunc
@cython.nogil
def highest_exponent(chart: Chart, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
    """Return the highest sum of exponents of two cells that make up a span."""
    highest: cython.int = -2147483647
    for middle in range(start + 1, end):
        left, right = cell_of(start, middle), cell_of(middle, end)
        if chart.begin[left] < chart.begin[left + 1] and chart.begin[right] < chart.begin[right + 1]:
            highest = max(highest, chart.exponent[left] + chart.exponent[right])
    return highest if highest > -2147483647 else 0


def inside_score(chart: Chart, root: cython.int, length: cython.Py_ssize_t) -> tuple[float, int]:
    """Return the sum of a symbol over a whole sentence: a number, and the power of two to multiply it by."""
    item: cython.Py_ssize_t = find(chart, 0, length, root)
    if item < 0:
        return 0.0, 0
    return chart.score[item], chart.exponent[cell_of(0, length)]
