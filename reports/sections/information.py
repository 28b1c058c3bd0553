"""Cross-entropies of models and scores per bit: the report's section.

Musillo, Gabriele, and Khalil Sima'an (2002): Towards Comparing Parsers from Different Linguistic Frameworks:
An Information Theoretic Approach. Beyond PARSEVAL, sections 4.3 and 4.4.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from crossbank.metrics.counting.counts import Measure
from crossbank.metrics.counting.presentation import metric_title
from crossbank.metrics.statistics.bootstrap import Interval
from crossbank.metrics.statistics.per_bit import entropies, per_bit
from crossbank.reports.findings.family import family
from crossbank.reports.findings.finding import Finding
from crossbank.reports.findings.information import bits_of_models
from crossbank.reports.results.bits import measured, measures_per_bit
from crossbank.reports.results.study import CandidateResults, StudyResults
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, Table, score_cell, shown, texts


class Information(Section):
    """Bits of models, and scores per bit, where the study measures them."""

    key, heading = "information", "Scores per bit"
    paper = ("entropy", "per-bit")

    def said(self) -> Iterable[str]:
        """The quantity that is measured, and how the paper's formula is read."""
        yield (
            "A model's cross-entropy is minus the average logarithm (base 2) of the probability of held-out "
            "sentences, each summed over all of its analyses. The fewer bits, the more informative the "
            "scheme (Musillo and Sima'an 2002, section 4.3). The paper's formula lacks the minus sign and "
            "divides by the number of utterances: that is the average per sentence here. Sentences without "
            "a parse have no probability. All models of a text are measured on the sentences that all "
            "have a probability of; the others are counted and listed."
        )

    def parts(self) -> Iterable[Table]:
        """Both tables, and the sentences that they leave out."""
        return entropy_table(self.study), per_bit_table(self.study), left_out_table(self.study)

    def findings(self) -> Iterable[Finding]:
        """Models that need fewer bits, and their scores per bit."""
        return bits_of_models(family(self.study))


def entropy_table(study: StudyResults) -> Table:
    """The bits per word and per sentence of each candidate's model, and what it did not parse."""
    rows = []
    for treebank, candidate, bits in measured(study):
        assert candidate.bits is not None
        average = entropies(bits, samples=study.samples, seed=study.seed, level=study.level)
        found = bits.entropy()
        rows.append(
            [
                *texts(treebank.name, treebank.scheme or "–", candidate.name, bits.input),
                _plain(average["word"].interval),
                _plain(average["sentence"].interval),
                *(_number(value) for value in (found.bits_per_character, found.perplexity)),
                _number(found.perplexity_per_character),
                *texts(found.sentences, found.words),
                *texts(own := int((~candidate.bits.parsed).sum()), found.unparsed - own),
            ]
        )
    return Table(
        "entropy",
        "Cross-entropy of the held-out sentences",
        "Bits of a word, a sentence and a character (spaces are none) under a candidate's model, on average "
        "over the sentences that all models of the text have a probability of; under them "
        f"the {study.interval}s ({study.samples:,} resamples, seed {study.seed}).",
        [
            *(Column(heading, numeric=False) for heading in ("Treebank", "Scheme", "Candidate", "Input")),
            *(Column(f"per {unit}", "Bits") for unit in ("word", "sentence", "character")),
            *(Column(f"per {unit}", "Perplexity") for unit in ("word", "character")),
            *(Column(heading) for heading in ("Sentences", "Words")),
            *(Column(heading, "Left out, without a parse") for heading in ("here", "by others alone")),
        ],
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
            rows.append(
                [
                    *texts(treebank.name, candidate.name, f"{metric_title(metric)} {measure.heading}"),
                    Cell(shown(counts.value(measure.name), measure), value=counts.value(measure.name)),
                    *(_points(divided[per].interval, measure) for per in ("sentence", "word")),
                ]
            )
    return Table(
        "per-bit",
        "Precision and recall per bit",
        "Points of precision and recall divided by the bits of a sentence, as in the paper, and by those of "
        f"a word, which do not depend on where a text is cut into sentences; with {study.interval}s.",
        [
            *(Column(heading, numeric=False) for heading in ("Treebank", "Candidate", "Measure")),
            Column("Score"),
            Column("of a sentence", "Points per bit"),
            Column("of a word", "Points per bit"),
        ],
        rows,
    )


def left_out_table(study: StudyResults) -> Table:
    """The sentences that some model of their text has no probability of."""
    rows = [
        texts(treebank.name, candidate.name, sentence)
        for treebank, candidate, _ in measured(study)
        for sentence in _without_parse(candidate)
    ]
    return Table(
        "entropy-left-out",
        "Sentences without a probability",
        "They are left out of the bits of all models of the text.",
        [Column(heading, numeric=False) for heading in ("Treebank", "Candidate", "Sentence")],
        rows,
    )


def _without_parse(candidate: CandidateResults) -> list[str]:
    assert candidate.bits is not None
    missing = np.flatnonzero(~candidate.bits.parsed).tolist()
    counts = next(iter(candidate.counts.values()), None)
    return [str(place + 1 if counts is None else counts.sentences[place]) for place in missing]


def _number(value: float) -> Cell:
    return Cell("–") if np.isnan(value) else Cell(f"{value:,.2f}", value=value)


def _plain(interval: Interval) -> Cell:
    return Cell(
        f"{interval.value:.2f}",
        f"{interval.low:.2f} – {interval.high:.2f}",
        value=interval.value,
        low=interval.low,
        high=interval.high,
    )


def _points(interval: Interval, measure: Measure) -> Cell:
    return score_cell(interval.value, measure, interval.low, interval.high)
