"""Tree distance: the edits that turn one ordered, labelled tree into another.

Zhang, Kaizhong and Dennis Shasha (1989): Simple Fast Algorithms for the Editing Distance between Trees
and Related Problems. SIAM Journal on Computing 18(6). Inserting or deleting a node costs 1, giving it
another label at most 1. The similarity is Dice's, as in Emms (2008): Tree Distance and some other
Variants of Evalb (LREC), and in disco-dop's ``treedisteval``.

A sentence may have several roots and loose words: they are compared as if under one root that both
sides have. Children are ordered by their first word, so discontinuous trees are compared as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from crossbank.metrics.counting.brackets import node_tokens
from crossbank.metrics.counting.counts import Column, Counts, Measure, ratio
from crossbank.metrics.counting.metric import Item
from crossbank.metrics.edits.costed_metric import CostedMetric
from crossbank.metrics.edits.edit_distance import check_edits
from crossbank.metrics.edits.symbols import PriceMatrix, Prices, replacements, single, symbols
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array

Distances: TypeAlias = NDArray[np.float64]
"""One number for each pair of a node of gold and a node of the candidate, in post-order."""


@dataclass(frozen=True)
class TreeDistance(CostedMetric):
    """The similarity of trees, and their mean distance.

    cost           of giving a node another label, out of 2: ``exact`` (2, which is one edit),
                   ``first_letter`` (0.5 where the first characters are the same), or a file with a
                   table (see ``metrics.edits.costs``)
    function_cost  edits for a label that is right but for its function (``NP-SBJ`` and ``NP``), from
                   0 to 1; ``none`` compares labels as they stand
    leaves         ``words``; ``tags``: a word's tag and position, as in disco-dop; or ``none``
    """

    function_cost: float | None = None
    leaves: Literal["words", "tags", "none"] = "words"

    name: ClassVar[str] = "tree_distance"
    version: ClassVar[str] = "1.0"
    view: ClassVar[str] = "constituents"
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "similarity",
            lambda sums: 1 - ratio(sums["distance"], sums["gold"] + sums["candidate"]),
            "1 - distance / nodes and leaves of both trees",
        ),
        Measure(
            "distance",
            lambda sums: ratio(sums["distance"], sums["rows"]),
            "edits that turn the candidate's tree into gold's / sentences",
            share=False,
            better="less",
        ),
    )

    def __post_init__(self) -> None:
        """Check the costs. Raises OptionError or CrossbankError where one is wrong."""
        super().__post_init__()
        check_edits("function_cost", self.function_cost)

    def counts(self, pair: Pair) -> Counts:
        """The distance, and the sizes of both trees; gold's own size where a sentence is not scored."""
        self.require_view(pair)
        gold, candidate, prices = self._sides(pair)
        size, other = gold.sizes(), np.where(pair.scored, candidate.sizes(), 0)
        distance = np.where(pair.scored, distances(gold, candidate, pair.scored, prices), size)
        return Counts(
            self.signature(pair),
            self.measures,
            pair.sentence_ids(),
            pair.status,
            {"gold": size.astype(float), "candidate": other.astype(float), "distance": distance},
        )

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """The nodes of gold with those that stand for them in the candidate, then those without any."""
        one = pair.select([sentence])
        gold, candidate, prices = self._sides(one)
        partner = np.full(len(gold.label), -1, np.int32)
        if one.scored[0]:
            map_nodes(gold, candidate, prices, partner)
        label, other = (bank.vocabulary.decode(bank.nodes.label) for bank in (one.gold, one.candidate))
        replaced = replaced_symbols(gold.label, candidate.label, prices)
        tokens = node_tokens(one.gold)
        found = []
        for node, at in enumerate(partner.tolist()):
            cost = float(replaced[node, at]) if at >= 0 else 1.0
            found.append(
                Item(
                    kind="node",
                    label=label[node],
                    tokens=tokens[node],
                    side="both" if at >= 0 else "gold",
                    matched=cost == 0,
                    score=1 - cost,
                    gold=label[node],
                    candidate=other[at] if at >= 0 else "",
                )
            )
        if not one.scored[0]:
            return found
        tokens = node_tokens(one.candidate)
        return found + [
            Item("node", other[node], tokens[node], "candidate", False, 0.0, candidate=other[node])
            for node in sorted(set(range(len(other))) - set(partner.tolist()))
        ]

    def _sides(self, pair: Pair) -> tuple[Side, Side, Prices]:
        names = symbols(pair, cost=self.cost, table=self.table, function_cost=self.function_cost)
        gold_leaf, candidate_leaf = names.gold_word, names.candidate_word
        if self.leaves == "tags":
            # Two numbers for each position: one for the candidate's tag, one for another tag of gold.
            gold_leaf, candidate_leaf = (
                -1 - 2 * bank.tokens.places() for bank in (pair.gold, pair.candidate)
            )
            gold_leaf -= pair.aligned(names.candidate_tag, -1) != names.gold_tag
        leaves = self.leaves != "none"
        return (
            _side(pair.gold, names.gold_label, gold_leaf, leaves),
            _side(pair.candidate, names.candidate_label, candidate_leaf, leaves),
            names.prices,
        )


