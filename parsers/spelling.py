"""Unknown words by their characters, so that every string has a probability.

A signature is spelled by a model of characters: each depends on the signature and the two before, with
back-off to the two alone, to one, to none, and to all characters alike (Witten and Bell 1991). A word ends
with an end symbol of its own. What is left to known words is taken out: they stand for themselves. So for
each signature the probabilities of all strings that are not known add up to one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TypeAlias

END = ""
"""The symbol after the last character of a word."""

CHARACTERS = 0x110000
"""The number of code points in Unicode."""

History: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class WordSpelling:
    """Characters of unknown words.

    learned     for each signature the words that it was learned from
    known       the words that are not spelled
    characters  the number of characters that there are
    """

    learned: Mapping[str, tuple[str, ...]]
    known: frozenset[str]
    characters: int = CHARACTERS

    @cached_property
    def _counts(self) -> Mapping[History, Counter[str]]:
        counts: dict[History, Counter[str]] = defaultdict(Counter)
        for signature, words in self.learned.items():
            for word in words:
                for histories, character in _events(signature, word):
                    for history in histories:
                        counts[history][character] += 1
        return dict(counts)

    @cached_property
    def _left(self) -> dict[str, float]:
        """Part of each signature's probability that known words do not have."""
        return {}

    def probability(self, signature: str, word: str) -> float:
        """Return the probability of a word that is not known, given its signature."""
        if signature not in self._left:
            self._left[signature] = 1.0 - sum(self._spelled(signature, known) for known in self.known)
        return self._spelled(signature, word) / self._left[signature]

    def _spelled(self, signature: str, word: str) -> float:
        """Return the probability that the characters of a signature are those of a word; no word is empty."""
        parts = prod(self._of(*event) for event in _events(signature, word))
        (histories, _), *_ = _events(signature, word)
        return parts / (1.0 - self._of(histories, END))

    @cached_property
    def _probabilities(self) -> dict[tuple[History, str], float]:
        """Cache of the probabilities of characters after histories."""
        return {}

    def _of(self, histories: tuple[History, ...], character: str) -> float:
        key = (histories[-1], character)
        if key not in self._probabilities:
            self._probabilities[key] = self._computed(histories, character)
        return self._probabilities[key]

    def _computed(self, histories: tuple[History, ...], character: str) -> float:
        probability = 1.0 / (self.characters + 1)
        for history in histories:
            counts = self._counts.get(history)
            if counts:
                kinds = len(counts)
                probability = (counts[character] + kinds * probability) / (counts.total() + kinds)
        return probability


def _events(signature: str, word: str) -> Iterator[tuple[tuple[History, ...], str]]:
    """Yield characters of a word and its end, each with its histories from the shortest to the longest."""
    before = ("^", "^")
    for character in (*word, END):
        yield ((), before[1:], before, (signature, *before)), character
        before = (before[1], character)
