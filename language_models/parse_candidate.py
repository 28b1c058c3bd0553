"""Parses that are found in the text of an answer, before one of them is chosen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Style: TypeAlias = Literal["brackets", "columns"]

FENCED = "parses in Markdown fences"
PROSE = "parses between prose"
JSON = "parses in JSON"
TABLE = "parses in Markdown tables"
SPACES = "columns between spaces"
COMMAS = "columns between commas"
OTHER_COLUMNS = "parses with other columns than ten"
SQUARE = "parses in square brackets"
ESCAPED = "brackets in words escaped"


@dataclass
class ParseCandidate:
    """A part of an answer that is a parse, or the beginning of one.

    style        brackets, or rows of columns
    text         one tree on a line, or the ten columns of CoNLL-U; what is missing is repaired
    words        the number of words
    begin, end   the characters of the answer between which it is
    damage       what had to be repaired, with how often; empty for a complete parse
    has_heads    whether words have heads, or are in brackets
    notes        how it is written, with how often
    """

    style: Style
    text: str
    words: int
    begin: int
    end: int
    damage: Counter[str] = field(default_factory=Counter)
    has_heads: bool = True
    notes: Counter[str] = field(default_factory=Counter)

    @property
    def is_complete(self) -> bool:
        """Whether nothing had to be repaired."""
        return not self.damage and self.has_heads
