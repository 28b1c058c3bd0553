"""Bits that candidates' models need for their sentences; tests of two models by these and by scores per bit.

Musillo, Gabriele, and Khalil Sima'an (2002): Towards Comparing Parsers from Different Linguistic Frameworks:
An Information Theoretic Approach. Beyond PARSEVAL, sections 4.3 and 4.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts, Measure
from crossbank.metrics.statistics.estimates import ALL, CandidateRun, Family
from crossbank.parsers.bits.per_bit import bit_counts, per_bit_counts
from crossbank.parsers.cross_entropy import ENTROPY, SentenceBits
from crossbank.reports.estimates.candidates import contrast_runs
from crossbank.reports.estimates.questions import question
from crossbank.reports.results.study_results import CandidateResults, StudyResults, TreebankResults

PER_BIT = ("precision", "recall")
"""The measures that are divided by the cross-entropy."""

MODELS = "models"
"""The question that comparisons of models answer."""

WITH_PROBABILITY = "sentences with a probability"
"""The population of comparisons of models."""

BITS = "entropy"
"""The name of bits among metrics."""


def bits_of(candidate: CandidateResults) -> SentenceBits | None:
    """Return the bits that a candidate's model needs for each sentence; None if they were not measured."""
    if ENTROPY not in candidate.measured:
        return None
    bits = SentenceBits.of(candidate.measured[ENTROPY])
    return bits if candidate.matched is None else bits.only(candidate.matched)


def without_probability(candidate: CandidateResults, bits: SentenceBits) -> NDArray[np.intp]:
    """Return the sentences of the study that have no bits."""
    return np.flatnonzero(~bits.parsed if candidate.matched is None else candidate.matched & ~bits.parsed)


def have_same_text(one: SentenceBits, other: SentenceBits) -> bool:
    """Return whether two models had the same input of the same sentences.

    Sentences are compared by their numbers of words.
    """
    return one.input == other.input and np.array_equal(one.words, other.words)


def select_measures_per_bit(candidate: CandidateResults) -> Iterator[tuple[str, Measure]]:
    """Yield precision and recall of each metric that has them, with the metric's name in the study."""
    for metric, counts in candidate.counts.items():
        yield from ((metric, measure) for measure in counts.measures if measure.name in PER_BIT)


class MeasuredModel(NamedTuple):
    """A candidate whose model's bits were measured."""

    treebank: TreebankResults
    candidate: CandidateResults
    bits: SentenceBits

    @property
    def name(self) -> str:
        """The candidate's name with its treebank's."""
        return f"{self.candidate.name} in {self.treebank.name}"

    @property
    def metric(self) -> str | None:
        """First metric that is divided by the bits: that of the model's scheme."""
        return next((metric for metric, _ in select_measures_per_bit(self.candidate)), None)

    def counts(self, measure: str) -> Counts:
        """Return the bits per word as counts, or for a measure its score per bit."""
        if not measure:
            return bit_counts(self.bits)
        assert self.metric is not None  # else it has no such measure
        counts = self.candidate.counts[self.metric]
        return per_bit_counts(counts, self.bits, counts.measure(measure))


def select_measured_models(study: StudyResults) -> Iterator[MeasuredModel]:
    """Yield the candidates whose bits were measured, in the study's order.

    Of the sentences of a text, those are omitted that some model of the text has no probability of.
    """
    every = ((t, c, bits_of(c)) for t in study.treebanks for c in t.candidates)
    candidates = [(t, c, bits) for t, c, bits in every if bits is not None]
    for treebank, candidate, bits in candidates:
        parsed = [other.parsed for *_, other in candidates if have_same_text(bits, other)]
        yield MeasuredModel(treebank, candidate, bits.only(np.logical_and.reduce(parsed)))


def pair_models(study: StudyResults) -> Iterator[tuple[MeasuredModel, MeasuredModel]]:
    """Yield each two models of two treebanks that were given the same sentences."""
    for one, other in combinations(select_measured_models(study), 2):
        if one.treebank.name != other.treebank.name and have_same_text(one.bits, other.bits):
            yield one, other


@question("models", holds="the bits of every two models of the same sentences", untitled="entropy")
def build_model_families(study: StudyResults, population: str = ALL) -> Iterator[Family]:
    """Yield the family of bits per word of each two models, and of the measures per bit that both have."""
    contrasts = []
    probable = WITH_PROBABILITY if population == ALL else f"{population}, {WITH_PROBABILITY}"
    for one, other in pair_models(study):
        draws = f"{one.treebank.name} and {other.treebank.name}"
        for name in ("", *(PER_BIT if one.metric and other.metric else ())):
            first, second = (
                CandidateRun(model.treebank.name, model.candidate.name, model.counts(name), draws)
                for model in (one, other)
            )
            measure = first.counts.measures[0]
            metric = (one.metric or "") if name else BITS
            made = contrast_runs(metric, measure, first, second, probable)
            contrasts.append(replace(made, key="per bit of a sentence" if name else ""))
    if contrasts:
        yield Family(MODELS, "models of the same sentences", contrasts)
