"""Best derivation of every constituent of a sentence (Viterbi's algorithm over a chart)."""

from __future__ import annotations

# Compiled with -O3: see setup.py.
import cython
import numpy as np
from cython.cimports.crossbank.parsers.loops.chart import (
    CELL,
    FULL,
    LEXICAL,
    NONE,
    Chart,
    Rules,
    cell_of,
    clear_column,
    find,
    prune,
)
from cython.cimports.crossbank.treebanks.arrays import (
    BoolMatrix,
    Float64Matrix,
    Int32Array,
    Int32MatrixOutput,
    Int32Output,
)
from cython.cimports.crossbank.treebanks.loops.interrupts import look


def fill_best(
    rules: Rules, chart: Chart, words: Int32Array, allowed: BoolMatrix, gain: Float64Matrix
) -> cython.Py_ssize_t:
    """Fill in the best derivation of every constituent. Returns the number of items, or ``FULL``.

    words    the terminal of each word, -1 for one that the grammar does not have
    allowed  for each cell which groups of symbols it may have; without rows, all
    gain     for each cell what an item of each group adds to its score; without rows, nothing
    """
    length: cython.Py_ssize_t = words.shape[0]
    capacity: cython.Py_ssize_t = chart.symbol.shape[0]
    pruned: cython.bint = allowed.shape[0] > 0
    gains: cython.bint = gain.shape[0] > 0
    items: cython.Py_ssize_t = 0
    cell: cython.Py_ssize_t = 0
    with cython.nogil:
        for end in range(1, length + 1):
            clear_column(chart, end, NONE)
            for start in range(end - 1, -1, -1):
                look(CELL)
                chart.begin[cell] = items
                chart.count = 0
                if start < end - 1:
                    best_of_binary_rules(rules, chart, start, end)
                else:
                    tags_of_word(rules, chart, start, words[start])
                if pruned:
                    prune(rules, chart, start, cell, allowed, NONE)
                for item in range(chart.count if gains else 0):
                    symbol = chart.touched[item]
                    chart.column[start, symbol] += gain[cell, rules.group[symbol]]
                if chart.count > 0:
                    within_beam(rules, chart, start)
                    best_of_unary_rules(rules, chart, start, cell, allowed, gain)
                    within_beam(rules, chart, start)
                if items + chart.count > capacity:
                    items = FULL
                    break
                for item in range(chart.count):
                    symbol = chart.touched[item]
                    chart.symbol[items] = symbol
                    chart.score[items] = chart.column[start, symbol]
                    chart.rule[items] = chart.column_rule[symbol]
                    chart.split[items] = chart.column_split[symbol]
                    items += 1
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
        parent = rules.tag[rule]
        if rules.tag_weight[rule] > chart.column[start, parent]:
            if chart.column[start, parent] == NONE:
                chart.touched[chart.count] = parent
                chart.count += 1
            chart.column[start, parent] = rules.tag_weight[rule]
            chart.column_rule[parent] = LEXICAL
            chart.column_split[parent] = word


