"""Features of words, counted one by one: ``Case=Nom|Number=Sing`` is a Case and a Number.

UFeats (Zeman et al. 2018) compares all features of a word at once, so it does not say which are wrong.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crossbank.metrics.counting.counts import Parts
from crossbank.metrics.counting.tally import Tally, by_kind
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.vocabulary import Vocabulary


class Bundles(NamedTuple):
    """The features of some words.

    sentence  the sentence in which each word is counted, shape ``(words,)``; -1 for a word that is not
    morph     the code of each word's features, shape ``(words,)``
    """

    sentence: Int32Array
    morph: Int32Array
    vocabulary: Vocabulary


class Features(NamedTuple):
    """One row for each feature of each word; all have shape ``(features,)``.

    word   the word's place among the words of the bundles
    name   the code of the name
    value  the code of the name with its value
    """

    word: Int64Array
    name: Int32Array
    value: Int32Array


def by_feature(
    gold: Bundles, aligned: Bundles, candidate: Bundles, sentences: int, *, values: bool = False
) -> Parts:
    """The features of gold, of the candidate, and those in common, by name or by name and value.

    aligned    the candidate's features of gold's words, in gold's order
    candidate  those of all words of the candidate, aligned or not

    A feature is in common where both sides give a word the same value of it.
    """
    names: dict[str, int] = {}
    written: dict[str, int] = {}
    ours, theirs, found = (_features(side, names, written) for side in (gold, aligned, candidate))
    keys = [side.word * (len(written) + 1) + side.value for side in (ours, theirs)]
    matched = np.isin(keys[0], keys[1])
    kinds = list(written if values else names)

    def tally(side: Bundles, features: Features, counted: BoolArray) -> Tally:
        rows = np.flatnonzero(counted & (side.sentence[features.word] >= 0))
        sentence = side.sentence[features.word[rows]]
        kind = (features.value if values else features.name)[rows[np.argsort(sentence, kind="stable")]]
        return Tally(offsets_of(np.bincount(sentence, minlength=sentences)), kind, np.ones(len(kind)))

    return by_kind(
        {
            "gold": tally(gold, ours, np.ones(len(ours.word), np.bool_)),
            "candidate": tally(candidate, found, np.ones(len(found.word), np.bool_)),
            "matched": tally(aligned, ours, matched),
        },
        kinds.__getitem__,
    )


def _features(side: Bundles, names: dict[str, int], written: dict[str, int]) -> Features:
    """The features of each word; new names and values get the next codes."""
    codes, place = np.unique(side.morph, return_inverse=True)
    parts: list[tuple[int, int]] = []
    length = []
    for bundle in side.vocabulary.decode(codes.astype(np.int32)):
        features = [feature for feature in bundle.split("|") if "=" in feature]
        length.append(len(features))
        for feature in features:
            name = names.setdefault(feature.partition("=")[0], len(names))
            parts.append((name, written.setdefault(feature, len(written))))
    table = np.array(parts, np.int32).reshape(-1, 2)
    offsets = offsets_of(np.array(length, np.int64))
    lengths = np.diff(offsets)[place.reshape(-1)]
    word = np.repeat(np.arange(len(side.morph)), lengths)
    within = np.arange(len(word)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    row = offsets[place.reshape(-1)][word] + within
    return Features(word, table[row, 0], table[row, 1])
