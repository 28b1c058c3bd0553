"""Tree distance: the edits that turn one ordered, labelled tree into another.

Zhang, Kaizhong and Dennis Shasha (1989): Simple Fast Algorithms for the Editing Distance between Trees
and Related Problems. SIAM Journal on Computing 18(6). Inserting or deleting a node costs 1, giving it
another label at most 1. The similarity is Dice's, as in Emms (2008): Tree Distance and some other
Variants of Evalb (LREC), and in disco-dop's ``treedisteval``.

A sentence may have several roots, and words without a parent: they are compared as if under one root that
both sides have. Children are ordered by their first word, so discontinuous trees can be compared.

Nodes are not items that match or not (``counting.items``): a node is relabelled, at a price.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from crossbank.metrics.counting.counts import Counts, Measure, per_sentence, ratio
from crossbank.metrics.counting.items import ItemDescription, node_tokens
from crossbank.metrics.counting.metric import Item
from crossbank.metrics.edits.costs import FunctionCostedMetric
from crossbank.metrics.edits.edit_distance import paired_items
from crossbank.metrics.edits.symbols import Symbols, replaced_symbols, symbols
from crossbank.metrics.loops import zhang_shasha as loops
from crossbank.metrics.loops.replacement_costs import SymbolTrees
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks.ranges import in_ranges

SENTENCES_PER_RANGE = 100
"""The minimal number of sentences of a thread: a sentence takes longer than in other metrics."""


@dataclass(frozen=True)
class TreeDistance(FunctionCostedMetric):
    r"""Similarity of trees, and their mean distance.

    cost           of giving a node another label, out of 2: ``exact`` (2, which is one edit),
                   ``first_letter`` (0.5 where the first characters are the same), ``none`` (0), or a file
                   with a table (see ``metrics.edits.costs``)
    leaves         ``words``; ``tags``: a word's tag and position, as in disco-dop; or ``none``

    When to use it
    --------------
    `tree_distance` counts the edits that turn one tree into the other. Take it where a small mistake should
    score better than a tree that is all different, and another label should cost less than a missing bracket.
    It is slower than Parseval.

    Definition
    ----------
    Trees are ordered and labelled, and words are leaves. Deleting a node hangs its children on its parent,
    inserting is the reverse; each costs 1. Giving a node another label costs at most 1. The distance is the
    least cost of turning one tree into the other. Several roots are compared under one node that both sides
    have.

    Formula
    -------
    With *d* the distance, and |G| and |C| the numbers of nodes and leaves, summed over all sentences:

    ```math
    \text{similarity} = 1 - \frac{d}{\lvert G \rvert + \lvert C \rvert}
    ```

    Example
    -------
    The parser attaches *with a bell* to the verb; gold attaches it to *the cat*. Inserting one noun phrase
    turns the candidate into gold. Gold has 7 nodes and 8 words, the candidate 6 and 8: the similarity is 1 -
    1/29.

    <!-- file: gold.mrg -->
    ```text
    (S (NP (DT The) (NN dog))
       (VP (VBZ chases)
           (NP (NP (DT the) (NN cat))
               (PP (IN with) (NP (DT a) (NN bell)))))
       (. .))
    ```

    <!-- file: parsed.mrg -->
    ```text
    (S (NP (DT The) (NN dog))
       (VP (VBZ chases)
           (NP (DT the) (NN cat))
           (PP (IN with) (NP (DT a) (NN bell))))
       (. .))
    ```

    ```console
    $ crossbank score gold.mrg parsed.mrg --scheme ptb --metric tree_distance
    tree_distance|cost:exact|function_cost:none|...|v1.0
      similarity     96.55 %  1 - distance / nodes and leaves of both trees
      distance        1.00    edits that turn the candidate's tree into gold's / sentences
      1 sentence: 1 scored
    ```

    Other programs
    --------------
    - disco-dop's `treedisteval`: `--mode discodop --option ted=yes`.
    - The package `apted` gives the same distance.
    """

    leaves: Literal["words", "tags", "none"] = "words"

    name: ClassVar[str] = "tree_distance"
    position: ClassVar[float] = 140
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("zhang-shasha-1989", "emms-2008")
    view: ClassVar[str] = "constituents"
    title: ClassVar[str] = "Tree distance"
    compared: ClassVar[tuple[str, ...]] = ("similarity",)
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "similarity",
            lambda sums: 1 - ratio(sums["distance"], sums["gold"] + sums["candidate"]),
            "1 - distance / nodes and leaves of both trees",
        ),
        per_sentence(
            "distance", "edits that turn the candidate's tree into gold's", proportion=False, better="less"
        ),
    )

    def counts(self, pair: Pair) -> Counts:
        """Return distance and sizes of both trees; for unscored sentences only the size of gold."""
        self.require(pair)
        gold, candidate, names = self._sides(pair)
        size, other = (
            bank.nodes.lengths() + (0 if self.leaves == "none" else bank.tokens.lengths())
            for bank in (pair.gold, pair.candidate)
        )
        other = np.where(pair.scored, other, 0)
        distance = np.where(pair.scored, 0.0, size)
        both, prices = loops.TreePairs(gold, candidate, pair.scored), names.prices
        in_ranges(partial(loops.fill_distances, both, prices, distance), len(pair), SENTENCES_PER_RANGE)
        columns = {"gold": size.astype(float), "candidate": other.astype(float), "distance": distance}
        return self.counted(pair, columns)

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """Return nodes of gold with their counterparts in the candidate, then the candidate's other nodes."""
        one = pair.select([sentence])
        gold, candidate, names = self._sides(one)
        partner = np.full(len(names.gold_label), -1, np.int32)
        if one.scored[0]:
            loops.map_nodes(gold, candidate, names.prices, partner)
        descriptions = [
            [
                ItemDescription(label, tokens, label)
                for label, tokens in zip(bank.labels(0), node_tokens(bank), strict=True)
            ]
            for bank in (one.gold, one.candidate)
        ]
        replaced = replaced_symbols(names.gold_label, names.candidate_label, names.prices)
        cost = np.ones(len(partner), np.float64)
        mapped = np.flatnonzero(partner >= 0)
        cost[mapped] = replaced[mapped, partner[mapped]]
        return paired_items("node", one, (descriptions[0], descriptions[1]), partner, cost)

    def _sides(self, pair: Pair) -> tuple[SymbolTrees, SymbolTrees, Symbols]:
        names = symbols(pair, self.cost, self.table, self.function_cost)
        gold_leaf, candidate_leaf = names.gold_word, names.candidate_word
        if self.leaves == "tags":
            # Two numbers for each position: one for the candidate's tag, one for another tag of gold.
            gold_leaf, candidate_leaf = (-1 - 2 * b.tokens.indices() for b in (pair.gold, pair.candidate))
            gold_leaf -= pair.aligned(names.candidate_tag, -1) != names.gold_tag
        elif self.leaves == "none":
            gold_leaf = candidate_leaf = gold_leaf[:0]
        gold = SymbolTrees(pair.gold.forest, pair.gold.spans.start, names.gold_label, gold_leaf)
        other = pair.candidate
        candidate = SymbolTrees(other.forest, other.spans.start, names.candidate_label, candidate_leaf)
        return gold, candidate, names
