"""Features of words, counted one by one: ``Case=Nom|Number=Sing`` is a Case and a Number.

UFeats (Zeman et al. 2018) compares all features of a word at once, so it does not say which are wrong.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from crossbank.metrics.counting.counts import Parts
from crossbank.metrics.counting.items import Tally, by_kind
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


class Features(NamedTuple):
    """One row for each feature of each word; all have shape ``(features,)``.

    word   the word's place among the words of the bundles
    name   the code of the name
    value  the code of the name with its value
    """

    word: Int64Array
    name: Int32Array
    value: Int32Array


class CountedFeatures(NamedTuple):
    """Features of gold, of the candidate, and those in common.

    gold, candidate, matched  sentence, name, and name with value of each feature, shape ``(features, 3)``
    names, values             the names, and the names with their values, by code
    sentences                 the number of sentences
    """

    gold: Int32Array
    candidate: Int32Array
    matched: Int32Array
    names: tuple[str, ...]
    values: tuple[str, ...]
    sentences: int

    def parts(self, *, values: bool) -> Parts:
        """Return the counts by name, or by name and value."""
        column, kinds = (2, self.values) if values else (1, self.names)

        def tally(features: Int32Array) -> Tally:
            offsets = offsets_of(np.bincount(features[:, 0], minlength=self.sentences))
            return Tally(offsets, features[:, column], np.ones(len(features)))

        sides = {"gold": self.gold, "candidate": self.candidate, "matched": self.matched}
        return by_kind({name: tally(features) for name, features in sides.items()}, kinds.__getitem__)


def counted_features(gold: Bundles, aligned: Bundles, candidate: Bundles, sentences: int) -> CountedFeatures:
    """Return the features of gold, of the candidate, and those in common.

    aligned    the candidate's features of gold's words, in gold's order
    candidate  those of all words of the candidate, aligned or not

    A feature is in common where both sides give a word the same value of it.
    """
    names: dict[str, int] = {}
    values: dict[str, int] = {}
    ours, theirs, found = (_features(side, names, values) for side in (gold, aligned, candidate))
    key, other = (side.word * (len(values) + 1) + side.value for side in (ours, theirs))
    other = np.append(np.sort(other), -1)
    matched = other[np.searchsorted(other[:-1], key)] == key

    def rows(side: Bundles, features: Features) -> Int32Array:
        table = np.stack([side.sentence[features.word], features.name, features.value], axis=1)
        table = table[table[:, 0] >= 0]
        return table[np.argsort(table[:, 0], kind="stable")]

    return CountedFeatures(
        rows(gold, ours),
        rows(candidate, found),
        rows(aligned, Features(*(column[matched] for column in ours))),
        tuple(names),
        tuple(values),
        sentences,
    )


def _features(side: Bundles, names: dict[str, int], values: dict[str, int]) -> Features:
    """Return the features of each word; new names and values get the next codes."""
    codes = np.flatnonzero(np.bincount(side.morph, minlength=len(side.vocabulary)))
    parts: list[tuple[int, int]] = []
    length = np.zeros(len(side.vocabulary), np.int64)
    for code, bundle in zip(codes.tolist(), side.vocabulary.decode(codes.astype(np.int32)), strict=True):
        features = [feature for feature in bundle.split("|") if "=" in feature]
        length[code] = len(features)
        for feature in features:
            name = names.setdefault(feature.partition("=")[0], len(names))
            parts.append((name, values.setdefault(feature, len(values))))
    table = np.array(parts, np.int32).reshape(-1, 2)
    lengths = length[side.morph]
    word = np.repeat(np.arange(len(side.morph)), lengths)
    within = np.arange(len(word)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    row = offsets_of(length)[side.morph][word] + within
    return Features(word, table[row, 0], table[row, 1])
