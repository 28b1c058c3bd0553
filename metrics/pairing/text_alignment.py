"""Words of two texts aligned by their characters, or by the cheapest edits.

Texts with the same characters are cut at common word boundaries, in one pass. Other texts are cut at their
common beginning and end, then at words that occur once in each text and in the same order, until the ranges
between two cuts are short; these ranges are aligned by edits. So the time is linear for similar texts, and
limited for all others: a long text without such words is cut in the middle.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from crossbank.metrics.loops.word_edits import SpelledWords, WordRange, align_spelled_words
from crossbank.treebanks.arrays import Int32Array, Int64Array, offsets_of

MAX_CELLS = 1 << 18
"""Maximal number of pairs of words between two cuts that are aligned by edits."""

MARGIN = 32
"""The number of equal words at an end that are aligned by edits: so words are dropped at their own position.

After ``A . B . C`` has become ``A . C``, the first full stop is that of ``A``.
"""

Groups: TypeAlias = Sequence[tuple[int, int]]
"""Numbers of words of gold and of the candidate that belong together, group by group.

Of a word without a counterpart the other number is 0."""


class AlignedRange(NamedTuple):
    """Ranges of words of gold and the candidate between two cuts."""

    gold: int
    gold_stop: int
    candidate: int
    candidate_stop: int


def aligned_groups(gold: Sequence[str], candidate: Sequence[str]) -> Groups:
    """Return the aligned groups of words of two texts, as small as possible.

    >>> aligned_groups(["can", "not", "go"], ["cannot", "go", "."])
    [(2, 1), (1, 1), (0, 1)]
    """
    if "".join(gold) == "".join(candidate):
        return groups_of_same_text(gold, candidate)
    return _groups_by_edits(gold, candidate)


def groups_of_same_text(gold: Sequence[str], candidate: Sequence[str]) -> Groups:
    """Return the groups of words of two texts with the same characters. Words without any are in none.

    >>> groups_of_same_text(["a", "bc", "d"], ["ab", "c", "d"])
    [(2, 2), (1, 1)]
    """
    groups = []
    g = c = 0
    while g < len(gold) or c < len(candidate):
        first, other = g, c
        empty = g < len(gold) and not gold[g], c < len(candidate) and not candidate[c]
        if any(empty):
            g, c = g + empty[0], c + empty[1]
        else:
            ahead = len(gold[g]) - len(candidate[c])
            g, c = g + 1, c + 1
            while ahead:
                if ahead > 0:
                    ahead -= len(candidate[c])
                    c += 1
                else:
                    ahead += len(gold[g])
                    g += 1
        groups.append((g - first, c - other))
    return groups


def _groups_by_edits(gold: Sequence[str], candidate: Sequence[str]) -> Groups:
    numbers: dict[str, int] = {}
    one, other = (_spelled(words, numbers) for words in (gold, candidate))
    longest = max(map(len, numbers), default=0)
    keys = np.asarray(one.key), np.asarray(other.key)
    groups: list[tuple[int, int]] = []
    for words, are_same in _cut(*keys):
        size = words.gold_stop - words.gold, words.candidate_stop - words.candidate
        if are_same:
            groups += [(1, 1)] * size[0]
        elif not all(size):
            groups += [(1, 0)] * size[0] + [(0, 1)] * size[1]
        else:
            steps = np.zeros(2 * sum(size), np.int64)
            number = align_spelled_words(one, other, WordRange(*words), steps, longest)
            groups += [(int(m), int(n)) for m, n in steps[: 2 * number].reshape(-1, 2)[::-1].tolist()]
    return groups


def _spelled(words: Sequence[str], numbers: dict[str, int]) -> SpelledWords:
    key = np.fromiter((numbers.setdefault(word, len(numbers)) for word in words), np.int32, len(words))
    letters = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), np.int32)
    offsets: Int64Array = offsets_of(np.fromiter(map(len, words), np.int64, len(words)))
    return SpelledWords(key, letters, offsets)


def _cut(gold: Int32Array, candidate: Int32Array) -> Iterator[tuple[AlignedRange, bool]]:
    """Yield the ranges between cuts in order, and whether the words of both sides are the same one by one."""
    waiting = [(AlignedRange(0, len(gold), 0, len(candidate)), False)]
    while waiting:
        words, are_same = waiting.pop()
        if are_same:
            yield words, True
            continue
        one, other = gold[words.gold : words.gold_stop], candidate[words.candidate : words.candidate_stop]
        before = _common(one, other)
        after = max(_common(one[before:][::-1], other[before:][::-1]) - MARGIN, 0)
        inner = AlignedRange(
            words.gold + before,
            words.gold_stop - after,
            words.candidate + before,
            words.candidate_stop - after,
        )
        if before:
            yield AlignedRange(words.gold, inner.gold, words.candidate, inner.candidate), True
        if after:
            end = AlignedRange(inner.gold_stop, words.gold_stop, inner.candidate_stop, words.candidate_stop)
            waiting.append((end, True))
        sizes = inner.gold_stop - inner.gold, inner.candidate_stop - inner.candidate
        if (sizes[0] + 1) * (sizes[1] + 1) <= MAX_CELLS or not all(sizes):
            if any(sizes):
                yield inner, False
            continue
        cuts = _cuts(gold[inner.gold : inner.gold_stop], candidate[inner.candidate : inner.candidate_stop])
        ends = [
            (inner.gold, inner.candidate),
            *((inner.gold + g, inner.candidate + c) for g, c in cuts),
            (inner.gold_stop, inner.candidate_stop),
        ]
        ranges = [AlignedRange(g, end, c, stop) for (g, c), (end, stop) in pairwise(ends)]
        waiting += [
            (one, False)
            for one in reversed(ranges)
            if one.gold_stop > one.gold or one.candidate_stop > one.candidate
        ]


def _common(one: Int32Array, other: Int32Array) -> int:
    """Return the number of equal keys at the beginning."""
    size = min(len(one), len(other))
    differing = np.flatnonzero(one[:size] != other[:size])
    return int(differing[0]) if len(differing) else size


def _cuts(gold: Int32Array, candidate: Int32Array) -> list[tuple[int, int]]:
    """Return the cuts of both texts: before words that occur once in each, in the same order.

    Without such words both texts are cut in the middle.
    """
    keys, where = [], []
    for side in (gold, candidate):
        key, index, count = np.unique(side, return_index=True, return_counts=True)
        keys.append(key[count == 1])
        where.append(index[count == 1])
    _, one, other = np.intersect1d(keys[0], keys[1], assume_unique=True, return_indices=True)
    order = np.argsort(where[0][one])
    pairs = list(zip(where[0][one][order].tolist(), where[1][other][order].tolist(), strict=True))
    cuts = [pair for pair in _ascending(pairs) if pair != (0, 0)]
    return cuts or [(len(gold) // 2, len(candidate) // 2)]


def _ascending(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return a longest subsequence of pairs whose second numbers ascend, too."""
    ends: list[int] = []
    last: list[int] = []
    before = [-1] * len(pairs)
    for index, (_, second) in enumerate(pairs):
        rank = bisect_left(ends, second)
        before[index] = last[rank - 1] if rank else -1
        ends[rank : rank + 1], last[rank : rank + 1] = [second], [index]
    chosen = []
    index = last[-1] if last else -1
    while index >= 0:
        chosen.append(pairs[index])
        index = before[index]
    return chosen[::-1]


def boundaries(words: Sequence[str]) -> list[int]:
    """Return the number of characters up to the end of each word."""
    return list(accumulate(map(len, words)))
