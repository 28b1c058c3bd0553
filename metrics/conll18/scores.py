"""The thirteen scores of the shared task as counts per sentence of gold.

What belongs to the system is counted in the sentence of gold in which it begins, so that the sums over
all sentences are the official totals, however the system cut the text.
"""

from __future__ import annotations

import numpy as np
from numba import njit
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
    others = _sentence_of(system.spans.start, cut)
    columns: dict[str, Column] = {}

    def add(name: str, correct: Int64Array, of_gold: Column, of_system: Column) -> None:
        columns[f"{name}_correct"] = _by_sentence(correct, sentences)
        columns[f"{name}_gold"], columns[f"{name}_system"] = of_gold, of_system

    for name, kind in (("tokens", "token"), ("sentences", "sentence")):
        spans = [(getattr(s.spans, f"{kind}_start"), getattr(s.spans, f"{kind}_end")) for s in (gold, system)]
        places, found = (_sentence_of(start, cut) for start, _ in spans)
        totals = (_by_sentence(rows, sentences) for rows in (places, found))
        add(name, places[same_spans(*spans[0], *spans[1])], *totals)

    rows = np.flatnonzero(counterpart >= 0)
    other = counterpart[rows]
    place = own[other]
    all_words = _by_sentence(own, sentences), _by_sentence(others, sentences)
    add("words", place, *all_words)

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
        add(name, place[words], *all_words)
        columns[f"{name}_aligned"] = columns["words_correct"]

    content = gold.content[other]
    clas = las & content
    right = {
        "clas": clas,
        "mlas": clas & tagged & same_function_words(gold, system, counterpart)[rows],
        "blex": clas & same["lemma"],
    }
    content_words = (
        _by_sentence(own[gold.content], sentences),
        _by_sentence(others[system.content], sentences),
    )
    content_aligned = _by_sentence(place[content], sentences)
    for name, words in right.items():
        add(name, place[words], *content_words)
        columns[f"{name}_aligned"] = content_aligned
    return columns


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


def _by_sentence(sentence_of_row: NDArray[np.integer], sentences: int) -> Column:
    return np.bincount(sentence_of_row, minlength=sentences).astype(np.float64)
