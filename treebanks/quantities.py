"""Numbers of things in words: one function knows singular and plural."""

from __future__ import annotations

import re
from collections.abc import Sequence

FEW = 5
"""The most names that are listed; of more only the number is given."""

IRREGULAR = {"analysis": "analyses", "leaf": "leaves"}


def quantity(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun, in the singular or in the plural.

    plural  where it is not the noun with an ending, as of a phrase that does not end with its noun

    >>> quantity(1, "sentence"), quantity(2193, "sentence"), quantity(0, "entry")
    ('1 sentence', '2,193 sentences', '0 entries')
    >>> quantity(2, "word of gold", "words of gold")
    '2 words of gold'
    """
    return f"{number:,} {noun if number == 1 else plural or plural_of(noun)}"


def describe_amount(number: int, note: str) -> str:
    """Return a number and a note in the plural, whose first noun is put into the singular for one.

    >>> describe_amount(1, "sentences with a cycle"), describe_amount(2, "dependencies on empty nodes")
    ('1 sentence with a cycle', '2 dependencies on empty nodes')
    >>> describe_amount(1, "closing brackets added")
    '1 closing bracket added'
    """
    if number == 1:
        note = re.sub(r"(?<=[a-z])(ies|(?<!s)s)\b", lambda end: "y" if end[1] == "ies" else "", note, count=1)
    return f"{number:,} {note}"


def plural_of(noun: str) -> str:
    """Return the plural of a noun, or of a phrase that ends with one.

    >>> [plural_of(noun) for noun in ("tree", "entry", "key", "branch", "other analysis")]
    ['trees', 'entries', 'keys', 'branches', 'other analyses']
    """
    rest, space, last = noun.rpartition(" ")
    if last in IRREGULAR:
        return f"{rest}{space}{IRREGULAR[last]}"
    if last.endswith("y") and last[-2:-1] not in "aeou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if last.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def listing(names: Sequence[str]) -> str:
    """Return names in a row: ``one``, ``one and two``, ``one, two and three``."""
    names = list(names)
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def cut_listing(names: Sequence[str], most: int = 4) -> str:
    """Return names in a row; of many more the first ones, and how many more there are."""
    return listing(names) if len(names) <= most + 1 else listed(names, most)


def proportion_with(number: int, total: int, property_: str) -> str:
    """Return how many sentences of a total have something.

    >>> proportion_with(1, 3713, "different words"), proportion_with(2, 120, "no parse")
    ('1 of 3,713 sentences has different words', '2 of 120 sentences have no parse')
    """
    return f"{number:,} of {quantity(total, 'sentence')} {'has' if number == 1 else 'have'} {property_}"


def listed(names: Sequence[str], most: int = FEW, noun: str = "") -> str:
    """Return the first names, and how many more there are; ``noun`` says of what."""
    return ", ".join(names[:most]) + and_more(len(names) - most, noun)


def listed_lines(lines: Sequence[str], most: int, whole: str, indent: str = "  ") -> list[str]:
    """Return the first lines, and one that says how many more there are, and where the ``whole`` list is."""
    rest = and_more(len(lines) - most)
    return [*lines[:most], f"{indent}{rest.lstrip()}: all are in {whole}"] if rest else [*lines]


def and_more(number: int, noun: str = "") -> str:
    """End of a list that omits this many of its entries: `` and 3 more``; nothing if it has all of them."""
    if number <= 0:
        return ""
    return f" and {quantity(number, f'more {noun}')}" if noun else f" and {number:,} more"
