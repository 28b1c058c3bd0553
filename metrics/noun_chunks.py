"""Noun chunks that end at the head noun: precision and recall by range, and by range and label.

Beil, Franz, et al. (2002): Evaluation of the Gramotron Parser for German. Beyond PARSEVAL, section 6.2: noun
chunks are evaluated by range, and by range and label; precision = correct / guesses, recall = correct /
baseline. A label is the case, as far as the chunk's function tells it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crossbank.metrics.counting.counts import Measure
from crossbank.metrics.selected import Selected


@dataclass(frozen=True)
class NounChunks(Selected):
    """Precision and recall of noun chunks, which a scheme's view ``chunks`` makes of noun phrases."""

    labels: tuple[str, ...] = ("*",)

    name: ClassVar[str] = "chunks"
    version: ClassVar[str] = "1.0"
    title: ClassVar[str] = "Noun chunks"
    view: ClassVar[str] = "chunks"
    headline: ClassVar[tuple[str, ...]] = ("range_f1", "f1")
    measures: ClassVar[tuple[Measure, ...]] = tuple(
        measure for measure in Selected.measures if not measure.name.endswith("accuracy")
    )
