"""Parses that are found in the text of an answer, before one of them is chosen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from crossbank.treebanks.damage.rules import Repaired

Style: TypeAlias = Literal["brackets", "columns"]

FENCED = "parses in Markdown fences"
PROSE = "parses between prose"
JSON = "parses in JSON"
TABLE = "parses in Markdown tables"
SPACES = "columns between spaces"
COMMAS = "columns between commas"
OTHER_COLUMNS = "parses with other columns than ten"
SQUARE = "parses in square brackets"
ELEMENTS = "parses in elements of XML"
OUTLINE = "parses in outlines"
ESCAPED = "brackets in words escaped"

LEAF = re.compile(r"[^\s()]\s*\)")
ROW = re.compile(r"^[0-9]+\t", re.MULTILINE)
"""A word in brackets, and in rows."""


def escape_brackets(word: str) -> str:
    """Return a word whose brackets are escaped as in Penn files."""
    return word.replace("(", "-LRB-").replace(")", "-RRB-")


@dataclass
class ParseCandidate:
    """A part of an answer that is a parse, or the beginning of one.

    style        brackets, or rows of columns
    text         one tree, or the ten columns of CoNLL-U, as written
    words        the number of words
    begin, end   the characters of the answer between which it is
    repair       the function that repairs the text; None if it is whole
    has_heads    whether words have heads, or are in brackets
    notes        how it is written, with how often
    """

    style: Style
    text: str
    words: int
    begin: int
    end: int
    repair: Callable[[str], Repaired] | None = None
    has_heads: bool = True
    notes: Counter[str] = field(default_factory=Counter)

    @property
    def is_complete(self) -> bool:
        """Whether nothing has to be repaired."""
        return self.repair is None and self.has_heads

    def whole_text(self) -> Repaired:
        """Return the text, repaired if need be, a tree on one line; no text if there is no word in it."""
        text, kinds = (self.text, Counter[str]()) if self.repair is None else self.repair(self.text)
        if self.style == "brackets":
            text = " ".join(text.split())
        return Repaired(text if count_words(text, self.style) else "", kinds)


def count_words(text: str, style: Style) -> int:
    """Return the number of words of a parse."""
    return len((LEAF if style == "brackets" else ROW).findall(text))
