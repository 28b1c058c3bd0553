"""Several analyses of one sentence: an n-best list, the readings of a profile, the solutions of a grammar.

Each analysis is a row of the sentence table, with tokens, nodes and relations of its own, so that every
format, conversion and metric treats it like any other sentence. Three columns of the table say how the rows
belong together:

``analysis``  0 for the first analysis of a sentence, 1 for the second one, and so on: the order of the
              file. A row with 0 begins a sentence, so a treebank with one analysis each has nothing but
              zeros. The rows of one sentence are neighbours and have the same identifier and ordinal.
``score``     the parser's score of the analysis, as written: the logarithm of a probability.
``chosen``    1 where somebody has chosen the analysis: the annotator of a profile, a disambiguator. Where no
              analysis of a sentence is marked, the first one is the chosen one.

A sentence without an analysis is one row without tokens. A reader calls ``builder.sentence(analysis=1,
...)`` for each further analysis. How they are scored is in ``metrics.counting.choice``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.treebanks.arrays import Float64Array, Int64Array
from crossbank.treebanks.treebank import Treebank


def analysis_offsets(bank: Treebank) -> Int64Array:
    """Return the offsets of each sentence's analyses in the rows, shape ``(sentences + 1,)``."""
    first = np.flatnonzero(bank.sentences.analysis == 0).astype(np.int64)
    return np.append(first, np.int64(len(bank)))


def first_of_each(bank: Treebank, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the rows, in their order, without those of a sentence of which another one comes before."""
    sentence = np.cumsum(bank.sentences.analysis == 0)
    return rows[np.unique(sentence[rows], return_index=True)[1]]


def chosen_analyses(bank: Treebank) -> NDArray[np.intp]:
    """Return the row of each sentence's chosen analysis, else of its first, shape ``(sentences,)``.

    Raises FormatError where two analyses of a sentence are marked.
    """
    offsets = analysis_offsets(bank)
    rows = offsets[:-1].astype(np.intp)
    marked = np.flatnonzero(bank.sentences.chosen)
    sentence = np.searchsorted(offsets, marked, side="right") - 1
    twice = np.flatnonzero(np.diff(sentence) == 0)
    if len(twice):
        first, second = int(marked[twice[0]]), int(marked[twice[0] + 1])
        both = f"{bank.sentences.analysis[first] + 1} and {bank.sentences.analysis[second] + 1}"
        raise bank.misread(second, f"analyses {both} both marked as preferred", "one")
    rows[sentence] = marked
    return rows


def as_sentences(bank: Treebank) -> Treebank:
    """Return the treebank with every analysis as a sentence of its own, for formats that hold one each."""
    none = np.zeros(len(bank), np.int32)
    return bank.replace(sentences=bank.sentences.replace(analysis=none))


def only_chosen(bank: Treebank) -> Treebank:
    """Return the treebank with the chosen analysis of each sentence: ``Treebank.only_chosen``."""
    return as_sentences(bank.select(chosen_analyses(bank)))


def probabilities(bank: Treebank) -> Float64Array:
    """Return the probability of each analysis among those of its sentence, shape ``(rows,)``.

    Scores are taken as natural logarithms of probabilities. Analyses of a sentence in which one has no
    score are equally probable. Raises FormatError for a score that is not a number.
    """
    offsets = analysis_offsets(bank)
    sizes = np.diff(offsets)
    score = np.array([_number(bank, row) for row in range(len(bank))], np.float64)
    unknown = np.repeat(np.logical_or.reduceat(np.isnan(score), offsets[:-1]), sizes)
    score[unknown] = 0.0
    weight = np.exp(score - np.repeat(np.maximum.reduceat(score, offsets[:-1]), sizes))
    probability: Float64Array = weight / np.repeat(np.add.reduceat(weight, offsets[:-1]), sizes)
    return probability


def _number(bank: Treebank, row: int) -> float:
    """Return the score of a row; NaN if it has none."""
    written = bank.vocabulary[int(bank.sentences.score[row])]
    if not written:
        return float("nan")
    try:
        number = float(written)
    except ValueError:
        number = float("nan")
    if np.isnan(number) or number == float("inf"):
        raise bank.misread(row, f"the score {written!r}", "the logarithm of a probability")
    return max(number, -1e300)


class Ambiguity(NamedTuple):
    """A subset of the items that have an analysis; a mean is None if there is nothing to take it of.

    items     the number of items
    length    mean number of words
    lexical   entries that the parser took from the lexicon, for each word
    readings  mean number of analyses that the parser found
    """

    items: int
    length: float | None
    lexical: float | None
    readings: float | None
