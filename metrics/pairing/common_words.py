"""Gold and candidate rewritten to one sequence of words, before a metric compares them.

Metrics compare token ``i`` of gold with token ``i`` of the candidate. So sentences whose words differ are
written in common columns, and metrics need not handle different words:

- Words that belong together are one column. A word of one side alone is a column in which the other side has
  a word *without counterpart*: its tag is ``NO_COUNTERPART``, it has no head, and it is under the lowest node
  that dominates words on both sides of it. So an arc from, to or over it is missed or wrong. Brackets around
  it are not those of the other side (``parseval.brackets``), and its lineage is not similar
  (``leaf_ancestor``).
- For metrics of constituents, words with the same characters that are cut elsewhere are the stretches between
  the boundaries of both sides, each of which is under the node of its word. Nodes have the same span if they
  have the same characters.
- For metrics of dependencies such words have no counterpart (as in ``conll18_ud_eval.py``: only words of the
  same characters are aligned), except in multiword tokens, whose words are aligned by the longest common
  subsequence of their forms.

Sentences with different boundaries are joined first (``common_sentences``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crossbank.metrics.loops.word_edits import attach_new_tokens
from crossbank.metrics.pairing.common_sentences import (
    SurfaceToken,
    surface_tokens,
    with_common_sentences,
)
from crossbank.metrics.pairing.pair import Status, word_status
from crossbank.metrics.pairing.text_alignment import (
    Groups,
    aligned_groups,
    boundaries,
    groups_of_same_text,
)
from crossbank.metrics.pairing.word_classes import class_of_change, folded, letters_of
from crossbank.metrics.pairing.word_forms import ALIGNED, NO_COUNTERPART, canonical
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int64Array, offsets_of
from crossbank.treebanks.moved_references import with_token_columns

ONLY_GOLD, ONLY_CANDIDATE = "words of gold without a counterpart", "words that gold lacks"
OTHER_TOKENS = "words in other tokens"
CHANGED = "words changed in "
"""The events of the step ``ALIGNED``; ``CHANGED`` is followed by the class of the change."""


@dataclass(frozen=True, eq=False)
class CommonWords:
    """Gold and candidate with the same words.

    deleted    mask of the common words that are omitted, by gold's rule; None if no word is omitted
    is_joined  the sentences that were joined to another one
    """

    gold: Treebank
    candidate: Treebank
    deleted: BoolArray | None
    is_joined: BoolArray


def in_common_words(
    gold: Treebank,
    candidate: Treebank,
    *,
    by_edits: bool,
    by_word: bool,
    deleted_tokens: Callable[[Treebank], BoolArray | None],
) -> CommonWords:
    """Return gold and candidate with the same words, as far as these can be aligned.

    by_edits        whether words with different characters are aligned, too
    by_word         whether words with different boundaries are unmatched as wholes, as arcs require
    deleted_tokens  returns the mask of a treebank's tokens that are omitted: words of gold are omitted by
                    gold's mask, words that gold lacks by the candidate's

    Sentences with the same words do not change, nor do those with other characters unless ``by_edits``.
    Raises CrossbankError if sentences that are cut elsewhere have several analyses.
    """
    letters = folded if by_edits else letters_of
    is_joined = np.zeros(len(gold), np.bool_)
    if len(gold.tokens) and len(candidate.tokens):  # otherwise there are no words to align
        gold, candidate, is_joined = with_common_sentences(gold, candidate, letters)
    deleted = deleted_tokens(gold)
    if len(gold) != len(candidate):
        return CommonWords(gold, candidate, deleted, is_joined)
    differing = np.flatnonzero(word_status(gold, candidate) == Status.WORDS_DIFFER)
    if not len(differing):
        return CommonWords(gold, candidate, deleted, is_joined)
    columns = {}
    for sentence in differing.tolist():
        aligned = _columns(gold, candidate, sentence, by_edits, by_word)
        if aligned is not None:
            columns[sentence] = aligned
    if not columns:
        return CommonWords(gold, candidate, deleted, is_joined)
    sides = [_CommonColumns.of(bank, side, columns) for side, bank in enumerate((gold, candidate))]
    banks = [_with_unmatched_words(bank, one) for bank, one in zip((gold, candidate), sides, strict=True)]
    if deleted is not None:
        deleted = _deleted_columns(sides, deleted, deleted_tokens(candidate))
    banks = _with_common_forms((gold, candidate), banks, sides)
    banks[1] = banks[1].with_counts(ALIGNED, _counted_changes(gold, candidate, columns))
    return CommonWords(banks[0], banks[1], deleted, is_joined)


def _columns(
    gold: Treebank, candidate: Treebank, sentence: int, by_edits: bool, by_word: bool
) -> list[tuple[int, int]] | None:
    """Return the pair of words (-1: none) in each common column; None if the texts cannot be aligned."""
    letters = folded if by_edits else letters_of
    sides = [surface_tokens(bank, sentence, letters) for bank in (gold, candidate)]
    texts = [[token.letters for token in side] for side in sides]
    groups: Groups
    if not by_edits:
        if "".join(texts[0]) != "".join(texts[1]):
            return None
        groups = groups_of_same_text(*texts)
    else:
        groups = aligned_groups(*texts)
    forms = [bank.words(sentence) for bank in (gold, candidate)]
    columns: list[tuple[int, int]] = []
    g = c = 0
    for left, right in groups:
        own, other = sides[0][g : g + left], sides[1][c : c + right]
        columns += _columns_of_group(own, other, forms, by_word)
        g, c = g + left, c + right
    return columns


def _columns_of_group(
    gold: Sequence[SurfaceToken],
    candidate: Sequence[SurfaceToken],
    forms: Sequence[Sequence[str]],
    by_word: bool,
) -> list[tuple[int, int]]:
    """Return the columns of words that belong together."""
    own, other = (
        [word for token in side for word in range(token.first, token.first + token.words)]
        for side in (gold, candidate)
    )
    if len(own) == len(other) == 1:
        return [(own[0], other[0])]
    if not own or not other:
        return [(word, -1) for word in own] + [(-1, word) for word in other]
    if any(token.words > 1 for token in (*gold, *candidate)):
        return _common_subsequence(own, other, forms)
    if by_word:
        return [(word, -1) for word in own] + [(-1, word) for word in other]
    columns = []
    ends = [boundaries([token.letters for token in side]) for side in (gold, candidate)]
    g = c = 0
    while g < len(own) and c < len(other):
        columns.append((own[g], other[c]))
        end = min(ends[0][g], ends[1][c])
        g, c = g + (ends[0][g] == end), c + (ends[1][c] == end)
    return columns


def _common_subsequence(
    gold: Sequence[int], candidate: Sequence[int], forms: Sequence[Sequence[str]]
) -> list[tuple[int, int]]:
    """Return the columns of the words of multiword tokens, aligned as ``conll18_ud_eval.py`` does."""
    one, other = (
        [canonical(of_side[word]).lower() for word in side]
        for side, of_side in zip((gold, candidate), forms, strict=True)
    )
    longest = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for g in range(len(one) - 1, -1, -1):
        for c in range(len(other) - 1, -1, -1):
            longest[g][c] = max(longest[g + 1][c], longest[g][c + 1])
            if one[g] == other[c]:
                longest[g][c] = max(longest[g][c], 1 + longest[g + 1][c + 1])
    columns = []
    g = c = 0
    while g < len(one) and c < len(other):
        if one[g] == other[c]:
            columns.append((gold[g], candidate[c]))
            g, c = g + 1, c + 1
        elif longest[g][c] == longest[g + 1][c]:
            columns.append((gold[g], -1))
            g += 1
        else:
            columns.append((-1, candidate[c]))
            c += 1
    return columns + [(word, -1) for word in gold[g:]] + [(-1, word) for word in candidate[c:]]


@dataclass(frozen=True, eq=False)
class _CommonColumns:
    """Common columns of gold or candidate: the row of each column's token, or -1.

    offsets     where the columns of each sentence begin
    is_changed  the columns of sentences whose words differ, which both sides have
    """

    source: NDArray[np.int64]
    offsets: Int64Array
    is_changed: BoolArray

    @classmethod
    def of(cls, bank: Treebank, side: int, columns: dict[int, list[tuple[int, int]]]) -> _CommonColumns:
        """Return the columns of gold (``side`` 0) or candidate (1); other sentences keep their tokens."""
        offsets = bank.tokens.offsets
        lengths = bank.tokens.lengths().copy()
        is_changed = np.zeros(len(bank), np.bool_)
        parts = []
        before = 0
        for sentence, aligned in columns.items():
            begin = int(offsets[sentence])
            parts.append(np.arange(before, begin))
            words = np.fromiter((column[side] for column in aligned), np.int64, len(aligned))
            parts.append(np.where(words >= 0, words + begin, -1))
            before = int(offsets[sentence + 1])
            lengths[sentence], is_changed[sentence] = len(aligned), True
        parts.append(np.arange(before, len(bank.tokens)))
        return cls(np.concatenate(parts), offsets_of(lengths), np.repeat(is_changed, lengths))


def _deleted_columns(
    sides: Sequence[_CommonColumns], of_gold: BoolArray, of_candidate: BoolArray | None
) -> BoolArray:
    """Return the mask of omitted columns: by gold's mask, or the candidate's for words that gold lacks."""
    gold, candidate = sides
    deleted = np.zeros(len(gold.source), np.bool_)
    has_word = gold.source >= 0
    deleted[has_word] = of_gold[gold.source[has_word]]
    if of_candidate is not None:
        beyond = gold.is_changed & ~has_word
        deleted[beyond] = of_candidate[candidate.source[candidate.is_changed][~has_word[gold.is_changed]]]
    return deleted


def _with_unmatched_words(bank: Treebank, columns: _CommonColumns) -> Treebank:
    """Return a treebank in common columns, with a word without counterpart for each word that it lacks."""
    rewritten = with_token_columns(bank, columns.source, columns.offsets)
    is_new = columns.source < 0
    if not is_new.any():
        return rewritten
    vocabulary, codes = rewritten.vocabulary.extended([NO_COUNTERPART])
    tokens = rewritten.tokens
    parent, tags = tokens.parent.copy(), tokens.pos.copy()
    tags[is_new] = codes[0]
    attach_new_tokens(rewritten.forest, is_new, rewritten.spans.start, rewritten.spans.end, parent)
    return rewritten.replace(vocabulary=vocabulary, tokens=tokens.replace(parent=parent, pos=tags))


def _with_common_forms(
    before: tuple[Treebank, Treebank], banks: Sequence[Treebank], sides: Sequence[_CommonColumns]
) -> list[Treebank]:
    """Return both sides with the same forms in changed sentences: gold's, else the candidate's."""
    forms: list[str] = []
    gold, candidate = (side.source[side.is_changed] for side in sides)
    for one, other in zip(gold.tolist(), candidate.tolist(), strict=True):
        bank, row = (before[0], one) if one >= 0 else (before[1], other)
        forms.append(bank.vocabulary[int(bank.tokens.form[row])])
    return [
        bank.with_columns("tokens", np.flatnonzero(side.is_changed), form=forms)
        for bank, side in zip(banks, sides, strict=True)
    ]


def _counted_changes(
    gold: Treebank, candidate: Treebank, columns: dict[int, list[tuple[int, int]]]
) -> dict[str, NDArray[np.int32]]:
    """Return the number of each event in each sentence."""
    counts: dict[str, NDArray[np.int32]] = {}
    for sentence, aligned in columns.items():
        words = gold.words(sentence), candidate.words(sentence)
        columns_of_word = [Counter(column[side] for column in aligned) for side in (0, 1)]
        events: Counter[str] = Counter()
        for one, other in aligned:
            if one < 0:
                events[ONLY_CANDIDATE] += 1
            elif other < 0:
                events[ONLY_GOLD] += 1
            elif columns_of_word[0][one] > 1 or columns_of_word[1][other] > 1:
                events[OTHER_TOKENS] += 1
            elif change := class_of_change(words[0][one], words[1][other]):
                events[CHANGED + change] += 1
        for event, number in events.items():
            counts.setdefault(event, np.zeros(len(gold), np.int32))[sentence] = number
    return counts
