"""Leaf-ancestor: how alike the lineages of each word are.

Sampson, Geoffrey and Anna Babarczy (2003): A Test of the Leaf-Ancestor Metric for Parse Accuracy.
Natural Language Engineering 9(4), sections 2 and 4. A word's lineage is the sequence of labels from
its parent node to the root, with a left bracket before the highest node that begins at the word and
a right bracket behind the highest node that ends at it. A word's score is 1 - d / (c + g), where d is
the edit distance of its lineages and c and g are their lengths.

A discontinuous node begins at its first word and ends at its last, wherever its gaps are. Both
words are in its yield, so both brackets have a place in their lineages, as in trees without gaps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from crossbank.metrics.counting.brackets import UNCOUNTED, Brackets, brackets
from crossbank.metrics.counting.counts import Column, Counts, Measure, Parts, ratio
from crossbank.metrics.counting.metric import Item
from crossbank.metrics.counting.tally import Tally, by_kind, by_sentence
from crossbank.metrics.edits.costed_metric import CostedMetric
from crossbank.metrics.edits.costs import Costs, replacement_costs
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array

LEFT, RIGHT = -1, -2
"""The boundary markers among the codes of labels: no marker is like any label."""

KINDS = ("form", "pos", "label", "construction")
"""By what words are broken down: see ``LeafAncestor.counts``."""


@dataclass(frozen=True)
class LeafAncestor(CostedMetric):
    """The mean similarity of lineages, over sentences and over words.

    cost  of replacing a label by another: ``exact`` (2), ``first_letter`` (0.5 where the first
          characters are the same, else 2), or a file with a table (see ``metrics.edits.costs``)
    root  whether nodes without a parent belong to lineages
    """

    root: bool = True

    name: ClassVar[str] = "leaf_ancestor"
    version: ClassVar[str] = "1.0"
    view: ClassVar[str] = "constituents"
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "mean",
            lambda sums: ratio(sums["mean"], sums["rows"]),
            "mean over sentences of the mean similarity of their words' lineages",
        ),
        Measure(
            "word_mean",
            lambda sums: ratio(sums["similarity"], sums["words"]),
            "mean over all words of the similarity of their lineages",
        ),
    )

    def counts(self, pair: Pair) -> Counts:
        """Words of gold, the sum of their similarities, and the sentence's mean."""
        self.require_view(pair)
        offsets = pair.gold.tokens.offsets
        words = np.diff(offsets).astype(np.float64)
        similarity = by_sentence(offsets, self.similarities(pair))
        columns = {"words": words, "similarity": similarity, "mean": ratio(similarity, words)}
        return Counts(
            self.signature(pair),
            self.measures,
            pair.sentence_ids(),
            pair.status,
            columns,
            {column: partial(self._by, column, pair) for column in KINDS},
        )

    def similarities(self, pair: Pair) -> Column:
        """The score of every word of gold, shape ``(gold tokens,)``; 0 in sentences that are not scored."""
        gold, candidate = self._brackets(pair)
        used = np.zeros(pair.codes, np.bool_)
        used[pair.gold.nodes.label] = used[pair.candidate_codes(pair.candidate.nodes.label)] = True
        costs = replacement_costs(self.cost, self.table, used, pair.string)
        similarities: Column = compare_lineages(gold, candidate, pair.scored, costs)
        return similarities

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """The words of a sentence with both lineages and their score."""
        one = pair.select([sentence])
        scored = bool(one.scored[0])
        gold, candidate = (
            [" ".join(lineage) for lineage in lineages(bank, 0, root=self.root)]
            for bank in (one.gold, one.candidate)
        )
        if not scored:
            candidate = [""] * len(gold)
        return [
            Item(
                kind="word",
                label=word,
                tokens=(place,),
                side="both" if scored else "gold",
                matched=scored and ours == theirs,
                score=score,
                gold=ours,
                candidate=theirs,
            )
            for place, (word, ours, theirs, score) in enumerate(
                zip(one.gold.words(0), gold, candidate, self.similarities(one).tolist(), strict=True)
            )
        ]

    def _brackets(self, pair: Pair) -> tuple[Brackets, Brackets]:
        label = pair.candidate_codes(pair.candidate.nodes.label)
        return (
            brackets(pair.gold, _counted(pair.gold, pair.gold.nodes.label, self.root)),
            brackets(pair.candidate, _counted(pair.candidate, label, self.root)),
        )

    def _by(self, column: str, pair: Pair) -> Parts:
        """By word form, tag, label of the node that the word hangs on, or construction, all of them gold's.

        A construction is that node's label with the node's first word: ``PP of``.
        """
        tokens = pair.gold.tokens
        name: Callable[[int], str] = pair.string
        if column in ("label", "construction"):
            kind, first = _label_and_first_word(pair.gold)
            if column == "construction":
                pairs, which = np.unique(np.stack((kind, first), 1), axis=0, return_inverse=True)
                kind = np.array(which, np.int32).reshape(-1)
                names = [" ".join(filter(None, map(pair.string, codes))) for codes in pairs.tolist()]
                name = names.__getitem__
        else:
            kind = getattr(tokens, column)
        return by_kind(
            {
                "words": Tally(tokens.offsets, kind, np.ones(len(tokens))),
                "similarity": Tally(tokens.offsets, kind, self.similarities(pair)),
            },
            name,
        )


