"""Sentences of gold and the candidate that are cut elsewhere, joined to units with the same words.

A unit is the shortest run of sentences that begins and ends at the same word on both sides. The words of a
unit are those of gold's first sentence in it; the others have none. A sentence of the candidate without any
word of gold belongs to the unit before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from crossbank.metrics.pairing.pair import Status, word_status
from crossbank.metrics.pairing.text_alignment import aligned_groups
from crossbank.metrics.pairing.word_forms import ALIGNED
from crossbank.treebanks import CrossbankError, Treebank
from crossbank.treebanks.arrays import BoolArray, Int64Array
from crossbank.treebanks.moved_references import with_joined_sentences

JOINED = "sentences joined"
"""The event of the step ``ALIGNED``."""


class SurfaceToken(NamedTuple):
    """A word, or a multiword token with its words: characters, first word and number of words."""

    letters: str
    first: int
    words: int


def with_common_sentences(
    gold: Treebank, candidate: Treebank, letters: Callable[[str], str]
) -> tuple[Treebank, Treebank, BoolArray]:
    """Return both sides with sentences that are cut elsewhere joined, and which of gold's were joined.

    Raises CrossbankError if sentences that are cut elsewhere have several analyses.
    """
    targets, is_joined = _targets(gold, candidate, letters)
    if targets is None:
        return gold, candidate, is_joined
    if gold.has_several_analyses or candidate.has_several_analyses:
        raise CrossbankError(
            f"{candidate.where(0)}: sentences with several analyses have other boundaries than in gold, "
            "expected one analysis of each, or gold's sentences"
        )
    sides = []
    for bank, rows in zip((gold, candidate), targets, strict=True):
        names = np.clip(np.searchsorted(rows, np.arange(len(gold))), 0, max(len(bank) - 1, 0))
        own = np.arange(len(gold)) if bank is gold else names
        sides.append(with_joined_sentences(bank, rows, len(gold), own.astype(np.int64)))
    joined = np.maximum(
        np.bincount(targets[0], minlength=len(gold)), np.bincount(targets[1], minlength=len(gold))
    )
    names_of_gold = gold.vocabulary.decode(gold.sentences.id)
    sides[1] = sides[1].with_columns("sentences", id=names_of_gold)
    sides[1] = sides[1].with_counts(ALIGNED, {JOINED: np.where(joined > 1, joined, 0).astype(np.int32)})
    return sides[0], sides[1], is_joined


def _targets(
    gold: Treebank, candidate: Treebank, letters: Callable[[str], str]
) -> tuple[tuple[Int64Array, Int64Array] | None, BoolArray]:
    """Return the sentence of gold to which each sentence of both sides is joined; None if none is.

    With the same number of sentences only those are joined that differ, are neighbours and have the same
    characters together.
    """
    is_joined = np.zeros(len(gold), np.bool_)
    targets = [np.arange(len(bank), dtype=np.int64) for bank in (gold, candidate)]
    if len(gold) != len(candidate):
        if not len(gold):
            return None, is_joined
        runs = [(0, len(gold), 0, len(candidate))]
    else:
        runs = [(first, stop, first, stop) for first, stop in _differing_runs(gold, candidate, letters)]
    for run in runs:
        for g, g_stop, c, c_stop in _units(gold, candidate, run, letters):
            targets[0][g:g_stop] = g
            targets[1][c:c_stop] = g
            is_joined[g + 1 : g_stop] = True
    if not runs or (not is_joined.any() and len(gold) == len(candidate)):
        return None, is_joined
    return (targets[0], targets[1]), is_joined


def _differing_runs(
    gold: Treebank, candidate: Treebank, letters: Callable[[str], str]
) -> Iterator[tuple[int, int]]:
    """Yield runs of neighbouring sentences that have other characters one by one, and the same together."""
    differs = word_status(gold, candidate) != Status.SCORED
    edges = np.flatnonzero(np.diff(np.concatenate(([False], differs, [False]))))
    for first, stop in edges.reshape(-1, 2).tolist():
        if stop - first < 2:
            continue
        one, other = (
            [
                "".join(token.letters for token in surface_tokens(bank, at, letters))
                for at in range(first, stop)
            ]
            for bank in (gold, candidate)
        )
        if one != other and "".join(one) == "".join(other):
            yield first, stop


def _units(
    gold: Treebank, candidate: Treebank, run: tuple[int, int, int, int], letters: Callable[[str], str]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the units of runs of sentences: first sentence and one past the last of both sides."""
    first, stop, other, other_stop = run
    sides = [
        [[token.letters for token in surface_tokens(bank, at, letters)] for at in range(*ends)]
        for bank, ends in ((gold, (first, stop)), (candidate, (other, other_stop)))
    ]
    ends = [boundaries_of_sentences(side) for side in sides]
    positions = [0, 0]
    begun: tuple[int, int] = (first, other)
    flat = [[word for sentence in side for word in sentence] for side in sides]
    cuts = [(0, 0)]
    for group in aligned_groups(*flat):
        positions = [at + number for at, number in zip(positions, group, strict=True)]
        if positions[0] in ends[0] and positions[1] in ends[1]:
            cuts.append((positions[0], positions[1]))
    # Sentences of one position: those without words end there, too.
    units: list[list[int]] = []
    for g_end, c_end in cuts[1:]:
        stops = first + ends[0][g_end], other + ends[1][c_end]
        if stops[0] > begun[0]:
            units.append([begun[0], stops[0], begun[1], stops[1]])
        elif units:
            units[-1][3] = stops[1]
        else:
            continue  # words before gold's first sentence belong to its unit
        begun = stops
    if units:
        units[-1][1], units[-1][3] = stop, other_stop
    elif stop > first:
        units.append([first, stop, other, other_stop])
    for unit in units:
        yield unit[0], unit[1], unit[2], unit[3]


def boundaries_of_sentences(sentences: Sequence[Sequence[str]]) -> dict[int, int]:
    """Return the number of sentences that end at each number of words where one ends."""
    ends: dict[int, int] = {}
    words = 0
    for number, sentence in enumerate(sentences, 1):
        words += len(sentence)
        ends[words] = number
    return ends


def surface_tokens(bank: Treebank, sentence: int, letters: Callable[[str], str]) -> list[SurfaceToken]:
    """Return the words of a sentence, those of a multiword token as one, with their characters."""
    words = bank.words(sentence)
    if not len(bank.multiword) or not bank.multiword.lengths()[sentence]:
        return [SurfaceToken(letters(word), index, 1) for index, word in enumerate(words)]
    rows = bank.multiword.rows(sentence)
    forms = bank.vocabulary.decode(bank.multiword.form[rows])
    ends = zip(bank.multiword.first[rows].tolist(), bank.multiword.last[rows].tolist(), forms, strict=True)
    by_first = {first: (last, form) for first, last, form in ends}
    tokens = []
    index = 0
    while index < len(words):
        last, form = by_first.get(index, (index, words[index]))
        last = min(max(last, index), len(words) - 1)
        tokens.append(SurfaceToken(letters(form), index, last - index + 1))
        index = last + 1
    return tokens