class Side(NamedTuple):
    """The trees of one side.

    token_offsets, token_parent  as in ``Treebank.tokens``
    offsets, parent, start       of nodes, as in ``Treebank.nodes`` and its spans
    label, leaf                  symbols of nodes and tokens (``metrics.edits.symbols``)
    leaves                       whether tokens are leaves of the trees
    """

    token_offsets: Int64Array
    token_parent: Int32Array
    offsets: Int64Array
    parent: Int32Array
    start: Int32Array
    label: Int32Array
    leaf: Int32Array
    leaves: bool

    def sizes(self) -> Int64Array:
        """Nodes and leaves of each sentence, shape ``(sentences,)``."""
        return np.diff(self.offsets) + (np.diff(self.token_offsets) if self.leaves else 0)


def _side(bank: Treebank, label: Int32Array, leaf: Int32Array, leaves: bool) -> Side:
    tokens, nodes = bank.tokens, bank.nodes
    return Side(
        tokens.offsets, tokens.parent, nodes.offsets, nodes.parent, bank.spans.start, label, leaf, leaves
    )


class Tree(NamedTuple):
    """A tree in post-order: a node stands behind its subtree, whose nodes are neighbours.

    symbol    of each node; the common root of both sides, ``COMMON_ROOT``, is the last
    leftmost  the first leaf below each node, which is where its subtree begins
    node      which node of the sentence it is, or -1
    keyroots  the last nodes of those that have the same first leaf: the root of the tree, and every
              node with an elder sibling
    """

    symbol: Int32Array
    leftmost: Int32Array
    node: Int32Array
    keyroots: Int32Array


COMMON_ROOT = -(2**31)
"""The symbol of the root that both sides have above all others; no word has it."""


