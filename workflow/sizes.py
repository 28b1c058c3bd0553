"""What depends on the sizes of a study's files: batches of candidates, and what jobs ask of a cluster.

A study's input files exist before anything runs. So the size of a job is known when it is submitted, even
if the files that it reads are made by another job of the same group.

One job reads, converts or scores all candidates of a batch. A batch holds whole candidates, some megabytes of
them. The number of batches is a power of two that the size of all candidates decides, and a checksum of a
candidate's name decides its batch. So another candidate changes one batch; where the number doubles, which it
does when the size has doubled, each batch is split in two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
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


MEGABYTES = 64.0
"""Megabytes of the files of a batch, on average.

A study of the size of the CoNLL 2018 shared task took 9 minutes with 64, and more than 13 with 4: each job
takes about half a second to start.
"""

SMALLEST = 1.0
"""Megabytes that a smaller candidate counts as: to read and to score one takes time whatever its size."""


def batches_of(candidates: Mapping[str, float]) -> dict[str, tuple[str, ...]]:
    """Return the candidates of each batch by the batch's name, from the candidates with their megabytes."""
    number = number_of_batches(list(candidates.values()))
    batches: dict[str, tuple[str, ...]] = {}
    for name in candidates:
        position = int.from_bytes(sha256(name.encode()).digest()[:8], "big") % number + 1
        batch = f"candidates-{position}-of-{number}"
        batches[batch] = (*batches.get(batch, ()), name)
    return dict(sorted(batches.items(), key=lambda item: int(item[0].split("-")[1])))


def number_of_batches(sizes: list[float]) -> int:
    """Return a power of two: enough for all megabytes, and no more than there are candidates, rounded up."""
    total = sum(max(size, SMALLEST) for size in sizes)
    number = 1
    while number < len(sizes) and number * MEGABYTES < total:
        number *= 2
    return number
