"""Mean ambiguity of some sentences, which formats with records of a parser can tell."""

from __future__ import annotations

from typing import NamedTuple


class Ambiguity(NamedTuple):
    """A subset of the items that have an analysis; a mean is None if there is nothing to take it of.

    items     the number of items
    length    mean number of words
    lexical   entries that the parser took from the lexicon, for each word
    readings  mean number of analyses that the parser found
    """

    items: int
    length: float | None
    lexical: float | None
    readings: float | None
