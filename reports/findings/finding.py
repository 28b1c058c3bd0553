"""A sentence about the results, and where the numbers behind it stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One sentence with its figures.

    topic  what it is about: a key of ``findings.TOPICS``
    text   the sentence
    table  the key of the table that holds its numbers: an address on the page
    """

    topic: str
    text: str
    table: str


def listing(names: Sequence[str]) -> str:
    """Names in a row: ``one``, ``one and two``, ``one, two and three``."""
    names = list(names)
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
