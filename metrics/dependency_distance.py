"""Dependency distance: edits between two parses that are written as strings of dependencies.

Roark, Brian (2002): Evaluating Parser Accuracy using Edit Distance. Beyond PARSEVAL, section 5: "Given the
left-to-right ordering of the words, we can stipulate an ordering among dependency relations to give an
overall ordering of the dependencies. Edit distance can then straightforwardly apply in the same way as it did
to the sequence of rules." The paper leaves the order open: it is an option here. A word without a head has no
dependency.

Dependencies are no items that are found or not (``counting.items``): one is replaced by another.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from crossbank.metrics.counting.counts import Breakdown, Counts, Measure
from crossbank.metrics.counting.items import ItemDescription, Tally, by_sentence, count_by_key, joined
from crossbank.metrics.counting.metric import Item, Metric
from crossbank.metrics.dependencies import Dependencies
from crossbank.metrics.dependency_graphs import Arcs
from crossbank.metrics.edits.costs import check_edits
from crossbank.metrics.edits.edit_distance import EditAlignment, EditDistance, align_sentences, paired_items
from crossbank.metrics.edits.symbols import SymbolGroups
from crossbank.metrics.loops.replacement_costs import Prices
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import ROOT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import Int32Array


@dataclass(frozen=True)
class DependencyDistance(Metric):
    r"""Edits between the dependencies of gold and candidate.

    Inserting, deleting or replacing a dependency costs one edit.

    order          ``dependent``: by the positions of the dependents; ``head``: by those of the heads, and
                   for one head by those of the dependents
    relation_cost  edits for another relation between the same words, from 0 to 1
    free_deletion  whether the candidate's surplus dependencies cost nothing

    In the order of dependents, where every word has a head on both sides, the accuracy is the labelled
    attachment score; with a ``relation_cost`` of 0 it is the unlabelled one.

    When to use it
    --------------
    `dependency_distance` counts the edits between two parses that are written as lists of dependencies. Take
    it beside the other edit distances, to compare a parser's dependencies with its constituents in the same
    unit. With `order=head` it also sees whether the dependents of a word come in the right order.

    Definition
    ----------
    A parse is the list of its dependencies in the order of their dependents, or of their heads. Inserting,
    deleting or replacing one is an edit; another relation between the same words costs `relation_cost`. In
    the order of dependents, where every word has a head on both sides, accuracy is the labelled attachment
    score.

    Formula
    -------
    ```math
    \text{error rate} = 100 \cdot \frac{\text{edits}}{\text{events of gold}}
    \qquad \text{accuracy} = 1 - \frac{\text{edits}}{\text{events of gold}}
    ```

    Example
    -------
    The parser attaches *with a bell* to the verb; gold attaches it to *the cat*. The head of *with* is the
    only wrong one: 1 edit for 8 dependencies (the full stop does not count).

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
    $ crossbank score gold.mrg parsed.mrg --scheme ptb --metric dependency_distance
    dependency_distance|order:dependent|relation_cost:1.0|...|v1.0
      accuracy       87.50 %  1 - edits / events of gold, and 0 where there are more edits than events
      error_rate     12.50    edits per 100 events of gold
      1 sentence: 1 scored
    ```

    Other programs
    --------------
    None. Section 5 of Roark (2002) sketches the measure and leaves the order open.
    """

    order: Literal["dependent", "head"] = "dependent"
    relation_cost: float = 1.0
    free_deletion: bool = False

    name: ClassVar[str] = "dependency_distance"
    position: ClassVar[float] = 130
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("roark-2002",)
    view: ClassVar[str] = "dependencies"
    title: ClassVar[str] = "Dependency distance"
    measures: ClassVar[tuple[Measure, ...]] = EditDistance.measures

    def __post_init__(self) -> None:
        """Check the cost. Raises OptionError if it is wrong."""
        check_edits("relation_cost", self.relation_cost)

    pair = staticmethod(Dependencies.pair)

    def counts(self, pair: Pair) -> Counts:
        """Return dependencies of gold, and edits; where a sentence is not scored, one for each of gold's."""
        self.require(pair)
        gold, candidate = self._arcs(pair)
        alignment = self._align(pair, gold, candidate)
        offsets = gold.offsets(len(pair))
        edits = by_sentence(offsets, alignment.gold_edits)
        edits += by_sentence(candidate.offsets(len(pair)), alignment.candidate_edits)
        columns = {"gold": np.diff(offsets).astype(np.float64), "edits": edits}
        return self.counted(
            pair, columns, {"relation": partial(_by_relation, pair, gold, candidate, alignment)}
        )

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """Return dependencies of gold with their counterparts, then those of the candidate without one."""
        one = pair.select([sentence])
        gold, candidate = self._arcs(one)
        alignment = self._align(one, gold, candidate)
        descriptions = (
            _describe_arcs(one, gold, one.gold.words(0)),
            _describe_arcs(one, candidate, one.candidate.words(0)),
        )
        return paired_items("arc", one, descriptions, alignment.partner, alignment.gold_edits)

    def _arcs(self, pair: Pair) -> tuple[Arcs, Arcs]:
        """Return the dependencies of gold and of the candidate in the order of the option."""
        relation = pair.candidate_codes(pair.candidate.tokens.relation)
        gold = _in_order(pair.gold, pair.gold.tokens.relation, self.order)
        return gold, _in_order(pair.candidate, relation, self.order)

    def _align(self, pair: Pair, gold: Arcs, candidate: Arcs) -> EditAlignment:
        codes = np.arange(pair.codes, dtype=np.int32)
        same = np.zeros(pair.codes, np.int32)
        prices = Prices(codes, same, same, np.full((1, 1), self.relation_cost), 0.0, pair.codes, 1.0)
        left, right = ((_events(arcs), arcs.offsets(len(pair))) for arcs in (gold, candidate))
        return align_sentences(pair, left, right, prices, 0.0 if self.free_deletion else 1.0)


def _in_order(bank: Treebank, relation: Int32Array, order: str) -> Arcs:
    tokens = bank.tokens
    arcs = Arcs(tokens.sentence_of_row(), tokens.indices(), tokens.head, relation)
    arcs = arcs.of(tokens.head != UNATTACHED)
    return arcs.of(np.lexsort((arcs.word, arcs.head, arcs.sentence))) if order == "head" else arcs


def _events(arcs: Arcs) -> SymbolGroups:
    """Return each dependency as one symbol, its relation; only dependencies of the same words are alike."""
    words = (arcs.head.astype(np.int64) + 1 << 32 | arcs.word).astype(np.uint64)
    return SymbolGroups(words, np.arange(len(words) + 1), arcs.relation)


def _describe_arcs(pair: Pair, arcs: Arcs, forms: list[str]) -> list[ItemDescription]:
    """Return a sentence's dependencies as text: ``cat-2 nsubj sleeps-3``, ``sleeps-3 root -``.

    Tokens are the dependent and, unless it is a root, its head. ``forms`` are the side's own words.
    """
    words = [f"{word}-{position}" for position, word in enumerate(forms, 1)]
    return [
        ItemDescription(
            pair.string(relation),
            tuple(sorted({word, head} - {ROOT})),
            f"{words[word]} {pair.string(relation)} {words[head] if head >= 0 else '-'}",
        )
        for word, head, relation in zip(*(column.tolist() for column in arcs[1:]), strict=True)
    ]


def _by_relation(pair: Pair, gold: Arcs, candidate: Arcs, alignment: EditAlignment) -> Breakdown:
    """Return the counts by relation: deleted dependencies by the candidate's, all else by gold's."""
    inserted = gold.sentence, gold.relation, alignment.gold_edits
    deleted = candidate.sentence, candidate.relation, alignment.candidate_edits
    every = Tally(gold.offsets(len(pair)), gold.relation, np.ones(len(gold.word)))
    return count_by_key({"gold": every, "edits": joined(len(pair), inserted, deleted)}, pair.string)
