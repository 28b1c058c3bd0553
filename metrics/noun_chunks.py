"""Noun chunks that end at the head noun: precision and recall by range, and by range and label.

Beil, Franz, et al. (2002): Evaluation of the Gramotron Parser for German. Beyond PARSEVAL, section 6.2: noun
chunks are evaluated by range, and by range and label; precision = correct / guesses, recall = correct /
baseline. A label is the case, as far as the chunk's function tells it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from crossbank.converters.constructions.noun_chunks import LABEL
from crossbank.metrics.counting.counts import Measure
from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.selected import Selected
from crossbank.treebanks import CrossbankError


@dataclass(frozen=True)
class NounChunks(Selected):
    """Precision and recall of noun chunks, which a scheme's view ``chunks`` makes of noun phrases."""

    labels: tuple[str, ...] = (LABEL, f"{LABEL}.*")

    name: ClassVar[str] = "chunks"
    version: ClassVar[str] = "1.0"
    title: ClassVar[str] = "Noun chunks"
    view: ClassVar[str] = "chunks"
    headline: ClassVar[tuple[str, ...]] = ("range_f1", "f1")
    measures: ClassVar[tuple[Measure, ...]] = tuple(
        measure for measure in Selected.measures if not measure.name.endswith("accuracy")
    )

    def _require_labels(self, pair: Pair) -> None:
        gold = pair.gold
        labels = gold.vocabulary.decode(np.unique(gold.nodes.label))
        if labels and not any(label.partition(".")[0] == LABEL for label in labels):
            raise CrossbankError(
                f"{gold.where(0)}: there are no noun chunks: nodes {LABEL} are needed, or a scheme "
                "that makes them"
            )
