"""Sentences and words aligned as jp-evalb aligns them, step by step.

Jo, Eunkyul Leah, Angela Yoonseo Park and Jungyeul Park (2024): A Novel Alignment-based Approach for PARSEVAL
Measures. Computational Linguistics 50(3), section 3. The numbers are those of its program, also where it goes
on after texts that it cannot align.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from crossbank.compat.jp_evalb.loops.letter_edits import is_within_edits
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.errors import CrossbankError

EXCEPTIONS = {"''": '"', "`": "'", "``": '"', "ca": "can", "wo": "will", "n't": "not"}
"""Words that are compared as others."""

CLOSE = 0.15
"""Edits by character of gold's sentence up to which two sentences are taken for the same one."""


class JpAlignmentError(CrossbankError):
    """What ends jp-evalb with a traceback: it looks for a sentence or word after the last."""


class SentenceGroups(NamedTuple):
    """Sentences of the system and of gold in one unit; with several on a side these are under one root."""

    system: Sequence[int]
    gold: Sequence[int]
    is_joined: bool


class TextPairs:
    """Comparisons of the sentences of two files, each made once."""

    def __init__(self, system: Sequence[str], gold: Sequence[str]) -> None:
        self._system, self._gold = ([_spelled(text) for text in side] for side in (system, gold))
        self._close: dict[tuple[int, int], bool] = {}

    def are_same(self, system: int, gold: int) -> bool:
        """Return whether two sentences are the same, or nearly so and followed by two that are.

        Raises JpAlignmentError after the last sentence of either side, and for an empty sentence of gold.
        """
        chain = []
        same = self._close.get((system, gold))
        while same is None:
            if system >= len(self._system) or gold >= len(self._gold):
                raise JpAlignmentError(_after_the_end("sentence", system, gold))
            chain.append((system, gold))
            one, other = self._system[system], self._gold[gold]
            if one == other:
                same = True
            elif not other:
                raise JpAlignmentError(f"sentence {gold + 1} of gold has no words, expected some")
            elif not _are_close(one, other):
                same = False
            else:
                system, gold = system + 1, gold + 1
                same = self._close.get((system, gold))
        self._close.update(dict.fromkeys(chain, same))
        return same


def _after_the_end(what: str, system: int, gold: int) -> str:
    where = f"{what} {system + 1} of the candidate and {gold + 1} of gold"
    return f"texts differ up to their end, and jp-evalb looks for {where} after the last one"


def _spelled(text: str) -> str:
    return "".join(EXCEPTIONS.get(word, word) for word in text.split(" "))


def _are_close(one: str, other: str) -> bool:
    most = int(CLOSE * len(other))
    while (most + 1) / len(other) <= CLOSE:
        most += 1
    while most / len(other) > CLOSE:
        most -= 1
    return is_within_edits(_letters(one), _letters(other), most)


def _letters(text: str) -> Int32Array:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.int32)


def align_jp_sentences(system: Sequence[str], gold: Sequence[str]) -> list[SentenceGroups]:
    """Return the units of two files, from their sentences in small letters.

    Raises JpAlignmentError if the program ends with a traceback.
    """
    pairs = TextPairs(system, gold)
    units = []
    i = j = 0
    for _ in range(len(system) + 1):
        if i > len(gold):
            continue  # the program's inner loop is empty then
        if pairs.are_same(i, j) or (i + 1 == len(system) and j + 1 == len(gold)):
            units.append(SentenceGroups((i,), (j,), False))
        else:
            first, other = i, j
            while not pairs.are_same(i + 1, j + 1):
                if len(system[i]) < len(gold[j]):
                    i += 1
                elif len(system[i]) > len(gold[j]):
                    j += 1
                else:
                    break
            units.append(SentenceGroups(range(first, i + 1), range(other, j + 1), True))
        i, j = i + 1, j + 1
        if i == len(system) and j == len(gold):
            break
    return units


def align_jp_words(system: Sequence[str], gold: Sequence[str]) -> tuple[list[int], list[int], int]:
    """Return the group of each word of two sentences, and the number of gold's groups.

    Raises JpAlignmentError if the program ends with a traceback.
    """
    one, other = ([word.lower() for word in side] for side in (system, gold))
    before = [_letters_before(side) for side in (system, gold)]
    groups: tuple[list[int], list[int]] = ([], [])
    numbers = [0, 0]
    i = j = 0
    is_after_gap = False
    while i < len(one) and j < len(other):
        ends = i + 1, j + 1
        is_after_gap = False
        is_last = ends[0] == len(one), ends[1] == len(other)
        if one[i] != other[j] and not all(is_last):
            if is_last[0]:
                ends = ends[0], len(other)
            elif is_last[1]:
                ends = len(one), ends[1]
            else:
                ends, is_after_gap = _end_of_gap(one, other, before, i, j), True
        for side, (begin, end) in enumerate(((i, ends[0]), (j, ends[1]))):
            groups[side].extend([numbers[side]] * (end - begin))
            numbers[side] += 1
        i, j = ends
    for side, (done, words) in enumerate(((i, one), (j, other))):
        rest = len(words) - done
        if not rest:
            continue
        if not groups[side]:  # each word is a group
            groups[side].extend(range(rest))
            numbers[side] = rest
        elif is_after_gap:
            raise JpAlignmentError("words are left after words that differ, which jp-evalb cannot number")
        else:
            groups[side].extend([numbers[side] - 1] * rest)
    return groups[0], groups[1], numbers[1]


def _letters_before(words: Sequence[str]) -> list[int]:
    total = [0]
    for word in words:
        total.append(total[-1] + len(word))
    return total


def _end_of_gap(
    system: Sequence[str], gold: Sequence[str], before: Sequence[Sequence[int]], i: int, j: int
) -> tuple[int, int]:
    """Return where a group ends: before two equal words, or where both have as many letters left."""
    while True:
        if i + 1 >= len(system) or j + 1 >= len(gold):
            raise JpAlignmentError(_after_the_end("word", i + 1, j + 1))
        if system[i + 1] == gold[j + 1]:
            break
        left, right = (side[-1] - side[word + 1] for side, word in zip(before, (i, j), strict=True))
        if left > right:
            i += 1
        elif left < right:
            j += 1
        else:
            break
    return i + 1, j + 1
