"""Resources that a job asks of a cluster, by the size of the study's files; more at each attempt.

A study's input files exist before anything runs. So the size of a job is known when it is submitted, even
if the files that it reads are made by another job of the same group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LARGE = 2
"""Megabytes from which a job uses several processors: about 5,000 sentences."""

HUGE = 50
"""Megabytes from which one of many jobs uses several processors: two such jobs at once need much memory."""

SMALL = 5
"""Megabytes up to which a whole study is one job of a cluster: starting a job takes longer than its work."""

FEW = 32
"""Maximal number of treebanks and candidates of such a study: Snakemake's time grows with their square."""


@dataclass(frozen=True)
class Demand:
    """Processors, memory and time of a rule's jobs.

    megabytes  the size of the study's files of each source that a job works on, by its wildcards
    cores      the processors that a large job uses
    at_least   megabytes of memory for Python, its libraries and Snakemake alone
    times      megabytes of memory for each megabyte of the largest source: a job takes one after the other
    began      minimal minutes of a job; ``each`` minutes are added for each megabyte
    """

    megabytes: Callable[[Any], Sequence[float]]
    cores: int
    at_least: int = 1000
    times: int = 20
    began: int = 5
    each: float = 0.1

    def threads(self, wildcards: Any) -> int:
        """Number of processors: one for a small job, and for one of many sources without a huge file."""
        sizes = self.megabytes(wildcards)
        return self.cores if max(sizes) >= (LARGE if len(sizes) == 1 else HUGE) else 1

    def memory(self, wildcards: Any, attempt: int) -> int:
        """Return the memory in megabytes."""
        return attempt * (self.at_least + int(self.times * max(self.megabytes(wildcards))))

    def minutes(self, wildcards: Any, attempt: int) -> int:
        """Return the time in minutes."""
        return attempt * (self.began + int(self.each * sum(self.megabytes(wildcards))))


def megabytes(paths: Iterable[str]) -> float:
    """Return the size of files in megabytes; missing files, which another rule will make, count as 0."""
    files = map(Path, paths)
    return sum(path.stat().st_size for path in files if path.is_file()) / 1e6
