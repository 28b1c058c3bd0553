"""Classes of spellings: which characters are the same sign, written in another way.

Parsers, and language models above all, write other quotation marks, dashes and brackets than the text that
they were given, compose characters of Unicode in another way, and drop characters without width.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache

from crossbank.metrics.pairing.word_forms import canonical

INVISIBLE = frozenset(("Cc", "Cf", "Zs", "Zl", "Zp"))
"""The Unicode categories of characters without a sign of their own: control characters, blanks."""


def letters_of(form: str) -> str:
    """Return the characters of a word by which texts are compared: decomposed (NFD), without blanks.

    Combining characters are the same whether they are in the word of their letter or in the next one.
    """
    form = canonical(form)
    if form.isascii() and form.isprintable() and " " not in form:
        return form
    decomposed = unicodedata.normalize("NFD", form)
    return "".join(one for one in decomposed if unicodedata.category(one)[0] != "Z" and not one.isspace())


def _mapped(table: Mapping[str, str]) -> Callable[[str], str]:
    codes = {ord(one): other for one, other in table.items()}
    return lambda form: form.translate(codes)


def _plain_quotes(form: str) -> str:
    return form.replace("``", '"').replace("''", '"').translate(QUOTES)


QUOTES = str.maketrans(dict.fromkeys("“”„‟«»〝〞＂″", '"'))
APOSTROPHES = dict.fromkeys("‘’‚‛ʼʻ‹›`´′＇", "'")
DASHES: Mapping[str, str] = dict.fromkeys("‐‑‒–—―−﹘﹣－", "-")
ELLIPSES = {"…": "...", "‥": ".."}
BRACKETS = {"（": "(", "）": ")", "［": "[", "］": "]", "｛": "{", "｝": "}", "⟨": "<", "⟩": ">"}


_one_dash = _mapped(DASHES)


def _plain_dashes(form: str) -> str:
    plain = _one_dash(form)
    return "-" if len(plain) in (2, 3) and set(plain) == {"-"} else plain


def _visible(form: str) -> str:
    if form.isascii() and form.isprintable():
        return form.replace(" ", "")
    return "".join(one for one in form if unicodedata.category(one) not in INVISIBLE)


CLASSES: Mapping[str, Callable[[str], str]] = {
    "blanks and control characters": _visible,
    "quotation marks": _plain_quotes,
    "apostrophes": _mapped(APOSTROPHES),
    "dashes": _plain_dashes,
    "ellipses": _mapped(ELLIPSES),
    "brackets": _mapped(BRACKETS),
    "forms of Unicode": lambda form: _visible(unicodedata.normalize("NFKD", form)),
    "capitals": str.casefold,
}
"""What makes of the spellings of each class the same one, in the order in which they are tried."""

SPELLING = "spelling"
"""The class of words of which more than half of the characters are the same."""


@lru_cache(maxsize=1 << 16)
def folded(form: str) -> str:
    """Return the one string for all spellings of a word that are the same signs.

    >>> folded("“"), folded("-LRB-"), folded("’S")
    ('"', '(', "'s")
    """
    form = letters_of(form)
    for fold in CLASSES.values():
        form = fold(form)
    return form


def class_of_change(gold: str, candidate: str) -> str:
    """Return the class in which two spellings of a word differ: the last that is needed; empty if in none.

    >>> class_of_change("’s", "'s"), class_of_change("--", "–"), class_of_change("colour", "color")
    ('apostrophes', 'dashes', 'spelling')
    """
    one, other = letters_of(gold), letters_of(candidate)
    if one == other:
        return ""
    for name, fold in CLASSES.items():
        one, other = fold(one), fold(other)
        if one == other:
            return name
    return SPELLING
