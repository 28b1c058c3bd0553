"""Words of a treebank whose dependencies are rewritten: columns that rules test and change."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array
from crossbank.treebanks.tables import Tokens

TESTED_IN_MISC = re.compile(
    r"(?:^|\|)((?:ExtPos|Idiom|InIdiom|Title|InTitle|Subject|Shared|Scrap|Reflex|UDHead|UDRel)=[^|]*)"
)
"""Features that treebanks write in MISC, where most other annotations matter to no rule."""

OTHER_TAG = re.compile(r"(?:^|\|)ExtPos=([^|]+)")


class Column(NamedTuple):
    """A column of strings: the different ones, and the index of each word's."""

    strings: list[str]
    of_word: Int32Array

    def replaced(self, change: Callable[[str], str]) -> Column:
        """Return the column with other strings."""
        return column_of([change(string) for string in self.strings], self.of_word)


def column_of(strings: list[str], of_word: Int32Array) -> Column:
    """Return a column of some strings, which may have equal ones."""
    index: dict[str, int] = {}
    translation = np.array([index.setdefault(string, len(index)) for string in strings], np.int32)
    return Column(list(index), translation[of_word] if len(strings) else of_word)


class WordTable:
    """Columns of words. Heads are rows of the table, -1 for roots.

    first_row  the first row of each word's sentence
    number     how often heads or relations have changed: masks are kept as long as it is the same
    turned     whether a word governed what is now its governor
    flags      masks that a step has made, by name
    """

    def __init__(self, bank: Treebank) -> None:
        tokens = bank.tokens
        self.bank = bank
        self.offsets = tokens.offsets
        self.first_row: Int64Array = np.repeat(tokens.offsets[:-1], tokens.lengths())
        self.rows: Int64Array = np.arange(len(tokens), dtype=np.int64)
        self.head: Int64Array = np.where(tokens.head < 0, -1, tokens.head + self.first_row)
        self.relation = _column(bank, tokens.relation)
        self.turned = np.zeros(len(tokens), np.bool_)
        self.flags: dict[str, BoolArray] = {}
        self.number = 0
        self.masks: dict[int, tuple[int, BoolArray]] = {}
        self.lookups: dict[tuple[str, str], tuple[list[str], BoolArray]] = {}
        morph = _column(bank, tokens.morph)
        misc = _column(bank, tokens.misc).replaced(lambda text: "|".join(TESTED_IN_MISC.findall(text)))
        self.feature = _joined(morph, misc)
        self.upos = _column(bank, tokens.pos)
        self.tag = _with_other_tags(self.upos, self.feature)
        self._texts: dict[str, Column] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> Column:
        """Return a column by its name in tests."""
        if name in ("form", "lemma"):
            if name not in self._texts:
                self._texts[name] = _column(self.bank, getattr(self.bank.tokens, name))
            return self._texts[name]
        column: Column = getattr(self, name)
        return column

    def changed(self) -> None:
        """Forget masks: heads or relations have changed."""
        self.number += 1

    def set_relations(self, rows: Int64Array, names: list[str], of_row: Int32Array) -> None:
        """Give some words other relations: the one in ``names`` that ``of_row`` says."""
        strings, codes = self.relation
        codes = codes.copy()
        codes[rows] = of_row + len(strings)
        self.relation = column_of([*strings, *names], codes)
        self.changed()

    def sentence_rows(self) -> Int32Array:
        """Return the sentence of each word."""
        return Tokens.sentence_of_row(self.bank.tokens)


def _column(bank: Treebank, codes: Int32Array) -> Column:
    used = np.flatnonzero(np.bincount(codes, minlength=1))
    translation = np.zeros(int(used.max(initial=0)) + 1, np.int32)
    translation[used] = np.arange(len(used), dtype=np.int32)
    return Column(bank.vocabulary.decode(used.astype(np.int32)), translation[codes])


def _joined(one: Column, other: Column) -> Column:
    """Return two columns as one, with ``|`` between what they have."""
    if other.strings in ([""], []):
        return one
    pairs, of_word = np.unique(
        one.of_word.astype(np.int64) * len(other.strings) + other.of_word, return_inverse=True
    )
    firsts, seconds = np.divmod(pairs, len(other.strings))
    joined = [
        "|".join(filter(None, (one.strings[first], other.strings[second])))
        for first, second in zip(firsts.tolist(), seconds.tolist(), strict=True)
    ]
    return Column(joined, of_word.astype(np.int32).reshape(-1))


def _with_other_tags(upos: Column, feature: Column) -> Column:
    """Return tags, with ``ExtPos`` in their stead; numerals keep theirs."""
    other = [match.group(1) if (match := OTHER_TAG.search(text)) else "" for text in feature.strings]
    has_other = (
        np.array([bool(name) for name in other], np.bool_)[feature.of_word]
        if other
        else np.zeros(0, np.bool_)
    )
    number = (
        np.array([name == "NUM" for name in upos.strings], np.bool_)[upos.of_word] if other else has_other
    )
    moved = has_other & ~number
    codes = np.where(moved, feature.of_word + len(upos.strings), upos.of_word).astype(np.int32)
    return column_of([*upos.strings, *other], codes)
