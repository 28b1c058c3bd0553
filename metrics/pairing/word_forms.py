"""Two ways of writing a word that are the same word."""

from __future__ import annotations

import re
import unicodedata

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
"""What Penn bracket files write for characters that they cannot hold or keep for themselves."""

ESCAPED = re.compile("|".join(map(re.escape, ESCAPES)))


def canonical(string: str) -> str:
    r"""The string under which two ways of writing a word or tag are the same.

    >>> canonical(r"1\/2"), canonical("$-LRB-")
    ('1/2', '$(')
    """
    string = ESCAPED.sub(lambda found: ESCAPES[found.group()], string)
    return string if string.isascii() else unicodedata.normalize("NFC", string)


def is_punctuation(form: str) -> bool:
    """Whether a form consists of characters that Unicode calls punctuation (categories P*).

    >>> is_punctuation("''"), is_punctuation("``"), is_punctuation("")
    (True, False, False)
    """
    return bool(form) and all(unicodedata.category(character).startswith("P") for character in form)
