"""The thirteen scores of the shared task as counts per sentence of gold.

What belongs to the system is counted in the sentence of gold in which it begins, so that the sums over
all sentences are the official totals, however the system cut the text.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Column, Measure, ratio
from crossbank.metrics.rivals.conll18.alignment import same_function_words, same_spans
from crossbank.metrics.rivals.conll18.words import Words
from crossbank.treebanks.arrays import BoolArray, Int64Array

TABLE = (
    "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas",
    "UAS", "LAS", "CLAS", "MLAS", "BLEX",
)  # fmt: skip
"""The scores in the order and the spelling of the official table."""

UNALIGNED = ("tokens", "sentences", "words", "elas", "eulas")
"""The scores that have no accuracy over aligned words."""

MEANINGS = {
    "tokens": "tokens that begin and end at the same place of the text",
    "sentences": "sentences that begin and end at the same place of the text",
    "words": "words that are aligned: by their place in the text, within multiword tokens by form",
    "upos": "aligned words with the same UPOS",
    "xpos": "aligned words with the same XPOS",
    "ufeats": "aligned words with the same universal features",
    "alltags": "aligned words with the same UPOS, XPOS and features",
    "lemmas": "aligned words with the same lemma",
    "uas": "aligned words with the right head",
    "las": "aligned words with the right head and relation",
    "clas": "aligned content words with the right head and relation",
    "mlas": "the same with UPOS, features and function words",
    "blex": "aligned content words with the right head, relation and lemma",
    "elas": "enhanced dependencies of aligned words with the right head and relation",
    "eulas": "the same without subtypes of relations",
}


def f1(name: str) -> Measure:
    """The measure of a row of the table."""
    return Measure(
        name,
        lambda sums: ratio(2 * sums[f"{name}_correct"], sums[f"{name}_gold"] + sums[f"{name}_system"]),
        f"F1 of {MEANINGS[name]}",
    )


MEASURES = tuple(f1(row.lower()) for row in TABLE)


ALIGNED = ("words", "upos", "xpos", "ufeats", "alltags", "lemmas", "uas", "las", "clas", "mlas", "blex")
"""The scores over aligned words, in the order of the rows of ``_count_aligned``; then ``CONTENT_ALIGNED``."""

WORDS, UPOS, XPOS, UFEATS, ALLTAGS, LEMMAS, UAS, LAS, CLAS, MLAS, BLEX, CONTENT_ALIGNED = range(12)


def count(gold: Words, system: Words, counterpart: Int64Array) -> dict[str, Column]:
    """Columns ``las_correct``, ``las_gold``, ``las_system``, ``las_aligned`` and so on.

    Each has shape ``(gold sentences,)``. Both sides must have the same text; ``counterpart`` is their
    alignment (``metrics.rivals.conll18.alignment.aligned``).
    """
    sentences, cut = len(gold.offsets) - 1, gold.spans.sentence_start
    columns: dict[str, Column] = {}
    for name, kind in (("tokens", "token"), ("sentences", "sentence")):
        starts, ends = (
            [getattr(s.spans, f"{kind}_{end}") for s in (gold, system)] for end in ("start", "end")
        )
        places, found = (_sentence_of(start, cut) for start in starts)
        same = same_spans(starts[0], ends[0], starts[1], ends[1])
        for column, rows in (("correct", places[same]), ("gold", places), ("system", found)):
            columns[f"{name}_{column}"] = np.bincount(rows, minlength=sentences).astype(np.float64)
    own = np.repeat(np.arange(sentences), np.diff(gold.offsets))
    others = _sentence_of(system.spans.start, cut)
    # All words of gold and of the system, and their content words.
    totals = [
        np.bincount(rows, minlength=sentences).astype(np.float64)
        for rows in (own, others, own[gold.content], others[system.content])
    ]
    same_functions = same_function_words(gold, system, counterpart)
    counted = np.zeros((CONTENT_ALIGNED + 1, sentences), np.float64)
    _count_aligned(gold, system, counterpart, own, same_functions, counted)
    for row, name in enumerate(ALIGNED):
        of_content = row >= CLAS
        columns[f"{name}_correct"] = counted[row]
        columns[f"{name}_gold"], columns[f"{name}_system"] = totals[2:] if of_content else totals[:2]
        if row != WORDS:
            columns[f"{name}_aligned"] = counted[CONTENT_ALIGNED if of_content else WORDS]
    return columns


@njit(cache=True, nogil=True)
def _count_aligned(
    gold: Words,
    system: Words,
    counterpart: Int64Array,
    sentence_of: Int64Array,
    same_functions: BoolArray,
    counted: NDArray[np.float64],
) -> None:
    """Count the words that are aligned, and what is right in them, in gold's sentences."""
    for word in range(len(counterpart)):
        own = counterpart[word]
        if own < 0:
            continue
        right = counted[:, sentence_of[own]]
        upos, xpos = gold.upos[own] == system.upos[word], gold.xpos[own] == system.xpos[word]
        feats, relation = gold.feats[own] == system.feats[word], gold.relation[own] == system.relation[word]
        # A lemma that gold does not know is right whatever it is.
        lemma = gold.lemma[own] == system.lemma[word] or gold.lemma[own] == gold.no_lemma
        head = system.head[word]
        if head >= 0:
            head = counterpart[head]
        uas = gold.head[own] == head
        right[WORDS] += 1
        right[UPOS] += upos
        right[XPOS] += xpos
        right[UFEATS] += feats
        right[ALLTAGS] += upos and xpos and feats
        right[LEMMAS] += lemma
        right[UAS] += uas
        right[LAS] += uas and relation
        if gold.content[own]:
            right[CONTENT_ALIGNED] += 1
            right[CLAS] += uas and relation
            right[MLAS] += uas and relation and upos and feats and same_functions[word]
            right[BLEX] += uas and relation and lemma


@njit(cache=True, nogil=True)
def _sentence_of(starts: Int64Array, cut: Int64Array) -> Int64Array:
    """The last of the sentences, which begin at ``cut``, that does not begin behind each start."""
    found = np.zeros(len(starts), np.int64)
    sentence = 0
    for row in range(len(starts)):
        while sentence + 1 < len(cut) and cut[sentence + 1] <= starts[row]:
            sentence += 1
        found[row] = sentence
    return found
