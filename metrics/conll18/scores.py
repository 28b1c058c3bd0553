"""The thirteen scores of the shared task as counts per sentence of gold.

What belongs to the system is counted in the sentence of gold in which it begins, so that the sums over
all sentences are the official totals, however the system cut the text.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.conll18.alignment import same_function_words, same_spans
from metrics.conll18.words import Words
from metrics.counts import Column, Measure, ratio
from treebanks.arrays import Int64Array

TABLE = (
    "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas",
    "UAS", "LAS", "CLAS", "MLAS", "BLEX",
)  # fmt: skip
"""The scores in the order and the spelling of the official table."""

UNALIGNED = ("tokens", "sentences", "words")
"""The scores that have no accuracy over aligned words."""

MEANINGS = {
    "tokens": "tokens with the same span",
    "sentences": "sentences with the same span",
    "words": "aligned words",
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
}


def _f1(name: str) -> Measure:
    return Measure(
        name,
        lambda sums: ratio(2 * sums[f"{name}_correct"], sums[f"{name}_gold"] + sums[f"{name}_system"]),
        f"F1 of {MEANINGS[name]}",
    )


MEASURES = tuple(_f1(row.lower()) for row in TABLE)


def count(gold: Words, system: Words, counterpart: Int64Array) -> dict[str, Column]:
    """Columns ``las_correct``, ``las_gold``, ``las_system``, ``las_aligned`` and so on.

    Each has shape ``(gold sentences,)``. Both sides must have the same text; ``counterpart`` is their
    alignment (``metrics.conll18.alignment.aligned``).
    """
    sentences = len(gold.offsets) - 1
    own = np.repeat(np.arange(sentences), np.diff(gold.offsets))
    cut = gold.spans.sentence_start
    others = np.searchsorted(cut, system.spans.start, side="right") - 1
    columns: dict[str, Column] = {}

    def add(name: str, correct: Int64Array, of_gold: Int64Array, of_system: Int64Array) -> None:
        for column, rows in (("correct", correct), ("gold", of_gold), ("system", of_system)):
            columns[f"{name}_{column}"] = _by_sentence(rows, sentences)

    for name, kind in (("tokens", "token"), ("sentences", "sentence")):
        spans = [(getattr(s.spans, f"{kind}_start"), getattr(s.spans, f"{kind}_end")) for s in (gold, system)]
        places, found = (np.searchsorted(cut, start, side="right") - 1 for start, _ in spans)
        add(name, places[same_spans(*spans[0], *spans[1])], places, found)

    rows = np.flatnonzero(counterpart >= 0)
    other = counterpart[rows]
    place = own[other]
    add("words", place, own, others)

    head = system.head[rows]
    image = np.where(head >= 0, counterpart[head], head)
    same = {
        name: getattr(gold, name)[other] == getattr(system, name)[rows]
        for name in ("upos", "xpos", "feats", "lemma", "relation")
    }
    same["lemma"] |= gold.lemma[other] == gold.no_lemma
    uas = gold.head[other] == image
    las = uas & same["relation"]
    tagged = same["upos"] & same["feats"]
    right = {
        "upos": same["upos"],
        "xpos": same["xpos"],
        "ufeats": same["feats"],
        "alltags": tagged & same["xpos"],
        "lemmas": same["lemma"],
        "uas": uas,
        "las": las,
    }
    for name, words in right.items():
        add(name, place[words], own, others)
        columns[f"{name}_aligned"] = columns["words_correct"]

    content = gold.content[other]
    clas = las & content
    right = {
        "clas": clas,
        "mlas": clas & tagged & same_function_words(gold, system, counterpart)[rows],
        "blex": clas & same["lemma"],
    }
    for name, words in right.items():
        add(name, place[words], own[gold.content], others[system.content])
        columns[f"{name}_aligned"] = _by_sentence(place[content], sentences)
    return columns


def _by_sentence(sentence_of_row: NDArray[np.integer], sentences: int) -> Column:
    return np.bincount(sentence_of_row, minlength=sentences).astype(np.float64)
