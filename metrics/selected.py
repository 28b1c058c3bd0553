"""Chosen categories: accuracy of the constituents that all grammars share.

Müller, Karin (2002): Evaluating Syllabification: One Category Shared by Many Grammars. Beyond PARSEVAL,
section 3: syllable accuracy is the proportion of syllables that are found, word accuracy the proportion of
words whose syllables are all found. A unit is a sentence of the treebank. Beil, Franz, et al. (2002):
Evaluation of the Gramotron Parser for German, ibid., section 6.2: noun chunks by range, and by range and
label; precision = correct / guesses, recall = correct / baseline.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import ClassVar

import numpy as np

from crossbank.metrics.counting.brackets import UNCOUNTED, Brackets, brackets, matching, without_duplicates
from crossbank.metrics.counting.counts import Counts, Measure, Parts, precision_recall_f1, ratio
from crossbank.metrics.counting.metric import Item, Metric
from crossbank.metrics.counting.tally import Tally, by_kind, by_sentence
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.parseval import bracket_items
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.errors import OptionError


@dataclass(frozen=True)
class Selected(Metric):
    """Accuracy, precision and recall of the constituents with certain labels.

    labels  the labels, or patterns of them: ``SYL``, ``N*``

    Brackets are a set: a constituent with the label and words of the one above it is not counted again.
    """

    labels: tuple[str, ...] = ()

    name: ClassVar[str] = "selected"
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("mueller-2002", "beil-etal-2002")
    title: ClassVar[str] = "Selected constituents"
    view: ClassVar[str] = "constituents"
    headline: ClassVar[tuple[str, ...]] = ("unit_accuracy",)
    compared: ClassVar[tuple[str, ...]] = ("unit_accuracy", "constituent_accuracy", "f1")
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "constituent_accuracy",
            lambda sums: ratio(sums["matched"], sums["gold"], sums["candidate"]),
            "chosen constituents of gold that the candidate has / those of gold",
        ),
        Measure(
            "unit_accuracy",
            lambda sums: ratio(sums["right"], sums["units"]),
            "sentences whose chosen constituents are all the same / sentences that have any in gold",
        ),
        *precision_recall_f1("gold", "candidate", "matched", "chosen constituents"),
        *(
            replace(
                measure, name=f"range_{measure.name}", meaning=f"{measure.meaning}, whatever their labels"
            )
            for measure in precision_recall_f1(
                "gold_ranges", "candidate_ranges", "matched_ranges", "chosen constituents"
            )
        ),
    )

    def counts(self, pair: Pair) -> Counts:
        """The chosen constituents of both sides, those in common by label and by range, and correct units.

        Raises OptionError where no labels are given, or neither side has one that a pattern matches.
        """
        self.require_view(pair)
        self._require_labels(pair)
        gold, candidate = self._brackets(pair)
        columns = {}
        for name, ours, theirs in (("", gold, candidate), ("_ranges", _ranges(gold), _ranges(candidate))):
            columns[f"gold{name}"] = by_sentence(ours.offsets, ours.label >= 0)
            found = by_sentence(theirs.offsets, theirs.label >= 0)
            columns[f"candidate{name}"] = np.where(pair.scored, found, 0.0)
            matched = matching(ours, theirs, pair.scored, pair.codes)
            columns[f"matched{name}"] = by_sentence(theirs.offsets, matched)
        same = (columns["matched"] == columns["gold"]) & (columns["matched"] == columns["candidate"])
        has_any = columns["gold"] > 0
        columns["units"] = has_any.astype(np.float64)
        columns["right"] = (pair.scored & has_any & same).astype(np.float64)
        return Counts(
            self.signature(pair),
            self.measures,
            pair.sentence_ids(),
            pair.status,
            columns,
            {"label": partial(self._by_label, pair)},
        )

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """The chosen constituents: those in common first, then gold's, then the candidate's."""
        one = pair.select([sentence])
        return bracket_items(one, *self._brackets(one))

    def _brackets(self, pair: Pair) -> tuple[Brackets, Brackets]:
        candidate = pair.candidate_codes(pair.candidate.nodes.label)
        return (
            without_duplicates(brackets(pair.gold, self._chosen(pair.gold, pair.gold.nodes.label))),
            without_duplicates(brackets(pair.candidate, self._chosen(pair.candidate, candidate))),
        )

    def _chosen(self, bank: Treebank, label: Int32Array) -> Int32Array:
        """The label of each node of a treebank as it is compared, or ``UNCOUNTED`` where it is not chosen."""
        chosen = bank.vocabulary.matching(lambda name: any(fnmatchcase(name, p) for p in self.labels))
        return np.where(chosen[bank.nodes.label], label, UNCOUNTED).astype(np.int32)

    def _require_labels(self, pair: Pair) -> None:
        if not self.labels:
            raise OptionError("option labels of selected", "none", "labels joined by +, as in labels=NP+PP")
        sides = (pair.gold, pair.candidate)
        present = sorted({b.vocabulary[c] for b in sides for c in np.unique(b.nodes.label).tolist()})
        for pattern in self.labels:
            if not any(fnmatchcase(label, pattern) for label in present):
                raise OptionError("option labels of selected", pattern, present)

    def _by_label(self, pair: Pair) -> Parts:
        gold, candidate = self._brackets(pair)
        matched = matching(gold, candidate, pair.scored, pair.codes)
        scored = np.repeat(pair.scored, pair.candidate.nodes.lengths())
        label = np.maximum(candidate.label, 0)
        return by_kind(
            {
                "gold": Tally(gold.offsets, np.maximum(gold.label, 0), gold.label >= 0),
                "candidate": Tally(candidate.offsets, label, scored & (candidate.label >= 0)),
                "matched": Tally(candidate.offsets, label, matched),
            },
            pair.string,
        )


def _ranges(side: Brackets) -> Brackets:
    """The same brackets without labels, those over the same words once."""
    return without_duplicates(side._replace(label=np.minimum(side.label, 0)))
