"""Parseval as first defined: crossing constituents, recall and precision without labels.

Black, Ezra, et al. (1991): A Procedure for Quantitatively Comparing the Syntactic Coverage of English
Grammars. Speech and Natural Language Workshop, section 4 of the appendix. The three steps before the
comparison are conversions (``erase``, ``delete_empty_brackets``, ``redraw``); a scheme lists them as its
view ``parseval1991``. A set of sentences is summarised by the mean of their recalls and precisions and by
the distribution of their numbers of crossing constituents.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from crossbank.metrics.counting.brackets import (
    UNCOUNTED,
    Brackets,
    brackets,
    crossing,
    matching,
    without_duplicates,
)
from crossbank.metrics.counting.counts import Column, Counts, Measure, Parts, Sums, ratio
from crossbank.metrics.counting.metric import Item, Metric
from crossbank.metrics.counting.tally import by_sentence
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.parseval import bracket_items
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray


def _mean(column: str) -> Callable[[Sums], Column]:
    return lambda sums: ratio(sums[column], sums["rows"])


@dataclass(frozen=True)
class Parseval1991(Metric):
    """Means of the sentences' recall and precision, and their crossing constituents.

    duplicates  whether several brackets over the same words count. If not, they are one bracket: brackets are
                a set, as in the paper

    Brackets over one word are not counted.
    """

    duplicates: bool = False

    name: ClassVar[str] = "parseval1991"
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("black-etal-1991",)
    title: ClassVar[str] = "Parseval 1991"
    view: ClassVar[str] = "parseval1991"
    compares_labels: ClassVar[bool] = False
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "recall",
            _mean("recall"),
            "mean over sentences of: constituents of gold that the candidate has / constituents of gold",
        ),
        Measure(
            "precision",
            _mean("precision"),
            "mean over sentences of: constituents of the candidate that gold has / those of the candidate",
        ),
        Measure(
            "crossing_per_sentence",
            _mean("crossing"),
            "constituents of the candidate that cross one of gold / sentences",
            proportion=False,
            better="less",
        ),
        Measure("no_crossing", _mean("no_crossing"), "sentences without a crossing constituent / sentences"),
    )

    def counts(self, pair: Pair) -> Counts:
        """Constituents of both sides, those in common, those that cross, and each sentence's own scores."""
        self.require_view(pair)
        gold, candidate = self._brackets(pair.gold), self._brackets(pair.candidate)
        matched = matching(gold, candidate, pair.scored, pair.codes)
        crosses = crossing(gold, candidate, pair.scored)
        columns = {
            "gold": by_sentence(gold.offsets, gold.label >= 0),
            "candidate": np.where(pair.scored, by_sentence(candidate.offsets, candidate.label >= 0), 0.0),
            "matched": by_sentence(candidate.offsets, matched),
            "crossing": by_sentence(candidate.offsets, crosses),
        }
        columns["recall"] = ratio(columns["matched"], columns["gold"], columns["candidate"])
        columns["precision"] = ratio(columns["matched"], columns["candidate"], columns["gold"])
        columns["no_crossing"] = (pair.scored & (columns["crossing"] == 0)).astype(np.float64)
        return Counts(
            self.signature(pair),
            self.measures,
            pair.sentence_ids(),
            pair.status,
            columns,
            {"crossing": partial(_distribution, columns, pair.scored)},
        )

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """The constituents of a sentence: those in common first, then gold's, then the candidate's."""
        one = pair.select([sentence])
        return bracket_items(one, self._brackets(one.gold), self._brackets(one.candidate))

    def _brackets(self, bank: Treebank) -> Brackets:
        label = np.where(bank.spans.size > 1, 0, UNCOUNTED).astype(np.int32)
        side = brackets(bank, label)
        return side if self.duplicates else without_duplicates(side)


def _distribution(columns: dict[str, Column], scored: BoolArray) -> Parts:
    """The counts of the scored sentences by their number of crossing constituents."""
    sentence = np.flatnonzero(scored)
    crossings = columns["crossing"][sentence].astype(np.intp)
    numbers, key = np.unique(crossings, return_inverse=True)
    return Parts(
        tuple(map(str, numbers.tolist())),
        sentence.astype(np.int32),
        key.astype(np.int32),
        {"sentences": np.ones(len(sentence)), **{name: c[sentence] for name, c in columns.items()}},
    )
