"""Sentences whose words are split differently on the two sides, made comparable as far as possible.

Words are followed letter by letter: ``out of`` and ``out<blank>of`` have the same letters, and so do ``self
sufficiency`` and ``self-sufficiency``. Where one side has one word and the other two, the two are joined. A
bracket that begins or ends between them is omitted, since the other side cannot have it. Signs that only one
side has are omitted too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.deletions import without_nodes
from crossbank.metrics.pairing.word_forms import canonical
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.diagnosis import finding

STEP = "align_words"

NO_LETTERS = re.compile(r"<blank>|<dash/>|[\W_]")
"""Characters that are skipped when words are compared: signs, SUSANNE's blank, FarPaHC's dash in a word."""


def letters(words: Iterable[str]) -> str:
    """Return the letters of some words, by which they are compared."""
    return "".join(NO_LETTERS.sub("", canonical(word)) for word in words)


class WordMatch(NamedTuple):
    """Words of gold and of the candidate that have the same letters: first word and one past the last."""

    gold: tuple[int, int]
    candidate: tuple[int, int]


def matches(gold: Sequence[str], candidate: Sequence[str]) -> list[WordMatch] | None:
    """Return the words of two sentences, matched in order in the smallest possible groups.

    One side of a match is empty where signs are on the other side only. None if the letters differ.

    >>> matches(["so", "that", "it"], ["so<blank>that", "it"])
    [WordMatch(gold=(0, 2), candidate=(0, 1)), WordMatch(gold=(2, 3), candidate=(1, 2))]
    """
    sides = [[letters([word]) for word in side] for side in (gold, candidate)]
    if "".join(sides[0]) != "".join(sides[1]):
        return None
    aligned = []
    positions = [0, 0]
    while positions[0] < len(sides[0]) or positions[1] < len(sides[1]):
        begin = tuple(positions)
        for side in (0, 1):  # A run of signs is one group.
            while positions[side] < len(sides[side]) and not sides[side][positions[side]]:
                positions[side] += 1
        if tuple(positions) == begin:
            lengths = [len(sides[side][positions[side]]) for side in (0, 1)]
            positions = [positions[0] + 1, positions[1] + 1]
            while lengths[0] != lengths[1]:
                shorter = 0 if lengths[0] < lengths[1] else 1
                lengths[shorter] += len(sides[shorter][positions[shorter]])
                positions[shorter] += 1
        elif gold[begin[0] : positions[0]] == candidate[begin[1] : positions[1]]:
            for offset in range(positions[0] - begin[0]):
                g, c = begin[0] + offset, begin[1] + offset
                aligned.append(WordMatch((g, g + 1), (c, c + 1)))
            continue
        aligned.append(WordMatch((begin[0], positions[0]), (begin[1], positions[1])))
    return aligned


def align_words(
    gold: Treebank, candidate: Treebank, sentences: NDArray[np.integer]
) -> tuple[Treebank, Treebank, BoolArray]:
    """Both treebanks with the same words in those of the sentences that have the same letters.

    The third result says which tokens of gold remain, shape ``(tokens of gold before,)``. The diagnosis
    counts the words that were joined and omitted, sentence by sentence. Sentences whose letters differ do
    not change.
    """
    matches_of_sentences = [
        (sentence, matched)
        for sentence in sentences.tolist()
        if (matched := matches(gold.words(sentence), candidate.words(sentence))) is not None
    ]
    forms = {
        sentence: [" ".join(gold.words(sentence)[slice(*match.gold)]) for match in matched]
        for sentence, matched in matches_of_sentences
    }
    sides = []
    for bank, side in ((gold, "gold"), (candidate, "candidate")):
        groups = (
            (sentence, *getattr(match, side), form if all(map(_any, match)) else "")
            for sentence, matched in matches_of_sentences
            for match, form in zip(matched, forms[sentence], strict=True)
            if _any(getattr(match, side))
        )
        sides.append(_joined(bank, groups))
    return sides[0][0], sides[1][0], sides[0][1]


def without_words_of_one_side(
    gold: Treebank, candidate: Treebank, sentences: NDArray[np.integer]
) -> tuple[Treebank, Treebank, BoolArray]:
    """Both treebanks without the words that only one side has, in some sentences.

    Conversions may erase words, such as auxiliaries. Where only one side takes a word for an auxiliary, the
    word is omitted on both sides, and counted. Sentences that share less than two thirds of their words do
    not change: they are different sentences. The third result says which tokens of gold remain.
    """
    deleted = [np.zeros(len(bank.tokens), np.bool_) for bank in (gold, candidate)]
    for sentence in sentences.tolist():
        words = [[canonical(word) for word in bank.words(sentence)] for bank in (gold, candidate)]
        blocks = SequenceMatcher(None, words[0], words[1], autojunk=False).get_matching_blocks()
        if 3 * sum(block.size for block in blocks) < 2 * max(map(len, words)):
            continue
        for side, bank in enumerate((gold, candidate)):
            begin = int(bank.tokens.offsets[sentence])
            deleted[side][begin : begin + len(words[side])] = True
            for block in blocks:
                first = begin + (block.a, block.b)[side]
                deleted[side][first : first + block.size] = False
    event = "words left out that were erased on the other side"
    sides = [
        bank.without_tokens(gone, STEP).diagnosed(
            finding(STEP, event, bank.tokens.sentence_of_row()[gone], len(bank))
        )
        for bank, gone in zip((gold, candidate), deleted, strict=True)
    ]
    return sides[0], sides[1], ~deleted[0]


def _any(words: tuple[int, int]) -> bool:
    return words[0] < words[1]


def _joined(bank: Treebank, groups: Iterator[tuple[int, int, int, str]]) -> tuple[Treebank, BoolArray]:
    """A treebank in which groups of words are one word each, and the tokens that remain.

    A group is a sentence, its first word, one past its last, and the form of the one word; with an
    empty form all words of the group are omitted.
    """
    deleted = np.zeros(len(bank.tokens), np.bool_)
    unclear = np.zeros(len(bank.nodes), np.bool_)
    rows: list[int] = []
    forms: list[str] = []
    joined: list[int] = []
    alone: list[int] = []
    for sentence, first, stop, form in groups:
        begin = int(bank.tokens.offsets[sentence])
        deleted[begin + first + bool(form) : begin + stop] = True
        if form:
            rows.append(begin + first)
            forms.append(form)
            if stop - first > 1:
                joined.append(sentence)
                _mark_unclear(bank, sentence, first, stop, unclear)
        else:
            alone += [sentence] * (stop - first)
    vocabulary, codes = bank.vocabulary.extended(forms)
    form_column = bank.tokens.form.copy()
    form_column[rows] = codes
    bank = bank.replace(vocabulary=vocabulary, tokens=bank.tokens.replace(form=form_column))
    bank = without_nodes(bank, unclear, STEP, "brackets that begin or end inside a word left out")
    total = len(bank)
    bank = bank.without_tokens(deleted, STEP).diagnosed(
        finding(STEP, "words joined as on the other side", np.array(joined, np.intp), total),
        finding(STEP, "punctuation left out that the other side lacks", np.array(alone, np.intp), total),
    )
    return bank.replace(history=(*bank.history, STEP)), ~deleted


def _mark_unclear(bank: Treebank, sentence: int, first: int, stop: int, unclear: BoolArray) -> None:
    """Mark the nodes that dominate some, but not all, of the words that are joined."""
    begin, base = int(bank.tokens.offsets[sentence]), int(bank.nodes.offsets[sentence])
    dominated: dict[int, int] = {}
    for parent in bank.tokens.parent[begin + first : begin + stop].tolist():
        node = parent
        while node >= 0:
            dominated[node] = dominated.get(node, 0) + 1
            node = int(bank.nodes.parent[base + node])
    for node, words in dominated.items():
        unclear[base + node] = words < stop - first
