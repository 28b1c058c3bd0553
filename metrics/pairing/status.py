"""The status of a pair of sentences: scored, or why it could not be."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """The status of a sentence: scored, or the reason why it could not be.

    ``metrics.loops.words`` writes the first four.
    """

    SCORED = 0
    NO_PARSE = 1
    WORDS_DIFFER = 2
    NO_GOLD = 3
    SKIPPED = 4
    CYCLE = 5
    SEVERAL_ROOTS = 6

    def __str__(self) -> str:
        return "skipped by rule" if self is Status.SKIPPED else self.name.lower().replace("_", " ")
