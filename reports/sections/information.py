"""Cross-entropies of models and scores per bit: the report's section.

Musillo, Gabriele, and Khalil Sima'an (2002): Towards Comparing Parsers from Different Linguistic Frameworks:
An Information Theoretic Approach. Beyond PARSEVAL, sections 4.3 and 4.4.
"""

from __future__ import annotations

from collections.abc import Iterator

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
            "a parse have no probability. They are counted, and left out of the average.",
        ],
        tables=[entropy_table(study), per_bit_table(study)],
        paper=["entropy", "per-bit"],
    )


def measured(study: StudyResults) -> Iterator[tuple[TreebankResults, CandidateResults, SentenceBits]]:
    """The candidates whose bits were measured, in the study's order."""
    for treebank in study.treebanks:
        for candidate in treebank.candidates:
            if candidate.bits is not None:
                yield treebank, candidate, candidate.bits


def measures_per_bit(candidate: CandidateResults) -> Iterator[tuple[str, Measure]]:
    """Precision and recall of each metric that has them, with the metric's name in the study."""
    for metric, counts in candidate.counts.items():
        yield from ((metric, measure) for measure in counts.measures if measure.name in PER_BIT)


def entropy_table(study: StudyResults) -> Table:
    """The bits per word and per sentence of each candidate's model, and what it did not parse."""
    rows = []
    for treebank, candidate, bits in measured(study):
        average = entropies(bits, samples=study.samples, seed=study.seed)
        found = bits.entropy()
        rows.append(
            [
                *texts(treebank.name, treebank.scheme or "–", candidate.name),
                _plain(average["word"].interval),
                _plain(average["sentence"].interval),
                Cell(f"{found.perplexity:,.1f}", value=found.perplexity),
                *texts(found.sentences, found.words, found.unparsed),
            ]
        )
    return Table(
        "entropy",
        "Cross-entropy of the held-out sentences",
        "Bits that a candidate's model needs for a word and for a sentence, on average over those with a "
        f"parse; under them the 95 % intervals ({study.samples:,} resamples, seed {study.seed}).",
        [
            *(Column(heading, numeric=False) for heading in ("Treebank", "Scheme", "Candidate")),
            Column("per word", "Bits"),
            Column("per sentence", "Bits"),
            *(Column(heading) for heading in ("Perplexity", "Sentences", "Words", "Without a parse")),
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
