"""Unknown words by their signatures: letters, digits, hyphens and endings, learned from rare words.

After Petrov, Slav, Leon Barrett, Romain Thibaux and Dan Klein (2006): Learning Accurate, Compact, and
Interpretable Tree Annotation. COLING/ACL, section 3. Nothing here is particular to a language.

A signature is spelled by a model of characters, so that every string has a probability: each character
depends on the signature and the two before, with back-off to the two alone, to one, to none, and to all
characters alike (Witten and Bell 1991). A word ends with an end symbol. Known words are never spelled, so the
probability that the model gives to them is removed: for each signature the probabilities of all unknown
strings add up to one.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any, TypeAlias

UNKNOWN = "UNK"
"""The coarsest signature, which every word has."""

MIN_WORDS_OF_SIGNATURE = 5
"""The minimal number of different rare words for a signature; with fewer, a coarser one is used."""

UNKNOWN_SHARE = 0.01
"""Share of each rare word's count that is given to ``UNK``, so that every word has a tag."""


def signatures(word: str, first: bool) -> tuple[str, ...]:
    """Return the signatures of a word, the finest first; ``first`` says whether it begins the sentence.

    >>> signatures("Zeitung", False)
    ('UNK-C-ung', 'UNK-C-ng', 'UNK-C', 'UNK')
    """
    letters = [character for character in word if character.isalpha()]
    if not letters:
        shape = "0" if any(character.isdigit() for character in word) else "x"
    elif len(letters) > 1 and all(character.isupper() for character in letters):
        shape = "A"
    elif word[0].isupper():
        shape = "Cf" if first else "C"
    else:
        shape = "l"
    if letters and any(character.isdigit() for character in word):
        shape += "0"
    if "-" in word[1:-1]:
        shape += "-"
    coarse = f"{UNKNOWN}-{shape}"
    endings = [f"{coarse}-{word[-length:].lower()}" for length in (3, 2) if len(word) > length and letters]
    return (*endings, coarse, UNKNOWN)


@dataclass(frozen=True)
class UnknownWords:
    """Words that a grammar knows, and the signatures that replace the others.

    In training, rare words are seen as their signatures too, so that each word has exactly one
    terminal and the probabilities of all sentences of one length add up to at most one.
    """

    words: frozenset[str]
    signatures: frozenset[str]
    rare: tuple[tuple[str, str], ...] = ()
    """Pairs of a signature and a rare word that was replaced by it."""

    @cached_property
    def spelling(self) -> WordSpelling:
        """Model of the characters of unknown words."""
        learned: dict[str, set[str]] = defaultdict(set)
        for signature, word in self.rare:
            learned[signature].add(word)
        return WordSpelling({one: tuple(sorted(words)) for one, words in sorted(learned.items())}, self.words)

    def content(self) -> dict[str, list[Any]]:
        """Return words and signatures as plain lists."""
        return {
            "words": sorted(self.words),
            "signatures": sorted(self.signatures),
            "rare": [list(pair) for pair in self.rare],
        }

    @classmethod
    def of(cls, content: Mapping[str, Iterable[Any]]) -> UnknownWords:
        """Return words and signatures from plain lists. Raises TypeError if one is not a string."""
        rare = tuple((signature, word) for signature, word in content["rare"])
        unknown = cls(frozenset(content["words"]), frozenset(content["signatures"]), rare)
        strings = (*unknown.words, *unknown.signatures, *(part for pair in rare for part in pair))
        if not all(isinstance(word, str) for word in strings):
            raise TypeError("a word that is not a string")
        return unknown

    def terminal(self, word: str, first: bool) -> str:
        """Return the terminal of a word: the word itself, or the finest signature that the grammar has."""
        word = normal_form(word)
        if word in self.words:
            return word
        return next((s for s in signatures(word, first) if s in self.signatures), UNKNOWN)


def learn_unknown_words(sentences: Iterable[Iterable[str]], rare: int) -> UnknownWords:
    """Return the words seen more than ``rare`` times, and the frequent signatures of the others."""
    counts: Counter[str] = Counter()
    at_start: set[str] = set()
    for sentence in sentences:
        for index, word in enumerate(sentence):
            word = normal_form(word)
            counts[word] += 1
            if index == 0:
                at_start.add(word)
    seldom = sorted(word for word, count in counts.items() if count <= rare)
    unknown = UnknownWords(
        frozenset(word for word, count in counts.items() if count > rare),
        frozenset(_frequent((w, w in at_start) for w in seldom)),
    )
    # Where no word is rare, the spelling is learned from the known ones.
    spelled = [(unknown.terminal(w, w in at_start), w) for w in seldom] or [
        (UNKNOWN, w) for w in sorted(counts)
    ]
    # A signature whose words all have finer ones has no tag, and is dropped.
    used = frozenset({UNKNOWN, *(signature for signature, _ in spelled)})
    return replace(unknown, signatures=used, rare=tuple(spelled))


def _frequent(words: Iterable[tuple[str, bool]]) -> Iterable[str]:
    word_counts: Mapping[str, int] = Counter(s for word, first in words for s in signatures(word, first))
    return (s for s, count in word_counts.items() if count >= MIN_WORDS_OF_SIGNATURE or s == UNKNOWN)


def normal_form(word: str) -> str:
    """Return the NFC-normalised word."""
    return word if word.isascii() else unicodedata.normalize("NFC", word)


END = ""
"""The symbol after the last character of a word."""

CHARACTERS = 0x110000
"""The number of code points in Unicode."""

History: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class WordSpelling:
    """Characters of unknown words.

    learned     for each signature the words that it was learned from
    known       the words that are never spelled
    characters  the number of possible characters
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
    def _unknown_mass(self) -> dict[str, float]:
        """Cache: the probability of all unknown words under each signature."""
        return {}

    def probability(self, signature: str, word: str) -> float:
        """Return the probability of a word that is not known, given its signature."""
        if signature not in self._unknown_mass:
            self._unknown_mass[signature] = 1.0 - sum(self._spelled(signature, known) for known in self.known)
        return self._spelled(signature, word) / self._unknown_mass[signature]

    def _spelled(self, signature: str, word: str) -> float:
        """Return the probability that a signature is spelled as a word; words are not empty."""
        parts = prod(self._probability_of(*event) for event in _events(signature, word))
        (histories, _), *_ = _events(signature, word)
        return parts / (1.0 - self._probability_of(histories, END))

    @cached_property
    def _probabilities(self) -> dict[tuple[History, str], float]:
        """Cache of the probabilities of characters after histories."""
        return {}

    def _probability_of(self, histories: tuple[History, ...], character: str) -> float:
        key = (histories[-1], character)
        if key not in self._probabilities:
            self._probabilities[key] = self._compute_probability(histories, character)
        return self._probabilities[key]

    def _compute_probability(self, histories: tuple[History, ...], character: str) -> float:
        probability = 1.0 / (self.characters + 1)
        for history in histories:
            counts = self._counts.get(history)
            if counts:
                distinct = len(counts)
                probability = (counts[character] + distinct * probability) / (counts.total() + distinct)
        return probability


def _events(signature: str, word: str) -> Iterator[tuple[tuple[History, ...], str]]:
    """Yield characters of a word and its end, each with its histories from the shortest to the longest."""
    before = ("^", "^")
    for character in (*word, END):
        yield ((), before[1:], before, (signature, *before)), character
        before = (before[1], character)
