"""Distance of ordered trees by the algorithm of Zhang and Shasha (1989)."""

from __future__ import annotations

# Compiled with -O3: see setup.py.
import cython
import numpy as np
from cython.cimports.crossbank.metrics.loops.replacement_costs import Prices, SymbolTrees, price_symbols
from cython.cimports.crossbank.treebanks.arrays import BoolArray, Float64Output, Int32Output
from cython.cimports.crossbank.treebanks.forest import Forest
from cython.cimports.crossbank.treebanks.loops.interrupts import look

from crossbank.treebanks.memory import require

# From this many nodes on, comparing one with all of the other tree takes long enough to check for signals.
LONG = cython.declare(cython.int, 1000)

COMMON_ROOT = cython.declare(cython.int, -2147483648)
"""The symbol of the root that both sides have above all others; no word has it."""


@cython.dataclasses.dataclass(eq=False, repr=False)
class TreePairs:
    """Trees of both sides, and which sentences are scored."""

    gold: SymbolTrees
    candidate: SymbolTrees
    scored: BoolArray


@cython.cclass
class PostOrderTree:
    """Tree of one sentence in post-order: a node comes after its subtree, whose nodes are neighbours.

    size      the number of nodes and leaves with the common root of both sides, ``COMMON_ROOT``, which is
              the last; the arrays are as long as the largest tree of some sentences
    symbol    of each node
    leftmost  the first leaf below each node, which is where its subtree begins
    node      which node of the sentence it is, or -1
    keyroots  the last nodes of those that have the same first leaf: the root of the tree, and every
              node with an elder sibling
    roots     the number of keyroots
    work      the number of nodes in the subtrees of all keyroots together
    """

    size: cython.Py_ssize_t
    symbol: Int32Output
    leftmost: Int32Output
    node: Int32Output
    keyroots: Int32Output
    roots: cython.Py_ssize_t
    work: cython.longlong
    subtree: Int32Output
    free: Int32Output

    def __init__(self, largest: int) -> None:
        self.size = self.roots = self.work = 0
        self.symbol, self.leftmost = np.empty(largest, np.int32), np.empty(largest, np.int32)
        self.node, self.keyroots = np.empty(largest, np.int32), np.empty(largest, np.int32)
        self.subtree, self.free = np.empty(largest, np.int32), np.empty(largest, np.int32)


@cython.cfunc
@cython.nogil
def lay_out(
    forest: Forest, side: SymbolTrees, sentence: cython.Py_ssize_t, mirrored: cython.bint, tree: PostOrderTree
) -> cython.void:
    """Fill in the tree of a sentence; ``mirrored``, with the children of each node reversed."""
    begin, base = forest.token_offsets[sentence], forest.node_offsets[sentence]
    words, nodes = forest.tokens(sentence), forest.nodes(sentence)
    total: cython.Py_ssize_t = nodes + 1
    leaves: cython.bint = side.leaf.shape[0] > 0
    if leaves:
        total += words
    for node in range(nodes):
        tree.subtree[node] = 1
    if leaves:
        for token in range(begin, begin + words):
            if forest.token_parent[token] >= 0:
                tree.subtree[forest.token_parent[token]] += 1
    for node in range(nodes - 1, -1, -1):
        if forest.node_parent[base + node] >= 0:
            tree.subtree[forest.node_parent[base + node]] += tree.subtree[node]
    tree.size = total
    for index in range(total):
        tree.node[index] = -1
    tree.symbol[total - 1], tree.leftmost[total - 1] = COMMON_ROOT, 0
    # Where the next child of each node goes, and of the common root, which is the last. Children fill
    # their parent's part of the order from its beginning or, mirrored, from its end.
    tree.free[nodes] = total - 1 if mirrored else 0
    node = 0
    for token in range(words):
        while node < nodes and side.start[base + node] == token:
            above = forest.node_parent[base + node]
            if above < 0:
                above = nodes
            if mirrored:
                tree.free[above] -= tree.subtree[node]
                first: cython.Py_ssize_t = tree.free[above]
                tree.free[node] = first + tree.subtree[node] - 1
            else:
                first = tree.free[above]
                tree.free[above] += tree.subtree[node]
                tree.free[node] = first
            index = first + tree.subtree[node] - 1
            tree.symbol[index], tree.leftmost[index] = side.label[base + node], first
            tree.node[index] = node
            node += 1
        if leaves:
            above = forest.token_parent[begin + token]
            if above < 0:
                above = nodes
            if mirrored:
                tree.free[above] -= 1
            index = tree.free[above]
            tree.symbol[index], tree.leftmost[index] = side.leaf[begin + token], index
            if not mirrored:
                tree.free[above] += 1
    find_keyroots(tree)


