"""Loops that look up smoothed probabilities for the words of one sentence."""

from __future__ import annotations

# Compiled with -O3: see setup.py.
import cython
import numpy as np
from cython.cimports.crossbank.treebanks.arrays import (
    Float64Array,
    Float64MatrixOutput,
    Float64Output,
    Int32Array,
    Int32Output,
    Int64Array,
)


@cython.dataclasses.dataclass(eq=False, repr=False)
class CountsByHead:
    """Counts of events in contexts, those of each head together, with the sums of each context.

    begin, event, outcome, count  where each head's entries begin; an entry's event, its outcome and its count
    context_begin, context        where each head's contexts begin; a context
    total, freed                  the sum of a context's counts, and what discounting takes of them
    discount                      what is taken of each count
    """

    begin: Int64Array
    event: Int32Array
    outcome: Int32Array
    count: Float64Array
    context_begin: Int64Array
    context: Int32Array
    total: Float64Array
    freed: Float64Array
    discount: cython.double


@cython.dataclasses.dataclass(eq=False, repr=False)
class CountsByWord:
    """Counts of words given an event.

    begin, event, count  where each word's entries begin; an entry's event and its count
    total                the sum of each event's counts
    discount             what is taken of each count
    """

    begin: Int64Array
    event: Int32Array
    count: Float64Array
    total: Float64Array
    discount: cython.double


def fill_rule_weights(
    counts: CountsByHead,
    heads: Int32Array,
    local: Int32Array,
    parent: Int32Array,
    lower: Float64Array,
    weights: Float64MatrixOutput,
) -> None:
    """Fill in P(rule | category, head) for the rules and heads of a sentence, shape ``(rules, tokens)``.

    local   of each rule of the grammar its index among those of the sentence, or -1
    parent  the category of each rule of the sentence
    lower   what is backed off to: P(rule | category)
    """
    rules: cython.Py_ssize_t = parent.shape[0]
    size: cython.Py_ssize_t = 0
    for rule in range(rules):
        size = max(size, parent[rule] + 1)
    freed: Float64Output = np.ones(size, np.float64)
    scale: Float64Output = np.zeros(size, np.float64)
    with cython.nogil:
        for token in range(heads.shape[0]):
            head: cython.Py_ssize_t = heads[token]
            for entry in range(counts.context_begin[head], counts.context_begin[head + 1]):
                if counts.context[entry] < size:
                    scale[counts.context[entry]] = 1.0 / counts.total[entry]
                    freed[counts.context[entry]] = counts.freed[entry] / counts.total[entry]
            for rule in range(rules):
                weights[rule, token] = freed[parent[rule]] * lower[rule]
            for entry in range(counts.begin[head], counts.begin[head + 1]):
                rule = local[counts.event[entry]]
                if rule >= 0:
                    weights[rule, token] += (
                        max(counts.count[entry] - counts.discount, 0.0) * scale[parent[rule]]
                    )
            for entry in range(counts.context_begin[head], counts.context_begin[head + 1]):
                if counts.context[entry] < size:
                    scale[counts.context[entry]] = 0.0
                    freed[counts.context[entry]] = 1.0


def fill_choice_weights(
    counts: CountsByHead,
    above: Int32Array,
    heads: Int32Array,
    local: Int32Array,
    lower: Float64Array,
    weights: Float64Output,
) -> None:
    """Fill in P(head below | pair of categories, head above), laid end to end: ``(pairs, above, below)``.

    above, heads  the words above, and those below, which are the sentence's
    local         of each pair of the grammar its index among those of the sentence, or -1
    lower         what is backed off to: P(head below | pair), laid end to end: ``(pairs, below)``
    """
    length: cython.Py_ssize_t = heads.shape[0]
    over: cython.Py_ssize_t = above.shape[0]
    pairs: cython.Py_ssize_t = lower.shape[0] // length
    freed: Float64Output = np.ones(pairs, np.float64)
    scale: Float64Output = np.zeros(pairs, np.float64)
    # The tokens with one head are a list: the first of them, and the next of each.
    first: Int32Output = np.full(counts.begin.shape[0], -1, np.int32)
    following: Int32Output = np.full(length, -1, np.int32)
    with cython.nogil:
        for token in range(length - 1, -1, -1):
            following[token] = first[heads[token]]
            first[heads[token]] = cython.cast(cython.int, token)
        for token in range(over):
            head: cython.Py_ssize_t = above[token]
            for entry in range(counts.context_begin[head], counts.context_begin[head + 1]):
                pair = local[counts.context[entry]]
                if pair >= 0:
                    scale[pair] = 1.0 / counts.total[entry]
                    freed[pair] = counts.freed[entry] / counts.total[entry]
            for pair in range(pairs):
                for below in range(length):
                    weights[(pair * over + token) * length + below] = (
                        freed[pair] * lower[pair * length + below]
                    )
            for entry in range(counts.begin[head], counts.begin[head + 1]):
                pair = local[counts.event[entry]]
                below = first[counts.outcome[entry]]
                if pair < 0 or below < 0:
                    continue
                part = max(counts.count[entry] - counts.discount, 0.0) * scale[pair]
                while below >= 0:
                    weights[(pair * over + token) * length + below] += part
                    below = following[below]
            for entry in range(counts.context_begin[head], counts.context_begin[head + 1]):
                pair = local[counts.context[entry]]
                if pair >= 0:
                    scale[pair] = 0.0
                    freed[pair] = 1.0


def add_discounted(
    counts: CountsByWord, words: Int32Array, local: Int32Array, weights: Float64MatrixOutput
) -> None:
    """Add to each probability of a word what its discounted count comes to, shape ``(events, tokens)``.

    local   of each event its index in ``weights``, or -1
    """
    with cython.nogil:
        for token in range(words.shape[0]):
            for entry in range(counts.begin[words[token]], counts.begin[words[token] + 1]):
                row = local[counts.event[entry]]
                if row >= 0:
                    part = max(counts.count[entry] - counts.discount, 0.0)
                    weights[row, token] += part / counts.total[counts.event[entry]]
