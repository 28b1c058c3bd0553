"""Bits that candidates' models need for their sentences, where a study measures them.

Musillo, Gabriele, and Khalil Sima'an (2002): Towards Comparing Parsers from Different Linguistic Frameworks:
An Information Theoretic Approach. Beyond PARSEVAL, sections 4.3 and 4.4.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from crossbank.metrics.counting.counts import Measure
from crossbank.parsers.cross_entropy import SentenceBits
from crossbank.reports.results.study_results import CandidateResults, StudyResults, TreebankResults

PER_BIT = ("precision", "recall")
"""The measures that are divided by the cross-entropy."""


def measured(study: StudyResults) -> Iterator[tuple[TreebankResults, CandidateResults, SentenceBits]]:
    """Yield the candidates whose bits were measured, in the study's order.

    Of the sentences of a text, those are left out that some model of the text has no probability of.
    """
    found = [(t, c, c.bits) for t in study.treebanks for c in t.candidates if c.bits is not None]
    for treebank, candidate, bits in found:
        parsed = [other.parsed for *_, other in found if of_one_text(bits, other)]
        yield treebank, candidate, bits.only(np.logical_and.reduce(parsed))


def of_one_text(one: SentenceBits, other: SentenceBits) -> bool:
    """True if two models were given the same sentences as the same input, as far as numbers of words tell."""
    return one.input == other.input and np.array_equal(one.words, other.words)


def measures_per_bit(candidate: CandidateResults) -> Iterator[tuple[str, Measure]]:
    """Precision and recall of each metric that has them, with the metric's name in the study."""
    for metric, counts in candidate.counts.items():
        yield from ((metric, measure) for measure in counts.measures if measure.name in PER_BIT)
