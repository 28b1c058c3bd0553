"""Thirteen scores of the shared task as counts per sentence of gold.

A token, word or sentence of the system is counted in the sentence of gold in which it begins. So the sums
over all sentences are the official totals, whatever sentences the system has.
"""

from __future__ import annotations

import numpy as np

from crossbank.compat.conll18.loops.aligned_words import align
from crossbank.compat.conll18.stretches_of_text import TextWords
from crossbank.metrics.counting.counts import Column, Measure, ratio
from crossbank.treebanks.arrays import BoolArray, Int64Array

TABLE = (
    "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas",
    "UAS", "LAS", "CLAS", "MLAS", "BLEX",
)  # fmt: skip
"""The scores in the order and the spelling of the official table."""

UNALIGNED = ("tokens", "sentences", "words", "elas", "eulas")
"""The scores that have no accuracy over aligned words."""

MEANINGS = {
    "tokens": "tokens that begin and end at the same characters",
    "sentences": "sentences that begin and end at the same characters",
    "words": "words that are aligned: by their characters, within multiword tokens by form",
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


def count(
    gold: TextWords, system: TextWords, counterpart: Int64Array, *, subtypes: bool = False
) -> dict[str, Column]:
    """Return the counts of all scores.

    The columns are ``las_correct``, ``las_gold``, ``las_system``, ``las_aligned`` and so on, each of shape
    ``(gold sentences,)``. Gold and system must have the same text.

    counterpart  the alignment of words: see ``aligned``
    subtypes     whether subtypes of relations are compared
    """
    cut = gold.spans.sentence_start
    columns: dict[str, Column] = {}

    def counted(sentence: Int64Array) -> Column:
        return np.bincount(sentence, minlength=len(cut)).astype(np.float64)

    for name, unit in (("tokens", "token"), ("sentences", "sentence")):
        starts, ends = (
            [getattr(s.spans, f"{unit}_{end}") for s in (gold, system)] for end in ("start", "end")
        )
        indices = _sentence_of(starts[0], cut)
        columns[f"{name}_correct"] = counted(indices[_same_spans(*starts, *ends)])
        columns[f"{name}_gold"] = counted(indices)
        columns[f"{name}_system"] = counted(_sentence_of(starts[1], cut))
    own = np.repeat(np.arange(len(cut)), np.diff(gold.offsets))
    system_sentences = _sentence_of(system.spans.start, cut)
    aligned_words = np.flatnonzero(counterpart >= 0)
    sentence, content = own[counterpart[aligned_words]], gold.content[counterpart[aligned_words]]
    # Gold's, the system's and aligned words, and the content words among them.
    of_words = [counted(rows) for rows in (own, system_sentences, sentence)]
    of_content = [
        counted(rows) for rows in (own[gold.content], system_sentences[system.content], sentence[content])
    ]
    for name, right in _mark_right_words(gold, system, aligned_words, counterpart, subtypes).items():
        is_of_content = name in ("clas", "mlas", "blex")
        columns[f"{name}_correct"] = counted(sentence[right & content if is_of_content else right])
        totals = of_content if is_of_content else of_words
        columns[f"{name}_gold"], columns[f"{name}_system"], columns[f"{name}_aligned"] = totals
    del columns["words_aligned"]
    return columns


def _same_spans(
    starts: Int64Array, other_starts: Int64Array, ends: Int64Array, other_ends: Int64Array
) -> BoolArray:
    """Return a mask of the spans that are also among the other spans; both are in the order of the text."""
    # Empty spans at the same character are paired in order.
    index = np.searchsorted(other_starts, starts) + np.arange(len(starts)) - np.searchsorted(starts, starts)
    has_other = index < len(other_starts)
    same = np.zeros(len(starts), np.bool_)
    same[has_other] = (starts[has_other] == other_starts[index[has_other]]) & (
        ends[has_other] == other_ends[index[has_other]]
    )
    return same


def _mark_right_words(
    gold: TextWords, system: TextWords, aligned_words: Int64Array, counterpart: Int64Array, subtypes: bool
) -> dict[str, BoolArray]:
    """Return a mask of the aligned words that are right, for each score of words."""
    own = counterpart[aligned_words]
    names = ("upos", "xpos", "feats", "lemma")
    of_gold = {name: gold.column(name)[own] for name in names}
    upos, xpos, feats, lemma = (of_gold[name] == system.column(name)[aligned_words] for name in names)
    # Where gold has no lemma, any is right.
    lemma |= of_gold["lemma"] == gold.codes[gold.columns.unfilled]
    head = system.head[aligned_words]
    uas = gold.head[own] == np.where(head >= 0, counterpart[head], head)
    relations = [side.whole_relation if subtypes else side.relation for side in (gold, system)]
    las = uas & (relations[0][own] == relations[1][aligned_words])
    tagged = las & upos & feats
    # The function words of two words agree if the number of right ones equals the number on both sides.
    words, own_functional_heads = (
        np.bincount(side.head[side.functional & (side.head >= 0)], minlength=len(side.head))
        for side in (gold, system)
    )
    right = np.bincount(
        head[tagged & system.functional[aligned_words] & (head >= 0)], minlength=len(own_functional_heads)
    )[aligned_words]
    return {
        "words": np.ones(len(aligned_words), np.bool_),
        "upos": upos,
        "xpos": xpos,
        "ufeats": feats,
        "alltags": upos & xpos & feats,
        "lemmas": lemma,
        "uas": uas,
        "las": las,
        "clas": las,
        "mlas": tagged & (right == words[own]) & (right == own_functional_heads[aligned_words]),
        "blex": las & lemma,
    }


def _sentence_of(starts: Int64Array, cut: Int64Array) -> Int64Array:
    """Return the sentence of each start: the last one that begins at it or before it.

    Sentences begin at ``cut``.
    """
    begins = np.append(np.searchsorted(starts, cut), len(starts))
    return np.repeat(np.arange(len(cut)), np.diff(begins))


def aligned(gold: TextWords, system: TextWords) -> Int64Array:
    """Return the word of gold for every word of the system, counted through the file, or ``NOT_ALIGNED``.

    Words that are tokens are aligned where their spans are equal. Around a multiword token the words of a
    stretch of text are aligned: the longest common subsequence of their forms, in lower case. The stretch is
    the smallest one that contains every multiword token, of either side, that it touches.
    """
    counterpart = np.empty(len(system.head), np.int64)
    align(gold.side(), system.side(), counterpart)
    return counterpart
