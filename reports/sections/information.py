"""Cross-entropies of models and scores per bit: the report's section, after Musillo and Sima'an (2002)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from crossbank.metrics.counting.presentation import measure_title
from crossbank.metrics.statistics.bootstrap import Interval
from crossbank.metrics.statistics.per_bit import entropies, per_bit
from crossbank.reports.estimates.models import measured, measures_per_bit
from crossbank.reports.estimates.questions import MODELS, caption_of
from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.comparisons import estimate_table
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, Table, cells


def entropy_table(study: StudyResults) -> Table:
    """Return the bits per word and per sentence of each candidate's model, and what it did not parse."""
    rows = []
    for treebank, candidate, bits in measured(study):
        assert candidate.bits is not None
        average = entropies(bits, samples=study.samples, seed=study.seed, level=study.level)
        entropy = bits.entropy()
        own, every = (len(candidate.without_probability(of)) for of in (candidate.bits, bits))
        numbers = entropy.bits_per_character, entropy.perplexity, entropy.perplexity_per_character
        rows.append(
            cells(
                *(treebank.name, treebank.scheme or None, candidate.name, bits.input),
                *(_plain(average[per].interval) for per in ("word", "sentence")),
                *(None if np.isnan(value) else Cell(f"{value:,.2f}", value=value) for value in numbers),
                *(entropy.sentences, entropy.words, own, every - own),
            )
        )
    return Table(
        "entropy",
        "Cross-entropy of the held-out sentences",
        "Bits of a word, a sentence and a character (spaces are none) under a candidate's model, on average "
        "over the sentences that all models of the text have a probability of; under them "
        f"the {study.interval}s ({study.samples:,} resamples, seed {study.seed}).",
        Column.texts("Treebank", "Scheme", "Candidate", "Input")
        + Column.numbers("per word", "per sentence", "per character", group="Bits")
        + Column.numbers("per word", "per character", group="Perplexity")
        + Column.numbers("Sentences", "Words")
        + Column.numbers("here", "by others alone", group="Left out, without a parse"),
        rows,
    )


def per_bit_table(study: StudyResults) -> Table:
    """Precision and recall of each metric, as they are and divided by both averages of bits."""
    rows = []
    for treebank, candidate, bits in measured(study):
        for metric, measure in measures_per_bit(candidate):
            counts = candidate.counts[metric]
            divided = per_bit(
                counts, bits, measure, samples=study.samples, seed=study.seed, level=study.level
            )
            intervals = (divided[per].interval for per in ("sentence", "word"))
            points = (Cell.score(one.value, measure, one.low, one.high) for one in intervals)
            score = Cell.score(counts.value(measure.name), measure)
            rows.append(cells(treebank.name, candidate.name, measure_title(metric, measure), score, *points))
    return Table(
        "per-bit",
        "Precision and recall per bit",
        "Points of precision and recall divided by the bits of a sentence, as in the paper, and by those of "
        f"a word, which do not depend on where a text is cut into sentences; with {study.interval}s.",
        Column.texts("Treebank", "Candidate", "Measure")
        + Column.numbers("Score")
        + Column.numbers("of a sentence", "of a word", group="Points per bit"),
        rows,
    )


def left_out_table(study: StudyResults) -> Table:
    """Return the sentences that some model of their text has no probability of."""
    rows = []
    for treebank, candidate, _ in measured(study):
        assert candidate.bits is not None
        counts = next(iter(candidate.counts.values()), None)
        for index in candidate.without_probability(candidate.bits).tolist():
            sentence = str(index + 1) if counts is None else counts.sentences[index]
            rows.append(cells(treebank.name, candidate.name, sentence))
    return Table(
        "entropy-left-out",
        "Sentences without a probability",
        "They are left out of the bits of all models of the text.",
        Column.texts("Treebank", "Candidate", "Sentence"),
        rows,
    )


def _plain(of: Interval) -> Cell:
    below = f"{of.low:.2f} – {of.high:.2f}"
    return Cell(f"{of.value:.2f}", below, value=of.value, low=of.low, high=of.high)


def model_differences(study: StudyResults) -> Table:
    """Return every two models of the same sentences: bits per word, and measures per bit of a sentence."""
    return estimate_table(
        study,
        estimates_of(study).of(MODELS),
        "model-differences",
        "Differences between models",
        "The first model's bits for a word, or its measure per bit of a sentence, minus the second's. That "
        "is a "
        "statement on the two models under their input, and on their schemes only through them. "
        f"{caption_of(MODELS, study)}",
    )


class Information(Section):
    """Bits of models, and scores per bit, where the study measures them."""

    key, heading = "information", "Scores per bit"
    position = 110
    made_by = (entropy_table, per_bit_table, model_differences, left_out_table)
    paper = ("entropy", "per-bit", "model-differences")

    def said(self) -> Iterable[str]:
        """Return the quantity that is measured, and how the paper's formula is read."""
        yield (
            "A model's cross-entropy is minus the average logarithm (base 2) of the probability of held-out "
            "sentences, each summed over all of its analyses. The fewer bits, the more informative the "
            "scheme (Musillo and Sima'an 2002, section 4.3). The paper's formula lacks the minus sign and "
            "divides by the number of utterances: that is the average per sentence here. Sentences without "
            "a parse have no probability. All models of a text are measured on the sentences that all "
            "have a probability of; the others are counted and listed."
        )
        if self.study.population:
            yield self.study.population.strip()
