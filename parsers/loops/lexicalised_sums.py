"""Loops of head-lexicalised grammars over packed forests: sums, best derivations, expected counts.

An item of the forest has a value for each token of its span that may be its lexical head. What a child that
is not the head adds depends on the head's word alone, so it is summed up once for each such word before edges
are examined (the hooks of Eisner and Satta 1999). Values of a cell share a power of two.
"""

from __future__ import annotations

# Compiled with -O3: see setup.py.
import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    Float64Array,
    Float64MatrixOutput,
    Float64Output,
    Int32Array,
    Int32Output,
    Int64Array,
)
from cython.cimports.crossbank.treebanks.loops.interrupts import look
from cython.cimports.libc.math import floor, ldexp, log2

# Steps that a cell counts as between two checks for Ctrl-C.
STEPS_PER_CELL = cython.declare(cython.int, 1 << 18)

# Maximal number of passes over the unary rules of a cell with a cycle.
MAX_PASSES = cython.declare(cython.int, 10000)

# Relative change of a value below which a cycle has converged.
CONVERGED = cython.declare(cython.double, 1e-16)


@cython.dataclasses.dataclass(eq=False, repr=False)
class PackedForest:
    """Derivations of a sentence: items and the edges between them.

    length        tokens
    begin         where each cell's items begin; cells are ordered by their end, then from short to long
    start, end    the span of each item
    cell          of each item
    values        where the values of each item begin, one for each token of its span
    edge_begin, parent, head, other, hook, rule
                  binary edges, cell by cell: the child that is the head and the one that is not
    unary_begin, unary_parent, unary_child, unary_rule
                  unary edges, those of a child before those of its parents
    cyclic        whether unary rules form a cycle
    tag, tag_rule, tag_weight
                  items over their words, the rule that ends a head's lineage, and the word's probability
    tag_begin     where each token's tags begin
    hook_begin, pair  the hooks of each item: the pairs of its category with a parent's
    """

    length: cython.Py_ssize_t
    begin: Int64Array
    start: Int32Array
    end: Int32Array
    cell: Int32Array
    values: Int64Array
    edge_begin: Int64Array
    parent: Int32Array
    head: Int32Array
    other: Int32Array
    hook: Int32Array
    rule: Int32Array
    unary_begin: Int64Array
    unary_parent: Int32Array
    unary_child: Int32Array
    unary_rule: Int32Array
    cyclic: cython.bint
    tag_begin: Int64Array
    tag: Int32Array
    tag_rule: Int32Array
    tag_weight: Float64Array
    hook_begin: Int64Array
    pair: Int32Array


@cython.cclass
class LexicalChart:
    """Values of a packed forest under the weights of a sentence's words.

    exponent      the power of two that the values of each cell are to be multiplied by
    inside        the inside value of each item with each head
    hooked        the inside value of each hook with each head outside of its item
    outside, hooked_outside  outside values of the same; inside times outside is an expected number
    best, best_head
                  for best derivations: the edge below each value (binary ones, then unary ones; -1 is a
                  word), and the head below each hook
    base, previous  values of a cell before unary rules, and after the previous pass over a cycle of them
    """

    exponent: Int32Output
    inside: Float64Output
    hooked: Float64Output
    outside: Float64Output
    hooked_outside: Float64Output
    best: Int32Output
    best_head: Int32Output
    base: Float64Output
    previous: Float64Output

    def __init__(self, cells: int, values: int, hooked: int, *, best: bool) -> None:
        sums = 0 if best else 1
        self.exponent = np.zeros(cells, np.int32)
        self.inside = np.zeros(values, np.float64)
        self.hooked = np.zeros(hooked, np.float64)
        self.outside = np.zeros(sums * values, np.float64)
        self.hooked_outside = np.zeros(sums * hooked, np.float64)
        self.best = np.full(values - sums * values, -1, np.int32)
        self.best_head = np.full(hooked - sums * hooked, -1, np.int32)
        self.base = np.zeros(values, np.float64)
        self.previous = np.zeros(values, np.float64)


@cython.dataclasses.dataclass(eq=False, repr=False)
class OfEvents:
    """A number for each lexicalised event of a sentence: its weight, or how often it is expected.

    rules   each rule with each token as head, shape ``(rules, tokens)``
    choice  each pair of categories (parent and child) with each token as head of the parent and each token as
            head of the child: a flat array of the shape ``(pairs, tokens, tokens)``
    root    each token as head of the root
    """

    rules: Float64MatrixOutput
    choice: Float64Output
    root: Float64Output


