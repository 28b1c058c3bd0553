"""Further derivations of a sentence, the best first, read off a chart of best derivations.

Huang, Liang, and David Chiang (2005): Better k-best Parsing. IWPT, algorithm 3. The second best derivation of
a constituent differs from the best one in its rule and parts, or has the second best derivation of one part.
So further derivations of a constituent are made when somebody asks for them, and not before.

A derivation is a rule and a derivation of each part. After the left part's and the right part's derivations
(i, j) come (i, j + 1) and, where j is the best, (i + 1, j): so each pair is reached once. Unary rules may
form cycles: a derivation is never part of itself, and going round a cycle makes it less probable.
"""

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
    find,
)
from cython.cimports.crossbank.treebanks.arrays import (
    Float64Output,
    Int32Array,
    Int32MatrixOutput,
    Int32Output,
    Int64Array,
)
from cython.cimports.crossbank.treebanks.loops.interrupts import look

# Number of derivations that the arrays hold at first.
INITIAL_CAPACITY = 1024

# No item, or no derivation.
NOTHING = cython.declare(cython.int, -1)

# What has been done for an item: nothing, its best derivation, all candidates for the next ones, or the end.
UNSEEN = cython.declare(cython.int, 0)
BEST = cython.declare(cython.int, 1)
OPEN = cython.declare(cython.int, 2)
EXHAUSTED = cython.declare(cython.int, 3)


@cython.dataclasses.dataclass(eq=False, repr=False)
class RulesByParent:
    """Rules of each symbol: where its binary and unary rules begin, and their numbers in ``Rules``."""

    binary_offsets: Int64Array
    binary: Int32Array
    unary_offsets: Int64Array
    unary: Int32Array


