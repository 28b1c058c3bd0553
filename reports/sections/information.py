"""Cross-entropies of models and scores per bit: the report's section.

Musillo, Gabriele, and Khalil Sima'an (2002): Towards Comparing Parsers from Different Linguistic Frameworks:
An Information Theoretic Approach. Beyond PARSEVAL, sections 4.3 and 4.4.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from crossbank.metrics.counting.counts import Measure
from crossbank.metrics.counting.presentation import metric_title
from crossbank.metrics.statistics.bootstrap import Interval
from crossbank.metrics.statistics.per_bit import entropies, per_bit
from crossbank.parsers.entropy import SentenceBits
from crossbank.reports.results.study import CandidateResults, StudyResults, TreebankResults
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, Table, score_cell, shown, texts

PER_BIT = ("precision", "recall")
"""The measures that are divided by the cross-entropy."""


def information(study: StudyResults) -> Section | None:
    """The section on bits; None where the study measures none."""
    if not any(measured(study)):
        return None
    return Section(
        "information",
        "Scores per bit",
        [
            "A model's cross-entropy is minus the average logarithm (base 2) of the probability of held-out "
            "sentences, each summed over all of its analyses. The fewer bits, the more informative the "
            "scheme (Musillo and Sima'an 2002, section 4.3). The paper's formula lacks the minus sign and "
            "divides by the number of utterances: that is the average per sentence here. Sentences without "
            "a parse have no probability. All models of a text are measured on the sentences that all "
            "have a probability of; the others are counted and listed.",
        ],
        tables=[entropy_table(study), per_bit_table(study), *left_out_table(study)],
        paper=["entropy", "per-bit"],
    )


def measured(study: StudyResults) -> Iterator[tuple[TreebankResults, CandidateResults, SentenceBits]]:
    """The candidates whose bits were measured, in the study's order.

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


def entropy_table(study: StudyResults) -> Table:
    """The bits per word and per sentence of each candidate's model, and what it did not parse."""
    rows = []
    for treebank, candidate, bits in measured(study):
        assert candidate.bits is not None
        average = entropies(bits, samples=study.samples, seed=study.seed)
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
        f"the 95 % intervals ({study.samples:,} resamples, seed {study.seed}).",
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
            divided = per_bit(counts, bits, measure, samples=study.samples, seed=study.seed)
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
        "a word, which do not depend on where a text is cut into sentences; with 95 % intervals.",
        [
            *(Column(heading, numeric=False) for heading in ("Treebank", "Candidate", "Measure")),
            Column("Score"),
            Column("of a sentence", "Points per bit"),
            Column("of a word", "Points per bit"),
        ],
        rows,
    )


def left_out_table(study: StudyResults) -> list[Table]:
    """The sentences that some model of their text has no probability of; no table where there are none."""
    rows = [
        texts(treebank.name, candidate.name, sentence)
        for treebank, candidate, _ in measured(study)
        for sentence in _without_parse(candidate)
    ]
    if not rows:
        return []
    return [
        Table(
            "entropy-left-out",
            "Sentences without a probability",
            "They are left out of the bits of all models of the text.",
            [Column(heading, numeric=False) for heading in ("Treebank", "Candidate", "Sentence")],
            rows,
        )
    ]


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