def fill_values(forest: PackedForest, chart: LexicalChart, weights: OfEvents, best: cython.bint) -> None:
    """Fill in the inside value of every item with every head: a sum, or that of the best derivation."""
    length: cython.Py_ssize_t = forest.length
    cells: cython.Py_ssize_t = forest.begin.shape[0] - 1
    with cython.nogil:
        for cell in range(cells):
            look(STEPS_PER_CELL)
            if forest.begin[cell] == forest.begin[cell + 1]:
                continue
            exponent = cell_exponent(forest, chart, cell)
            fill_words(forest, chart, weights, cell)
            for edge in range(forest.edge_begin[cell], forest.edge_begin[cell + 1]):
                power = edge_power(forest, chart, edge) - exponent
                if power < -1000:
                    continue
                highest = ldexp(1.0, cython.cast(cython.int, power))
                first, last = forest.start[forest.head[edge]], forest.end[forest.head[edge]]
                child_base = forest.values[forest.head[edge]] - first
                parent_base = forest.values[forest.parent[edge]] - forest.start[forest.parent[edge]]
                hook = forest.hook[edge] * length
                for token in range(first, last):
                    score = (
                        highest
                        * chart.inside[child_base + token]
                        * weights.rules[forest.rule[edge], token]
                        * chart.hooked[hook + token]
                    )
                    if not best:
                        chart.inside[parent_base + token] += score
                    elif score > chart.inside[parent_base + token]:
                        chart.inside[parent_base + token] = score
                        chart.best[parent_base + token] = cython.cast(cython.int, edge)
            add_unary(forest, chart, weights, cell, best)
            first, last = forest.values[forest.begin[cell]], forest.values[forest.begin[cell + 1]]
            highest = 0.0
            for value in range(first, last):
                highest = max(highest, chart.inside[value])
            power = cython.cast(cython.int, floor(log2(highest))) if highest > 0.0 else 0
            for value in range(first, last):
                chart.inside[value] = ldexp(chart.inside[value], cython.cast(cython.int, -power))
            chart.exponent[cell] = exponent + power
            fill_hooks(forest, chart, weights, cell, best)


@cython.cfunc
@cython.nogil
def edge_power(forest: PackedForest, chart: LexicalChart, edge: cython.Py_ssize_t) -> cython.int:
    """Return the power of two that belongs to the product of a binary edge's children."""
    power: cython.int = chart.exponent[forest.cell[forest.head[edge]]]
    power += chart.exponent[forest.cell[forest.other[edge]]]
    return power


@cython.cfunc
@cython.nogil
def cell_exponent(forest: PackedForest, chart: LexicalChart, cell: cython.Py_ssize_t) -> cython.int:
    """Return the highest power of two of a cell's binary edges."""
    first: cython.Py_ssize_t = forest.edge_begin[cell]
    highest: cython.int = 0
    for edge in range(first, forest.edge_begin[cell + 1]):
        if edge == first or edge_power(forest, chart, edge) > highest:
            highest = edge_power(forest, chart, edge)
    return highest


@cython.cfunc
@cython.nogil
def fill_words(
    forest: PackedForest, chart: LexicalChart, weights: OfEvents, cell: cython.Py_ssize_t
) -> cython.void:
    """Fill in the tags over a word, if the cell is that of one word."""
    token: cython.Py_ssize_t = forest.start[forest.begin[cell]]
    if forest.end[forest.begin[cell]] - token == 1:
        for entry in range(forest.tag_begin[token], forest.tag_begin[token + 1]):
            chart.inside[forest.values[forest.tag[entry]]] = (
                weights.rules[forest.tag_rule[entry], token] * forest.tag_weight[entry]
            )


@cython.cfunc
@cython.nogil
def add_unary(
    forest: PackedForest, chart: LexicalChart, weights: OfEvents, cell: cython.Py_ssize_t, best: cython.bint
) -> cython.void:
    """Add the values of a cell's unary edges; a cycle is repeated until values converge."""
    first: cython.Py_ssize_t = forest.values[forest.begin[cell]]
    last: cython.Py_ssize_t = forest.values[forest.begin[cell + 1]]
    passes: cython.int = 0
    changed: cython.bint = forest.unary_begin[cell] < forest.unary_begin[cell + 1]
    repeats: cython.bint = forest.cyclic and not best
    if repeats:
        for value in range(first, last):
            chart.base[value] = chart.inside[value]
    while changed and passes < MAX_PASSES:
        changed = False
        passes += 1
        if repeats:
            for value in range(first, last):
                chart.previous[value] = chart.inside[value]
                chart.inside[value] = chart.base[value]
        for edge in range(forest.unary_begin[cell], forest.unary_begin[cell + 1]):
            child_base, parent_base = (
                forest.values[forest.unary_child[edge]],
                forest.values[forest.unary_parent[edge]],
            )
            start: cython.Py_ssize_t = forest.start[forest.unary_child[edge]]
            span: cython.Py_ssize_t = forest.end[forest.unary_child[edge]] - start
            for token in range(span):
                score = weights.rules[forest.unary_rule[edge], start + token]
                if repeats:
                    chart.inside[parent_base + token] += score * chart.previous[child_base + token]
                elif not best:
                    chart.inside[parent_base + token] += score * chart.inside[child_base + token]
                elif score * chart.inside[child_base + token] > chart.inside[parent_base + token]:
                    chart.inside[parent_base + token] = score * chart.inside[child_base + token]
                    chart.best[parent_base + token] = cython.cast(cython.int, forest.parent.shape[0] + edge)
                    changed = forest.cyclic
        if repeats:
            for value in range(first, last):
                if chart.inside[value] - chart.previous[value] > CONVERGED * chart.inside[value]:
                    changed = True


