"""The loops of chart parsing: the best derivation of every constituent, inside and outside sums.

Cocke, Kasami and Younger's algorithm over rules of one and two symbols. Cells are filled by their right end,
from short to long, so that the cells to the right of every split of the current one end at the same word:
these alone are spread out over all symbols, and the chart itself holds one row for each item it has.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    BoolMatrix,
    Float64Array,
    Float64Matrix,
    Float64MatrixOutput,
    Float64Output,
    Int32Array,
    Int32Output,
    Int64Array,
    Int64Output,
)
from cython.cimports.libc.math import floor, ldexp, log2

# The rule of an item that is a tag over its word.
LEXICAL = cython.declare(cython.int, -1)

# What a loop returns when the chart has no room for another item.
FULL = cython.declare(cython.int, -1)

# The score of a symbol that a cell does not have: below every logarithm of a probability.
NONE = cython.declare(cython.double, -1e300)


@cython.cclass
class Rules:
    """A grammar as the loops see it.

    left_offsets   binary rules are sorted by their left child; where each symbol's begin
    parent, right, weight
                   the other symbols of a binary rule, and its weight
    unary_parent, unary_child, unary_weight
                   unary rules, those of a child before those of its parents
    cyclic         whether unary rules form a cycle
    tag_offsets, tag, tag_weight
                   the tags of each terminal, and their weights
    chain_offsets, chain_parent, chain_weight
                   for each child the symbols that derive it by unary rules, itself included where that is
                   not by no rule alone, with the sum over all derivations; only for inside sums
    group          the number of each symbol's group, by which cells are pruned and gains are given

    Weights are logarithms with base 2 for best derivations, probabilities for sums.
    """

    left_offsets: Int64Array
    parent: Int32Array
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

    def __init__(
        self,
        left_offsets: Int64Array,
        parent: Int32Array,
        right: Int32Array,
        weight: Float64Array,
        unary_parent: Int32Array,
        unary_child: Int32Array,
        unary_weight: Float64Array,
        cyclic: bool,
        tag_offsets: Int64Array,
        tag: Int32Array,
        tag_weight: Float64Array,
        chain_offsets: Int64Array,
        chain_parent: Int32Array,
        chain_weight: Float64Array,
        group: Int32Array,
    ) -> None:
        self.left_offsets, self.parent, self.right, self.weight = left_offsets, parent, right, weight
        self.unary_parent, self.unary_child, self.unary_weight = unary_parent, unary_child, unary_weight
        self.cyclic = cyclic
        self.tag_offsets, self.tag, self.tag_weight = tag_offsets, tag, tag_weight
        self.chain_offsets, self.chain_parent = chain_offsets, chain_parent
        self.chain_weight = chain_weight
        self.group = group


@cython.cclass
class Chart:
    """Room for the chart of one sentence: one row for each item, cell after cell.

    begin       where each cell's items begin; cell ``place(start, end)``
    symbol      of each item
    score       the best derivation's, or the sum of all, times two to the power of ``-exponent[cell]``
    base        of sums: without unary rules at the top
    rule        of best derivations: the top rule, binary rules first, then unary ones, or ``LEXICAL``
    split       where a binary rule's right child begins; the child of a unary rule
    posterior   of sums: the expected number of nodes of this symbol over this span
    column, column_rule, column_split, column_posterior
                the cells that end at the current word, spread out over all symbols
    touched     the symbols of the current cell
    """

    symbols: cython.int
    begin: Int64Output
    exponent: Int32Output
    symbol: Int32Output
    score: Float64Output
    base: Float64Output
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
        self.symbols = symbols
        self.begin = np.zeros(cells + 1, np.int64)
        self.exponent = np.zeros(cells, np.int32)
        self.symbol = np.empty(items, np.int32)
        self.score = np.empty(items, np.float64)
        self.base = np.empty(items if sums else 0, np.float64)
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
@cython.exceptval(check=False)
def place(start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The cell of a span: cells are ordered by their end, then from short to long."""
    return (end - 1) * end // 2 + (end - 1 - start)


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
    unaries: cython.Py_ssize_t = rules.unary_parent.shape[0]
    binaries: cython.int = rules.parent.shape[0]
    pruned: cython.bint = allowed.shape[0] > 0
    gains: cython.bint = gain.shape[0] > 0
    items: cython.Py_ssize_t = 0
    cell: cython.Py_ssize_t = 0
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    middle: cython.Py_ssize_t
    left: cython.Py_ssize_t
    item: cython.Py_ssize_t
    rule: cython.Py_ssize_t
    count: cython.Py_ssize_t
    kept: cython.Py_ssize_t
    symbol: cython.int
    parent: cython.int
    score: cython.double
    other: cython.double
    changed: cython.bint
    with cython.nogil:
        for end in range(1, length + 1):
            for start in range(end):
                for symbol in range(chart.symbols):
                    chart.column[start, symbol] = NONE
            for start in range(end - 1, -1, -1):
                chart.begin[cell] = items
                count = 0
                if start == end - 1 and words[start] >= 0:
                    for rule in range(rules.tag_offsets[words[start]], rules.tag_offsets[words[start] + 1]):
                        parent = rules.tag[rule]
                        chart.column[start, parent] = rules.tag_weight[rule]
                        chart.column_rule[parent] = LEXICAL
                        chart.column_split[parent] = words[start]
                        chart.touched[count] = parent
                        count += 1
                for middle in range(start + 1, end):
                    left = place(start, middle)
                    for item in range(chart.begin[left], chart.begin[left + 1]):
                        symbol = chart.symbol[item]
                        score = chart.score[item]
                        for rule in range(rules.left_offsets[symbol], rules.left_offsets[symbol + 1]):
                            other = chart.column[middle, rules.right[rule]]
                            if other == NONE:
                                continue
                            other = score + other + rules.weight[rule]
                            parent = rules.parent[rule]
                            if other > chart.column[start, parent]:
                                if chart.column[start, parent] == NONE:
                                    chart.touched[count] = parent
                                    count += 1
                                chart.column[start, parent] = other
                                chart.column_rule[parent] = rule
                                chart.column_split[parent] = middle
                if pruned or gains:
                    kept = 0
                    for item in range(count):
                        symbol = chart.touched[item]
                        if pruned and not allowed[cell, rules.group[symbol]]:
                            chart.column[start, symbol] = NONE
                            continue
                        if gains:
                            chart.column[start, symbol] += gain[cell, rules.group[symbol]]
                        chart.touched[kept] = symbol
                        kept += 1
                    count = kept
                changed = count > 0
                while changed:
                    changed = False
                    for rule in range(unaries):
                        score = chart.column[start, rules.unary_child[rule]]
                        if score == NONE:
                            continue
                        parent = rules.unary_parent[rule]
                        score += rules.unary_weight[rule]
                        if gains:
                            score += gain[cell, rules.group[parent]]
                        if score > chart.column[start, parent]:
                            if pruned and not allowed[cell, rules.group[parent]]:
                                continue
                            if gains and _is_below(rules, chart, parent, rules.unary_child[rule], binaries):
                                continue
                            if chart.column[start, parent] == NONE:
                                chart.touched[count] = parent
                                count += 1
                            chart.column[start, parent] = score
                            chart.column_rule[parent] = binaries + rule
                            chart.column_split[parent] = rules.unary_child[rule]
                            changed = rules.cyclic
                if items + count > capacity:
                    items = FULL
                    break
                for item in range(count):
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
@cython.exceptval(check=False)
def _is_below(
    rules: Rules, chart: Chart, symbol: cython.int, top: cython.int, binaries: cython.int
) -> cython.bint:
    """Whether a symbol stands at ``top`` or below it in the current cell's chain of unary rules."""
    while top != symbol and chart.column_rule[top] >= binaries:
        top = chart.column_split[top]
    return top == symbol


