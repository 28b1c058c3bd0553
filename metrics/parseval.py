"""Parseval: brackets that gold and candidate share, and brackets that cross.

Black, Ezra, et al. (1991): A Procedure for Quantitatively Comparing the Syntactic Coverage of
English Grammars. Speech and Natural Language Workshop. With labels as in Magerman (1995) and Collins
(1997): "GEIG/labelled" in Sampson and Babarczy (2003), section 1. A bracket is a label and a
set of tokens, so discontinuous constituents are compared like all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from metrics.brackets import UNCOUNTED, Brackets, brackets, crossing, matching, node_tokens
from metrics.counts import Counts, Measure, Parts, precision_recall_f1, ratio
from metrics.metric import Item, Metric, View
from metrics.pairing import Pair
from metrics.tally import Tally, by_kind, by_sentence
from treebanks import NO_PARENT, Treebank
from treebanks.arrays import BoolArray, Int32Array


@dataclass(frozen=True)
class Parseval(Metric):
    """Precision and recall of brackets, exact match, crossing brackets.

    labels  whether a bracket's label must match too
    root    whether nodes without a parent count
    """

    labels: bool = True
    root: bool = True

    name: ClassVar[str] = "parseval"
    version: ClassVar[str] = "1.0"
    view: ClassVar[View] = "constituents"
    measures: ClassVar[tuple[Measure, ...]] = (
        *precision_recall_f1("gold", "candidate", "matched", "brackets"),
        Measure(
            "exact",
            lambda sums: ratio(sums["exact"], sums["rows"]),
            "sentences whose brackets are all the same / sentences",
        ),
        Measure(
            "crossing",
            lambda sums: ratio(sums["crossing"], sums["candidate"]),
            "brackets of the candidate that cross one of gold / brackets of the candidate",
            better="less",
        ),
        Measure(
            "no_crossing",
            lambda sums: ratio(sums["no_crossing"], sums["rows"]),
            "parsed sentences without a crossing bracket / sentences",
        ),
        Measure(
            "two_or_less_crossing",
            lambda sums: ratio(sums["two_or_less_crossing"], sums["rows"]),
            "parsed sentences with two crossing brackets or less / sentences",
        ),
        Measure(
            "crossing_per_sentence",
            lambda sums: ratio(sums["crossing"], sums["rows"]),
            "brackets of the candidate that cross one of gold / sentences",
            share=False,
            better="less",
        ),
    )

    def counts(self, pair: Pair) -> Counts:
        """Brackets of gold and of the candidate, those in common, and those that cross."""
        self.require_view(pair)
        gold, candidate = self._brackets(pair)
        matched, crosses = self._compare(pair, gold, candidate)
        columns = {
            "gold": by_sentence(gold.offsets, gold.label >= 0),
            "candidate": np.where(pair.scored, by_sentence(candidate.offsets, candidate.label >= 0), 0.0),
            "matched": by_sentence(candidate.offsets, matched),
            "crossing": by_sentence(candidate.offsets, crosses),
        }
        same = (columns["matched"] == columns["gold"]) & (columns["matched"] == columns["candidate"])
        columns["exact"] = (pair.scored & same).astype(np.float64)
        columns["no_crossing"] = (pair.scored & (columns["crossing"] == 0)).astype(np.float64)
        columns["two_or_less_crossing"] = (pair.scored & (columns["crossing"] <= 2)).astype(np.float64)
        return Counts(
            self.signature(pair),
            self.measures,
            pair.sentence_ids(),
            pair.status,
            columns,
            {"label": partial(self._by_label, pair)},
        )

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """The brackets of a sentence: those in common first, then gold's, then the candidate's."""
        one = pair.select([sentence])
        return bracket_items(one, *self._brackets(one))

    def _brackets(self, pair: Pair) -> tuple[Brackets, Brackets]:
        candidate_label = pair.candidate_codes(pair.candidate.nodes.label)
        return (
            brackets(pair.gold, self._label(pair.gold, pair.gold.nodes.label)),
            brackets(pair.candidate, self._label(pair.candidate, candidate_label)),
        )

    def _label(self, bank: Treebank, label: Int32Array) -> Int32Array:
        """Each node's label as it is compared, or UNCOUNTED."""
        compared = label if self.labels else np.zeros_like(label)
        if self.root:
            return compared
        return np.where(bank.nodes.parent == NO_PARENT, UNCOUNTED, compared).astype(np.int32)

    def _compare(self, pair: Pair, gold: Brackets, candidate: Brackets) -> tuple[BoolArray, BoolArray]:
        return matching(gold, candidate, pair.scored, pair.codes), crossing(gold, candidate, pair.scored)

    def _by_label(self, pair: Pair) -> Parts:
        gold, candidate = self._brackets(pair)
        matched, crosses = self._compare(pair, gold, candidate)
        label = pair.candidate_codes(pair.candidate.nodes.label)
        scored = np.repeat(pair.scored, pair.candidate.nodes.lengths())
        return by_kind(
            {
                "gold": Tally(gold.offsets, pair.gold.nodes.label, gold.label >= 0),
                "candidate": Tally(candidate.offsets, label, scored & (candidate.label >= 0)),
                "matched": Tally(candidate.offsets, label, matched),
                "crossing": Tally(candidate.offsets, label, crosses),
            },
            pair.string,
        )


def bracket_items(one: Pair, gold: Brackets, candidate: Brackets) -> list[Item]:
    """The brackets of a pair of one sentence: those in common first, then gold's, then the candidate's."""
    matched = matching(gold, candidate, one.scored, one.codes)
    found = matching(candidate, gold, one.scored, one.codes)
    return [
        *_items(one.candidate, matched, "both"),
        *_items(one.gold, (gold.label >= 0) & ~found, "gold"),
        *_items(one.candidate, one.scored[0] & (candidate.label >= 0) & ~matched, "candidate"),
    ]


def _items(bank: Treebank, chosen: BoolArray, side: Literal["gold", "candidate", "both"]) -> list[Item]:
    """Some brackets of a treebank of one sentence."""
    tokens = node_tokens(bank)
    matched = side == "both"
    return [
        Item(
            "bracket",
            bank.vocabulary[int(bank.nodes.label[node])],
            tokens[node],
            side,
            matched,
            float(matched),
        )
        for node in np.flatnonzero(chosen).tolist()
    ]
