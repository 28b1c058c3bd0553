"""The cross-entropy of a scheme: of the basic generative model read off its treebank, on held-out text.

Musillo, Gabriele, and Khalil Sima'an (2002): Towards Comparing Parsers from Different Linguistic Frameworks:
An Information Theoretic Approach. Beyond PARSEVAL, section 4. The probability of a sentence is the sum
over all of its analyses. The paper's formula lacks the minus sign and divides by the number of utterances;
bits per word divide by the number of words.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from crossbank.treebanks.arrays import Float64Array, Int32Array


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