def derivation(
    rules: Rules,
    chart: Chart,
    root: cython.int,
    length: cython.Py_ssize_t,
    symbols: Int32Output,
    starts: Int32Output,
    ends: Int32Output,
) -> cython.Py_ssize_t:
    """Write the best derivation of a symbol over a whole sentence, in pre-order.

    Returns the number of its nodes, 0 where there is no derivation, ``FULL`` where the arrays are too short.
    A node's children are told by their spans: those of a binary rule divide the node's.
    """
    binaries: cython.int = rules.parent.shape[0]
    room: cython.Py_ssize_t = symbols.shape[0]
    waiting: Int32Output = np.empty(3 * length + 3, np.int32)
    height: cython.Py_ssize_t = 3
    written: cython.Py_ssize_t = 0
    item: cython.Py_ssize_t
    symbol: cython.int
    start: cython.int
    end: cython.int
    rule: cython.int
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
                if written == room:
                    written = FULL
                    height = 0
                    break
                symbols[written], starts[written], ends[written] = symbol, start, end
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
                symbol, end = left_child(rules, rule), chart.split[item]
    return written


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def left_child(rules: Rules, rule: cython.int) -> cython.int:
    """The left child of a binary rule: rules are sorted by it."""
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = rules.left_offsets.shape[0] - 1
    middle: cython.Py_ssize_t
    while high - low > 1:
        middle = (low + high) // 2
        if rules.left_offsets[middle] <= rule:
            low = middle
        else:
            high = middle
    return cython.cast(cython.int, low)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find(
    chart: Chart, start: cython.Py_ssize_t, end: cython.Py_ssize_t, symbol: cython.int
) -> cython.Py_ssize_t:
    """The item of a symbol over a span, or -1."""
    cell: cython.Py_ssize_t = place(start, end)
    item: cython.Py_ssize_t
    for item in range(chart.begin[cell], chart.begin[cell + 1]):
        if chart.symbol[item] == symbol:
            return item
    return -1


