"""Loops over the features of dependencies: scores and updates of a linear model.

McDonald, Ryan, Koby Crammer and Fernando Pereira (2005): Online Large-Margin Training of Dependency
Parsers. ACL, section 3.1: tags and words of head and dependent, the tags beside them, direction and
distance. A feature is an index into a table of weights; different features may share one by chance.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    Float64Array,
    Float64MatrixOutput,
    Float64Output,
    Int32Array,
    Int64Output,
)

FEATURES = cython.declare(cython.int, 18)

# The factors of SplitMix64.
FIRST_FACTOR = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
SECOND_FACTOR = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)

# Uncompiled, Python's integers are not limited to 64 bits.
MASK_64_BITS = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


@cython.dataclasses.dataclass(eq=False, repr=False)
class FeatureKeys:
    """A number for each word and each tag of a sentence; the root is at index 0."""

    words: Int32Array
    tags: Int32Array


@cython.cfunc
@cython.nogil
def mixed(key: cython.ulonglong, value: cython.ulonglong) -> cython.ulonglong:
    """Return the hash of a key and another number (the finalizer of SplitMix64)."""
    key = ((key ^ value) * FIRST_FACTOR) & MASK_64_BITS
    key = ((key ^ (key >> 29)) * SECOND_FACTOR) & MASK_64_BITS
    return key ^ (key >> 32)


@cython.cfunc
@cython.nogil
def tag_at(tags: Int32Array, index: cython.Py_ssize_t) -> cython.ulonglong:
    """Return the tag at an index, or a number that is not a tag outside of the sentence."""
    if index < 0 or index >= tags.shape[0]:
        return 1
    return cython.cast(cython.ulonglong, tags[index])


@cython.cfunc
@cython.nogil
def find_features(
    keys: FeatureKeys,
    head: cython.Py_ssize_t,
    token: cython.Py_ssize_t,
    mask: cython.ulonglong,
    features: Int64Output,
) -> cython.void:
    """Write the indices of a dependency's features."""
    distance: cython.Py_ssize_t = token - head if token > head else head - token
    hw: cython.ulonglong = cython.cast(cython.ulonglong, keys.words[head])
    dw: cython.ulonglong = cython.cast(cython.ulonglong, keys.words[token])
    ht: cython.ulonglong = tag_at(keys.tags, head)
    dt: cython.ulonglong = tag_at(keys.tags, token)
    before_head, after_head = tag_at(keys.tags, head - 1), tag_at(keys.tags, head + 1)
    before_token, after_token = tag_at(keys.tags, token - 1), tag_at(keys.tags, token + 1)
    if distance > 10:
        distance = 7
    elif distance > 5:
        distance = 6
    bucket = cython.cast(cython.ulonglong, distance) * 2 + (1 if token > head else 0)
    is_right = cython.cast(cython.ulonglong, 1 if token > head else 0)
    for feature in range(FEATURES):
        key = mixed(cython.cast(cython.ulonglong, feature + 1), bucket if feature % 2 == 0 else is_right)
        if feature < 2:
            key = mixed(mixed(key, ht), dt)
        elif feature < 4:
            key = mixed(mixed(mixed(key, ht), dt), hw)
        elif feature < 6:
            key = mixed(mixed(mixed(key, ht), dt), dw)
        elif feature < 8:
            key = mixed(mixed(key, hw), dw)
        elif feature < 10:
            key = mixed(mixed(mixed(mixed(key, ht), dt), after_head), before_token)
        elif feature < 12:
            key = mixed(mixed(mixed(mixed(key, ht), dt), before_head), before_token)
        elif feature < 14:
            key = mixed(mixed(mixed(mixed(key, ht), dt), after_head), after_token)
        elif feature < 16:
            key = mixed(mixed(mixed(mixed(key, ht), dt), before_head), after_token)
        elif feature == 16:
            key = mixed(mixed(key, ht), dw)
        else:
            key = mixed(mixed(key, hw), dt)
        features[feature] = cython.cast(cython.longlong, key & mask)


def score_arcs(keys: FeatureKeys, weights: Float64Array, arc: Float64MatrixOutput) -> None:
    """Write the score of every dependency of a sentence: the sum of the weights of its features.

    arc  shape ``(tokens + 1, tokens + 1)``: head, dependent
    """
    size: cython.Py_ssize_t = keys.words.shape[0]
    mask: cython.ulonglong = weights.shape[0] - 1
    features: Int64Output = np.empty(FEATURES, np.int64)
    feature: cython.Py_ssize_t
    with cython.nogil:
        for head in range(size):
            for token in range(1, size):
                if head == token:
                    continue
                find_features(keys, head, token, mask, features)
                total = 0.0
                for feature in range(FEATURES):
                    total += weights[features[feature]]
                arc[head, token] = total


def update(
    keys: FeatureKeys,
    gold: Int32Array,
    guessed: Int32Array,
    step: cython.double,
    weights: Float64Output,
    sums: Float64Output,
) -> cython.Py_ssize_t:
    """Raise weights of gold's dependencies, lower those of wrong ones; return the number of wrong heads.

    ``sums`` collects each change times ``step``, for the average of all weights. Tokens without a head in
    gold are ignored.
    """
    mask: cython.ulonglong = weights.shape[0] - 1
    features: Int64Output = np.empty(FEATURES, np.int64)
    feature: cython.Py_ssize_t
    wrong: cython.Py_ssize_t = 0
    with cython.nogil:
        for token in range(1, keys.words.shape[0]):
            if gold[token] < 0 or gold[token] == guessed[token]:
                continue
            wrong += 1
            find_features(keys, gold[token], token, mask, features)
            for feature in range(FEATURES):
                weights[features[feature]] += 1.0
                sums[features[feature]] += step
            find_features(keys, guessed[token], token, mask, features)
            for feature in range(FEATURES):
                weights[features[feature]] -= 1.0
                sums[features[feature]] -= step
    return wrong