def _label_and_first_word(bank: Treebank) -> tuple[Int32Array, Int32Array]:
    """For every word the label, and the form of the first word, of the node that it hangs on; else 0."""
    tokens, nodes = bank.tokens, bank.nodes
    label, first = np.zeros(len(tokens), np.int32), np.zeros(len(tokens), np.int32)
    hangs = np.flatnonzero(tokens.parent != NO_PARENT)
    node = nodes.parent_rows(tokens)[hangs]
    begin = tokens.begins(tokens)[hangs]
    label[hangs] = nodes.label[node]
    first[hangs] = tokens.form[begin + bank.spans.start[node]]
    return label, first


def _counted(bank: Treebank, label: Int32Array, root: bool) -> Int32Array:
    if root:
        return label
    return np.where(bank.nodes.parent == NO_PARENT, UNCOUNTED, label).astype(np.int32)


def lineages(bank: Treebank, sentence: int, *, root: bool = True) -> list[list[str]]:
    """The lineage of every word of a sentence, from the leaf to the root.

    Those of ``[S [NP two bills ] passed ]`` are ``NP [ S``, ``NP ] S`` and ``S ]``.
    """
    one = bank.select([sentence])
    side = brackets(one, _counted(one, one.nodes.label, root))
    words = len(one.tokens)
    left, right = np.empty(words, np.int32), np.empty(words, np.int32)
    mark_boundaries(side, 0, left, right)
    symbols = np.empty(len(one.nodes) + 2, np.int32)
    markers = {LEFT: "[", RIGHT: "]"}
    found = []
    for word in range(words):
        length = write_lineage(side, 0, word, left[word], right[word], symbols)
        found.append([markers.get(code) or bank.vocabulary[code] for code in symbols[:length].tolist()])
    return found


