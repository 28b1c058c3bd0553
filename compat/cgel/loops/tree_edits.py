"""Loop over pairs of forests: the cheapest edits of one tree into another, and what they align.

Zhang and Shasha (1989): Simple Fast Algorithms for the Editing Distance between Trees and Related Problems,
over mirrored trees: a constituent's number is its position in post-order with children from the right, which
is the order of the file backwards. Of several cheapest edits the program takes those with the fewest
insertions, and of these the ones whose list of aligned pairs is the first in the order of Python's tuples.
The list of a pair of forests consists of the list of the forests left of the last two trees, the pair of the
roots of these trees, and the list of the forests below the roots.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import Int32Array, Int32Output, Int64Array
from cython.cimports.crossbank.treebanks.loops.interrupts import look

from crossbank.treebanks.memory import require

EDIT = cython.declare(cython.int, 4)
"""The price of an insertion or deletion, in quarters."""

NO_PAIRS = cython.declare(cython.int, 0)
"""The list without pairs."""


@cython.dataclasses.dataclass(eq=False, repr=False)
class EditedTrees:
    """Constituents of one side: in each sentence in the order of the file, a parent before its children.

    parent                      its index in the sentence, or -1
    category, function, lexeme  codes that both sides share; -1 for no lexeme
    """

    offsets: Int64Array
    parent: Int32Array
    category: Int32Array
    function: Int32Array
    lexeme: Int32Array


@cython.dataclasses.dataclass(eq=False, repr=False)
class EditPrice:
    """Price of two aligned constituents.

    categories, functions  whether they count
    whole                  whether a difference costs as much as an edit, not a quarter for each kind
    """

    categories: cython.bint
    functions: cython.bint
    whole: cython.bint


@cython.dataclasses.dataclass(eq=False, repr=False)
class Edits:
    """Results of the loop, by sentence.

    cost, insertions  in quarters, and their number; shape ``(sentences,)``
    pairs             the number of aligned constituents, shape ``(sentences,)``
    one, other        the aligned constituents, as indices in their sentences, in the program's order; those
                      of a sentence begin where its constituents of the one side begin
    """

    cost: Int32Output
    insertions: Int32Output
    pairs: Int32Output
    one: Int32Output
    other: Int32Output


@cython.cclass
class Lists:
    """Lists of aligned pairs: the pairs of ``left``, the pair ``one`` and ``other``, the pairs of ``right``.

    A list is a number; lists share their parts. ``begun`` and ``begun_other`` are the stacks of two walks
    through lists: an entry is a list, or ``-1 - list`` for the list's own pair. ``new_index`` is the index of
    each list after unused lists are dropped.
    """

    left: Int32Output
    right: Int32Output
    one: Int32Output
    other: Int32Output
    new_index: Int32Output
    used: cython.Py_ssize_t
    begun: Int32Output
    begun_other: Int32Output

    def __init__(self, pairs: int) -> None:
        self.left, self.right = np.zeros(1024, np.int32), np.zeros(1024, np.int32)
        self.one, self.other = np.zeros(1024, np.int32), np.zeros(1024, np.int32)
        self.new_index = np.zeros(1024, np.int32)
        self.used = 1
        self.begun, self.begun_other = np.zeros(2 * pairs + 8, np.int32), np.zeros(2 * pairs + 8, np.int32)

    def grow(self, lists: int) -> None:
        """Enlarge the columns to ``lists`` entries; the contents are kept."""
        self.left, self.right = np.resize(self.left, lists), np.resize(self.right, lists)
        self.one, self.other = np.resize(self.one, lists), np.resize(self.other, lists)
        self.new_index = np.zeros(lists, np.int32)


@cython.cclass
class EditTables:
    """Scratch for one pair of sentences.

    one, other, price   the two treebanks, and the price of two aligned constituents
    begin, begin_other  where the constituents of the sentence begin
    size, size_other    the number of constituents of the sentence
    first, first_other  of each constituent, the lowest number in its tree
    top, top_other      of each number that is the lowest of some tree, the highest whose tree it is
    cost, insertions, pairs  for each pair of forests that begin at the same two leaves: what they cost, their
                             insertions, and the list of aligned pairs
    inner_cost, inner_insertions, inner_pairs  the same for the forests below each pair of constituents
    """

    one: EditedTrees
    other: EditedTrees
    price: EditPrice
    begin: cython.Py_ssize_t
    begin_other: cython.Py_ssize_t
    size: cython.Py_ssize_t
    size_other: cython.Py_ssize_t
    first: Int32Output
    first_other: Int32Output
    top: Int32Output
    top_other: Int32Output
    cost: Int32Output
    insertions: Int32Output
    pairs: Int32Output
    inner_cost: Int32Output
    inner_insertions: Int32Output
    inner_pairs: Int32Output

    def __init__(
        self, one: EditedTrees, other: EditedTrees, price: EditPrice, longest: int, longest_other: int
    ) -> None:
        self.one, self.other, self.price = one, other, price
        self.begin = self.begin_other = self.size = self.size_other = 0
        self.first, self.first_other = np.zeros(longest, np.int32), np.zeros(longest_other, np.int32)
        self.top, self.top_other = np.zeros(longest, np.int32), np.zeros(longest_other, np.int32)
        self.grow(1)

    def grow(self, cells: int) -> None:
        """Allocate for this number of pairs of forests."""
        require(24 * cells, "", f"two trees with {cells:,} pairs of forests")
        self.cost, self.insertions = np.zeros(cells, np.int32), np.zeros(cells, np.int32)
        self.pairs = np.zeros(cells, np.int32)
        self.inner_cost, self.inner_insertions = np.zeros(cells, np.int32), np.zeros(cells, np.int32)
        self.inner_pairs = np.zeros(cells, np.int32)


@cython.cfunc
@cython.nogil
def price_pair(tables: EditTables, number: cython.Py_ssize_t, number_other: cython.Py_ssize_t) -> cython.int:
    """Return the price of aligning two constituents, in quarters."""
    index: cython.Py_ssize_t = tables.begin + tables.size - 1 - number
    index_other: cython.Py_ssize_t = tables.begin_other + tables.size_other - 1 - number_other
    differences: cython.int = 0
    if tables.price.categories and tables.one.category[index] != tables.other.category[index_other]:
        differences += 1
    if tables.price.functions and tables.one.function[index] != tables.other.function[index_other]:
        differences += 1
    if tables.one.lexeme[index] != tables.other.lexeme[index_other]:
        differences += 1
    if tables.price.whole and differences > 0:
        differences = EDIT
    return differences


@cython.cfunc
@cython.nogil
def fill_first(
    side: EditedTrees, begin: cython.Py_ssize_t, size: cython.Py_ssize_t, first: Int32Output, top: Int32Output
) -> cython.void:
    """Number the constituents: index ``i`` has the number ``size - 1 - i``; see ``Tables``."""
    for number in range(size):
        first[number] = cython.cast(cython.int, number)
    for index in range(size - 1, 0, -1):
        above: cython.Py_ssize_t = side.parent[begin + index]
        if first[size - 1 - index] < first[size - 1 - above]:
            first[size - 1 - above] = first[size - 1 - index]
    for number in range(size):
        top[first[number]] = cython.cast(cython.int, number)


@cython.cfunc
@cython.nogil
def next_pair(lists: Lists, begun: Int32Output, depth: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Continue a walk to its next pair, on top of the stack; return the stack's height, 0 at the end."""
    while depth > 0:
        top: cython.Py_ssize_t = begun[depth - 1]
        if top < 0:
            return depth
        depth -= 1
        if top != NO_PAIRS:
            begun[depth] = lists.right[top]
            begun[depth + 1] = cython.cast(cython.int, -1 - top)
            begun[depth + 2] = lists.left[top]
            depth += 3
    return 0


