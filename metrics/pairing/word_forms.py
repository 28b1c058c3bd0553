"""Forms of words: which spellings are the same word, and which are punctuation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

NO_COUNTERPART = "(no counterpart)"
"""The tag of a word that only the other side has (``metrics.pairing.common_words``)."""

ALIGNED = "words"
"""The step under which a diagnosis tells which words were aligned, and which have no counterpart."""

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
"""The escapes of Penn bracket files for characters that have a meaning there."""

ESCAPED = re.compile("|".join(map(re.escape, ESCAPES)))


@lru_cache(maxsize=1 << 16)
def canonical(string: str) -> str:
    r"""Return the one string for all spellings of a word or tag.

    >>> canonical(r"1\/2"), canonical("$-LRB-")
    ('1/2', '$(')
    """
    if has_escape(string):
        string = ESCAPED.sub(lambda match: ESCAPES[match.group()], string)
    return string if string.isascii() else unicodedata.normalize("NFC", string)


def has_escape(string: str) -> bool:
    """Whether a string contains an escape."""
    # All escapes have one of these two.
    return ("B-" in string or "\\" in string) and ESCAPED.search(string) is not None


def stand_for_themselves(strings: Sequence[str]) -> Sequence[bool]:
    """Return of each string whether it is its own canonical form."""
    # Nothing is composed with a line feed, and no escape has one: one look at all of them is enough mostly.
    joined = "\n".join(strings)
    if not any(map(joined.__contains__, ESCAPES)) and unicodedata.is_normalized("NFC", joined):
        return [True] * len(strings)
    # Of each of many strings most is told without a call.
    return [
        ("B-" not in string and "\\" not in string and string.isascii()) or stands_for_itself(string)
        for string in strings
    ]


def stands_for_itself(string: str) -> bool:
    """Whether a string is its own canonical form."""
    return not has_escape(string) and (string.isascii() or unicodedata.is_normalized("NFC", string))


def is_punctuation(form: str) -> bool:
    """True if a form consists of characters that Unicode calls punctuation (categories P*).

    >>> is_punctuation("''"), is_punctuation("``"), is_punctuation("")
    (True, False, False)
    """
    return bool(form) and all(unicodedata.category(character).startswith("P") for character in form)


def are_punctuation(forms: Sequence[str]) -> Sequence[bool]:
    """Return of each form whether it is punctuation: see ``is_punctuation``."""
    # Most words begin with a letter or a digit, which is told fastest.
    return [not form[:1].isalnum() and is_punctuation(form) for form in forms]