@cython.cfunc
@cython.nogil
def find_keyroots(tree: PostOrderTree) -> cython.void:
    """Fill in the keyroots in post-order, their number, and the work for them."""
    last: Int32Output = tree.subtree
    for index in range(tree.size):
        last[tree.leftmost[index]] = index
    tree.roots = 0
    tree.work = 0
    for index in range(tree.size):
        if last[tree.leftmost[index]] == index:
            tree.keyroots[tree.roots] = index
            tree.roots += 1
            tree.work += index - tree.leftmost[index] + 1


@cython.cclass
class DistanceMatrices:
    """Working memory for two trees: both trees, also mirrored, and the matrices of their nodes.

    replaced  the cost of replacing each node of one tree by each of the other
    trees     the distance of the subtrees below each node of one tree and each of the other
    forests   the distance of the forests before each place in two subtrees

    The matrices stand row by row; they are as large as the largest trees so far need.
    """

    gold: PostOrderTree
    candidate: PostOrderTree
    mirrored_gold: PostOrderTree
    mirrored_candidate: PostOrderTree
    replaced: Float64Output
    trees: Float64Output
    forests: Float64Output

    def __init__(self, gold: SymbolTrees, candidate: SymbolTrees, first: int, last: int) -> None:
        largest = 1 + gold.forest.most_tokens(first, last) + gold.forest.most_nodes(first, last)
        self.gold, self.mirrored_gold = PostOrderTree(largest), PostOrderTree(largest)
        largest = 1 + candidate.forest.most_tokens(first, last) + candidate.forest.most_nodes(first, last)
        self.candidate, self.mirrored_candidate = PostOrderTree(largest), PostOrderTree(largest)
        self.grow(1)

    def grow(self, size: int) -> None:
        """Grow to this number of pairs of forests."""
        require(24 * size, "", f"two trees with {size:,} pairs of nodes")
        self.replaced, self.trees = np.empty(size, np.float64), np.empty(size, np.float64)
        self.forests = np.empty(size, np.float64)


