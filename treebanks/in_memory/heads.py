"""Treebanks of dependencies in lists: ``(words, heads, relations)``, one triple for each sentence.

Words count from 1, and 0 is the head of a root, as in the CoNLL formats.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import Any

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.in_memory.elements import ElementError, columns_of, named
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.tables import ROOT
from crossbank.treebanks.treebank import Treebank


def treebank_of(triples: Sequence[Any], name: str, first: int = 0) -> Treebank:
    """A treebank with a sentence for each triple; None and "" have no parse.

    Raises ElementError, with the place, for lists of different length, heads that are not there and words or
    relations that are no strings.
    """
    builder = TreebankBuilder(name)
    for place, triple in enumerate(triples, first):
        builder.sentence()
        if triple is None or isinstance(triple, str):
            continue
        words, heads, relations = columns_of(triple, ("words", "heads", "relations"), name, place)
        if not len(words) == len(heads) == len(relations):
            found = f"{quantity(len(words), 'word')}, {quantity(len(heads), 'head')} and "
            found += quantity(len(relations), "relation")
            raise ElementError(name, place, found, "as many of each")
        builder.tokens(
            form=strings(words, "word", name, place),
            head=heads_of(heads, len(words), name, place),
            relation=strings(relations, "relation", name, place),
        )
    return builder.build()


def heads_of(heads: Iterable[Any], words: int, name: str, place: int) -> list[int]:
    """Heads counted from 0, with ``ROOT``. Raises ElementError for one that is not there."""
    found = []
    for head in heads:
        try:
            number = index(head)
        except TypeError:
            raise ElementError(name, place, f"{named(head)} as a head", "whole numbers") from None
        if not 0 <= number <= words:
            expected = f"0 for a root, and else a word from 1 to {words}"
            raise ElementError(name, place, f"the head {number}", expected)
        found.append(number - 1 if number else ROOT)
    return found


def strings(found: Sequence[Any], what: str, name: str, place: int) -> list[str]:
    """Strings, as they are. Raises ElementError for something else."""
    for string in found:
        if not isinstance(string, str):
            raise ElementError(name, place, f"{named(string)} as a {what}", "a string")
    return list(found)
