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
from crossbank.metrics.counting.counts import Breakdown, Column, Measure, harmonic_mean, share
from crossbank.metrics.counting.items import NO_NAME, Compared, ItemKeys, Tally, confusions, count_by_key
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
"""The headings of breakdowns in reports."""


PRECISION, RECALL = share("right", "candidate", "gold"), share("matched", "gold", "candidate")

OF_KEYS: tuple[Measure, ...] = (
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
"""The measures of a key that gold and candidate may give to different words."""


def break_down_arcs(breakdown: str, comparison: Compared) -> Breakdown:
    """Return the counts of words (``Dependencies``) in one of the breakdowns above.

    The candidate's triples (``candidate``), and those among them that gold has too (``right``), are counted
    under the candidate's key; all else is counted under gold's. ``alike`` counts the words with the same key
    in gold and candidate.
    """
    pair, words = comparison.pair, {name: amount for name, (_, amount) in comparison.amounts.items()}
    keys = _keys_of_words(breakdown, pair, words)
    offsets = pair.gold.tokens.offsets
    alike = words["gold"] & words["candidate"] & (keys.gold == keys.candidate)
    tallies = {
        name: Tally(offsets, keys.candidate if name == "candidate" else keys.gold, amount)
        for name, amount in words.items()
    }
    tallies |= {
        "alike": Tally(offsets, keys.gold, alike),
        "right": Tally(offsets, keys.candidate, words["matched"]),
    }
    return count_by_key(tallies, keys.name, ordered=keys.ordered)


def _keys_of_words(breakdown: str, pair: Pair, words: Mapping[str, BoolArray]) -> ItemKeys:
    """Return the keys of each word in gold and candidate, in one of the breakdowns above."""
    gold, candidate = pair.gold.tokens, pair.candidate.tokens
    relations = gold.relation, pair.aligned(pair.candidate_codes(candidate.relation), 0)
    if breakdown == "relation":
        return ItemKeys(*relations, pair.string)
    if breakdown == "gold_relation":
        return ItemKeys(gold.relation, gold.relation, pair.string)
    if breakdown == "pos":
        return ItemKeys(gold.pos, gold.pos, pair.string)
    if breakdown == "confusion":
        return _confusion(pair, words, *relations)
    if breakdown == "projectivity":
        in_gold, in_candidate = (nonprojective(s.offsets, s.head).astype(np.int32) for s in (gold, candidate))
        return ItemKeys(in_gold, pair.aligned(in_candidate, 0), PROJECTIVITY.__getitem__, ordered=True)
    positions = gold.indices()
    heads = gold.head, pair.aligned(candidate.head, UNATTACHED)
    bins, bin_of = (DIRECTIONS, directions) if breakdown == "direction" else (DISTANCES, distances)
    return ItemKeys(bin_of(heads[0], positions), bin_of(heads[1], positions), bins.__getitem__, ordered=True)


def _confusion(
    pair: Pair, words: Mapping[str, BoolArray], gold: Int32Array, candidate: Int32Array
) -> ItemKeys:
    """Return the pairs of relations of the words that have a head in gold or in the candidate."""
    # The first code stands for words without a head.
    codes = np.where(words["gold"], gold + 1, 0), np.where(words["candidate"], candidate + 1, 0)
    return confusions(codes, codes, lambda code: pair.string(code - 1) if code else NO_NAME)


def break_down_trees(pair: Pair, columns: Mapping[str, Column]) -> Breakdown:
    """Return the counts of sentences by whether gold's tree is projective; ``rows`` is their number."""
    offsets = pair.gold.tokens.offsets
    crossing = np.zeros(len(pair), np.int32)
    arcs = nonprojective(offsets, pair.gold.tokens.head)
    crossing[pair.gold.tokens.sentence_of_row()[arcs]] = 1
    sentences = np.arange(len(pair) + 1)
    amounts = {"rows": np.ones(len(pair)), **columns}
    return count_by_key(
        {name: Tally(sentences, crossing, amount) for name, amount in amounts.items()},
        PROJECTIVITY.__getitem__,
        ordered=True,
    )


def directions(head: NDArray[np.number], position: NDArray[np.integer]) -> Int32Array:
    """Return the direction of each word's head, as an index of ``DIRECTIONS``.

    All arrays have shape ``(words,)``.
    """
    return np.select([head == ROOT, head < position, head > position], [0, 1, 2], 3).astype(np.int32)


def distances(head: NDArray[np.number], position: NDArray[np.integer]) -> Int32Array:
    """Return the distance to each word's head, as an index of ``DISTANCES``.

    It is 1 for a word that is its own head.
    """
    away = 1 + np.searchsorted(LONGEST, np.abs(head - position))
    return np.where(head == ROOT, 0, away).astype(np.int32)
