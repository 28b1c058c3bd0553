"""Choice of the analysis that is scored if a candidate has several for a sentence: ``treebanks.readings``.

``chosen``    the analysis that the parser or a person has chosen, else the first
``oracle``    the analysis with the best score under the metric, the upper bound of parse selection
``random``    all analyses with equal weight, the lower bound of parse selection; with a seed, one analysis
              drawn for each sentence
``expected``  all analyses, weighted by their probabilities

Crouch, Kaplan, King and Riezler (2002): A Comparison of Evaluation Metrics for a Broad-Coverage Stochastic
Parser, section 4: lower bound, upper bound and the parse selected.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np

from crossbank.metrics.counting.counts import Breakdown, Column, Counts, Measure
from crossbank.metrics.pairing.pair import Pair, Status, refuse_other_number
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int64Array
from crossbank.treebanks.readings import analysis_offsets, as_sentences, chosen_analyses, probabilities

Best: TypeAlias = Literal["chosen", "oracle", "random", "expected"]
"""The analysis that is scored."""


def with_all_analyses(gold: Treebank, candidate: Treebank) -> tuple[Treebank, Treebank]:
    """Return gold and candidate with a row for each analysis of the candidate.

    Gold's sentence is repeated for each analysis. The candidate's identifiers are omitted: they are the same
    for all analyses.

    Raises CrossbankError if the two have different numbers of sentences.
    """
    gold = gold.only_chosen()
    offsets = analysis_offsets(candidate)
    refuse_other_number(gold, as_sentences(candidate.select(offsets[:-1])))
    repeated = gold.select(np.repeat(np.arange(len(gold)), np.diff(offsets)))
    nameless = candidate.sentences.replace(id=np.zeros(len(candidate), np.int32))
    return repeated, candidate.replace(sentences=nameless)


def main_measure(counts: Counts) -> Measure:
    """Return the measure by which analyses are compared: F1 where there is one, else the metric's first."""
    return next((measure for measure in counts.measures if measure.name == "f1"), counts.measures[0])


def best_rows(counts: Counts, measure: Measure, offsets: Int64Array) -> Int64Array:
    """Return the best analysis of each sentence, shape ``(sentences,)``; of equal ones the first."""
    score = measure.score({"rows": np.ones(len(counts)), **counts.columns})
    score = score if measure.better == "more" else -score
    # Analyses that cannot be scored are the worst.
    return _argmax_by_sentence(np.where(counts.status == Status.SCORED, score, -np.inf), offsets)


def _argmax_by_sentence(values: Column, offsets: Int64Array) -> Int64Array:
    """Return the row of each sentence with the highest value, of equal ones the first."""
    pairs = pairwise(offsets.tolist())
    return np.array([begin + int(np.argmax(values[begin:end])) for begin, end in pairs], np.int64)


def weights(counts: Counts, pair: Pair, best: Best, seed: int | None = None) -> Column:
    """Return the weight of each analysis, shape ``(rows,)``: the weights of a sentence add up to 1."""
    offsets = analysis_offsets(pair.candidate)
    if best == "expected":
        return probabilities(pair.candidate)
    sizes = np.diff(offsets)
    if best == "random" and seed is None:
        return np.repeat(1.0 / sizes, sizes)
    if best == "random":
        # A sentence's number depends on the seed and on its index in the source, not on its chunk.
        numbers = np.random.Generator(np.random.PCG64(seed).advance(pair.first)).random(len(sizes))
        rows = offsets[:-1] + (numbers * sizes).astype(np.int64)
    elif best == "oracle":
        rows = best_rows(counts, main_measure(counts), offsets)
    else:
        rows = chosen_analyses(pair.candidate).astype(np.int64)
    chosen = np.zeros(len(pair), np.float64)
    chosen[rows] = 1.0
    return chosen


def heaviest_rows(weight: Column, pair: Pair) -> Int64Array:
    """Return the analysis of each sentence with the largest weight, shape ``(sentences,)``."""
    return _argmax_by_sentence(weight, analysis_offsets(pair.candidate))


def by_weights(counts: Counts, weight: Column, pair: Pair) -> Counts:
    """Return the counts of sentences from counts of their analyses: each counts as much as its weight says.

    A sentence has the status of its heaviest analysis.
    """
    offsets = analysis_offsets(pair.candidate)
    sentence = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    columns = {
        name: np.bincount(sentence, weight * column, len(offsets) - 1).astype(np.float64)
        for name, column in counts.columns.items()
    }

    def weighted(name: str) -> Breakdown:
        table = counts.breakdowns[name]()
        return replace(
            table,
            sentence=sentence[table.sentence].astype(np.int32),
            columns={name: column * weight[table.sentence] for name, column in table.columns.items()},
        )

    return replace(
        counts,
        sentences=pair.gold.select(offsets[:-1]).sentence_ids,
        status=counts.status[heaviest_rows(weight, pair)],
        columns=columns,
        breakdowns={name: partial(weighted, name) for name in counts.breakdowns},
    )
