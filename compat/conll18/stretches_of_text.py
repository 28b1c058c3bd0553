"""Words of gold and system in the shared task: spans of one text, with columns.

The text has no spaces within tokens. The columns have no language-specific features, and as a rule no
subtypes of relations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from crossbank.compat.conll18.loops.aligned_words import AlignedColumns
from crossbank.compat.conll18.official_reading import WordColumns
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.vocabulary import Vocabulary

CONTENT = frozenset(
    {
        "nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl", "dislocated",
        "advcl", "advmod", "discourse", "nmod", "appos", "nummod", "acl", "amod", "conj", "fixed",
        "flat", "compound", "list", "parataxis", "orphan", "goeswith", "reparandum", "root", "dep",
    }
)  # fmt: skip
"""The relations of content words: CLAS, MLAS and BLEX ignore all others."""

FUNCTIONAL = frozenset({"aux", "cop", "mark", "det", "clf", "case", "cc"})
"""The relations of function words, which MLAS takes together with their heads."""

UNIVERSAL_FEATURES = frozenset(
    {
        "PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number",
        "Case", "Definite", "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident",
        "Polarity", "Person", "Polite",
    }
)  # fmt: skip
"""The features that are compared, in any order; layered ones (``Number[psor]``) are not among them."""


SPACES = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
"""The characters of the Unicode category Zs."""


class TextSpans(NamedTuple):
    """Spans of sentences, tokens and words in the text: the first character, and one past the last.

    A token is a multiword token or a word outside of them; the words of a multiword token have its span.

    sentence_start, sentence_end  shape ``(sentences,)``
    token_start, token_end        shape ``(tokens,)``
    token_word                    the token's first word, shape ``(tokens,)``
    start, end                    shape ``(words,)``
    multiword                     whether the word is in a multiword token, shape ``(words,)``
    """

    sentence_start: Int64Array
    sentence_end: Int64Array
    token_start: Int64Array
    token_end: Int64Array
    token_word: Int64Array
    start: Int64Array
    end: Int64Array
    multiword: BoolArray


@dataclass(frozen=True, eq=False)
class TextWords:
    """Words of gold or of the system.

    columns   the words as written
    codes     the codes of strings, common to both sides
    text      the tokens' characters, without spaces
    form      lower case, shape ``(words,)``; all 0 if neither side has multiword tokens
    """

    columns: WordColumns
    codes: _Codes
    text: str
    spans: TextSpans
    form: Int32Array

    @property
    def offsets(self) -> Int64Array:
        """Words that belong to each sentence, shape ``(sentences + 1,)``."""
        return self.columns.offsets

    @property
    def head(self) -> Int64Array:
        """Head of each word, counted through the file, or ``NO_HEAD``; shape ``(words,)``."""
        return self.columns.head

    @cached_property
    def relation(self) -> Int32Array:
        """Relation of each word in common codes, without its subtype."""
        columns = self.columns
        return self.codes.column(columns.relation, columns.strings, lambda name: name.partition(":")[0])

    @cached_property
    def whole_relation(self) -> Int32Array:
        """Relation of each word in common codes, with its subtype."""
        return self.codes.column(self.columns.relation, self.columns.strings)

    @cached_property
    def content(self) -> BoolArray:
        """A mask of the content words."""
        return self.codes.among(CONTENT, self.relation)

    @cached_property
    def functional(self) -> BoolArray:
        """A mask of the function words."""
        return self.codes.among(FUNCTIONAL, self.relation)

    def column(self, name: str) -> Int32Array:
        """Return UPOS, XPOS, FEATS or LEMMA in common codes, as compared in aligned words."""
        change = _universal if name == "feats" else None
        return self.codes.column(getattr(self.columns, name), self.columns.strings, change)

    def side(self) -> AlignedColumns:
        """Return the columns by which words are aligned."""
        return AlignedColumns(self.spans.start, self.spans.end, self.spans.multiword, self.form)


def words_of(gold: WordColumns, system: WordColumns) -> tuple[TextWords, TextWords]:
    """Return the words of both sides, with strings in common codes; all words have a head or are roots."""
    codes = _Codes()
    by_form = len(gold.range_form) + len(system.range_form) > 0
    first, second = (_words(columns, codes, by_form) for columns in (gold, system))
    return first, second


def _words(columns: WordColumns, codes: _Codes, by_form: bool) -> TextWords:
    strings = columns.strings
    used = np.flatnonzero(np.bincount(np.append(columns.form, columns.range_form), minlength=len(strings)))
    forms = strings.decode(used.astype(np.int32))
    stripped = without_spaces(forms)
    length = np.zeros(len(strings), np.int32)
    length[used] = [len(form) for form in stripped]
    spans, surface = _spans(columns, length)
    form = np.zeros(len(columns.form), np.int32)
    if by_form:
        form = codes.column(columns.form, strings, str.lower)
        if stripped is not forms:
            # Within a multiword token the spaces of a form stay.
            bare = dict(zip(forms, stripped, strict=True))
            other = codes.column(columns.form, strings, lambda form: bare[form].lower())
            form = np.where(spans.multiword, form, other)
    written = np.empty(len(strings), np.object_)
    written[used] = stripped
    return TextWords(columns, codes, "".join(written[surface]), spans, form)


def _spans(columns: WordColumns, length: Int32Array) -> tuple[TextSpans, Int32Array]:
    """Return the spans of words, and the form of each token.

    length  of each form, in characters
    """
    begins = np.zeros(len(columns.form) + 1, np.int64)
    np.add.at(begins, columns.range_first, 1)
    np.add.at(begins, columns.range_first + columns.range_size, -1)
    multiword = np.cumsum(begins[:-1]) > 0
    alone = np.flatnonzero(~multiword)
    first = np.concatenate((columns.range_first, alone))
    # A multiword token without words comes before the word at its index.
    order = np.argsort(first, kind="stable")
    surface = np.concatenate((columns.range_form, columns.form[alone]))[order]
    size: Int32Array = np.append(columns.range_size, np.ones(len(alone), np.int32))[order]
    edges = offsets_of(length[surface])
    start, end = edges[:-1], edges[1:]
    # The tokens before each sentence: multiword ones, and words outside of them.
    before = columns.range_offsets + np.searchsorted(alone, columns.offsets)
    cut = edges[before]
    of_words = np.repeat(start, size), np.repeat(end, size)
    return TextSpans(cut[:-1], cut[1:], start, end, first[order], *of_words, multiword), surface


class _Codes(dict[str, int]):
    """Codes by string, common to gold and system; a new string gets the next code."""

    def __missing__(self, string: str) -> int:
        return self.setdefault(string, len(self))

    def column(
        self, column: Int32Array, strings: Vocabulary, change: Callable[[str], str] | None = None
    ) -> Int32Array:
        """Return a column in these codes, each string changed by ``change``, if given."""
        used = np.flatnonzero(np.bincount(column, minlength=len(strings)))
        used_strings: Iterable[str] = strings.decode(used.astype(np.int32))
        used_strings = used_strings if change is None else map(change, used_strings)
        table = np.zeros(len(strings), np.int32)
        table[used] = list(map(self.__getitem__, used_strings))
        return table[column]

    def among(self, strings: frozenset[str], column: Int32Array) -> BoolArray:
        """Return a mask of the rows of a column in these codes that have one of the strings."""
        is_among = np.zeros(int(column.max(initial=0)) + 1, np.bool_)
        for string in strings:
            code = self.get(string, len(is_among))
            is_among[code : code + 1] = True
        return is_among[column]


def without_spaces(strings: list[str]) -> list[str]:
    """Return the strings without characters of the Unicode category Zs."""
    if SPACES.search("".join(strings)) is None:
        return strings
    return [SPACES.sub("", string) for string in strings]


def _universal(features: str) -> str:
    return "|".join(sorted(f for f in features.split("|") if f.partition("=")[0] in UNIVERSAL_FEATURES))