def best_score(chart: Chart, root: cython.int, length: cython.Py_ssize_t) -> float:
    """The score of a symbol over a whole sentence, minus infinity for none."""
    item: cython.Py_ssize_t = find(chart, 0, length, root)
    return chart.score[item] if item >= 0 else float("-inf")


def edges(
    rules: Rules,
    chart: Chart,
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    symbol: cython.int,
    by_parent: Int32Array,
    found_rule: Int32Output,
    found_split: Int32Output,
    found_score: Float64Output,
) -> cython.Py_ssize_t:
    """Write every way to derive a constituent by one binary rule from constituents of the chart.

    ``by_parent`` are the binary rules of the symbol, those of one left child together. Returns their
    number, or ``FULL``. The score is that of the best derivation whose top rule it is.
    """
    room: cython.Py_ssize_t = found_rule.shape[0]
    count: cython.Py_ssize_t = 0
    middle: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    item: cython.Py_ssize_t
    entry: cython.Py_ssize_t
    rule: cython.int
    last: cython.int
    left: cython.int
    score: cython.double
    other: cython.double
    with cython.nogil:
        for middle in range(start + 1, end):
            for item in range(chart.symbols):
                chart.column[0, item] = NONE
            cell = place(middle, end)
            for item in range(chart.begin[cell], chart.begin[cell + 1]):
                chart.column[0, chart.symbol[item]] = chart.score[item]
            last = -1
            score = NONE
            for entry in range(by_parent.shape[0]):
                rule = by_parent[entry]
                other = chart.column[0, rules.right[rule]]
                if other == NONE:
                    continue
                left = left_child(rules, rule)
                if left != last:
                    last = left
                    item = find(chart, start, middle, left)
                    score = chart.score[item] if item >= 0 else NONE
                if score == NONE:
                    continue
                if count == room:
                    count = FULL
                    break
                found_rule[count] = rule
                found_split[count] = cython.cast(cython.int, middle)
                found_score[count] = score + other + rules.weight[rule]
                count += 1
            if count == FULL:
                break
    return count


def item_score(chart: Chart, start: cython.Py_ssize_t, end: cython.Py_ssize_t, symbol: cython.int) -> float:
    """The score of a symbol over a span, minus infinity for none."""
    item: cython.Py_ssize_t = find(chart, start, end, symbol)
    return chart.score[item] if item >= 0 else float("-inf")


