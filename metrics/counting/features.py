"""Features of words, counted one by one: ``Case=Nom|Number=Sing`` is a Case and a Number.

UFeats (Zeman et al. 2018) compares all features of a word at once, so it does not say which are wrong.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crossbank.metrics.counting.counts import Breakdown
from crossbank.metrics.counting.items import Tally, count_by_key, joined
from crossbank.treebanks.arrays import Int32Array, Int64Array, offsets_of
from crossbank.treebanks.vocabulary import Vocabulary


class Bundles(NamedTuple):
    """Features of some words.

    sentence  the sentence in which each word is counted, shape ``(words,)``; -1 for a word that is not
    morph     the code of each word's features, shape ``(words,)``
    """

    sentence: Int32Array
    morph: Int32Array
    vocabulary: Vocabulary


def break_down_features(
    gold: Bundles, aligned: Bundles, candidate: Bundles, sentences: int
) -> dict[str, Breakdown]:
    """Return the features of gold, of the candidate, and those in common, by name, and by name and value.

    aligned    the candidate's features of gold's words, in gold's order
    candidate  those of all words of the candidate, aligned or not

    A feature is in common where both sides give a word the same value of it.
    """
    names: dict[str, int] = {}
    values: dict[str, int] = {}
    of_gold, of_aligned, of_candidate = (
        _features(side, names, values) for side in (gold, aligned, candidate)
    )
    common = np.isin(*(word * (len(values) + 1) + value for word, _, value in (of_gold, of_aligned)))
    tables = {
        "gold": (gold, of_gold),
        "candidate": (candidate, of_candidate),
        "matched": (aligned, of_gold[:, common]),
    }

    def break_down(row: int, keys: tuple[str, ...]) -> Breakdown:
        tallies: dict[str, Tally] = {}
        for name, (side, features) in tables.items():
            sentence = side.sentence[features[0]]
            tallies[name] = joined(sentences, (sentence, features[row].astype(np.int32), sentence >= 0))
        return count_by_key(tallies, keys.__getitem__)

    return {"feature": break_down(1, tuple(names)), "feature_value": break_down(2, tuple(values))}


def _features(side: Bundles, names: dict[str, int], values: dict[str, int]) -> Int64Array:
    """Return the word, the name and the name with its value of each feature, shape ``(3, features)``.

    New names and values get the next codes.
    """
    codes = np.flatnonzero(np.bincount(side.morph, minlength=len(side.vocabulary)))
    pairs: list[tuple[int, int]] = []
    length = np.zeros(len(side.vocabulary), np.int64)
    for code, bundle in zip(codes.tolist(), side.vocabulary.decode(codes.astype(np.int32)), strict=True):
        features = [feature for feature in bundle.split("|") if "=" in feature]
        length[code] = len(features)
        for feature in features:
            name = names.setdefault(feature.partition("=")[0], len(names))
            pairs.append((name, values.setdefault(feature, len(values))))
    table = np.array(pairs, np.int64).reshape(-1, 2)
    lengths = length[side.morph]
    word = np.repeat(np.arange(len(side.morph)), lengths)
    within = np.arange(len(word)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    row = offsets_of(length)[side.morph][word] + within
    return np.stack((word, *table[row].T))
