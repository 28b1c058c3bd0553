"""Batches of candidates: one job reads, converts or scores all candidates of a batch.

A batch holds whole candidates, some megabytes of them. The number of batches is a power of two that the
size of all candidates decides, and a checksum of a candidate's name decides its batch. So another candidate
changes one batch; where the number doubles, which it does when the size has doubled, each batch is split in
two.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

MEGABYTES = 4.0
"""Megabytes of the files of a batch, on average."""

SMALLEST = 1 / 16
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