@cython.cfunc
@cython.nogil
def fill_hooks(
    forest: PackedForest, chart: LexicalChart, weights: OfEvents, cell: cython.Py_ssize_t, best: cython.bint
) -> cython.void:
    """Fill in the hooks of a cell's items: what each adds below each head outside of it."""
    length: cython.Py_ssize_t = forest.length
    token: cython.Py_ssize_t
    for item in range(forest.begin[cell], forest.begin[cell + 1]):
        child_base = forest.values[item] - forest.start[item]
        for hook in range(forest.hook_begin[item], forest.hook_begin[item + 1]):
            for above in range(length):
                if forest.start[item] <= above < forest.end[item]:
                    continue
                row = (forest.pair[hook] * length + above) * length
                sum_ = 0.0
                for token in range(forest.start[item], forest.end[item]):
                    score = chart.inside[child_base + token] * weights.choice[row + token]
                    if not best:
                        sum_ += score
                    elif score > sum_:
                        sum_ = score
                        chart.best_head[hook * length + above] = cython.cast(cython.int, token)
                chart.hooked[hook * length + above] = sum_


def root_value(
    forest: PackedForest, chart: LexicalChart, root: cython.Py_ssize_t, weights: OfEvents, best: cython.bint
) -> tuple[float, int, int]:
    """Return the sentence's value: a number, the power of two to multiply it by, and the best head."""
    best_token: cython.Py_ssize_t = -1
    total: cython.double = 0.0
    child_base: cython.Py_ssize_t = forest.values[root]
    for token in range(forest.length):
        score = chart.inside[child_base + token] * weights.root[token]
        if not best:
            total += score
        elif score > total:
            total, best_token = score, token
    return total, chart.exponent[forest.cell[root]], best_token


def fill_expected(
    forest: PackedForest, chart: LexicalChart, root: cython.Py_ssize_t, weights: OfEvents, counts: OfEvents
) -> None:
    """Add up how often each rule, choice of a head and head of the root is expected to be used.

    Call it after ``fill_values`` of a sentence whose value is above zero. Outside values are divided by the
    sentence's value and multiplied by the power of two of the item's cell, so that outside times inside is
    the expected number of an item with a head.
    """
    length: cython.Py_ssize_t = forest.length
    cells: cython.Py_ssize_t = forest.begin.shape[0] - 1
    total: cython.double = root_value(forest, chart, root, weights, False)[0]
    with cython.nogil:
        parent_base = forest.values[root]
        for token in range(length):
            chart.outside[parent_base + token] = weights.root[token] / total
            counts.root[token] += chart.inside[parent_base + token] * weights.root[token] / total
        for cell in range(cells - 1, -1, -1):
            look(STEPS_PER_CELL)
            for item in range(forest.begin[cell], forest.begin[cell + 1]):
                child_base = forest.values[item] - forest.start[item]
                for hook in range(forest.hook_begin[item], forest.hook_begin[item + 1]):
                    for above in range(length):
                        share: cython.double = chart.hooked_outside[hook * length + above]
                        if share == 0.0:
                            continue
                        row = (forest.pair[hook] * length + above) * length
                        for token in range(forest.start[item], forest.end[item]):
                            score = share * weights.choice[row + token]
                            chart.outside[child_base + token] += score
                            counts.choice[row + token] += score * chart.inside[child_base + token]
            pass_down_unary(forest, chart, cell, weights, counts)
            for edge in range(forest.edge_begin[cell], forest.edge_begin[cell + 1]):
                power = edge_power(forest, chart, edge) - chart.exponent[cell]
                if power < -1000:
                    continue
                score = ldexp(1.0, cython.cast(cython.int, power))
                child_base = forest.values[forest.head[edge]] - forest.start[forest.head[edge]]
                parent_base = forest.values[forest.parent[edge]] - forest.start[forest.parent[edge]]
                hook = forest.hook[edge] * length
                for token in range(forest.start[forest.head[edge]], forest.end[forest.head[edge]]):
                    share = (
                        chart.outside[parent_base + token] * score * weights.rules[forest.rule[edge], token]
                    )
                    if share == 0.0:
                        continue
                    chart.outside[child_base + token] += share * chart.hooked[hook + token]
                    share *= chart.inside[child_base + token]
                    chart.hooked_outside[hook + token] += share
                    counts.rules[forest.rule[edge], token] += share * chart.hooked[hook + token]
            if forest.begin[cell] < forest.begin[cell + 1]:
                token = forest.start[forest.begin[cell]]
                if forest.end[forest.begin[cell]] - token == 1:
                    for edge in range(forest.tag_begin[token], forest.tag_begin[token + 1]):
                        share = chart.outside[forest.values[forest.tag[edge]]]
                        share *= weights.rules[forest.tag_rule[edge], token] * forest.tag_weight[edge]
                        counts.rules[forest.tag_rule[edge], token] += ldexp(
                            share, cython.cast(cython.int, -chart.exponent[cell])
                        )