@njit(cache=True, nogil=True)
def compare_lineages(gold: Brackets, candidate: Brackets, scored: BoolArray, costs: Costs) -> Column:
    """The similarity of both lineages of every word of gold; 0 in sentences that are not scored."""
    similarity = np.zeros(len(gold.token_parent), np.float64)
    words, nodes = 0, 0
    for sentence in range(len(scored)):
        words = max(words, gold.token_offsets[sentence + 1] - gold.token_offsets[sentence])
        nodes = max(nodes, gold.offsets[sentence + 1] - gold.offsets[sentence])
        nodes = max(nodes, candidate.offsets[sentence + 1] - candidate.offsets[sentence])
    gold_left, gold_right = np.empty(words, np.int32), np.empty(words, np.int32)
    candidate_left, candidate_right = np.empty(words, np.int32), np.empty(words, np.int32)
    gold_lineage, candidate_lineage = np.empty(nodes + 2, np.int32), np.empty(nodes + 2, np.int32)
    row = np.empty(nodes + 3, np.float64)
    for sentence in range(len(scored)):
        if not scored[sentence]:
            continue
        mark_boundaries(gold, sentence, gold_left, gold_right)
        mark_boundaries(candidate, sentence, candidate_left, candidate_right)
        begin = gold.token_offsets[sentence]
        for word in range(gold.token_offsets[sentence + 1] - begin):
            g = write_lineage(gold, sentence, word, gold_left[word], gold_right[word], gold_lineage)
            c = write_lineage(
                candidate, sentence, word, candidate_left[word], candidate_right[word], candidate_lineage
            )
            similarity[begin + word] = 1.0
            if g + c > 0:
                distance = edit_distance(gold_lineage[:g], candidate_lineage[:c], costs, row)
                similarity[begin + word] -= distance / (g + c)
    return similarity


@njit(cache=True, nogil=True)
def mark_boundaries(side: Brackets, sentence: int, left: Int32Array, right: Int32Array) -> None:
    """Fill in, for each word of a sentence, the highest node that begins at it and that ends at it, or -1.

    Going backwards through the pre-order, the highest of several such nodes is the last one seen.
    """
    base = side.offsets[sentence]
    words = side.token_offsets[sentence + 1] - side.token_offsets[sentence]
    left[:words] = -1
    right[:words] = -1
    for node in range(side.offsets[sentence + 1] - 1, base - 1, -1):
        if side.label[node] >= 0:
            left[side.start[node]] = node - base
            right[side.end[node] - 1] = node - base


@njit(cache=True, nogil=True)
def write_lineage(
    side: Brackets, sentence: int, word: int, left: int, right: int, lineage: Int32Array
) -> int:
    """Write a word's lineage, labels and markers from leaf to root, and return its length."""
    base = side.offsets[sentence]
    length = 0
    node = side.token_parent[side.token_offsets[sentence] + word]
    while node >= 0:
        if side.label[base + node] >= 0:
            if node == left:
                lineage[length] = LEFT
                length += 1
            lineage[length] = side.label[base + node]
            length += 1
            if node == right:
                lineage[length] = RIGHT
                length += 1
        node = side.parent[base + node]
    return length


@njit(cache=True, nogil=True)
def edit_distance(a: Int32Array, b: Int32Array, costs: Costs, row: NDArray[np.float64]) -> float:
    """The cheapest way from one lineage to the other: insertion and deletion cost 1.

    What both have in common at either end is skipped: as no replacement costs more than a deletion
    and an insertion, nothing is gained by aligning equal ends otherwise. In most words little is
    left. ``row`` is room for ``len(b) + 1`` numbers.
    """
    first = 0
    while first < len(a) and first < len(b) and a[first] == b[first]:
        first += 1
    a_end, b_end = len(a), len(b)
    while a_end > first and b_end > first and a[a_end - 1] == b[b_end - 1]:
        a_end -= 1
        b_end -= 1
    for j in range(first, b_end + 1):
        row[j] = j - first
    for i in range(first, a_end):
        diagonal = row[first]
        row[first] += 1
        for j in range(first, b_end):
            if a[i] == b[j]:
                replaced = diagonal
            elif a[i] < 0 or b[j] < 0:
                replaced = diagonal + 2
            else:
                replaced = diagonal + costs.replace[costs.group[a[i]], costs.group[b[j]]]
            diagonal = row[j + 1]
            row[j + 1] = min(replaced, min(diagonal, row[j]) + 1)
    return float(row[b_end])
