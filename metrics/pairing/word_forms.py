"""Forms of words: canonical spellings, and punctuation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

NO_COUNTERPART = "(no counterpart)"
"""The tag of an unmatched word in the treebank that lacks it (``metrics.pairing.common_words``)."""

ALIGNED = "words"
"""The step of the diagnostics about aligned and unmatched words."""

ESCAPES = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "\\/": "/",
    "\\*": "*",
}
"""Escapes of Penn bracket files for characters of the notation."""

ESCAPED = re.compile("|".join(map(re.escape, ESCAPES)))


@lru_cache(maxsize=1 << 16)
def canonical(string: str) -> str:
    r"""Return the canonical spelling of a word or tag, without escapes and in NFC.

    >>> canonical(r"1\/2"), canonical("$-LRB-")
    ('1/2', '$(')
    """
    if has_escape(string):
        string = ESCAPED.sub(lambda match: ESCAPES[match.group()], string)
    return string if string.isascii() else unicodedata.normalize("NFC", string)


def has_escape(string: str) -> bool:
    """Return whether a string contains an escape."""
    # Every escape contains one of these two strings, which are quick to find.
    return ("B-" in string or "\\" in string) and ESCAPED.search(string) is not None


def stand_for_themselves(strings: Sequence[str]) -> Sequence[bool]:
    """Return for each string whether it is its own canonical form."""
    # NFC composes nothing with a line feed, and no escape has one: mostly one check of all is enough.
    joined = "\n".join(strings)
    if not any(map(joined.__contains__, ESCAPES)) and unicodedata.is_normalized("NFC", joined):
        return [True] * len(strings)
    # Most strings are decided without a call.
    return [
        ("B-" not in string and "\\" not in string and string.isascii()) or stands_for_itself(string)
        for string in strings
    ]


def stands_for_itself(string: str) -> bool:
    """Return whether a string is its own canonical form."""
    return not has_escape(string) and (string.isascii() or unicodedata.is_normalized("NFC", string))


def is_punctuation(form: str) -> bool:
    """Return whether a form consists of characters that Unicode classes as punctuation (categories P*).

    >>> is_punctuation("''"), is_punctuation("``"), is_punctuation("")
    (True, False, False)
    """
    return bool(form) and all(unicodedata.category(character).startswith("P") for character in form)


def are_punctuation(forms: Sequence[str]) -> Sequence[bool]:
    """Return for each form whether it is punctuation: see ``is_punctuation``."""
    # Most words begin with a letter or a digit, which is the fastest check.
    return [not form[:1].isalnum() and is_punctuation(form) for form in forms]
