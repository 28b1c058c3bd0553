"""Rates of error types per construction, and directions of attachment errors: high or low.

An attachment is too high where the candidate hangs words under a constituent that contains the one under
which gold has them, and too low where it is the other way round. In dependencies a head is too high where it
dominates the right one in gold's tree. The rate is the number of errors divided by that of gold's
constructions of the type: PP attachment errors by PPs, wrong tags by words, lost nodes by nodes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

import numpy as np

from crossbank.converters.schemes.scheme import ErrorLabels
from crossbank.metrics.analyses.tree_repair import ERRORS_OF_VIEW, NOT_TYPED, TYPES, ParsingError
from crossbank.metrics.pairing.pair import Pair
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array

OF_WORDS = ("pos",)
"""Types whose rate is that of words; that of ``NOT_TYPED`` is of sentences."""


@dataclass(frozen=True)
class ErrorRate:
    """Errors of one type.

    errors, sentences  their number, and that of sentences with one
    high, low          the attachments that are too high and too low; the others are neither
    constructions      the divisor of the rate: gold's constituents of the type, or words, in scored sentences
    """

    type: str
    errors: int
    sentences: int
    high: int
    low: int
    constructions: int

    @property
    def rate(self) -> float:
        """Errors per construction; NaN if gold has none."""
        return self.errors / self.constructions if self.constructions else float("nan")


def error_rates(pair: Pair, labels: ErrorLabels, view: str) -> list[ErrorRate]:
    """Return the error types that occur, in their order.

    view  the pair's view: one of ``ERRORS_OF_VIEW``
    """
    return rates_of(pair, labels, view, ERRORS_OF_VIEW[view](pair, labels))


def rates_of(pair: Pair, labels: ErrorLabels, view: str, of_pair: Iterable[ParsingError]) -> list[ErrorRate]:
    """Return the rates of errors that are given sentence by sentence."""
    directed = _of_dependencies if view == "dependencies" else _of_constituents
    errors: dict[str, list[tuple[ParsingError, str]]] = {}
    for sentence, grouped in groupby(of_pair, attrgetter("sentence")):
        of_sentence = list(grouped)
        for error, direction in zip(of_sentence, directed(pair, sentence, of_sentence), strict=True):
            errors.setdefault(error.type, []).append((error, direction))
    constructions = _constructions(pair, labels, view)
    rates = []
    for type_ in filter(errors.__contains__, TYPES):
        sentences = {error.sentence for error, _ in errors[type_]}
        ways = Counter(direction for _, direction in errors[type_])
        numbers = len(errors[type_]), len(sentences), ways["high"], ways["low"]
        rates.append(ErrorRate(type_, *numbers, constructions.get(type_, 0)))
    return rates


def _of_constituents(pair: Pair, sentence: int, errors: Sequence[ParsingError]) -> list[str]:
    """Return the direction of each error of a sentence: ``high``, ``low`` or none."""
    sides = pair.gold.yields(sentence), pair.candidate.yields(sentence)
    everything = (1 << len(pair.gold.words(sentence))) - 1
    directions = []
    for error in errors:
        if not error.type.endswith("attachment"):
            directions.append("")
            continue
        words = sum(1 << word for word in error.words)
        gold, candidate = (
            min((y for y in side if y & words == words and y != words), key=int.bit_count, default=everything)
            for side in sides
        )
        directions.append(
            _direction(candidate & gold == gold, candidate & gold == candidate, gold == candidate)
        )
    return directions


def _of_dependencies(pair: Pair, sentence: int, errors: Sequence[ParsingError]) -> list[str]:
    tables = pair.gold.tokens, pair.candidate.tokens
    gold, candidate = (tokens.head[tokens.rows(sentence)].tolist() for tokens in tables)
    directions = []
    for error in errors:
        (word,) = error.words
        expected, head = gold[word], candidate[word]
        if expected == head or error.type in ("pos", "label"):
            directions.append("")
            continue
        directions.append(_direction(head in _above(gold, expected), expected in _above(gold, head), False))
    return directions


def _above(heads: Sequence[int], word: int) -> list[int]:
    """Return the words that dominate a word, and the root; a cycle ends them."""
    ancestors: list[int] = []
    while word >= 0 and (word := heads[word]) not in ancestors:
        ancestors.append(word)
    return ancestors


def _direction(high: bool, low: bool, same: bool) -> str:
    return "" if same else "high" if high else "low" if low else ""


def _constructions(pair: Pair, labels: ErrorLabels, view: str) -> dict[str, int]:
    """Return the number of gold's constructions of each type of error, in scored sentences."""
    gold = pair.gold
    tokens = np.repeat(pair.scored, gold.tokens.lengths())
    if view == "dependencies":
        numbers_by_label = Counter[str]()
        for name, number in _used(gold, gold.tokens.relation[tokens]).items():
            numbers_by_label[name.partition(":")[0]] += number
        coordinated = sum(numbers_by_label[name] for name in labels.coordination)
        whole = int(tokens.sum())
    else:
        numbers_by_label = _used(gold, gold.nodes.label[np.repeat(pair.scored, gold.nodes.lengths())])
        tags = _used(gold, gold.tokens.pos[tokens])
        coordinated = sum(tags[name] for name in labels.conjunctions)
        whole = sum(numbers_by_label.values())
        numbers_by_label += tags  # single words are attached, too
    counts = dict.fromkeys(TYPES, whole)
    counts |= dict.fromkeys(set(labels.attachment.values()), 0)
    for category, type_ in labels.attachment.items():
        counts[type_] += numbers_by_label[category]
    counts |= {NOT_TYPED: int(pair.scored.sum()), **dict.fromkeys(OF_WORDS, int(tokens.sum()))}
    return counts | {"coordination": coordinated}


def _used(bank: Treebank, codes: Int32Array) -> Counter[str]:
    numbers = np.bincount(codes, minlength=1)
    return Counter({bank.vocabulary[code]: int(numbers[code]) for code in np.flatnonzero(numbers).tolist()})
