"""Test sentences of several treebanks matched by length.

Rehbein, Ines, and Josef van Genabith (2007): Treebank Annotation Schemes and Parser Evaluation for German.
EMNLP-CoNLL, section 4. Long sentences are harder to parse: where those of one treebank are longer, its
scores say something of the sentences and not of the scheme alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.counting.counts import Counts
from crossbank.metrics.pairing.pair import Status
from crossbank.treebanks.arrays import BoolArray, Int32Array


def match_lengths(lengths: Mapping[str, Int32Array], seed: int) -> dict[str, BoolArray]:
    """Return masks of sentences: of every length as many as the treebank with the fewest has.

    They are drawn at random, and do not depend on the order of the treebanks.
    """
    longest = max((int(of.max(initial=0)) for of in lengths.values()), default=0)
    counts = [np.bincount(of, minlength=longest + 1) for of in lengths.values()]
    fewest = np.min(counts, axis=0) if counts else np.zeros(1, np.intp)
    return {name: _draw_sentences(of, fewest, seed) for name, of in lengths.items()}


def _draw_sentences(lengths: Int32Array, counts: NDArray[np.intp], seed: int) -> BoolArray:
    random = np.random.default_rng(seed)
    chosen = np.zeros(len(lengths), np.bool_)
    for length in np.flatnonzero(counts).tolist():
        candidates = np.flatnonzero(lengths == length)
        chosen[random.permutation(candidates)[: counts[length]]] = True
    return chosen


def restrict_counts(counts: Counts, chosen: BoolArray) -> Counts:
    """Return counts in which all other sentences are skipped by rule."""
    return replace(counts, status=np.where(chosen, counts.status, Status.SKIPPED).astype(np.int8))
