"""Breakdowns of dependencies: by relation, tag, position of the head, projectivity.

Relations with and without attachment, and the direction and distance of heads, are those of the report of
``eval07.pl`` (Buchholz and Marsi 2006, section 5). Precision and recall of right heads in each range of
distance follow McDonald and Nivre (2007): Characterizing the Errors of Data-Driven Dependency Parsing Models.
``metrics.arcs.tree_shape`` says which arcs are not projective. Places and heads are counted from 0.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.arcs.tree_shape import nonprojective
from crossbank.metrics.counting.counts import Column, Measure, Parts, harmonic_mean, share
from crossbank.metrics.counting.items import NOTHING, Compared, Kinds, Tally, by_kind, confusions
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import ROOT, UNATTACHED
from crossbank.treebanks.arrays import BoolArray, Int32Array

DIRECTIONS = ("to_root", "left", "right", "self")
DISTANCES = ("to_root", "1", "2", "3-6", "7-...")
"""Bins of the direction and the distance of a word's head."""

LONGEST = (1, 2, 6)
"""The longest distance in each bin after ``to_root``; the last has no end."""

PROJECTIVITY = ("projective", "non-projective")

OF_ARCS = ("relation", "pos", "direction", "distance", "projectivity", "confusion")
OF_UNLABELLED_ARCS = ("gold_relation", "pos", "direction", "distance", "projectivity")
"""Breakdowns in which the words of a candidate without relations are listed under gold's relations."""

TREES = "tree"

TITLES = {
    "pos": "tag",
    "gold_relation": "gold's relation",
    "direction": "direction of the head",
    "distance": "distance of the head",
    "projectivity": "projectivity of the arc",
    TREES: "projectivity of the tree",
}
"""The headings of the kinds of parts in reports."""


PRECISION, RECALL = share("right", "candidate", "gold"), share("matched", "gold", "candidate")

BY_KIND: tuple[Measure, ...] = (
    Measure("precision", PRECISION, "right triples of the kind / triples of the kind in the candidate"),
    Measure("recall", RECALL, "right triples of the kind / triples of the kind in gold"),
    Measure("f1", harmonic_mean(PRECISION, RECALL), "harmonic mean of precision and recall"),
    Measure(
        "kind_precision",
        share("alike", "candidate", "gold"),
        "words of the kind on both sides, whatever their head / words of the kind in the candidate",
        title="Prec. without head",
    ),
    Measure(
        "kind_recall",
        share("alike", "gold", "candidate"),
        "words of the kind on both sides, whatever their head / words of the kind in gold",
        title="Rec. without head",
    ),
)
"""The measures of a kind that gold and candidate may give to different words."""


def parts_of_arcs(part: str, comparison: Compared) -> Parts:
    """Return the counts of words (``Dependencies``) by the kind of their dependencies, one of the above.

    The candidate's triples (``candidate``), and those among them that gold has too (``right``), are counted
    under the candidate's kind; all else is counted under gold's. ``alike`` counts the words of the same kind
    on both sides.
    """
    pair, words = comparison.pair, {name: amount for name, (_, amount) in comparison.amounts.items()}
    kinds = kinds_of(part, pair, words)
    offsets = pair.gold.tokens.offsets
    alike = words["gold"] & words["candidate"] & (kinds.gold == kinds.candidate)
    tallies = {
        name: Tally(offsets, kinds.candidate if name == "candidate" else kinds.gold, amount)
        for name, amount in words.items()
    }
    tallies |= {
        "alike": Tally(offsets, kinds.gold, alike),
        "right": Tally(offsets, kinds.candidate, words["matched"]),
    }
    return by_kind(tallies, kinds.name, ordered=kinds.ordered)


def kinds_of(part: str, pair: Pair, words: Mapping[str, BoolArray]) -> Kinds:
    """Return the kind that each side gives to each word under one of the breakdowns above."""
    gold, candidate = pair.gold.tokens, pair.candidate.tokens
    relations = gold.relation, pair.aligned(pair.candidate_codes(candidate.relation), 0)
    if part == "relation":
        return Kinds(*relations, pair.string)
    if part == "gold_relation":
        return Kinds(gold.relation, gold.relation, pair.string)
    if part == "pos":
        return Kinds(gold.pos, gold.pos, pair.string)
    if part == "confusion":
        return _confusion(pair, words, *relations)
    if part == "projectivity":
        own, other = (nonprojective(s.offsets, s.head).astype(np.int32) for s in (gold, candidate))
        return Kinds(own, pair.aligned(other, 0), PROJECTIVITY.__getitem__, ordered=True)
    positions = gold.places()
    heads = gold.head, pair.aligned(candidate.head, UNATTACHED)
    bins, bin_of = (DIRECTIONS, directions) if part == "direction" else (DISTANCES, distances)
    return Kinds(bin_of(heads[0], positions), bin_of(heads[1], positions), bins.__getitem__, ordered=True)


def _confusion(pair: Pair, words: Mapping[str, BoolArray], gold: Int32Array, candidate: Int32Array) -> Kinds:
    """Pairs of gold's and the candidate's relation, of the words that have a head on at least one side."""
    # The first code stands for words without a head.
    codes = np.where(words["gold"], gold + 1, 0), np.where(words["candidate"], candidate + 1, 0)
    return confusions(codes, codes, lambda code: pair.string(code - 1) if code else NOTHING)


def parts_of_trees(pair: Pair, columns: Mapping[str, Column]) -> Parts:
    """Return the counts of sentences by whether gold's tree is projective; ``rows`` is their number."""
    offsets = pair.gold.tokens.offsets
    crossing = np.zeros(len(pair), np.int32)
    arcs = nonprojective(offsets, pair.gold.tokens.head)
    crossing[pair.gold.tokens.sentence_of_row()[arcs]] = 1
    sentences = np.arange(len(pair) + 1)
    amounts = {"rows": np.ones(len(pair)), **columns}
    return by_kind(
        {name: Tally(sentences, crossing, amount) for name, amount in amounts.items()},
        PROJECTIVITY.__getitem__,
        ordered=True,
    )


def directions(head: NDArray[np.number], position: NDArray[np.integer]) -> Int32Array:
    """Direction of each word's head, as a place in ``DIRECTIONS``; all arrays have shape ``(words,)``."""
    return np.select([head == ROOT, head < position, head > position], [0, 1, 2], 3).astype(np.int32)


def distances(head: NDArray[np.number], position: NDArray[np.integer]) -> Int32Array:
    """Distance of each word's head, as a place in ``DISTANCES``; 1 for a word that is its own head."""
    away = 1 + np.searchsorted(LONGEST, np.abs(head - position))
    return np.where(head == ROOT, 0, away).astype(np.int32)
