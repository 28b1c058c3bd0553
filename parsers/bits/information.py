"""Cross-entropies of models and scores per bit: the report's section, after Musillo and Sima'an (2002)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from crossbank.metrics.counting.presentation import measure_title
from crossbank.metrics.statistics.bootstrap import Interval
from crossbank.parsers.bits.compared_models import (
    MODELS,
    bits_of,
    select_measured_models,
    select_measures_per_bit,
    without_probability,
)
from crossbank.parsers.bits.per_bit import entropies, per_bit
from crossbank.reports.charts.chart import Figure
from crossbank.reports.charts.line_charts import Point, build_line_chart
from crossbank.reports.estimates.curves import axis_name, find_axes, group_curves, numeric_attribute
from crossbank.reports.estimates.questions import describe_family
from crossbank.reports.estimates.table import estimates_of
from crossbank.reports.results.study_results import CandidateResults, StudyResults
from crossbank.reports.sections.comparisons import build_estimate_table
from crossbank.reports.sections.learning_curves import number_text, series_along
from crossbank.reports.sections.section import Section
from crossbank.reports.tables.table import Cell, Column, ReportTable, make_cells


def build_entropy_table(study: StudyResults) -> ReportTable:
    """Return the bits per word and per sentence of each candidate's model, and what it did not parse."""
    rows = []
    for treebank, candidate, bits in select_measured_models(study):
        measured_bits = bits_of(candidate)
        assert measured_bits is not None  # else there would be no model
        average = entropies(bits, samples=study.samples, seed=study.seed, level=study.level)
        entropy = bits.entropy()
        own, every = (len(without_probability(candidate, of)) for of in (measured_bits, bits))
        numbers = entropy.bits_per_character, entropy.perplexity, entropy.perplexity_per_character
        rows.append(
            make_cells(
                *(treebank.name, treebank.scheme or None, candidate.name, bits.input),
                *(_build_interval_cell(average[per].interval) for per in ("word", "sentence")),
                *(None if np.isnan(value) else Cell(f"{value:,.2f}", value=value) for value in numbers),
                *(entropy.sentences, entropy.words, own, every - own),
            )
        )
    return ReportTable(
        "entropy",
        "Cross-entropy of the held-out sentences",
        "Bits of a word, a sentence and a character (without spaces) under a candidate's model, on average "
        "over the sentences that all models of the text have a probability of; below them "
        f"the {study.interval}s ({study.samples:,} resamples, seed {study.seed}).",
        Column.texts("Treebank", "Scheme", "Candidate", "Input")
        + Column.numbers("per word", "per sentence", "per character", group="Bits")
        + Column.numbers("per word", "per character", group="Perplexity")
        + Column.numbers("Sentences", "Words")
        + Column.numbers("here", "by others alone", group="Omitted, without a parse"),
        rows,
    )


def build_per_bit_table(study: StudyResults) -> ReportTable:
    """Return precision and recall of each metric, as they are and divided by both averages of bits."""
    rows = []
    for treebank, candidate, bits in select_measured_models(study):
        for metric, measure in select_measures_per_bit(candidate):
            counts = candidate.counts[metric]
            divided = per_bit(
                counts, bits, measure, samples=study.samples, seed=study.seed, level=study.level
            )
            intervals = (divided[per].interval for per in ("sentence", "word"))
            points = (Cell.score(one.value, measure, one.low, one.high) for one in intervals)
            score = Cell.score(counts.value(measure.name), measure)
            rows.append(
                make_cells(treebank.name, candidate.name, measure_title(metric, measure), score, *points)
            )
    return ReportTable(
        "per-bit",
        "Precision and recall per bit",
        "Points of precision and recall divided by the bits of a sentence, as in the paper, and by those of "
        f"a word, which do not depend on where a text is cut into sentences; with {study.interval}s.",
        Column.texts("Treebank", "Candidate", "Measure")
        + Column.numbers("Score")
        + Column.numbers("of a sentence", "of a word", group="Points per bit"),
        rows,
    )


