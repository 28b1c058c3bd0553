"""Counts under each convention of dependencies that treebanks of the same sentences share."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from crossbank.metrics.counting.counts import Counts
from crossbank.reports.results.counts_in_files import read_scored
from crossbank.treebanks.stored_sources import stored_sources

FILE = "conventions.parquet"
"""The file in the folder of results."""

SEPARATOR = " "
"""Separator of the parts of a name in the file: names of a study have no space."""


@dataclass(frozen=True)
class ConventionCounts:
    """Counts of a candidate, or of another treebank's gold, under one metric and convention.

    treebank    the treebank whose gold is the standard
    scored      the candidate, or the other treebank
    is_gold     whether the other treebank's gold was scored
    metric      the name that the study gives the metric
    convention  the name of the convention
    """

    treebank: str
    scored: str
    is_gold: bool
    metric: str
    convention: str
    counts: Counts


def counted_name(treebank: str, scored: str, metric: str, convention: str, *, is_gold: bool) -> str:
    """Return the name of counts among the sources of the file."""
    return SEPARATOR.join((treebank, scored, metric, convention, *(["gold"] if is_gold else [])))


def read_convention_counts(path: Path, metrics: Collection[str]) -> Iterator[ConventionCounts]:
    """Yield the counts in a file, without sources that could not be converted."""
    for name, source in stored_sources(path).items() if path.is_file() else ():
        treebank, scored, metric, convention, *gold = name.split(SEPARATOR)
        if source.failure is None and metric in metrics:
            counts = read_scored(path, name).counts
            yield ConventionCounts(treebank, scored, bool(gold), metric, convention, counts)
