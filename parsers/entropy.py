"""The cross-entropy of a scheme: of the basic generative model read off its treebank, on held-out text.

Musillo, Gabriele, and Khalil Sima'an (2002): Towards Comparing Parsers from Different Linguistic Frameworks:
An Information Theoretic Approach. Beyond PARSEVAL, section 4. The probability of a sentence is the sum
over all of its analyses. The paper's formula lacks the minus sign and divides by the number of utterances;
bits per word divide by the number of words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from crossbank.treebanks.arrays import BoolArray, Float64Array, Int32Array


@dataclass(frozen=True)
class Entropy:
    """The bits that a model needs for the sentences that it derives.

    bits_per_word, bits_per_sentence  -1/N sum log2 P, N being the words or the sentences that have a parse
    perplexity                        two to the power of the bits per word
    unparsed                          the number of sentences that have none: their P is zero
    sentences, words                  those that have one
    """

    bits_per_word: float
    bits_per_sentence: float
    perplexity: float
    unparsed: int
    sentences: int
    words: int


@dataclass(frozen=True, eq=False)
class SentenceBits:
    """The bits that a model needs for each sentence.

    bits   -log2 of its probability, infinite where it has no parse, shape ``(sentences,)``
    words  its number of words, of the same shape
    """

    bits: Float64Array
    words: Int32Array

    @classmethod
    def of_nothing(cls, sentences: int) -> SentenceBits:
        """Sentences that have no parse so far."""
        return cls(np.full(sentences, np.inf), np.zeros(sentences, np.int32))

    def select(self, sentences: np.ndarray[tuple[int], np.dtype[np.intp]]) -> SentenceBits:
        """Some of the sentences."""
        return SentenceBits(self.bits[sentences], self.words[sentences])

    @property
    def parsed(self) -> BoolArray:
        """A mask of the sentences that have a parse."""
        return np.isfinite(self.bits)

    def entropy(self) -> Entropy:
        """The cross-entropy of all that have a parse."""
        return entropy(-self.bits, self.words)

    def content(self) -> dict[str, Any]:
        """The bits and words as plain lists; None where a sentence has no parse."""
        parsed = self.parsed.tolist()
        return {
            "bits": [b if p else None for b, p in zip(self.bits.tolist(), parsed, strict=True)],
            "words": self.words.tolist(),
        }

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> SentenceBits:
        """Bits and words from plain lists."""
        bits = [np.inf if b is None else b for b in content["bits"]]
        return cls(np.array(bits, np.float64), np.array(content["words"], np.int32))


def entropy(log2: Float64Array, lengths: Int32Array) -> Entropy:
    """The cross-entropy of sentences with the logarithm of their probability and their number of words."""
    parsed = np.isfinite(log2)
    bits, sentences, words = -float(log2[parsed].sum()), int(parsed.sum()), int(lengths[parsed].sum())
    per_word = bits / words if words else float("nan")
    return Entropy(
        per_word,
        bits / sentences if sentences else float("nan"),
        2.0**per_word if per_word < 1024 else float("inf"),
        len(log2) - sentences,
        sentences,
        words,
    )