def build_unparsed_table(study: StudyResults) -> ReportTable:
    """Return the sentences without a probability under some model of their text."""
    rows = []
    for treebank, candidate, _ in select_measured_models(study):
        measured_bits = bits_of(candidate)
        assert measured_bits is not None  # else there would be no model
        counts = next(iter(candidate.counts.values()), None)
        for index in without_probability(candidate, measured_bits).tolist():
            sentence = str(index + 1) if counts is None else counts.sentences[index]
            rows.append(make_cells(treebank.name, candidate.name, sentence))
    return ReportTable(
        "entropy-left-out",
        "Sentences without a probability",
        "They are omitted from the bits of all models of the text.",
        Column.texts("Treebank", "Candidate", "Sentence"),
        rows,
    )


def _build_interval_cell(of: Interval) -> Cell:
    below = f"{of.low:.2f} – {of.high:.2f}"
    return Cell(f"{of.value:.2f}", below, value=of.value, low=of.low, high=of.high)


def build_model_differences_table(study: StudyResults) -> ReportTable:
    """Return the differences of each two models of the same sentences: bits per word, measures per bit."""
    return build_estimate_table(
        study,
        estimates_of(study).of(MODELS),
        "model-differences",
        "Differences between models",
        "The first model's bits for a word, or its measure per bit of a sentence, minus the second's. That "
        "is a "
        "statement on the two models under their input, and on their schemes only through them. "
        f"{describe_family(MODELS, study)}",
    )


def along_axes(study: StudyResults) -> Iterator[ReportTable | Figure]:
    """Yield for each axis the learning curves of the models: their perplexities, and bits per token."""
    for axis in find_axes(study):
        yield perplexity_table(study, axis)
        yield entropy_chart(study, axis)


def perplexity_table(study: StudyResults, axis: str) -> ReportTable:
    """Return the perplexity of each candidate's model along an axis."""
    rows = []
    for (treebank, system), points in group_curves(study, axis).items():
        for at, candidate in ((at, candidate) for at, of in points.items() for candidate in of):
            bits = bits_of(candidate)
            if bits is not None and (entropy := bits.entropy()).words:
                numbers = (
                    Cell(number_text(at), value=at),
                    Cell(f"{entropy.perplexity:,.2f}", value=entropy.perplexity),
                )
                rows.append(make_cells(treebank, system, candidate.name, *numbers))
    return ReportTable(
        f"perplexity-over-{axis}",
        f"Perplexity over {axis_name(axis)}",
        "Of a word, or of a tag where tags are the input, over the sentences that have a parse.",
        Column.texts("Treebank", "Curve", "Candidate")
        + Column.numbers(axis_name(axis).capitalize(), "Perplexity"),
        rows,
    )


def entropy_chart(study: StudyResults, axis: str) -> Figure:
    """Return the bits per token along an axis."""

    def bits_per_token(treebank: str, candidate: CandidateResults) -> Point | None:
        bits = bits_of(candidate)
        if bits is None or not (entropy := bits.entropy()).words:
            return None
        label = f"{treebank} · {candidate.name}: perplexity {entropy.perplexity:,.2f}"
        return Point(numeric_attribute(candidate, axis) or 0.0, entropy.bits_per_word, hover=label)

    series, marks = series_along(study, axis, bits_per_token)
    title = f"Cross-entropy of held-out sentences over {axis_name(axis)}"
    return Figure(
        f"over-{axis}-entropy",
        title,
        "The logarithm (base 2) of the perplexity of those held-out sentences that have a parse. It is "
        "higher for a model of words than for one of tags, and rises where re-estimation overtrains "
        f"(Beil et al. 2002, Table 2). {marks}".rstrip(),
        build_line_chart(series, title, axis_name(axis), "bits per token"),
    )


class InformationSection(Section):
    """Bits of models, and scores per bit, where the study measures them."""

    key, heading = "information", "Scores per bit"
    position = 110
    builders = (
        build_entropy_table,
        along_axes,
        build_per_bit_table,
        build_model_differences_table,
        build_unparsed_table,
    )
    printed_tables = ("entropy", "per-bit", "model-differences")

    def introduction(self) -> Iterable[str]:
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
