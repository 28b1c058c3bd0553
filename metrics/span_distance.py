"""Span distance: edits between two parses that are written as constituents with their spans.

Roark, Brian (2002): Evaluating Parser Accuracy using Edit Distance. Beyond PARSEVAL, sections 2 and 3:
each rule is replaced by its left-hand side and the positions of its words. Tags are not counted. The
span of a discontinuous constituent is the set of its words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crossbank.metrics.counting.items import node_tokens
from crossbank.metrics.edits.edit_distance import EventDistance
from crossbank.metrics.edits.symbols import SymbolGroups, Symbols
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.parseval import brackets
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array


@dataclass(frozen=True)
class SpanDistance(EventDistance):
    r"""Edits between the constituents of gold and candidate.

    Replacing a constituent costs as much as replacing its label if the words are the same, else one edit.

    When to use it
    --------------
    `span_distance` counts the edits between two parses that are written as lists of constituents with their
    spans. It is like Parseval, but one number without F: a wrong label is one edit, where Parseval counts an
    error of precision and one of recall.

    Definition
    ----------
    A parse is the list of its constituents, each a label and the positions of its words, top-down and
    leftmost first. Inserting, deleting or replacing one is one edit; over the same words, replacing costs as
    much as replacing the label. Tags are not counted.

    Formula
    -------
    ```math
    \text{error rate} = 100 \cdot \frac{\text{edits}}{\text{events of gold}}
    \qquad \text{accuracy} = 1 - \frac{\text{edits}}{\text{events of gold}}
    ```

    Example
    -------
    The parser attaches *with a bell* to the verb; gold attaches it to *the cat*. One constituent of gold is
    missing: 1 edit for 7 constituents.

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
    $ crossbank score gold.mrg parsed.mrg --scheme ptb --metric span_distance
    span_distance|cost:exact|function_cost:none|...|v1.0
      accuracy       85.71 %  1 - edits / events of gold, and 0 where there are more edits than events
      error_rate     14.29    edits per 100 events of gold
      1 sentence: 1 scored
    ```

    Other programs
    --------------
    None. Section 3 of Roark (2002) has the definition.
    """

    name: ClassVar[str] = "span_distance"
    position: ClassVar[float] = 110
    version: ClassVar[str] = "1.0"
    title: ClassVar[str] = "Span distance"

    def events(self, pair: Pair, names: Symbols) -> tuple[SymbolGroups, SymbolGroups]:
        """Return the constituents of gold and of the candidate."""
        return spans(pair.gold, names.gold_label), spans(pair.candidate, names.candidate_label)

    def strings(self, bank: Treebank, events: SymbolGroups, names: Symbols) -> list[str]:
        """Return the constituents with their words, counted from 1: ``NP 1-2``, with a gap ``VP 1-2+5-5``."""
        strings = []
        for label, tokens in zip(events.symbols.tolist(), node_tokens(bank), strict=True):
            begins = [token for token in tokens if token - 1 not in tokens]
            ends = [token for token in tokens if token + 1 not in tokens]
            blocks = [f"{begin + 1}-{end + 1}" for begin, end in zip(begins, ends, strict=True)]
            strings.append(f"{names.written(label)} {'+'.join(blocks)}")
        return strings


def spans(bank: Treebank, label: Int32Array) -> SymbolGroups:
    """Return the constituents of a treebank, from symbols of its nodes."""
    spans = bank.spans
    between = spans.start.astype(np.uint64) << np.uint64(32) | spans.end.astype(np.uint64)
    frame = np.where(spans.discontinuous, brackets(bank, label).fingerprint, between)
    return SymbolGroups(frame, np.arange(len(label) + 1), label)
