"""Span distance: edits between two parses that are written as constituents with their spans.

Roark, Brian (2002): Evaluating Parser Accuracy using Edit Distance. Beyond PARSEVAL, sections 2 and 3:
each rule is replaced by its left-hand side and the positions of its words. Tags are not counted. The
span of a discontinuous constituent is the set of its words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crossbank.metrics.counting.brackets import brackets, node_tokens
from crossbank.metrics.edits.edit_distance import EventDistance
from crossbank.metrics.edits.symbols import Events, Symbols
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array


@dataclass(frozen=True)
class SpanDistance(EventDistance):
    """Edits between the constituents of gold and candidate.

    Replacing a constituent costs as much as replacing its label if the words are the same, else one edit.
    """

    name: ClassVar[str] = "span_distance"
    position: ClassVar[float] = 110
    version: ClassVar[str] = "1.0"
    title: ClassVar[str] = "Span distance"

    def events(self, pair: Pair, names: Symbols) -> tuple[Events, Events]:
        """Return the constituents of gold and of the candidate."""
        return spans(pair.gold, names.gold_label), spans(pair.candidate, names.candidate_label)

    def strings(self, bank: Treebank, events: Events, names: Symbols) -> list[str]:
        """Constituents with their words, counted from 1: ``NP 1-2``, with a gap ``VP 1-2+5-5``."""
        strings = []
        for label, tokens in zip(events.symbols.tolist(), node_tokens(bank), strict=True):
            begins = [token for token in tokens if token - 1 not in tokens]
            ends = [token for token in tokens if token + 1 not in tokens]
            blocks = [f"{begin + 1}-{end + 1}" for begin, end in zip(begins, ends, strict=True)]
            strings.append(f"{names.written(label)} {'+'.join(blocks)}")
        return strings


def spans(bank: Treebank, label: Int32Array) -> Events:
    """Return the constituents of a treebank, from symbols of its nodes."""
    spans = bank.spans
    between = spans.start.astype(np.uint64) << np.uint64(32) | spans.end.astype(np.uint64)
    frame = np.where(spans.discontinuous, brackets(bank, label).fingerprint, between)
    return Events(frame, np.arange(len(label) + 1), label)
