"""Thirteen scores of the shared task as counts per sentence of gold.

A token, word or sentence of the system is counted in the sentence of gold in which it begins. So the sums
over all sentences are the official totals, whatever sentences the system has.
"""

from __future__ import annotations

import numpy as np

from crossbank.metrics.counting.counts import Column, Measure, ratio
from crossbank.metrics.rivals.conll18.loops.aligned_words import align, count_aligned, mark_same_spans
from crossbank.metrics.rivals.conll18.stretches_of_text import Words
from crossbank.treebanks.arrays import Int64Array

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


def f1(row: str) -> Measure:
    """Return the measure of a row of the table."""
    name = row.lower()
    return Measure(
        name,
        lambda sums: ratio(2 * sums[f"{name}_correct"], sums[f"{name}_gold"] + sums[f"{name}_system"]),
        f"F1 of {MEANINGS[name]}",
        title=row if row != row.capitalize() else "",
    )


MEASURES = tuple(f1(row) for row in TABLE)
ALL_MEASURES = (*MEASURES, *(f1(row) for row in ("elas", "eulas")))


ALIGNED = ("words", "upos", "xpos", "ufeats", "alltags", "lemmas", "uas", "las", "clas", "mlas", "blex")
"""The scores over aligned words, in the order in which ``count_aligned`` has them."""


def count(gold: Words, system: Words, counterpart: Int64Array) -> dict[str, Column]:
    """Columns ``las_correct``, ``las_gold``, ``las_system``, ``las_aligned`` and those of other scores.

    Each has shape ``(gold sentences,)``. Both sides must have the same text; ``counterpart`` is their
    alignment (``aligned``).
    """
    sentences, cut = len(gold.offsets) - 1, gold.spans.sentence_start
    columns: dict[str, Column] = {}
    for name, kind in (("tokens", "token"), ("sentences", "sentence")):
        starts, ends = (
            [getattr(s.spans, f"{kind}_{end}") for s in (gold, system)] for end in ("start", "end")
        )
        places, found = (_sentence_of(start, cut) for start in starts)
        same = np.zeros(len(starts[0]), np.bool_)  # the spans of gold that the system has too
        mark_same_spans(starts[0], ends[0], starts[1], ends[1], same)
        for column, rows in (("correct", places[same]), ("gold", places), ("system", found)):
            columns[f"{name}_{column}"] = np.bincount(rows, minlength=sentences).astype(np.float64)
    own = np.repeat(np.arange(sentences), np.diff(gold.offsets))
    others = _sentence_of(system.spans.start, cut)
    # All words of gold and of the system, and their content words.
    totals = [
        np.bincount(rows, minlength=sentences).astype(np.float64)
        for rows in (own, others, own[gold.content], others[system.content])
    ]
    counted = np.zeros((len(ALIGNED) + 1, sentences), np.float64)
    count_aligned(gold.annotation(), system.annotation(), counterpart, own, counted)
    for row, name in enumerate(ALIGNED):
        of_content = name in ("clas", "mlas", "blex")
        columns[f"{name}_correct"] = counted[row]
        columns[f"{name}_gold"], columns[f"{name}_system"] = totals[2:] if of_content else totals[:2]
        if name != "words":
            columns[f"{name}_aligned"] = counted[-1 if of_content else 0]
    return columns


def _sentence_of(starts: Int64Array, cut: Int64Array) -> Int64Array:
    """Sentence of each start: the last one that begins at it or before it; sentences begin at ``cut``."""
    begins = np.append(np.searchsorted(starts, cut), len(starts))
    return np.repeat(np.arange(len(cut)), np.diff(begins))


def aligned(gold: Words, system: Words) -> Int64Array:
    """Return the word of gold for every word of the system, counted through the file, or ``NOT_ALIGNED``.

    Words that are tokens are aligned where their spans are equal. Around a multiword token the words of a
    stretch of text are aligned: the longest common subsequence of their forms, in lower case. The stretch is
    the smallest one that contains every multiword token, of either side, that it touches.
    """
    found = np.empty(len(system.head), np.int64)
    align(gold.side(), system.side(), found)
    return found
