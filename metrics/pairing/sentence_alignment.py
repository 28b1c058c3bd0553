"""Sentences of two treebanks that are the same text, even if they are split differently.

Two sentences match if they have the same identifier or, without identifiers, the same place, and if their
words have the same letters. All others are found by their letters: a sentence, or a run of neighbouring ones,
matches a sentence or a run of the other treebank. (The Faroese treebank of Universal Dependencies joins
several trees of FarPaHC to one sentence, and has them in another order.)
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import NamedTuple

import numpy as np

from crossbank.metrics.pairing.pair import first_difference
from crossbank.metrics.pairing.word_alignment import letters
from crossbank.metrics.pairing.word_forms import canonical
from crossbank.treebanks import NO_PARENT, ROOT, UNATTACHED, Treebank
from crossbank.treebanks.arrays import BoolArray, Int64Array

TRIED = 50
"""The number of sentences with the same beginning that are tried. It bounds the time for repetitive texts."""

AS_CLOSE = 8
"""The number of letters that a tree must share with a sentence to be named in its message."""


class SentenceRun(NamedTuple):
    """A run of neighbouring sentences: the first, and one past the last."""

    first: int
    stop: int


class Unmatched(NamedTuple):
    """A sentence without a counterpart: its identifier, side (``gold``, ``trees``), place, and the reason."""

    sentence: str
    side: str
    where: str
    reason: str


@dataclass(frozen=True)
class SentenceAlignment:
    """Runs of sentences with the same letters, in the order of the first treebank, and the rest."""

    runs: Sequence[tuple[SentenceRun, SentenceRun]]
    unmatched: Sequence[Unmatched]

    @property
    def joined(self) -> int:
        """Number of pairs of runs with more than one sentence on a side."""
        return sum(max(run.stop - run.first for run in pair) > 1 for pair in self.runs)


def align_sentences(gold: Treebank, trees: Treebank) -> SentenceAlignment:
    """Match the sentences of two treebanks.

    Time is linear in the sentences, times the number of different lengths of those that are not matched
    by identifier or place.
    """
    words = (map(bank.words, range(len(bank))) for bank in (gold, trees))
    # A sentence without letters is compared by its signs.
    texts = [[letters(one) or "".join(map(canonical, one)) for one in of_side] for of_side in words]
    counterparts = _counterparts(gold, trees)
    aligned = [
        (SentenceRun(one, one + 1), SentenceRun(other, other + 1))
        for one, other in counterparts.items()
        if texts[0][one] == texts[1][other]
    ]
    taken = [np.zeros(len(bank), np.bool_) for bank in (gold, trees)]
    for one, other in aligned:
        taken[0][one.first] = taken[1][other.first] = True
    free = [
        ["" if is_taken else text for text, is_taken in zip(of_side, mask, strict=True)]
        for of_side, mask in zip(texts, taken, strict=True)
    ]
    for one, other in _runs_of_same_letters(*free):
        aligned.append((one, other))
        taken[0][slice(*one)] = taken[1][slice(*other)] = True
    closest = _Closest(trees, texts[1], ~taken[1])
    unmatched = [
        Unmatched(
            gold.sentence_id(sentence),
            "gold",
            gold.where(sentence),
            first_difference(gold.words(sentence), trees.words(counterparts[sentence]))
            if sentence in counterparts
            else closest.difference(gold.words(sentence), texts[0][sentence]),
        )
        for sentence in np.flatnonzero(~taken[0]).tolist()
    ]
    nowhere = "no sentence of gold has these words"
    unmatched += [
        Unmatched(trees.sentence_id(sentence), "trees", trees.where(sentence), nowhere)
        for sentence in np.flatnonzero(~taken[1]).tolist()
    ]
    return SentenceAlignment(sorted(aligned), unmatched)


def joined_sentences(bank: Treebank, runs: Sequence[SentenceRun]) -> Treebank:
    """Return the dependencies of runs of sentences, each run as one sentence.

    The roots of its first sentence remain roots. Those of the others have no head: nobody says what they
    depend on.
    """
    counts = np.array([run.stop - run.first for run in runs], np.int64)
    chosen = np.array([sentence for run in runs for sentence in range(*run)], np.int64)
    parts = bank.select(chosen)
    tokens = parts.tokens
    first = np.concatenate(([0], np.cumsum(counts)))
    offsets: Int64Array = tokens.offsets[first].astype(np.int64)
    begin_of_run = np.repeat(offsets[:-1], np.diff(offsets))
    begin = tokens.begins(tokens)
    moved = (begin - begin_of_run).astype(np.int32)
    head = np.where(tokens.head >= 0, tokens.head + moved, tokens.head).astype(np.int32)
    head[(head == ROOT) & (moved > 0)] = UNATTACHED
    alone = np.full(len(tokens), NO_PARENT, np.int32)
    columns = {name: getattr(tokens, name) for name in tokens.columns()} | {"head": head, "parent": alone}
    return Treebank.of_tables(
        bank.vocabulary,
        parts.sentences.select(first[:-1]),
        type(tokens)(offsets, **columns),
        history=bank.history,
    )


def _counterparts(gold: Treebank, trees: Treebank) -> dict[int, int]:
    """Return the sentences with the same identifier or, without identifiers, at the same place."""
    ids = (bank.vocabulary.decode(bank.sentences.id) for bank in (gold, trees))
    indices = [{name: index for index, name in enumerate(names) if name} for names in ids]
    if all(len(of_side) == len(bank) for of_side, bank in zip(indices, (gold, trees), strict=True)):
        common = {index: indices[1][name] for name, index in indices[0].items() if name in indices[1]}
        if common:
            return common
    return {index: index for index in range(len(gold))} if len(gold) == len(trees) else {}


class _Closest:
    """Trees without a counterpart, by their beginnings. One may be meant by a sentence of gold."""

    def __init__(self, trees: Treebank, texts: Sequence[str], left: BoolArray) -> None:
        self.trees = trees
        self.places = sorted(np.flatnonzero(left).tolist(), key=texts.__getitem__)
        self.texts = [texts[index] for index in self.places]

    def difference(self, words: Sequence[str], text: str) -> str:
        """Return the first word that differs between a sentence and the trees that begin like it."""
        row = bisect_left(self.texts, text)
        neighbours = [index for index in (row - 1, row) if 0 <= index < len(self.texts)]
        near = [(_shared(self.texts[index], text), index) for index in neighbours]
        if not near or max(near)[0] < AS_CLOSE:
            return "no tree has these words"
        index = self.places[max(near)[1]]
        following_words: list[str] = []
        for following in range(index, min(index + TRIED, len(self.trees))):
            following_words += self.trees.words(following)
            if len(letters(following_words)) >= len(text):
                break
        same = _shared(letters(following_words), text)
        number, expected = _word_at(words, same)
        _, word = _word_at(following_words, same)
        tree = f"tree {self.trees.sentence_id(index)}, {self.trees.where(index)}"
        return f"word {number}: found {word!r}, expected {expected!r} ({tree})"


def _shared(one: str, other: str) -> int:
    """Return the number of letters that two texts share at their beginning."""
    return sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(one, other, strict=False)))


def _word_at(words: Sequence[str], letter: int) -> tuple[int, str]:
    """Return the number and the form of the word of a letter; after the last letter, the end of the text."""
    for number, word in enumerate(words, 1):
        letter -= len(letters([word]))
        if letter < 0:
            return number, word
    return len(words) + 1, "the end of the text"


def _runs_of_same_letters(
    gold: Sequence[str], trees: Sequence[str]
) -> Iterator[tuple[SentenceRun, SentenceRun]]:
    """Runs of sentences with the same letters. An empty text stands for a sentence that is matched already.

    A text that each side has once is matched first, so that no run takes one of the two.
    """
    left = list(gold), list(trees)
    counts = [Counter(side) for side in left]
    once = [
        {text: index for index, text in enumerate(side) if text and of_side[text] == 1}
        for side, of_side in zip(left, counts, strict=True)
    ]
    stops: dict[int, int] = {}
    for text in once[0].keys() & once[1].keys():
        index, other = once[0][text], once[1][text]
        stops[index] = other + 1
        yield _taken(left, SentenceRun(index, index + 1), SentenceRun(other, other + 1))
    looked_for = _Beginnings(left[1])
    after = 0
    for index, text in enumerate(gold):
        if not left[0][index]:
            after = stops.get(index, after)
            continue
        for start in looked_for.candidates(text, after):
            runs = _grown(left[0], index, left[1], start)
            if runs is not None:
                after = runs[1].stop
                yield _taken(left, *runs)
                break


def _taken(left: tuple[list[str], list[str]], *runs: SentenceRun) -> tuple[SentenceRun, SentenceRun]:
    """Match two runs: their sentences are no longer free."""
    for side, run in zip(left, runs, strict=True):
        side[slice(*run)] = [""] * (run.stop - run.first)
    return runs[0], runs[1]


class _Beginnings:
    """Texts by their beginnings. Texts that are emptied later are no longer found."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self.places: defaultdict[str, deque[int]] = defaultdict(deque)
        for index, text in enumerate(texts):
            if text:
                self.places[text].append(index)
        self.sorted = sorted(self.places)
        self.lengths = sorted({len(text) for text in self.places}, reverse=True)

    def candidates(self, text: str, after: int) -> Iterator[int]:
        """Yield the places where a run with this text may begin.

        They have the same text, first those after the run before; else the same beginning.
        """
        follows = after < len(self.texts) and self.texts[after] != ""
        if follows and self.texts[after] == text:
            yield after
        yield from self._left(text)
        if follows:
            yield after
        for length in self.lengths:
            if length <= len(text):
                yield from self._left(text[:length])
        first = bisect_left(self.sorted, text)
        for longer in self.sorted[first : first + TRIED]:
            if not longer.startswith(text):
                break
            yield from self._left(longer)

    def _left(self, text: str) -> list[int]:
        """Return the first free places of a whole text."""
        if text not in self.places:
            return []
        indices = self.places[text]
        while indices and not self.texts[indices[0]]:
            indices.popleft()
        return [index for index in islice(indices, TRIED) if self.texts[index]]


def _grown(
    gold: Sequence[str], index: int, trees: Sequence[str], start: int
) -> tuple[SentenceRun, SentenceRun] | None:
    """Shortest runs that begin at two sentences and have the same letters; None if letters differ."""
    sides, first, stops = (gold, trees), (index, start), [index + 1, start + 1]
    ahead, rest = 0, gold[index]
    following = trees[start]
    while following:
        if rest.startswith(following):
            rest = rest[len(following) :]
        elif following.startswith(rest):
            rest, ahead = following[len(rest) :], 1 - ahead
        else:
            return None
        if not rest:
            return SentenceRun(first[0], stops[0]), SentenceRun(first[1], stops[1])
        other = 1 - ahead
        if stops[other] >= len(sides[other]):
            return None
        following = sides[other][stops[other]]
        stops[other] += 1
    return None