@cython.cfunc
@cython.nogil
def best_of_binary_rules(
    rules: Rules, chart: Chart, start: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.void:
    """Put into the current cell what two shorter cells derive."""
    none: cython.double = NONE
    for middle in range(start + 1, end):
        left = cell_of(start, middle)
        for item in range(chart.begin[left], chart.begin[left + 1]):
            symbol = chart.symbol[item]
            score = chart.score[item]
            for rule in range(rules.left_offsets[symbol], rules.left_offsets[symbol + 1]):
                other: cython.double = chart.column[middle, rules.right[rule]]
                if other == none:
                    continue
                other = score + other + rules.weight[rule]
                parent = rules.parent[rule]
                if other > chart.column[start, parent]:
                    if chart.column[start, parent] == none:
                        chart.touched[chart.count] = parent
                        chart.count += 1
                    chart.column[start, parent] = other
                    chart.column_rule[parent] = cython.cast(cython.int, rule)
                    chart.column_split[parent] = cython.cast(cython.int, middle)


@cython.cfunc
@cython.nogil
def best_of_unary_rules(
    rules: Rules,
    chart: Chart,
    start: cython.Py_ssize_t,
    cell: cython.Py_ssize_t,
    allowed: BoolMatrix,
    gain: Float64Matrix,
) -> cython.void:
    """Put unary rules on top of the current cell's symbols.

    Where rules form a cycle they are gone through until nothing gets better. With gains a symbol does not
    are above itself: each time round would add to its score.
    """
    pruned: cython.bint = allowed.shape[0] > 0
    gains: cython.bint = gain.shape[0] > 0
    binaries: cython.int = cython.cast(cython.int, rules.parent.shape[0])
    changed: cython.bint = True
    while changed:
        changed = False
        for rule in range(rules.unary_parent.shape[0]):
            child = rules.unary_child[rule]
            score: cython.double = chart.column[start, child]
            if score == NONE:
                continue
            parent = rules.unary_parent[rule]
            score += rules.unary_weight[rule]
            if gains:
                score += gain[cell, rules.group[parent]]
            if score > chart.column[start, parent]:
                if pruned and not allowed[cell, rules.group[parent]]:
                    continue
                if gains and is_below(chart, parent, child, binaries):
                    continue
                if chart.column[start, parent] == NONE:
                    chart.touched[chart.count] = parent
                    chart.count += 1
                chart.column[start, parent] = score
                chart.column_rule[parent] = binaries + cython.cast(cython.int, rule)
                chart.column_split[parent] = child
                changed = rules.cyclic


@cython.cfunc
@cython.nogil
def within_beam(rules: Rules, chart: Chart, start: cython.Py_ssize_t) -> cython.void:
    """Take the symbols out of the current cell that are too far below its best."""
    count: cython.Py_ssize_t = 0
    least: cython.double = NONE
    if rules.beam <= 0.0:
        return
    for item in range(chart.count):
        symbol = chart.touched[item]
        score = chart.column[start, symbol] + rules.prior[symbol]
        if score > least:
            least = score
    least -= rules.beam
    for item in range(chart.count):
        symbol = chart.touched[item]
        if chart.column[start, symbol] + rules.prior[symbol] >= least:
            chart.touched[count] = symbol
            count += 1
        else:
            chart.column[start, symbol] = NONE
    chart.count = count


@cython.cfunc
@cython.nogil
def is_below(chart: Chart, symbol: cython.int, top: cython.int, binaries: cython.int) -> cython.bint:
    """Return whether a symbol is at ``top`` or below it in the current cell's chain of unary rules."""
    while top != symbol and chart.column_rule[top] >= binaries:
        top = chart.column_split[top]
    return top == symbol


def derivation(
    rules: Rules, chart: Chart, root: cython.int, length: cython.Py_ssize_t, nodes: Int32MatrixOutput
) -> cython.Py_ssize_t:
    """Write the best derivation of a symbol over a whole sentence, in pre-order.

    A node's symbol, first token and one past its last token are a column of ``nodes``.

    Returns the number of its nodes, 0 if there is no derivation, ``FULL`` where the arrays are too short.
    A node's children are identified by their spans: those of a binary rule divide the node's.
    """
    binaries: cython.int = rules.parent.shape[0]
    capacity: cython.Py_ssize_t = nodes.shape[1]
    waiting: Int32Output = np.empty(3 * length + 3, np.int32)
    height: cython.Py_ssize_t = 3
    written: cython.Py_ssize_t = 0
    with cython.nogil:
        waiting[0], waiting[1], waiting[2] = root, 0, cython.cast(cython.int, length)
        while height > 0:
            height -= 3
            symbol, start, end = waiting[height], waiting[height + 1], waiting[height + 2]
            while True:
                item = find(chart, start, end, symbol)
                if item < 0:
                    height = 0
                    break
                if written == capacity:
                    written = FULL
                    height = 0
                    break
                nodes[0, written], nodes[1, written], nodes[2, written] = symbol, start, end
                written += 1
                rule = chart.rule[item]
                if rule == LEXICAL:
                    break
                if rule >= binaries:
                    symbol = rules.unary_child[rule - binaries]
                    continue
                waiting[height] = rules.right[rule]
                waiting[height + 1], waiting[height + 2] = chart.split[item], end
                height += 3
                symbol, end = rules.left[rule], chart.split[item]
    return written


def best_score(chart: Chart, root: cython.int, length: cython.Py_ssize_t) -> float:
    """Return the score of a symbol over a whole sentence, minus infinity for none."""
    item: cython.Py_ssize_t = find(chart, 0, length, root)
    return chart.score[item] if item >= 0 else float("-inf")
