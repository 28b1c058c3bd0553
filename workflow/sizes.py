"""Resources that a job asks of a cluster, by the size of the study's files; more at each attempt.

A study's own files are there before anything runs. So the size of a job is known when it is submitted,
also where the files that it reads are made by another job of the same group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LARGE = 2
"""Megabytes from which a job uses several processors: some 5,000 sentences, which several loops share."""

HUGE = 50
"""Megabytes from which one of many jobs uses several processors: two such jobs at once need much memory."""

SMALL = 5
"""Megabytes up to which a whole study is one job of a cluster: starting a job takes longer than its work."""

FEW = 32
"""Treebanks and candidates that such a study has at most: Snakemake's time grows with a group's square."""


@dataclass(frozen=True)
class Demand:
    """Processors, memory and time of a rule's jobs.

    megabytes  the size of the study's files that a job reads, by its wildcards
    cores      the processors that a large job uses
    at_least   megabytes of memory for Python, its libraries and Snakemake
    times      megabytes of memory for each megabyte of the files
    began      minutes that a job takes at least; ``each`` minutes come for each megabyte
    largest    the size of the largest candidate, where a job takes several, one after the other: processors
               and memory are by it
    """

    megabytes: Callable[[Any], float]
    cores: int
    at_least: int = 1000
    times: int = 20
    began: int = 5
    each: float = 0.1
    largest: Callable[[Any], float] | None = None

    def threads(self, wildcards: Any) -> int:
        """Number of processors: one for a small job, and for one of many jobs without a huge file."""
        alone = self.largest is None
        return self.cores if self.at_once(wildcards) >= (LARGE if alone else HUGE) else 1

    def memory(self, wildcards: Any, attempt: int) -> int:
        """Megabytes of memory."""
        return attempt * (self.at_least + int(self.times * self.at_once(wildcards)))

    def minutes(self, wildcards: Any, attempt: int) -> int:
        """Minutes."""
        return attempt * (self.began + int(self.each * self.megabytes(wildcards)))

    @property
    def at_once(self) -> Callable[[Any], float]:
        """Size of the files that the job has in memory at one moment."""
        return self.largest or self.megabytes


def megabytes(paths: Iterable[str]) -> float:
    """Return the size of files in megabytes; those that another rule has still to make count as nothing."""
    found = map(Path, paths)
    return sum(path.stat().st_size for path in found if path.is_file()) / 1e6
