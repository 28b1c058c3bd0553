"""Candidates that could not be read, converted or scored.

Where a study goes on without such a candidate, the files that should hold its trees and counts hold
the message instead. Whatever is made from one of them fails with the same message.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

MARK = b"crossbank: failed\n"
"""The beginning of such a file; Parquet begins otherwise."""

WITHOUT_FILE = "The pattern finds no file."
WITHOUT_GOLD = "There is no gold."


@dataclass(frozen=True)
class Failure:
    """A candidate without scores, and why."""

    candidate: str
    message: str


def write_failure(path: Path, message: str) -> None:
    """Write a message in place of what could not be made."""
    path.write_bytes(MARK + message.encode())


def failure_in(path: Path) -> str | None:
    """Return the message that a file holds in place of a treebank or of counts; None where it holds these."""
    with path.open("rb") as stream:
        if stream.read(len(MARK)) != MARK:
            return None
        return stream.read().decode()
