"""How far a conversion to dependencies can be trusted.

Rehbein, Ines, and Josef van Genabith (2007): Treebank Annotation Schemes and Parser Evaluation for German,
3.3: dependencies from trees with functions against those from the same trees without them. Or: against
dependencies that somebody else made of the same sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from converters.scheme import Scheme
from converters.transformations import transform
from treebanks import ConversionError, Treebank
from treebanks.arrays import BoolArray


class Agreement(NamedTuple):
    """Words by the relation that the first analysis gives them: how many, how many with the same head."""

    relation: str
    words: int
    same_head: int


def without_functions(
    bank: Treebank, scheme: Scheme, steps: Iterable[str | Mapping[str, Any]] | None = None
) -> list[Agreement]:
    """Agreement of a conversion with the same one after ``strip_functions``; punctuation left out.

    steps  the conversion; by default the scheme's view ``dependencies``
    """
    steps = list(scheme.views["dependencies"] if steps is None else steps)
    first = transform(bank, steps, scheme)
    second = transform(bank, ["strip_functions", *steps], scheme)
    return agreement(first, second, ~scheme.is_punctuation(first))


def agreement(first: Treebank, second: Treebank, words: BoolArray) -> list[Agreement]:
    """Unlabelled agreement by relation of the first, most frequent first.

    words  which tokens of ``first`` count. Since every word has one head in both, precision, recall and
    F of the dependencies are all the share of words with the same head.

    Raises ConversionError where the two have not the same numbers of words.
    """
    if not np.array_equal(first.tokens.offsets, second.tokens.offsets):
        raise ConversionError(
            "reliability: found sentences of other lengths, expected the same words in both"
        )
    same = first.tokens.head == second.tokens.head
    size = len(first.vocabulary)
    total = np.bincount(first.tokens.relation[words], minlength=size)
    matched = np.bincount(first.tokens.relation[words & same], minlength=size)
    order = np.argsort(-total, kind="stable")
    return [
        Agreement(first.vocabulary[code], int(total[code]), int(matched[code]))
        for code in order.tolist()
        if total[code]
    ]


def against_gold(
    bank: Treebank, gold: Treebank, scheme: Scheme, steps: Iterable[str | Mapping[str, Any]] | None = None
) -> tuple[list[Agreement], int]:
    """Agreement of a conversion with dependencies of the same sentences, and how many were compared.

    Sentences are taken in order; those whose words differ are left out. Punctuation is left out.
    """
    steps = list(scheme.views["dependencies"] if steps is None else steps)
    converted = transform(bank, steps, scheme)
    if len(converted) != len(gold):
        raise ConversionError(f"reliability: found {len(gold)} gold sentences, expected {len(converted)}")
    kept = np.array([i for i in range(len(gold)) if converted.words(i) == gold.words(i)], np.int64)
    converted, gold = converted.select(kept), gold.select(kept)
    return agreement(gold, converted, ~scheme.is_punctuation(converted)), len(kept)