def fill_distances(
    both: TreePairs,
    prices: Prices,
    distance: Float64Output,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> None:
    """Fill in the distances of the scored sentences from ``first`` to ``last - 1``."""
    gold, candidate = both.gold, both.candidate
    matrices = DistanceMatrices(gold, candidate, first, last)
    with cython.nogil:
        for sentence in range(first, last):
            if not both.scored[sentence]:
                continue
            lay_out(gold.forest, gold, sentence, False, matrices.gold)
            lay_out(candidate.forest, candidate, sentence, False, matrices.candidate)
            if same(matrices.gold, matrices.candidate):
                distance[sentence] = 0.0
                continue
            mirrored = lay_out_mirrored(gold, candidate, sentence, matrices)
            if (matrices.gold.size + 1) * (matrices.candidate.size + 1) > matrices.forests.shape[0]:
                with cython.gil:
                    matrices.grow((matrices.gold.size + 1) * (matrices.candidate.size + 1))
            if mirrored:
                compare(matrices.mirrored_gold, matrices.mirrored_candidate, prices, matrices)
            else:
                compare(matrices.gold, matrices.candidate, prices, matrices)
            distance[sentence] = matrices.trees[matrices.gold.size * matrices.candidate.size - 1]


@cython.cfunc
@cython.nogil
def lay_out_mirrored(
    gold: SymbolTrees, candidate: SymbolTrees, sentence: cython.Py_ssize_t, matrices: DistanceMatrices
) -> cython.bint:
    """Fill in both mirrored trees. Returns whether comparing them is less work: the distance is the same.

    Right-branching trees have large subtrees under keyroots, left-branching ones have small ones.
    """
    lay_out(gold.forest, gold, sentence, True, matrices.mirrored_gold)
    lay_out(candidate.forest, candidate, sentence, True, matrices.mirrored_candidate)
    return (
        matrices.mirrored_gold.work * matrices.mirrored_candidate.work
        < matrices.gold.work * matrices.candidate.work
    )


@cython.cfunc
@cython.nogil
def same(a: PostOrderTree, b: PostOrderTree) -> cython.bint:
    """Return whether two trees are equal: then there is nothing to compute."""
    if a.size != b.size:
        return False
    for index in range(a.size):
        if a.symbol[index] != b.symbol[index] or a.leftmost[index] != b.leftmost[index]:
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def compare(a: PostOrderTree, b: PostOrderTree, prices: Prices, matrices: DistanceMatrices) -> cython.int:
    """Fill in the distance of every subtree of one tree to every subtree of the other (``trees``)."""
    price_symbols(a.symbol, a.size, b.symbol, b.size, prices, matrices.replaced)
    leaf_distances(a, b, b.size, 1, matrices)
    leaf_distances(b, a, 1, b.size, matrices)
    for i in range(a.roots):
        if a.leftmost[a.keyroots[i]] < a.keyroots[i]:
            look((a.keyroots[i] - a.leftmost[a.keyroots[i]] + 1) * b.size)
            for j in range(b.roots):
                if b.leftmost[b.keyroots[j]] < b.keyroots[j]:
                    forest_distances(a, a.keyroots[i], b, b.keyroots[j], matrices)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def leaf_distances(
    a: PostOrderTree,
    b: PostOrderTree,
    step: cython.Py_ssize_t,
    step_b: cython.Py_ssize_t,
    matrices: DistanceMatrices,
) -> cython.int:
    """Fill in the distance of every leaf of one tree to every subtree of the other.

    The leaf stands for the node of the subtree that it is most like, all others are inserted. Half of
    all keyroots are leaves, and this is all that there is to do for them. ``step`` and ``step_b`` lead
    from a node of ``a``, and of ``b``, to the next one in the matrices.
    """
    for leaf in range(a.size):
        if a.leftmost[leaf] != leaf:
            continue
        row = leaf * step
        if b.size > LONG:
            look(b.size)
        for root in range(b.size):
            best = matrices.replaced[row + root * step_b]
            child = root - 1
            while child >= b.leftmost[root]:
                best = min(best, matrices.trees[row + child * step_b] - (child - b.leftmost[child]))
                child = b.leftmost[child] - 1
            matrices.trees[row + root * step_b] = best + root - b.leftmost[root]
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=False)
def forest_distances(
    a: PostOrderTree, i: cython.Py_ssize_t, b: PostOrderTree, j: cython.Py_ssize_t, matrices: DistanceMatrices
) -> cython.int:
    """Fill in the distances of the forests before each place in two subtrees (``forests``).

    The nodes before a place are a forest. Where both are single trees, their distance is noted in
    ``trees``, and later forests use it.
    """
    first, other = a.leftmost[i], b.leftmost[j]
    width: cython.Py_ssize_t = j - other + 2
    for y in range(width):
        matrices.forests[y] = y
    for x in range(1, i - first + 2):
        if width > LONG:
            look(width)
        row, above = x * width, (x - 1) * width
        before = (a.leftmost[first + x - 1] - first) * width
        pairs = (first + x - 1) * b.size + other - 1
        matrices.forests[row] = x
        for y in range(1, width):
            best = min(matrices.forests[above + y], matrices.forests[row + y - 1]) + 1
            if before == 0 and b.leftmost[other + y - 1] == other:
                best = min(best, matrices.forests[above + y - 1] + matrices.replaced[pairs + y])
                matrices.trees[pairs + y] = best
            else:
                best = min(
                    best,
                    matrices.forests[before + b.leftmost[other + y - 1] - other] + matrices.trees[pairs + y],
                )
            matrices.forests[row + y] = best
    return 0


def map_nodes(gold: SymbolTrees, candidate: SymbolTrees, prices: Prices, partner: Int32Output) -> None:
    """Note for each node of gold, of a pair of one sentence, the candidate's that stands for it.

    The cheapest edits are followed backwards, subtree by subtree.
    """
    matrices = DistanceMatrices(gold, candidate, 0, 1)
    a, b = matrices.gold, matrices.candidate
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    lay_out(gold.forest, gold, 0, False, a)
    lay_out(candidate.forest, candidate, 0, False, b)
    if lay_out_mirrored(gold, candidate, 0, matrices):
        a, b = matrices.mirrored_gold, matrices.mirrored_candidate
    matrices.grow((a.size + 1) * (b.size + 1))
    compare(a, b, prices, matrices)
    waiting = [(a.size - 1, b.size - 1)]
    while waiting:
        i, j = waiting.pop()
        forest_distances(a, i, b, j, matrices)
        first, other = a.leftmost[i], b.leftmost[j]
        width, x, y = j - other + 2, i - first + 1, j - other + 1
        while x > 0 and y > 0:
            node, opposite = first + x - 1, other + y - 1
            before, before_opposite = a.leftmost[node] - first, b.leftmost[opposite] - other
            if matrices.forests[x * width + y] == matrices.forests[(x - 1) * width + y] + 1:
                x -= 1
            elif matrices.forests[x * width + y] == matrices.forests[x * width + y - 1] + 1:
                y -= 1
            elif before == 0 and before_opposite == 0:
                if a.node[node] >= 0:
                    partner[a.node[node]] = b.node[opposite]
                x -= 1
                y -= 1
            else:
                waiting.append((node, opposite))
                x, y = before, before_opposite
