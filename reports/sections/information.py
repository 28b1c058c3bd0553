"""Cross-entropies of models and scores per bit: the report's section, after Musillo and Sima'an (2002)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from crossbank.metrics.counting.presentation import measure_title, metric_title
from crossbank.metrics.statistics.bootstrap import Interval
from crossbank.metrics.statistics.defaults import interval_name
from crossbank.metrics.statistics.per_bit import BITS_PER_WORD, entropies, per_bit
from crossbank.reports.findings.family import Family, only
from crossbank.reports.findings.finding import Finding, figures
from crossbank.reports.findings.information_contrasts import (
    PER_BIT,
    Bits,
    Model,
    measured,
    measures_per_bit,
    of_the_same_sentences,
)
from crossbank.reports.results.study_results import StudyResults
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, Table, cells
from crossbank.treebanks.quantities import quantity


def entropy_table(study: StudyResults) -> Table:
    """Return the bits per word and per sentence of each candidate's model, and what it did not parse."""
    rows = []
    for treebank, candidate, bits in measured(study):
        assert candidate.bits is not None
        average = entropies(bits, samples=study.samples, seed=study.seed, level=study.level)
        found = bits.entropy()
        own = int((~candidate.bits.parsed).sum())
        numbers = found.bits_per_character, found.perplexity, found.perplexity_per_character
        rows.append(
            cells(
                *(treebank.name, treebank.scheme or None, candidate.name, bits.input),
                *(_plain(average[per].interval) for per in ("word", "sentence")),
                *(None if np.isnan(value) else Cell(f"{value:,.2f}", value=value) for value in numbers),
                *(found.sentences, found.words, own, found.unparsed - own),
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
            found = (divided[per].interval for per in ("sentence", "word"))
            points = (Cell.score(one.value, measure, one.low, one.high) for one in found)
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
        for place in np.flatnonzero(~candidate.bits.parsed).tolist():
            sentence = str(place + 1) if counts is None else counts.sentences[place]
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


def bits_of_models(family: Family) -> Iterator[Finding]:
    """Yield the bits of each model; for two treebanks of the same sentences, the scheme that needs fewer."""
    study = family.study
    for model in measured(study):
        average = entropies(model.bits, samples=study.samples, seed=study.seed, level=study.level)
        word, sentence = average["word"].interval, average["sentence"].interval
        yield Finding(
            f"The model of {model.name} needs {_between(word)} bits for a word and {_between(sentence)} for "
            f"a sentence; {model.bits.entropy().unparsed:,} of "
            f"{quantity(len(model.bits.bits), 'sentence')} are left out.",
            "entropy",
        )
    for one, other in of_the_same_sentences(study):
        if family.decides(min(int(model.bits.parsed.sum()) for model in (one, other))):
            yield _entropy_apart(family, one, other)
            yield from _scores_apart(family, one, other)


def _entropy_apart(family: Family, one: Model, other: Model) -> Finding:
    found = only(family.answered[Bits(one.name, other.name)])
    said = f"For the same sentences, with {one.bits.input} as input, "
    if not family.apart(found):
        said += f"the bits that {one.name} and {other.name} need for a word do not differ significantly "
        return Finding(f"{said}({figures(found, BITS_PER_WORD)}).", "entropy")
    fewer, more = (one, other) if found.value < 0 else (other, one)
    size = found if found.value > 0 else found.turned()
    said += f"{fewer.name} needs fewer bits for a word than {more.name} ({figures(size, BITS_PER_WORD)}). "
    said += "That is a statement on the two models under this input, and on their schemes only through them."
    return Finding(said, "entropy")


def _scores_apart(family: Family, one: Model, other: Model) -> Iterator[Finding]:
    """Yield the first metrics of both, which are those of their schemes, per bit of a sentence."""
    for measure in PER_BIT:
        if not (one.metric and other.metric):
            return
        named = [f"{metric_title(model.metric or '')} {measure} of {model.name}" for model in (one, other)]
        values = [100 * model.counts(measure).value(measure) for model in (one, other)]
        scores = f"{named[0]} is {values[0]:.2f} points and {named[1]} {values[1]:.2f}"
        found = only(family.answered[Bits(one.name, other.name, measure)])
        said = "do not differ significantly"
        if family.apart(found):
            said = f"differ significantly, and the {'first' if found.value > 0 else 'second'} is higher"
        said = f"Per bit of a sentence {scores}; the two {said} ({figures(found)})."
        yield Finding(said, "per-bit")


def _between(interval: Interval) -> str:
    value, low, high = (
        f"{number:.2f}".replace("-", "−") for number in (interval.value, interval.low, interval.high)
    )
    return f"{value} ({interval_name(interval.level)} {low} to {high})"


class Information(Section):
    """Bits of models, and scores per bit, where the study measures them."""

    key, heading = "information", "Scores per bit"
    made_by = (entropy_table, per_bit_table, left_out_table)
    found_by = (bits_of_models,)
    paper = ("entropy", "per-bit")

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