@cython.cfunc
@cython.nogil
def pass_down_unary(
    forest: PackedForest, chart: LexicalChart, cell: cython.Py_ssize_t, weights: OfEvents, counts: OfEvents
) -> cython.void:
    """Pass outside values down a cell's unary rules, and add up how often these are used."""
    first: cython.Py_ssize_t = forest.values[forest.begin[cell]]
    last: cython.Py_ssize_t = forest.values[forest.begin[cell + 1]]
    passes: cython.int = 0
    changed: cython.bint = forest.unary_begin[cell] < forest.unary_begin[cell + 1]
    if forest.cyclic:
        for value in range(first, last):
            chart.base[value] = chart.outside[value]
    while changed and passes < MAX_PASSES:
        changed = False
        passes += 1
        if forest.cyclic:
            for value in range(first, last):
                chart.previous[value] = chart.outside[value]
                chart.outside[value] = chart.base[value]
        for edge in range(forest.unary_begin[cell + 1] - 1, forest.unary_begin[cell] - 1, -1):
            child_base, parent_base = (
                forest.values[forest.unary_child[edge]],
                forest.values[forest.unary_parent[edge]],
            )
            start: cython.Py_ssize_t = forest.start[forest.unary_child[edge]]
            span: cython.Py_ssize_t = forest.end[forest.unary_child[edge]] - start
            for token in range(span):
                score: cython.double = weights.rules[forest.unary_rule[edge], start + token]
                score *= (
                    chart.previous[parent_base + token]
                    if forest.cyclic
                    else chart.outside[parent_base + token]
                )
                chart.outside[child_base + token] += score
        if forest.cyclic:
            for value in range(first, last):
                if chart.outside[value] - chart.previous[value] > CONVERGED * chart.outside[value]:
                    changed = True
    for edge in range(forest.unary_begin[cell], forest.unary_begin[cell + 1]):
        child_base, parent_base = (
            forest.values[forest.unary_child[edge]],
            forest.values[forest.unary_parent[edge]],
        )
        start = forest.start[forest.unary_child[edge]]
        span = forest.end[forest.unary_child[edge]] - start
        for token in range(span):
            counts.rules[forest.unary_rule[edge], start + token] += (
                chart.outside[parent_base + token]
                * weights.rules[forest.unary_rule[edge], start + token]
                * chart.inside[child_base + token]
            )


def derivation(
    forest: PackedForest, chart: LexicalChart, root: cython.int, head: cython.int, items: Int32Output
) -> int:
    """Write the items of the best derivation into ``items`` in pre-order, and return their number.

    Call it after ``fill_values`` for best derivations. If ``items`` is too short, the rest is not written;
    the number returned is still that of all items.
    """
    binaries: cython.int = forest.parent.shape[0]
    capacity: cython.Py_ssize_t = items.shape[0]
    waiting: Int32Output = np.empty(2 * forest.length + 2, np.int32)
    height: cython.Py_ssize_t = 2
    written: cython.Py_ssize_t = 0
    with cython.nogil:
        waiting[0], waiting[1] = root, head
        while height > 0:
            height -= 2
            item, head = waiting[height], waiting[height + 1]
            while True:
                if written < capacity:
                    items[written] = item
                written += 1
                edge = chart.best[forest.values[item] + head - forest.start[item]]
                if edge < 0:
                    break
                if edge >= binaries:
                    item = forest.unary_child[edge - binaries]
                    continue
                below = chart.best_head[forest.hook[edge] * forest.length + head]
                if forest.start[forest.other[edge]] > forest.start[forest.head[edge]]:
                    waiting[height], waiting[height + 1] = forest.other[edge], below
                    item = forest.head[edge]
                else:
                    waiting[height], waiting[height + 1] = forest.head[edge], head
                    item, head = forest.other[edge], below
                height += 2
    return written
