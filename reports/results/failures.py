"""Candidates that could not be read, converted or scored.

A study goes on without such a candidate. The files that should hold its trees and counts hold the message
instead (``stored_sources``), and whatever is made from one of them fails with the same message.
"""

from __future__ import annotations

from dataclasses import dataclass

WITHOUT_FILE = "The pattern finds no file."
WITHOUT_GOLD = "There is no gold."


@dataclass(frozen=True)
class Failure:
    """A candidate without scores, and why."""

    candidate: str
    message: str
