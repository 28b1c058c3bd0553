"""Cross-entropy of a scheme: of the basic generative model read off its treebank, on held-out text.

Musillo, Gabriele, and Khalil Sima'an (2002): Towards Comparing Parsers from Different Linguistic Frameworks:
An Information Theoretic Approach. Beyond PARSEVAL, section 4. The probability of a sentence is the sum
over all of its analyses. The paper's formula lacks the minus sign and divides by the number of utterances;
bits per word divide by the number of words, bits per character by that of their characters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from crossbank.parsers.parsed import Inside
from crossbank.treebanks.arrays import BoolArray, Float64Array, Int32Array

ENTROPY = "entropy"
"""The name of the bits among a candidate's measurements."""


@dataclass(frozen=True)
class Entropy:
    """Bits that a model needs for the sentences that it derives.

    bits_per_word, bits_per_sentence, bits_per_character
                  -1/N sum log2 P, N being the words, the sentences that have a parse, or the characters
    perplexity    two to the power of the bits per word
    perplexity_per_character  two to the power of the bits per character
    unparsed      the number of sentences without a parse: their P is zero
    sentences, words, characters  the numbers of those with a parse; no characters if tags are the input
    """

    bits_per_word: float
    bits_per_sentence: float
    bits_per_character: float
    perplexity: float
    perplexity_per_character: float
    unparsed: int
    sentences: int
    words: int
    characters: int


@dataclass(frozen=True, eq=False)
class SentenceBits:
    """Bits that a model needs for each sentence.

    bits        -log2 of its probability, infinite where it has no parse, shape ``(sentences,)``
    words       its number of words, of the same shape
    characters  the number of characters of its words, without spaces; 0 where tags are the input
    input       what the model has probabilities of: ``words`` or ``tags``
    """

    bits: Float64Array
    words: Int32Array
    characters: Int32Array
    input: str = "words"

    @classmethod
    def measured(cls, inside: Inside, input: str = "words") -> SentenceBits:
        """Return the bits of a text's sentences, from their probabilities."""
        bank = inside.words
        lengths = np.array([len(word) for word in bank.vocabulary.decode(bank.tokens.form)], np.int32)
        ends = np.concatenate(([0], np.cumsum(lengths)))[bank.tokens.offsets]
        characters = np.diff(ends) if input == "words" else np.zeros(len(bank))
        return cls(
            -inside.log2,
            bank.tokens.lengths().astype(np.int32),
            characters.astype(np.int32),
            _input_type(input),
        )

    @classmethod
    def unparsed_sentences(cls, sentences: int, input: str = "words") -> SentenceBits:
        """Return the bits of sentences that have no parse so far."""
        words, characters = np.zeros((2, sentences), np.int32)
        return cls(np.full(sentences, np.inf), words, characters, _input_type(input))

    def select(self, sentences: np.ndarray[tuple[int], np.dtype[np.intp]]) -> SentenceBits:
        """Return the bits of some sentences."""
        return SentenceBits(
            self.bits[sentences], self.words[sentences], self.characters[sentences], self.input
        )

    def put(self, sentences: np.ndarray[tuple[int], np.dtype[np.intp]], part: SentenceBits) -> None:
        """Write the bits of some sentences."""
        for name in ("bits", "words", "characters"):
            getattr(self, name)[sentences] = getattr(part, name)

    def only(self, sentences: BoolArray) -> SentenceBits:
        """Return the bits of some sentences; the others are as if they had no parse."""
        return replace(self, bits=np.where(sentences, self.bits, np.inf))

    @property
    def parsed(self) -> BoolArray:
        """A mask of the sentences that have a parse."""
        return np.isfinite(self.bits)

    def entropy(self) -> Entropy:
        """Return the cross-entropy of all that have a parse."""
        parsed = self.parsed
        bits, sentences = float(self.bits[parsed].sum()), int(parsed.sum())
        words, characters = int(self.words[parsed].sum()), int(self.characters[parsed].sum())
        per_word, per_sentence, per_character = (
            bits / units if units else float("nan") for units in (words, sentences, characters)
        )
        perplexity, of_characters = (
            2.0**per if not per >= 1024 else float("inf") for per in (per_word, per_character)
        )
        figures = per_word, per_sentence, per_character, perplexity, of_characters
        return Entropy(*figures, len(parsed) - sentences, sentences, words, characters)

    def content(self) -> dict[str, Any]:
        """Return the bits, words and characters as plain lists; None if a sentence has no parse."""
        parsed = self.parsed.tolist()
        return {
            "bits": [b if p else None for b, p in zip(self.bits.tolist(), parsed, strict=True)],
            "words": self.words.tolist(),
            "characters": self.characters.tolist(),
            "input": self.input,
        }

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> SentenceBits:
        """Return bits and words from plain lists."""
        bits = [np.inf if b is None else b for b in content["bits"]]
        words, characters = (np.array(content[name], np.int32) for name in ("words", "characters"))
        return cls(np.array(bits, np.float64), words, characters, content["input"])


def _input_type(input: str) -> str:
    """Return ``words`` or ``tags``; the column of the tags matters to the parser alone."""
    return "words" if input == "words" else "tags"
