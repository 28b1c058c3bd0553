"""Brackets of two analyses of the same words: which match, and which cross.

A bracket is a node's label and its yield, the set of tokens that it dominates. Nodes are in
pre-order, so brackets are sorted by their first token, and those that begin at the same token
contain one another, the larger first. Two sorted lists are merged in one pass, and no bracket is
ever compared with all others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from crossbank.metrics.counting.items import Compared, ItemDescription, ItemKeys, Items, SideName
from crossbank.metrics.loops import bracket_matching as loops
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, UInt64Array
from crossbank.treebanks.ranges import in_ranges

UNCOUNTED = -1
"""The label of a node that is not a bracket: it is not counted, not matched and not crossed."""


class Brackets(NamedTuple):
    """Nodes of a treebank under the labels by which they are compared; columns of shape ``(nodes,)``.

    label        code of a vocabulary that both sides share, or ``UNCOUNTED``
    fingerprint  of nodes with gaps: a number that stands for the set of tokens
    """

    bank: Treebank
    label: Int32Array
    fingerprint: UInt64Array

    def columns(self) -> loops.Brackets:
        """Return the brackets as the loops see them."""
        forest, spans = self.bank.forest, self.bank.spans
        return loops.Brackets(forest, spans.start, spans.end, spans.size, self.label, self.fingerprint)


def brackets(bank: Treebank, label: Int32Array) -> Brackets:
    """Return the brackets of a treebank under labels of shape ``(nodes,)``."""
    fingerprint = np.zeros(len(bank.nodes), np.uint64)
    if bank.spans.has_gaps:
        longest = int(bank.tokens.lengths().max())
        numbers = np.random.default_rng(0).integers(0, 2**64, longest, np.uint64)
        loops.mark_sets(bank.forest, numbers, fingerprint)
    return Brackets(bank, label, fingerprint)


def both_sides(
    pair: Pair, compared: Callable[[Treebank, Int32Array], Int32Array]
) -> tuple[Brackets, Brackets]:
    """Brackets of gold and candidate; ``compared`` makes of labels, in codes of both, what is compared."""
    gold, candidate = pair.gold, pair.candidate
    codes = pair.candidate_codes(candidate.nodes.label)
    return brackets(gold, compared(gold, gold.nodes.label)), brackets(candidate, compared(candidate, codes))


def codes_of_labels(*sides: Brackets) -> int:
    """Return one more than the highest code of a label."""
    return 1 + max(int(side.label.max(initial=0)) for side in sides)


def without_duplicates(side: Brackets) -> Brackets:
    """Return the brackets as a set: only the highest of those with the same label and tokens."""
    label = side.label.copy()
    loops.drop_duplicates(side.bank.forest, side.bank.spans.size, label, codes_of_labels(side))
    return side._replace(label=label)


def matching(gold: Brackets, candidate: Brackets, scored: BoolArray) -> BoolArray:
    """A mask of the candidate's brackets that gold has too. Each bracket of gold is matched once.

    Brackets over the same tokens form a unary chain on either side; of the candidate's chain those are
    matched whose label is still waiting in gold's. This is the intersection of multisets of label and yield.
    Shape ``(candidate nodes,)``.
    """
    labels = codes_of_labels(gold, candidate)
    matched = np.zeros(len(candidate.label), np.bool_)
    both = loops.Both(gold.columns(), candidate.columns(), scored)
    in_ranges(lambda first, last: loops.match(both, labels, matched, first, last), len(scored))
    return matched


def crossing(gold: Brackets, candidate: Brackets, scored: BoolArray) -> BoolArray:
    """A mask of the candidate's brackets that cross one of gold: they overlap, neither contains the other.

    Shape ``(candidate nodes,)``.
    """
    crosses = np.zeros(len(candidate.label), np.bool_)
    both = loops.Both(gold.columns(), candidate.columns(), scored)
    in_ranges(lambda first, last: loops.mark_crossing(both, crosses, first, last), len(scored))
    return crosses


def node_tokens(bank: Treebank) -> list[tuple[int, ...]]:
    """Return the tokens of every node of a treebank of one sentence, in order."""
    first, order = loops.tokens_of_nodes(brackets(bank, bank.nodes.label).columns())
    return [
        tuple(sorted(order[begin : begin + size].tolist()))
        for begin, size in zip(first.tolist(), bank.spans.size.tolist(), strict=False)
    ]


def compared_brackets(
    pair: Pair,
    gold: Brackets,
    candidate: Brackets,
    also_counted: Mapping[str, tuple[SideName, BoolArray]] | None = None,
    *,
    once: bool = False,
) -> Compared:
    """Return the brackets of gold and candidate as items, by label.

    once  whether only one of several equal brackets is matched, though all of them are counted
    """

    def items(side: Brackets, counted: BoolArray) -> Items:
        bank, nodes = side.bank, side.bank.nodes

        def describe(node: int) -> ItemDescription:
            tokens = bank.derived("node_tokens", partial(node_tokens, bank))
            return ItemDescription(bank.vocabulary[int(nodes.label[node])], tokens[node])

        key = without_duplicates(side) if once else side
        return Items(nodes.offsets, key, counted, describe, np.arange(len(counted)))

    def match(left: Items, right: Items) -> BoolArray:
        return matching(left.key, right.key, pair.scored)

    def labels() -> ItemKeys:
        return ItemKeys(pair.gold.nodes.label, pair.candidate_codes(pair.candidate.nodes.label), pair.string)

    scored = np.repeat(pair.scored, pair.candidate.nodes.lengths())
    return Compared(
        pair,
        items(gold, gold.label >= 0),
        items(candidate, scored & (candidate.label >= 0)),
        {"label": labels},
        also_counted or {},
        match=match,
        losing="nodes",
    )
