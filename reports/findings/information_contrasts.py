"""Tests of the bits that two models need for the same sentences, and of their scores per bit."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import combinations
from typing import NamedTuple

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.statistics.per_bit import bit_counts, per_bit_counts
from crossbank.metrics.statistics.significance import Contrast, Side
from crossbank.parsers.cross_entropy import SentenceBits
from crossbank.reports.results.bits import PER_BIT, measured, measures_per_bit, of_one_text
from crossbank.reports.results.study_results import CandidateResults, StudyResults, TreebankResults


class Model(NamedTuple):
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
        return next((metric for metric, _ in measures_per_bit(self.candidate)), None)

    def counts(self, measure: str) -> Counts:
        """Return the bits per word as counts, or for a measure its score per bit."""
        if not measure:
            return bit_counts(self.bits)
        assert self.metric is not None  # else it has no such measure
        counts = self.candidate.counts[self.metric]
        return per_bit_counts(counts, self.bits, counts.measure(measure))


class Bits(NamedTuple):
    """Two models that are compared: by bits per word, or by a measure per bit."""

    one: str
    other: str
    measure: str = ""


def models(study: StudyResults) -> list[Model]:
    """Return the candidates with bits, in the study's order."""
    return [Model(*found) for found in measured(study)]


def of_the_same_sentences(study: StudyResults) -> Iterator[tuple[Model, Model]]:
    """Each two models of two treebanks that were given the same sentences."""
    for one, other in combinations(models(study), 2):
        if one.treebank.name != other.treebank.name and of_one_text(one.bits, other.bits):
            yield one, other


def bit_contrasts(study: StudyResults) -> dict[Hashable, Contrast]:
    """Return the bits per word of each two models, and the measures per bit of a sentence that both have."""
    asked: dict[Hashable, Contrast] = {}
    for one, other in of_the_same_sentences(study):
        sentences = one.treebank.name, other.treebank.name
        for measure in ("", *(PER_BIT if one.metric and other.metric else ())):
            counts = one.counts(measure), other.counts(measure)
            sides = Side(counts[0], sentences), Side(counts[1], sentences)
            key = Bits(one.name, other.name, measure)
            names = [counts[0].measures[0].name]
            asked[key] = Contrast(*sides, names, "bits", False)
    return asked