@njit(cache=True, nogil=True)
def lay_out(side: Side, sentence: int, mirrored: bool) -> Tree:
    """The tree of a sentence in post-order; ``mirrored``, with the children of each node reversed."""
    begin, end = side.token_offsets[sentence], side.token_offsets[sentence + 1]
    base, stop = side.offsets[sentence], side.offsets[sentence + 1]
    subtree = np.ones(stop - base, np.int32)
    if side.leaves:
        for token in range(begin, end):
            if side.token_parent[token] >= 0:
                subtree[side.token_parent[token]] += 1
    for node in range(stop - base - 1, -1, -1):
        if side.parent[base + node] >= 0:
            subtree[side.parent[base + node]] += subtree[node]
    total = stop - base + 1 + (end - begin if side.leaves else 0)
    symbol, leftmost = np.empty(total, np.int32), np.empty(total, np.int32)
    origin = np.full(total, -1, np.int32)
    symbol[total - 1], leftmost[total - 1] = COMMON_ROOT, 0
    # Where the next child of each node goes, and last, of the common root: children fill their parent's
    # part of the order from its beginning, or from its end.
    free = np.empty(stop - base + 1, np.int32)
    free[stop - base] = total - 1 if mirrored else 0
    node = 0
    for token in range(begin, end):
        while base + node < stop and side.start[base + node] == token - begin:
            above = side.parent[base + node] if side.parent[base + node] >= 0 else stop - base
            size = subtree[node]
            if mirrored:
                free[above] -= size
                first = free[above]
                free[node] = first + size - 1
            else:
                first = free[above]
                free[above] += size
                free[node] = first
            symbol[first + size - 1] = side.label[base + node]
            leftmost[first + size - 1] = first
            origin[first + size - 1] = node
            node += 1
        if side.leaves:
            above = side.token_parent[token] if side.token_parent[token] >= 0 else stop - base
            if mirrored:
                free[above] -= 1
            symbol[free[above]] = side.leaf[token]
            leftmost[free[above]] = free[above]
            if not mirrored:
                free[above] += 1
    seen = np.zeros(total, np.bool_)
    keyroots = np.empty(total, np.int32)
    found = total
    for place in range(total - 1, -1, -1):
        if not seen[leftmost[place]]:
            seen[leftmost[place]] = True
            found -= 1
            keyroots[found] = place
    return Tree(symbol, leftmost, origin, keyroots[found:])


@njit(cache=True, nogil=True)
def lay_out_both(gold: Side, candidate: Side, sentence: int) -> tuple[Tree, Tree]:
    """Both trees as they stand or both mirrored, whichever is less work: the distance is the same.

    Right-branching trees have large subtrees under keyroots, left-branching ones have small ones.
    """
    a, b = lay_out(gold, sentence, False), lay_out(candidate, sentence, False)
    c, d = lay_out(gold, sentence, True), lay_out(candidate, sentence, True)
    if below_keyroots(c) * below_keyroots(d) < below_keyroots(a) * below_keyroots(b):
        return c, d
    return a, b


@njit(cache=True, nogil=True)
def below_keyroots(tree: Tree) -> int:
    """The nodes in the subtrees of all keyroots together."""
    found = 0
    for root in tree.keyroots:
        found += root - tree.leftmost[root] + 1
    return found


@njit(cache=True, nogil=True)
def distances(gold: Side, candidate: Side, scored: BoolArray, prices: Prices) -> Column:
    """The tree distance of every sentence, shape ``(sentences,)``; 0 where it is not scored."""
    result = np.zeros(len(scored), np.float64)
    for sentence in range(len(scored)):
        if scored[sentence]:
            a, b = lay_out_both(gold, candidate, sentence)
            if not same(a, b):
                replaced = replaced_symbols(a.symbol, b.symbol, prices)
                result[sentence] = subtree_distances(a, b, replaced)[-1, -1]
    return result


@njit(cache=True, nogil=True)
def replaced_symbols(a: Int32Array, b: Int32Array, prices: Prices) -> PriceMatrix:
    """What it costs to put each symbol of one tree in the place of each of the other."""
    replaced: PriceMatrix = replacements(single(a), 0, len(a), single(b), 0, len(b), prices)
    return replaced


@njit(cache=True, nogil=True)
def same(a: Tree, b: Tree) -> bool:
    """Whether two trees are one and the same: then there is nothing to compute."""
    if len(a.symbol) != len(b.symbol):
        return False
    for place in range(len(a.symbol)):
        if a.symbol[place] != b.symbol[place] or a.leftmost[place] != b.leftmost[place]:
            return False
    return True


