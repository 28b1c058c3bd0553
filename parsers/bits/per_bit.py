"""Cross-entropies and scores per bit of them, with intervals by resampling sentences.

Musillo, Gabriele, and Khalil Sima'an (2002): Towards Comparing Parsers from Different Linguistic Frameworks:
An Information Theoretic Approach. Beyond PARSEVAL, section 4.4. Per bit recall is recall divided by the
cross-entropy of the scheme, and so is precision. Sentence and bits are drawn together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts, Measure, Signature, Sums, ratio
from crossbank.metrics.pairing.pair import Status
from crossbank.metrics.statistics.bootstrap import Interval, resampled_sums
from crossbank.metrics.statistics.defaults import LEVEL
from crossbank.parsers.cross_entropy import SentenceBits

Per: TypeAlias = Literal["sentence", "word"]
"""The units over which a cross-entropy is an average: sentences, as in the paper, or words."""

COLUMNS: Mapping[Per, str] = {"sentence": "sentences with bits", "word": "words with bits"}
BITS = "bits"


@dataclass(frozen=True, eq=False)
class Resampled:
    """A value, and what it is in resamples of the sentences: ``drawn`` has the shape ``(samples,)``."""

    value: float
    drawn: NDArray[np.float64]
    level: float

    @property
    def interval(self) -> Interval:
        """Value with its percentile interval; the value alone without resamples."""
        tail = (1 - self.level) / 2
        low, high = np.quantile(self.drawn, [tail, 1 - tail]) if len(self.drawn) else (self.value,) * 2
        return Interval(self.value, float(low), float(high), self.level)


BITS_PER_WORD = Measure(
    "bits per word", lambda sums: ratio(sums[BITS], sums[COLUMNS["word"]]), "bits of a word", False, "less"
)


def bit_counts(bits: SentenceBits) -> Counts:
    """Return the bits of each sentence as counts, whose score is the average over words.

    Sentences without a parse are unscored and omitted.
    """
    status = np.where(bits.parsed, Status.SCORED, Status.NO_PARSE).astype(np.int8)
    signature = Signature("entropy", "1.0")
    return Counts(signature, (BITS_PER_WORD,), range(len(status)), status, _columns(bits), policy="skip")  # type: ignore[arg-type] # numbers serve as identifiers


def per_bit_counts(counts: Counts, bits: SentenceBits, measure: Measure) -> Counts:
    """Return counts whose only score is a measure per bit of a sentence."""

    def score(sums: Sums) -> NDArray[np.float64]:
        return ratio(measure.score(sums), ratio(sums[BITS], sums[COLUMNS["sentence"]]))

    divided = replace(measure, score=score)
    columns = {**counts.columns, **_columns(bits)}
    return replace(counts, measures=(divided,), columns=columns, breakdowns={})


def entropies(bits: SentenceBits, *, samples: int, seed: int, level: float = LEVEL) -> dict[Per, Resampled]:
    """Return the bits of a sentence and of a word, on average over the sentences that have a parse."""
    columns = _columns(bits)
    table = np.stack([columns[BITS], *(columns[column] for column in COLUMNS.values())], axis=1)
    random = np.random.default_rng(seed)
    sums = np.zeros((samples, table.shape[1]))
    for sample in range(samples):
        sums[sample] = np.bincount(random.integers(0, len(table), len(table)), minlength=len(table)) @ table
    totals = table.sum(axis=0)
    return {
        per: Resampled(float(ratio(totals[0], totals[number])), ratio(sums[:, 0], sums[:, number]), level)
        for number, per in enumerate(COLUMNS, 1)
    }


def per_bit(
    counts: Counts, bits: SentenceBits, measure: Measure, *, samples: int, seed: int, level: float = LEVEL
) -> dict[Per, Resampled]:
    """Return a measure divided by the cross-entropy: per bit of a sentence, and per bit of a word."""
    columns = _columns(bits)
    sums = resampled_sums(replace(counts, columns={**counts.columns, **columns}), samples, seed, every=True)
    scores = measure.score(sums)
    by_unit: dict[Per, Resampled] = {}
    for per, column in COLUMNS.items():
        entropy = ratio(columns[BITS].sum(), columns[column].sum())
        value = float(ratio(counts.value(measure.name), entropy))
        by_unit[per] = Resampled(value, ratio(scores, ratio(sums[BITS], sums[column])), level)
    return by_unit


def _columns(bits: SentenceBits) -> dict[str, NDArray[np.float64]]:
    parsed = bits.parsed
    return {
        BITS: np.where(parsed, bits.bits, 0.0),
        COLUMNS["sentence"]: parsed.astype(np.float64),
        COLUMNS["word"]: np.where(parsed, bits.words, 0).astype(np.float64),
    }
