"""Conformance with a flat key: how much of the key a response finds, and how much it contradicts.

Gaizauskas, R., M. Hepple, and C. Huyck (1998): A Scheme for Comparative Evaluation of Diverse Parsing
Systems. LREC, section 5. Recall is the proportion of the key's brackets that the response has. Conformance is
the proportion of them that no bracket of the response crosses. The authors advise against precision, since a
response may have more structure than the key; it is reported nevertheless. Brackets are sets of spans.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from crossbank.metrics.counting.brackets import Brackets, brackets, crossing, matching, without_duplicates
from crossbank.metrics.counting.counts import Counts, Measure, Parts, ratio
from crossbank.metrics.counting.metric import Item, Metric
from crossbank.metrics.counting.tally import Tally, by_kind, by_sentence
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.parseval import bracket_items


@dataclass(frozen=True)
class Conformance(Metric):
    """Recall, precision and conformance of a response (the candidate) to a key (gold).

    labels  whether a bracket is found only under the same label (for crossing, spans alone matter);
            both sides then need labels of one kind (``agreed_labels``, ``map_labels``)
    """

    labels: bool = False

    name: ClassVar[str] = "conformance"
    version: ClassVar[str] = "1.0"
    papers: ClassVar[tuple[str, ...]] = ("gaizauskas-etal-1998",)
    title: ClassVar[str] = "Conformance"
    view: ClassVar[str] = "constituents"
    compares_labels: ClassVar[bool] = False
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure(
            "recall",
            lambda sums: ratio(sums["matched"], sums["key"], np.zeros_like(sums["key"])),
            "brackets of the key that the response has / brackets of the key",
        ),
        Measure(
            "precision",
            lambda sums: ratio(sums["matched"], sums["response"], sums["key"]),
            "brackets of the key that the response has / brackets of the response",
        ),
        Measure(
            "conformance",
            lambda sums: ratio(sums["conforming"], sums["key"], np.zeros_like(sums["key"])),
            "brackets of the key that no bracket of the response crosses / brackets of the key",
        ),
    )

    def counts(self, pair: Pair) -> Counts:
        """Brackets of key and response, those in common, and those of the key that are not violated."""
        self.require_view(pair)
        key, response = self._brackets(pair)
        violated = crossing(response, key, pair.scored)
        in_scored = np.repeat(pair.scored, pair.gold.nodes.lengths())
        columns = {
            "key": by_sentence(key.offsets, key.label >= 0),
            "response": np.where(pair.scored, by_sentence(response.offsets, response.label >= 0), 0.0),
            "matched": by_sentence(response.offsets, matching(key, response, pair.scored, pair.codes)),
            "violated": by_sentence(key.offsets, violated),
            "conforming": by_sentence(key.offsets, (key.label >= 0) & in_scored & ~violated),
        }
        return Counts(
            self.signature(pair),
            self.measures,
            pair.sentence_ids(),
            pair.status,
            columns,
            {"label": partial(self._by_label, pair)},
        )

    def items(self, pair: Pair, sentence: int) -> list[Item]:
        """The brackets of a sentence: those in common first, then the key's, then the response's."""
        one = pair.select([sentence])
        return bracket_items(one, *self._brackets(one))

    def _brackets(self, pair: Pair) -> tuple[Brackets, Brackets]:
        key, response = pair.gold.nodes.label, pair.candidate_codes(pair.candidate.nodes.label)
        if not self.labels:
            key, response = np.zeros_like(key), np.zeros_like(response)
        return (
            without_duplicates(brackets(pair.gold, key)),
            without_duplicates(brackets(pair.candidate, response)),
        )

    def _by_label(self, pair: Pair) -> Parts:
        """Recall and conformance by the labels of the key."""
        key, response = self._brackets(pair)
        found = matching(response, key, pair.scored, pair.codes)
        violated = crossing(response, key, pair.scored)
        in_scored = np.repeat(pair.scored, pair.gold.nodes.lengths())
        label = pair.gold.nodes.label
        conforming = (key.label >= 0) & in_scored & ~violated
        tallies = {"key": key.label >= 0, "matched": found, "violated": violated, "conforming": conforming}
        return by_kind(
            {name: Tally(key.offsets, label, amount) for name, amount in tallies.items()}, pair.string
        )
