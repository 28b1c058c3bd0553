"""The resources that a job asks of a cluster, by the size of its inputs; more at each attempt."""

from __future__ import annotations

from typing import Any


def memory(wildcards: Any, input: Any, attempt: int) -> int:
    """Megabytes: those of Python and its libraries, and what is read several times over."""
    return attempt * (1000 + 20 * int(input.size_mb))


def minutes(wildcards: Any, input: Any, attempt: int) -> int:
    """Minutes: a job reads and scores more than a megabyte in a second."""
    return attempt * (5 + int(input.size_mb) // 10)