@njit(cache=True, nogil=True)
def subtree_distances(a: Tree, b: Tree, replaced: PriceMatrix) -> Distances:
    """The distance of every subtree of one tree to every subtree of the other."""
    trees = np.empty((len(a.symbol), len(b.symbol)), np.float64)
    forests = np.empty((len(a.symbol) + 1, len(b.symbol) + 1), np.float64)
    leaf_distances(a, b, replaced, trees)
    leaf_distances(b, a, replaced.T, trees.T)
    for i in a.keyroots:
        if a.leftmost[i] < i:
            for j in b.keyroots:
                if b.leftmost[j] < j:
                    forest_distances(a, i, b, j, replaced, trees, forests)
    return trees


@njit(cache=True, nogil=True)
def leaf_distances(a: Tree, b: Tree, replaced: PriceMatrix, trees: Distances) -> None:
    """Fill in the distance of every leaf of one tree to every subtree of the other.

    The leaf stands for the node of the subtree that it is most like, all others are inserted. Half of
    all keyroots are leaves, and this is all that there is to do for them.
    """
    leftmost = b.leftmost
    for leaf in range(len(a.symbol)):
        if a.leftmost[leaf] != leaf:
            continue
        for root in range(len(leftmost)):
            best = replaced[leaf, root]
            child = root - 1
            while child >= leftmost[root]:
                best = min(best, trees[leaf, child] - (child - leftmost[child]))
                child = leftmost[child] - 1
            trees[leaf, root] = best + root - leftmost[root]


@njit(cache=True, nogil=True)
def forest_distances(
    a: Tree, i: int, b: Tree, j: int, replaced: PriceMatrix, trees: Distances, forests: Distances
) -> None:
    """Fill in the distances of what stands before each place in two subtrees (``forests``).

    What stands before a place is a forest. Where both are single trees, their distance is noted in
    ``trees``, and later forests use it.
    """
    first, other = a.leftmost[i], b.leftmost[j]
    leftmost = b.leftmost
    width = j - other + 2
    for y in range(width):
        forests[0, y] = y
    for x in range(1, i - first + 2):
        node = first + x - 1
        before = a.leftmost[node] - first
        forests[x, 0] = x
        for y in range(1, width):
            opposite = other + y - 1
            before_opposite = leftmost[opposite] - other
            best = min(forests[x - 1, y], forests[x, y - 1]) + 1
            if before == 0 and before_opposite == 0:
                best = min(best, forests[x - 1, y - 1] + replaced[node, opposite])
                trees[node, opposite] = best
            else:
                best = min(best, forests[before, before_opposite] + trees[node, opposite])
            forests[x, y] = best


@njit(cache=True, nogil=True)
def map_nodes(gold: Side, candidate: Side, prices: Prices, partner: Int32Array) -> None:
    """Note for each node of gold, in a pair of one sentence, the candidate's that stands for it, or -1.

    The cheapest edits are followed backwards, subtree by subtree.
    """
    a, b = lay_out_both(gold, candidate, 0)
    replaced = replaced_symbols(a.symbol, b.symbol, prices)
    trees = subtree_distances(a, b, replaced)
    forests = np.empty((len(a.symbol) + 1, len(b.symbol) + 1), np.float64)
    waiting = [(len(a.symbol) - 1, len(b.symbol) - 1)]
    while waiting:
        i, j = waiting.pop()
        forest_distances(a, i, b, j, replaced, trees, forests)
        first, other = a.leftmost[i], b.leftmost[j]
        x, y = i - first + 1, j - other + 1
        while x > 0 and y > 0:
            node, opposite = first + x - 1, other + y - 1
            before, before_opposite = a.leftmost[node] - first, b.leftmost[opposite] - other
            if forests[x, y] == forests[x - 1, y] + 1:
                x -= 1
            elif forests[x, y] == forests[x, y - 1] + 1:
                y -= 1
            elif before == 0 and before_opposite == 0:
                if a.node[node] >= 0:
                    partner[a.node[node]] = b.node[opposite]
                x -= 1
                y -= 1
            else:
                waiting.append((node, opposite))
                x, y = before, before_opposite
