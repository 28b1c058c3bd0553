"""Words of two tokenisations of one text, aligned by their letters as in spaCy's ``Alignment``.

spaCy 3.8, ``spacy.training.align.get_alignments``: spaces and case do not count, and the words that share a
letter are aligned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int64Array
from crossbank.treebanks.errors import CrossbankError


class AlignedWords(NamedTuple):
    """Gold's words for each word of the candidate.

    first   the first one, 0 if there is none, shape ``(candidate words,)``
    number  how many there are, shape ``(candidate words,)``
    """

    first: Int64Array
    number: Int64Array


def align(gold: Treebank, candidate: Treebank) -> AlignedWords:
    """Align all words of two files. Raises CrossbankError where their letters differ."""
    forms, others = (
        [_letters(form) for form in bank.vocabulary.decode(bank.tokens.form)] for bank in (gold, candidate)
    )
    if forms == others:
        return AlignedWords(np.arange(len(forms)), np.ones(len(forms), np.int64))
    text, other_text = "".join(forms), "".join(others)
    if text != other_text:
        _raise_where_they_differ(gold, candidate, (forms, others), (text, other_text))
    begins, other_begins = _begins(forms), _begins(others)
    # The word of gold that has a word's first letter, and the one that has its last.
    first = np.searchsorted(begins, other_begins[:-1], side="right") - 1
    last = np.searchsorted(begins, other_begins[1:], side="left") - 1
    number = np.where(other_begins[1:] > other_begins[:-1], last - first + 1, 0)
    return AlignedWords(np.where(number > 0, first, 0), number)


def _letters(form: str) -> str:
    return "".join(form.lower().split())


def _begins(forms: Sequence[str]) -> Int64Array:
    """Return where each word begins in the text, and where the last one ends."""
    return np.cumsum([0, *map(len, forms)], dtype=np.int64)


def _raise_where_they_differ(
    gold: Treebank, candidate: Treebank, forms: tuple[Sequence[str], Sequence[str]], texts: tuple[str, str]
) -> None:
    """Raise CrossbankError with the first sentences that have other letters."""
    text, other_text = texts
    limit = min(len(text), len(other_text))
    letter = next((n for n in range(limit) if text[n] != other_text[n]), limit)
    where = []
    for bank, words in zip((gold, candidate), forms, strict=True):
        word = int(np.searchsorted(_begins(words), letter, side="right")) - 1
        sentences = bank.tokens.sentence_of_row()
        where.append(bank.where(int(sentences[min(word, len(sentences) - 1)]) if len(sentences) else 0))
    raise CrossbankError(f"{where[1]}: other letters than {where[0]}, expected the same text")
