"""Features and lemmas, each found once for every different word.

https://universaldependencies.org/u/feat/index.html
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import Int32Array

AT_ONCE = 16
"""The number of bits that are examined at once."""


def features_of_words(
    kind: Int32Array, bits: NDArray[np.int64], rules: Callable[[int], Sequence[str]]
) -> tuple[list[str], Int32Array]:
    """Return the features of each word: a list of strings, and the position of each word's string in it.

    kind   the kind of each word, by which it has rules
    bits   which of these rules hold
    rules  what the rules of a kind give, in order: ``Number=Sing|Person=3``
    """
    # Some bits at once, so that nothing is sorted.
    masks, inverse = np.zeros(1, np.int64), np.zeros(len(bits), np.int32)
    for shift in range(0, 64, AT_ONCE):
        part = (bits >> shift & (1 << AT_ONCE) - 1).astype(np.int32)
        if part.any():
            before, parts, inverse = distinct_pairs(inverse, part)
            masks = masks[before] | parts.astype(np.int64) << shift
    kinds, of, inverse = distinct_pairs(kind, inverse)
    feature_strings = []
    for one, mask in zip(kinds.tolist(), masks[of].tolist(), strict=True):
        values: dict[str, str] = {}
        for number, features in enumerate(rules(one)):
            if mask >> number & 1:
                for pair in features.split("|"):
                    name, _, value = pair.partition("=")
                    values.setdefault(name, value)
        pairs = sorted(((name, value) for name, value in values.items() if value), key=lambda p: p[0].lower())
        feature_strings.append("|".join(f"{name}={value}" for name, value in pairs))
    return feature_strings, inverse


def distinct_pairs(one: Int32Array, other: Int32Array) -> tuple[Int32Array, Int32Array, Int32Array]:
    """Return the distinct pairs of two columns, as two arrays, and the index of each row's pair in them."""
    firsts, first = _dense(one)
    seconds, second = _dense(other)
    pair = first.astype(np.int64) * len(seconds) + second
    # Where most of what can be paired is, a table is faster than sorting.
    if len(firsts) * len(seconds) <= 50 * len(pair):
        distinct, inverse = _dense(pair, len(firsts) * len(seconds))
    else:
        distinct, inverse = np.unique(pair, return_inverse=True)
    return firsts[distinct // len(seconds)], seconds[distinct % len(seconds)], inverse


def _dense(
    codes: NDArray[np.signedinteger[Any]], capacity: int = 0
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the codes that occur, in order, and the position of each row's code among them."""
    used = np.zeros(capacity or int(codes.max(initial=-1)) + 1, np.bool_)
    used[codes] = True
    return np.flatnonzero(used).astype(np.int32), (np.cumsum(used, dtype=np.int32) - np.int32(1))[codes]


class Lemmatiser:
    """Lemmas by closed lists and by rules about endings.

    A scheme's rules have under ``lemmas``: ``lexicon``, by tag the lemma of each form; ``endings``, by the
    scheme's tag pairs of a regular expression and its replacement, of which the first that matches counts;
    ``capitals``, the universal tags whose lemmas keep capitals. Without ``lemmas`` there are none.
    """

    def __init__(self, content: Mapping[str, Any]) -> None:
        self._lexicon: dict[str, dict[str, str]] = {
            tag: {str(form): str(lemma) for form, lemma in forms.items()}
            for tag, forms in content.get("lexicon", {}).items()
        }
        self._endings: dict[str, list[tuple[re.Pattern[str], str]]] = {
            one: [(re.compile(pattern), by) for pattern, by in pairs]
            for tags, pairs in content.get("endings", {}).items()
            for one in tags.split()
        }
        self._capitals = frozenset(content.get("capitals", ()))

    def lemma(self, form: str, tag: str, upos: str) -> str:
        """Return the lemma of a form with a tag of the scheme and a universal tag."""
        low = form.lower()
        for key in (f"{upos} {tag}", tag, upos):
            if low in self._lexicon.get(key, {}):
                return self._lexicon[key][low]
        lemma = form if upos in self._capitals else low
        for pattern, by in self._endings.get(tag, ()):
            if pattern.search(lemma):
                return pattern.sub(by, lemma, count=1)
        return lemma
