"""Counts of gold against gold of another scheme, in a file between two steps."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from crossbank.metrics.counting.counts import Counts, Measure, Sums
from crossbank.metrics.counting.metric import metric_class
from crossbank.metrics.counting.presentation import headline
from crossbank.reports.results.counts_in_files import read_scored
from crossbank.treebanks.stored_sources import stored_sources

FILE = "floor.parquet"
"""The file in the folder of results."""


@dataclass(frozen=True)
class GoldFloor:
    """Counts of one treebank's gold against that of another, under one metric.

    treebank    the treebank whose gold is the standard
    other       the treebank whose gold is scored like a candidate
    metric      the name that the study gives the metric
    is_labelled whether labels, or names of relations, were compared
    """

    treebank: str
    other: str
    metric: str
    counts: Counts
    is_labelled: bool

    @property
    def headline(self) -> Measure:
        """The main measure of the counts."""
        return headline(self.counts)

    @property
    def loss(self) -> float:
        """The loss of gold under the main measure: the distance from a perfect score."""
        return float(loss_of(self.headline).score(self.counts.sums()))


def loss_of(measure: Measure) -> Measure:
    """Return the measure of the loss: 1 minus the score, or the score itself if less is better."""

    def score(sums: Sums) -> object:
        value = measure.score(sums)
        return value if measure.better == "less" else 1 - value

    meaning = f"loss under: {measure.meaning}"
    return Measure(measure.name, score, meaning, measure.proportion, "less", f"loss of {measure.heading}")  # type: ignore[arg-type]


def floor_name(treebank: str, other: str, metric: str) -> str:
    """Return the name of a comparison among the sources of the file; names of a study have no space."""
    return f"{treebank} {other} {metric}"


def read_floors(path: Path, metrics: Collection[str]) -> Iterator[GoldFloor]:
    """Yield the comparisons in a file that have a score under one of the study's metrics."""
    for name, source in stored_sources(path).items() if path.is_file() else ():
        treebank, other, metric = name.split(" ")
        if source.failure is None and metric in metrics:
            counts = read_scored(path, name).counts
            if counts.rows.any():
                choices = dict(counts.signature.choices)
                left_out = choices.get("labels") == "no" or choices.get("cost") == "none"
                compares = metric_class(counts.signature.metric).compares_labels
                yield GoldFloor(treebank, other, metric, counts, compares and not left_out)