def fill_inside(rules: Rules, chart: Chart, words: Int32Array, allowed: BoolMatrix) -> cython.Py_ssize_t:
    """Fill in the sum over all derivations of every constituent. Returns the number of items, or ``FULL``.

    Sums of a cell share an exponent, so that no probability is too small for a long sentence.
    """
    length: cython.Py_ssize_t = words.shape[0]
    capacity: cython.Py_ssize_t = chart.symbol.shape[0]
    pruned: cython.bint = allowed.shape[0] > 0
    items: cython.Py_ssize_t = 0
    cell: cython.Py_ssize_t = 0
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    middle: cython.Py_ssize_t
    left: cython.Py_ssize_t
    item: cython.Py_ssize_t
    rule: cython.Py_ssize_t
    chain: cython.Py_ssize_t
    count: cython.Py_ssize_t
    bases: cython.Py_ssize_t
    symbol: cython.int
    parent: cython.int
    exponent: cython.int
    power: cython.int
    score: cython.double
    other: cython.double
    highest: cython.double
    with cython.nogil:
        for end in range(1, length + 1):
            for start in range(end):
                for symbol in range(chart.symbols):
                    chart.column[start, symbol] = 0.0
            for start in range(end - 1, -1, -1):
                chart.begin[cell] = items
                count = 0
                exponent = 0
                if start == end - 1:
                    if words[start] >= 0:
                        for rule in range(
                            rules.tag_offsets[words[start]], rules.tag_offsets[words[start] + 1]
                        ):
                            chart.column[start, rules.tag[rule]] = rules.tag_weight[rule]
                            chart.touched[count] = rules.tag[rule]
                            count += 1
                else:
                    exponent = highest_exponent(chart, start, end)
                for middle in range(start + 1, end):
                    left = place(start, middle)
                    power = chart.exponent[left] + chart.exponent[place(middle, end)] - exponent
                    if power < -1000:
                        continue
                    for item in range(chart.begin[left], chart.begin[left + 1]):
                        symbol = chart.symbol[item]
                        score = ldexp(chart.score[item], cython.cast(cython.int, power))
                        for rule in range(rules.left_offsets[symbol], rules.left_offsets[symbol + 1]):
                            other = chart.column[middle, rules.right[rule]]
                            if other == 0.0:
                                continue
                            other *= score * rules.weight[rule]
                            parent = rules.parent[rule]
                            if other > 0.0:
                                if chart.column[start, parent] == 0.0:
                                    chart.touched[count] = parent
                                    count += 1
                                chart.column[start, parent] += other
                if pruned:
                    bases = 0
                    for item in range(count):
                        symbol = chart.touched[item]
                        if allowed[cell, rules.group[symbol]]:
                            chart.touched[bases] = symbol
                            bases += 1
                        else:
                            chart.column[start, symbol] = 0.0
                    count = bases
                # Unary rules on top, all at once: a base sum goes to every symbol that derives its symbol.
                bases = count
                for item in range(bases):
                    chart.below[chart.touched[item]] = chart.column[start, chart.touched[item]]
                for item in range(bases):
                    symbol = chart.touched[item]
                    score = chart.below[symbol]
                    for chain in range(rules.chain_offsets[symbol], rules.chain_offsets[symbol + 1]):
                        parent = rules.chain_parent[chain]
                        if pruned and not allowed[cell, rules.group[parent]]:
                            continue
                        if chart.column[start, parent] == 0.0:
                            chart.touched[count] = parent
                            count += 1
                        chart.column[start, parent] += score * rules.chain_weight[chain]
                if items + count > capacity:
                    items = FULL
                    break
                highest = 0.0
                for item in range(count):
                    highest = max(highest, chart.column[start, chart.touched[item]])
                power = cython.cast(cython.int, floor(log2(highest))) if highest > 0.0 else 0
                for item in range(count):
                    symbol = chart.touched[item]
                    score = ldexp(chart.column[start, symbol], -power)
                    chart.column[start, symbol] = score
                    chart.symbol[items] = symbol
                    chart.score[items] = score
                    chart.base[items] = ldexp(chart.below[symbol], -power)
                    chart.below[symbol] = 0.0
                    items += 1
                chart.exponent[cell] = exponent + power
                cell += 1
                chart.begin[cell] = items
            if items == FULL:
                break
    return items


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def highest_exponent(chart: Chart, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
    """The highest exponent that the two parts of a span have together."""
    highest: cython.int = -2147483647
    middle: cython.Py_ssize_t
    left: cython.Py_ssize_t
    right: cython.Py_ssize_t
    for middle in range(start + 1, end):
        left, right = place(start, middle), place(middle, end)
        if chart.begin[left] < chart.begin[left + 1] and chart.begin[right] < chart.begin[right + 1]:
            highest = max(highest, chart.exponent[left] + chart.exponent[right])
    return highest if highest > -2147483647 else 0


def inside_score(chart: Chart, root: cython.int, length: cython.Py_ssize_t) -> tuple[float, int]:
    """The sum of a symbol over a whole sentence: a number, and the power of two to multiply it by."""
    item: cython.Py_ssize_t = find(chart, 0, length, root)
    if item < 0:
        return 0.0, 0
    return chart.score[item], chart.exponent[place(0, length)]


def fill_posteriors(
    rules: Rules,
    chart: Chart,
    words: Int32Array,
    root: cython.int,
    binary_count: Float64Output,
    unary_count: Float64Output,
    tag_count: Float64Output,
) -> None:
    """Fill in the expected number of nodes of every item, and add up how often each rule is used.

    After ``fill_inside`` of a sentence that ``root`` derives. What is passed down is the posterior and
    not the outside probability, which is the posterior divided by the inside sum: so nothing underflows.
    """
    length: cython.Py_ssize_t = words.shape[0]
    unaries: cython.Py_ssize_t = rules.unary_parent.shape[0]
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    middle: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    left: cython.Py_ssize_t
    right: cython.Py_ssize_t
    item: cython.Py_ssize_t
    part: cython.Py_ssize_t
    rule: cython.Py_ssize_t
    chain: cython.Py_ssize_t
    symbol: cython.int
    power: cython.int
    score: cython.double
    share: cython.double
    with cython.nogil:
        for item in range(chart.begin[length * (length + 1) // 2]):
            chart.posterior[item] = 0.0
        chart.posterior[find(chart, 0, length, root)] = 1.0
        for end in range(length, 0, -1):
            for start in range(end):
                for symbol in range(chart.symbols):
                    chart.column[start, symbol] = 0.0
                    chart.column_posterior[start, symbol] = 0.0
                cell = place(start, end)
                for item in range(chart.begin[cell], chart.begin[cell + 1]):
                    chart.column[start, chart.symbol[item]] = chart.score[item]
            for start in range(end):
                cell = place(start, end)
                # above: the posterior of what stands on top of a chain, divided by its sum;
                # below: the same for what stands below any number of unary rules.
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
                for rule in range(unaries):
                    score = chart.below[rules.unary_parent[rule]]
                    if score > 0.0:
                        unary_count[rule] += (
                            score * rules.unary_weight[rule] * chart.column[start, rules.unary_child[rule]]
                        )
                if start == end - 1:
                    for rule in range(rules.tag_offsets[words[start]], rules.tag_offsets[words[start] + 1]):
                        tag_count[rule] += ldexp(
                            chart.below[rules.tag[rule]] * rules.tag_weight[rule],
                            cython.cast(cython.int, -chart.exponent[cell]),
                        )
                for middle in range(start + 1, end):
                    left, right = place(start, middle), place(middle, end)
                    power = chart.exponent[left] + chart.exponent[right] - chart.exponent[cell]
                    if power < -1000 or chart.begin[right] == chart.begin[right + 1]:
                        continue
                    for part in range(chart.begin[left], chart.begin[left + 1]):
                        symbol = chart.symbol[part]
                        score = ldexp(chart.score[part], cython.cast(cython.int, power))
                        for rule in range(rules.left_offsets[symbol], rules.left_offsets[symbol + 1]):
                            share = chart.below[rules.parent[rule]]
                            if share > 0.0:
                                share *= rules.weight[rule] * score * chart.column[middle, rules.right[rule]]
                                if share > 0.0:
                                    chart.posterior[part] += share
                                    chart.column_posterior[middle, rules.right[rule]] += share
                                    binary_count[rule] += share
                for item in range(chart.begin[cell], chart.begin[cell + 1]):
                    chart.above[chart.symbol[item]] = 0.0
                    chart.below[chart.symbol[item]] = 0.0


def group_posteriors(rules: Rules, chart: Chart, sums: Float64MatrixOutput) -> None:
    """Add up the posteriors of the symbols of each group, in every cell: shape ``(cells, groups)``."""
    cell: cython.Py_ssize_t
    item: cython.Py_ssize_t
    with cython.nogil:
        for cell in range(sums.shape[0]):
            for item in range(chart.begin[cell], chart.begin[cell + 1]):
                sums[cell, rules.group[chart.symbol[item]]] += chart.posterior[item]