@cython.cclass
class FurtherDerivations:
    """Derivations of one sentence's items, as far as they were requested.

    rules, by_parent, chart, words  what they are read off: see ``fill_best``

    Of each item of the chart:

    start, end    the tokens that it covers
    state         what has been done for it
    first, last   its best derivation and the last one that was found
    expanded      whether the candidates that follow its last derivation have been added
    candidates    the root of the heap of its candidates

    failed        whether memory ran out: then nothing that is in it counts

    Of each derivation, whether it is found or a candidate:

    score, rule   with the numbers of ``Chart.rule``
    left_item, right_item  the items of its parts
    left, right   the derivations of its parts; of a candidate ``NOTHING`` stands for the best one
    next          the derivation of the same item that was found next
    child, sibling  in a pairing heap (Fredman et al. 1986)
    """

    rules: Rules
    by_parent: RulesByParent
    chart: Chart
    words: Int32Array
    count: cython.Py_ssize_t
    failed: cython.bint
    start: Int32Output
    end: Int32Output
    state: Int32Output
    first: Int32Output
    last: Int32Output
    expanded: Int32Output
    candidates: Int32Output
    score: Float64Output
    rule: Int32Output
    left_item: Int32Output
    right_item: Int32Output
    left: Int32Output
    right: Int32Output
    next: Int32Output
    child: Int32Output
    sibling: Int32Output
    item_of_left: Int32Output
    item_of_right: Int32Output

    def __init__(self, rules: Rules, by_parent: RulesByParent, chart: Chart, words: Int32Array) -> None:
        items, symbols = chart.begin[len(words) * (len(words) + 1) // 2], chart.symbols
        self.rules, self.by_parent, self.chart, self.words = rules, by_parent, chart, words
        self.count, self.failed = 0, False
        self.start, self.end, self.state = (np.zeros(items, np.int32) for _ in range(3))
        self.first, self.last = np.full(items, -1, np.int32), np.full(items, -1, np.int32)
        self.expanded, self.candidates = np.zeros(items, np.int32), np.full(items, -1, np.int32)
        self.item_of_left, self.item_of_right = (np.full(symbols, -1, np.int32) for _ in range(2))
        self.score = np.empty(INITIAL_CAPACITY, np.float64)
        self.rule, self.left_item, self.right_item = (np.empty(INITIAL_CAPACITY, np.int32) for _ in range(3))
        self.left, self.right, self.next = (np.empty(INITIAL_CAPACITY, np.int32) for _ in range(3))
        self.child, self.sibling = (np.empty(INITIAL_CAPACITY, np.int32) for _ in range(2))

    @cython.cfunc
    def grow(self) -> cython.void:
        """Double the capacity for derivations, or note that memory is exhausted."""
        try:
            self.double_capacity()
        except MemoryError:
            self.failed = True

    def double_capacity(self) -> None:
        """Double the capacity for derivations."""
        self.score = np.concatenate((self.score, np.empty_like(self.score)))
        self.rule = np.concatenate((self.rule, np.empty_like(self.rule)))
        self.left_item = np.concatenate((self.left_item, np.empty_like(self.left_item)))
        self.right_item = np.concatenate((self.right_item, np.empty_like(self.right_item)))
        self.left = np.concatenate((self.left, np.empty_like(self.left)))
        self.right = np.concatenate((self.right, np.empty_like(self.right)))
        self.next = np.concatenate((self.next, np.empty_like(self.next)))
        self.child = np.concatenate((self.child, np.empty_like(self.child)))
        self.sibling = np.concatenate((self.sibling, np.empty_like(self.sibling)))

    @cython.cfunc
    @cython.nogil
    def add(
        self,
        score: cython.double,
        rule: cython.int,
        left_item: cython.int,
        right_item: cython.int,
        left: cython.int,
        right: cython.int,
    ) -> cython.int:
        """Enter a derivation. Returns its number."""
        # The last column to grow tells whether there was memory for all.
        if self.count == self.sibling.shape[0]:
            with cython.gil:
                self.grow()
            if self.failed:
                self.count -= 1
        made = cython.cast(cython.int, self.count)
        self.score[made], self.rule[made] = score, rule
        self.left_item[made], self.right_item[made] = left_item, right_item
        self.left[made], self.right[made] = left, right
        self.next[made] = self.child[made] = self.sibling[made] = NOTHING
        self.count += 1
        return made


def best_ones(
    derivations: FurtherDerivations, root: cython.int, most: cython.Py_ssize_t, chosen: Int32Output
) -> cython.Py_ssize_t:
    """Write the best derivations of a symbol over a whole sentence to ``chosen``, as many as it can hold.

    After ``fill_best`` of a sentence that the symbol derives. Returns how many there are, or ``FULL`` where
    more than ``most`` derivations had to be made of all items.
    """
    chart: Chart = derivations.chart
    length: cython.Py_ssize_t = derivations.words.shape[0]
    waiting: Int32Output = np.empty(derivations.state.shape[0] + 1, np.int32)
    count: cython.Py_ssize_t = 0
    with cython.nogil:
        for end in range(1, length + 1):
            for start in range(end):
                for item in range(chart.begin[cell_of(start, end)], chart.begin[cell_of(start, end) + 1]):
                    derivations.start[item] = cython.cast(cython.int, start)
                    derivations.end[item] = cython.cast(cython.int, end)
        top = cython.cast(cython.int, find(chart, 0, length, root))
        while count < chosen.shape[0]:
            find_next(derivations, top, waiting)
            if derivations.count > most or derivations.failed:
                count = FULL
                break
            if derivations.state[top] == EXHAUSTED:
                break
            chosen[count] = derivations.last[top]
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def find_next(derivations: FurtherDerivations, top: cython.int, waiting: Int32Output) -> cython.int:
    """Find the next derivation of an item, and before it those of other items that it needs.

    ``waiting`` is the stack of items whose next derivation is being found. An item is there once: what is
    asked of it is the derivation after one that is part of its last one, or is found already.
    """
    height: cython.Py_ssize_t = 1
    waiting[0] = top
    while height > 0 and not derivations.failed:
        look(CELL)
        item = waiting[height - 1]
        if derivations.state[item] == UNSEEN:
            needed = add_best(derivations.rules, derivations.chart, derivations, item)
        elif derivations.state[item] == BEST:
            add_candidates(derivations.rules, derivations.by_parent, derivations.chart, derivations, item)
            continue
        elif not derivations.expanded[item]:
            needed = expand_last(derivations, item)
            if needed < 0:
                continue
        elif derivations.candidates[item] < 0:
            derivations.state[item] = EXHAUSTED
            needed = NOTHING
        else:
            needed = take_candidate(derivations, item)
        if needed >= 0:
            waiting[height] = needed
            height += 1
        else:
            height -= 1
    return 0


@cython.cfunc
@cython.nogil
def add_best(rules: Rules, chart: Chart, derivations: FurtherDerivations, item: cython.int) -> cython.int:
    """Enter the best derivation of an item, the chart's. Returns an item that has to have its own before."""
    rule: cython.int = chart.rule[item]
    start: cython.Py_ssize_t = derivations.start[item]
    end: cython.Py_ssize_t = derivations.end[item]
    left_item: cython.int = NOTHING
    right_item: cython.int = NOTHING
    left: cython.int = NOTHING
    right: cython.int = NOTHING
    if rule >= rules.parent.shape[0]:
        left_item = cython.cast(cython.int, find(chart, start, end, chart.split[item]))
    elif rule != LEXICAL:
        left_item = cython.cast(cython.int, find(chart, start, chart.split[item], rules.left[rule]))
        right_item = cython.cast(cython.int, find(chart, chart.split[item], end, rules.right[rule]))
    if left_item >= 0:
        left = derivations.first[left_item]
        if left < 0:
            return left_item
    if right_item >= 0:
        right = derivations.first[right_item]
        if right < 0:
            return right_item
    left = derivations.add(chart.score[item], rule, left_item, right_item, left, right)
    derivations.first[item] = derivations.last[item] = left
    derivations.state[item] = BEST
    return NOTHING


@cython.cfunc
@cython.nogil
def add_candidates(
    rules: Rules, by_parent: RulesByParent, chart: Chart, derivations: FurtherDerivations, item: cython.int
) -> cython.void:
    """Enter each other rule that derives an item, with the best derivations of its parts."""
    symbol: cython.int = chart.symbol[item]
    start: cython.Py_ssize_t = derivations.start[item]
    end: cython.Py_ssize_t = derivations.end[item]
    binaries: cython.int = cython.cast(cython.int, rules.parent.shape[0])
    # The best derivation is entered already.
    best: cython.int = chart.rule[item]
    split: cython.int = chart.split[item]
    if start == end - 1:
        word = derivations.words[start]
        for entry in range(rules.tag_offsets[word], rules.tag_offsets[word + 1]):
            if rules.tag[entry] == symbol and (best != LEXICAL or split != word):
                enter(derivations, item, rules.tag_weight[entry], LEXICAL, NOTHING, NOTHING)
    for entry in range(by_parent.unary_offsets[symbol], by_parent.unary_offsets[symbol + 1]):
        rule = by_parent.unary[entry]
        child = rules.unary_child[rule]
        left = cython.cast(cython.int, find(chart, start, end, child))
        if left >= 0 and (best != binaries + rule or split != child):
            score = chart.score[left] + rules.unary_weight[rule]
            enter(derivations, item, score, binaries + rule, left, NOTHING)
    for middle in range(start + 1, end):
        spread_items(chart, derivations.item_of_left, start, middle)
        spread_items(chart, derivations.item_of_right, middle, end)
        for entry in range(by_parent.binary_offsets[symbol], by_parent.binary_offsets[symbol + 1]):
            rule = by_parent.binary[entry]
            left = derivations.item_of_left[rules.left[rule]]
            right = derivations.item_of_right[rules.right[rule]]
            if left >= 0 and right >= 0 and (best != rule or split != middle):
                score = chart.score[left] + chart.score[right] + rules.weight[rule]
                enter(derivations, item, score, rule, left, right)
        for part in range(chart.begin[cell_of(start, middle)], chart.begin[cell_of(start, middle) + 1]):
            derivations.item_of_left[chart.symbol[part]] = NOTHING
        for part in range(chart.begin[cell_of(middle, end)], chart.begin[cell_of(middle, end) + 1]):
            derivations.item_of_right[chart.symbol[part]] = NOTHING
    derivations.state[item] = OPEN


@cython.cfunc
@cython.nogil
def spread_items(
    chart: Chart, item_of: Int32Output, start: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.void:
    """Write for each symbol of a cell where its item is."""
    for part in range(chart.begin[cell_of(start, end)], chart.begin[cell_of(start, end) + 1]):
        item_of[chart.symbol[part]] = cython.cast(cython.int, part)


@cython.cfunc
@cython.nogil
def enter(
    derivations: FurtherDerivations,
    item: cython.int,
    score: cython.double,
    rule: cython.int,
    left_item: cython.int,
    right_item: cython.int,
) -> cython.void:
    """Enter a candidate with the best derivations of its parts, if it is possible."""
    if score > NONE:
        made = derivations.add(score, rule, left_item, right_item, NOTHING, NOTHING)
        derivations.candidates[item] = merged(derivations, derivations.candidates[item], made)


@cython.cfunc
@cython.nogil
def expand_last(derivations: FurtherDerivations, item: cython.int) -> cython.int:
    """Enter the candidates that follow an item's last derivation.

    Returns an item whose next derivation has to be found before.
    """
    last: cython.int = derivations.last[item]
    left_item: cython.int = derivations.left_item[last]
    right_item: cython.int = derivations.right_item[last]
    left: cython.int = derivations.left[last]
    right: cython.int = derivations.right[last]
    next_left: cython.int = NOTHING
    next_right: cython.int = NOTHING
    if left_item >= 0 and (right_item < 0 or right == derivations.first[right_item]):
        next_left = derivations.next[left]
        if next_left < 0 and derivations.state[left_item] != EXHAUSTED:
            return left_item
    if right_item >= 0:
        next_right = derivations.next[right]
        if next_right < 0 and derivations.state[right_item] != EXHAUSTED:
            return right_item
    if next_left >= 0:
        add_following(derivations, item, next_left, right)
    if next_right >= 0:
        add_following(derivations, item, left, next_right)
    derivations.expanded[item] = True
    return NOTHING


@cython.cfunc
@cython.nogil
def add_following(
    derivations: FurtherDerivations, item: cython.int, left: cython.int, right: cython.int
) -> cython.void:
    """Enter a candidate with the rule of an item's last derivation and the given derivations of its parts."""
    last: cython.int = derivations.last[item]
    rule: cython.int = derivations.rule[last]
    score: cython.double = derivations.score[left]
    if right >= 0:
        score += derivations.score[right] + derivations.rules.weight[rule]
    else:
        score += derivations.rules.unary_weight[rule - derivations.rules.parent.shape[0]]
    made = derivations.add(
        score, rule, derivations.left_item[last], derivations.right_item[last], left, right
    )
    derivations.candidates[item] = merged(derivations, derivations.candidates[item], made)


@cython.cfunc
@cython.nogil
def take_candidate(derivations: FurtherDerivations, item: cython.int) -> cython.int:
    """Make an item's best candidate its next derivation.

    Returns an item that has to have its best derivation before.
    """
    candidate: cython.int = derivations.candidates[item]
    left_item: cython.int = derivations.left_item[candidate]
    right_item: cython.int = derivations.right_item[candidate]
    if left_item >= 0 and derivations.left[candidate] < 0:
        if derivations.first[left_item] < 0:
            return left_item
        derivations.left[candidate] = derivations.first[left_item]
    if right_item >= 0 and derivations.right[candidate] < 0:
        if derivations.first[right_item] < 0:
            return right_item
        derivations.right[candidate] = derivations.first[right_item]
    derivations.candidates[item] = without_root(derivations, candidate)
    derivations.next[derivations.last[item]] = candidate
    derivations.last[item] = candidate
    derivations.expanded[item] = False
    return NOTHING


@cython.cfunc
@cython.nogil
def merged(derivations: FurtherDerivations, one: cython.int, other: cython.int) -> cython.int:
    """Return the root of two merged pairing heaps; of equal scores the first stays on top."""
    if one < 0:
        return other
    if other < 0:
        return one
    if derivations.score[other] > derivations.score[one]:
        one, other = other, one
    derivations.sibling[other] = derivations.child[one]
    derivations.child[one] = other
    return one


@cython.cfunc
@cython.nogil
def without_root(derivations: FurtherDerivations, root: cython.int) -> cython.int:
    """Return a pairing heap's new root without its root: children are merged in pairs, then the pairs."""
    pairs: cython.int = NOTHING
    heap: cython.int = NOTHING
    one: cython.int = derivations.child[root]
    while one >= 0:
        other = derivations.sibling[one]
        rest = derivations.sibling[other] if other >= 0 else NOTHING
        derivations.sibling[one] = NOTHING
        if other >= 0:
            derivations.sibling[other] = NOTHING
        one = merged(derivations, one, other)
        derivations.sibling[one] = pairs
        pairs = one
        one = rest
    while pairs >= 0:
        rest = derivations.sibling[pairs]
        derivations.sibling[pairs] = NOTHING
        heap = merged(derivations, heap, pairs)
        pairs = rest
    return heap


def nodes_of_derivation(
    derivations: FurtherDerivations, root: cython.int, derivation: cython.int, nodes: Int32MatrixOutput
) -> cython.Py_ssize_t:
    """Write a derivation of a symbol over a whole sentence, in pre-order.

    ``nodes`` is that of ``derivation``. Returns the number of its nodes, or ``FULL`` where it is too short.
    """
    chart: Chart = derivations.chart
    length: cython.Py_ssize_t = derivations.words.shape[0]
    capacity: cython.Py_ssize_t = nodes.shape[1]
    waiting: Int32Output = np.empty(2 * length + 2, np.int32)
    height: cython.Py_ssize_t = 2
    written: cython.Py_ssize_t = 0
    with cython.nogil:
        waiting[0], waiting[1] = cython.cast(cython.int, find(chart, 0, length, root)), derivation
        while height > 0:
            height -= 2
            item, derivation = waiting[height], waiting[height + 1]
            while item >= 0 and written < capacity:
                nodes[0, written] = chart.symbol[item]
                nodes[1, written], nodes[2, written] = derivations.start[item], derivations.end[item]
                written += 1
                if derivations.right_item[derivation] >= 0:
                    waiting[height] = derivations.right_item[derivation]
                    waiting[height + 1] = derivations.right[derivation]
                    height += 2
                item, derivation = derivations.left_item[derivation], derivations.left[derivation]
            if item >= 0:
                written = FULL
                break
    return written


def score_of(derivations: FurtherDerivations, derivation: cython.int) -> float:
    """Return the logarithm (base 2) of a derivation's probability."""
    return float(derivations.score[derivation])