@cython.cfunc
@cython.nogil
def is_before(lists: Lists, one: cython.int, other: cython.int) -> cython.bint:
    """Return whether a list of pairs is less than another, as Python orders tuples."""
    depth: cython.Py_ssize_t = 1
    depth_other: cython.Py_ssize_t = 1
    lists.begun[0], lists.begun_other[0] = one, other
    while True:
        # Skip the common beginning.
        while depth > 0 and depth_other > 0 and lists.begun[depth - 1] == lists.begun_other[depth_other - 1]:
            depth -= 1
            depth_other -= 1
        depth = next_pair(lists, lists.begun, depth)
        depth_other = next_pair(lists, lists.begun_other, depth_other)
        if depth == 0 or depth_other == 0:
            return depth == 0 and depth_other > 0
        own_list, found_other = -1 - lists.begun[depth - 1], -1 - lists.begun_other[depth_other - 1]
        before: cython.bint = lists.one[own_list] < lists.one[found_other]
        if before or lists.one[own_list] != lists.one[found_other]:
            return before
        before = lists.other[own_list] < lists.other[found_other]
        if before or lists.other[own_list] != lists.other[found_other]:
            return before
        depth -= 1
        depth_other -= 1


def align_trees(
    one: EditedTrees,
    other: EditedTrees,
    price: EditPrice,
    edits: Edits,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Find the edits of the sentences ``first`` to ``last - 1``."""
    longest: cython.Py_ssize_t = np.diff(one.offsets[first : last + 1]).max(initial=1)
    longest_other: cython.Py_ssize_t = np.diff(other.offsets[first : last + 1]).max(initial=1)
    tables = EditTables(one, other, price, longest, longest_other)
    lists = Lists(min(longest, longest_other))
    with cython.nogil:
        for sentence in range(first, last):
            begin, begin_other = one.offsets[sentence], other.offsets[sentence]
            size, size_other = one.offsets[sentence + 1] - begin, other.offsets[sentence + 1] - begin_other
            if (size + 1) * (size_other + 1) > tables.cost.shape[0]:
                with cython.gil:
                    tables.grow((size + 1) * (size_other + 1))
            fill_first(one, begin, size, tables.first, tables.top)
            fill_first(other, begin_other, size_other, tables.first_other, tables.top_other)
            tables.begin, tables.begin_other = begin, begin_other
            tables.size, tables.size_other = size, size_other
            lists.used = 1
            tables.pairs[: (size + 1) * (size_other + 1)] = NO_PAIRS
            tables.inner_pairs[: (size + 1) * (size_other + 1)] = NO_PAIRS
            for root in range(size):
                if tables.top[tables.first[root]] == root:
                    for root_other in range(size_other):
                        if tables.top_other[tables.first_other[root_other]] == root_other:
                            fill_table(tables, lists, root, root_other)
            list_pairs(tables, lists, edits, sentence)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def fill_table(
    tables: EditTables, lists: Lists, root: cython.Py_ssize_t, root_other: cython.Py_ssize_t
) -> cython.int:
    """Fill in all pairs of forests that begin at the first leaves of two constituents and end at these.

    Row ``r`` and column ``c`` hold the forests before the numbers ``r`` and ``c``. An error of memory must
    come through: without it the loop would write past the lists.
    """
    width, lowest = tables.size_other + 1, tables.first[root]
    lowest_other: cython.Py_ssize_t = tables.first_other[root_other]
    for row in range(lowest, root + 2):
        look(width)
        if lists.used + width > lists.left.shape[0]:
            drop_lists(tables, lists, (tables.size + 1) * width)
            if 2 * (lists.used + width) > lists.left.shape[0]:
                with cython.gil:
                    lists.grow(4 * (lists.used + width))
        for column in range(lowest_other, root_other + 2):
            cell = row * width + column
            if row == lowest or column == lowest_other:
                insertions = cython.cast(cython.int, column - lowest_other)
                cost = EDIT * (insertions + cython.cast(cython.int, row - lowest))
                pairs = NO_PAIRS
            else:
                # The last tree of the one loses its root, or that of the other is inserted.
                cost = tables.cost[cell - width] + EDIT
                insertions, pairs = tables.insertions[cell - width], tables.pairs[cell - width]
                if comes_before(
                    lists, tables.cost[cell - 1] + EDIT, tables.insertions[cell - 1] + 1, tables.pairs[cell
                    - 1], cost, insertions, pairs,
                ):  # fmt: skip
                    cost, insertions = tables.cost[cell - 1] + EDIT, tables.insertions[cell - 1] + 1
                    pairs = tables.pairs[cell - 1]
                last, last_other = row - 1, column - 1
                left = tables.first[last] * width + tables.first_other[last_other]
                inner = last * width + last_other
                if tables.first[last] == lowest and tables.first_other[last_other] == lowest_other:
                    # Both forests are trees: the forests below their roots are in this table.
                    tables.inner_cost[inner] = tables.cost[inner]
                    tables.inner_insertions[inner] = tables.insertions[inner]
                    tables.inner_pairs[inner] = tables.pairs[inner]
                aligned = price_pair(tables, last, last_other)
                aligned += tables.cost[left] + tables.inner_cost[inner]
                aligned_insertions = tables.insertions[left] + tables.inner_insertions[inner]
                if aligned < cost or (aligned == cost and aligned_insertions <= insertions):
                    lists.left[lists.used] = tables.pairs[left]
                    lists.right[lists.used] = tables.inner_pairs[inner]
                    lists.one[lists.used] = cython.cast(cython.int, last)
                    lists.other[lists.used] = cython.cast(cython.int, last_other)
                    if comes_before(
                        lists, aligned, aligned_insertions, cython.cast(cython.int, lists.used),
                        cost, insertions, pairs,
                    ):  # fmt: skip
                        cost, insertions = aligned, aligned_insertions
                        pairs = cython.cast(cython.int, lists.used)
                        lists.used += 1
            tables.cost[cell], tables.insertions[cell], tables.pairs[cell] = cost, insertions, pairs
    return 0


@cython.cfunc
@cython.nogil
def drop_lists(tables: EditTables, lists: Lists, cells: cython.Py_ssize_t) -> cython.void:
    """Drop the lists that no table needs, and renumber the others in order: parts before the whole."""
    remaining: cython.int = 1
    for item in range(lists.used):
        lists.new_index[item] = 0
    for cell in range(cells):
        lists.new_index[tables.pairs[cell]] = 1
        lists.new_index[tables.inner_pairs[cell]] = 1
    for item in range(lists.used - 1, 0, -1):
        if lists.new_index[item]:
            lists.new_index[lists.left[item]] = 1
            lists.new_index[lists.right[item]] = 1
    lists.new_index[NO_PAIRS] = NO_PAIRS
    for item in range(1, lists.used):
        if lists.new_index[item]:
            lists.left[remaining] = lists.new_index[lists.left[item]]
            lists.right[remaining] = lists.new_index[lists.right[item]]
            lists.one[remaining], lists.other[remaining] = lists.one[item], lists.other[item]
            lists.new_index[item] = remaining
            remaining += 1
    for cell in range(cells):
        tables.pairs[cell] = lists.new_index[tables.pairs[cell]]
        tables.inner_pairs[cell] = lists.new_index[tables.inner_pairs[cell]]
    lists.used = remaining


@cython.cfunc
@cython.nogil
def comes_before(
    lists: Lists,
    cost: cython.int,
    insertions: cython.int,
    pairs: cython.int,
    other_cost: cython.int,
    other_insertions: cython.int,
    other_pairs: cython.int,
) -> cython.bint:
    """Return whether edits are preferred to others of the same forests.

    Deletions and the price of the aligned pairs follow from the cost and the insertions.
    """
    if cost != other_cost:
        return cost < other_cost
    if insertions != other_insertions:
        return insertions < other_insertions
    return is_before(lists, pairs, other_pairs)


@cython.cfunc
@cython.nogil
def list_pairs(tables: EditTables, lists: Lists, edits: Edits, sentence: cython.Py_ssize_t) -> cython.void:
    """Write the cost of the two whole trees, and the aligned constituents."""
    cell: cython.Py_ssize_t = tables.size * (tables.size_other + 1) + tables.size_other
    depth: cython.Py_ssize_t = 1
    count: cython.int = 0
    edits.cost[sentence], edits.insertions[sentence] = tables.cost[cell], tables.insertions[cell]
    lists.begun[0] = tables.pairs[cell]
    depth = next_pair(lists, lists.begun, depth)
    while depth > 0:
        pair_list = -1 - lists.begun[depth - 1]
        edits.one[tables.begin + count] = cython.cast(cython.int, tables.size - 1 - lists.one[pair_list])
        edits.other[tables.begin + count] = cython.cast(
            cython.int, tables.size_other - 1 - lists.other[pair_list]
        )
        count += 1
        depth = next_pair(lists, lists.begun, depth - 1)
    edits.pairs[sentence] = count
