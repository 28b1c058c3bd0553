"""Two treebanks as the shared task sees them: words as stretches of one text, columns as they compare.

Spaces within tokens are no part of the text, features that are not universal and subtypes of relations
no part of the columns.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array, offsets_of

CONTENT = frozenset(
    {
        "nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl", "dislocated",
        "advcl", "advmod", "discourse", "nmod", "appos", "nummod", "acl", "amod", "conj", "fixed",
        "flat", "compound", "list", "parataxis", "orphan", "goeswith", "reparandum", "root", "dep",
    }
)  # fmt: skip
"""The relations of content words: CLAS, MLAS and BLEX look at no others."""

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

NO_HEAD = -1
"""The head of a root, among words counted through the file."""


class Spans(NamedTuple):
    """Where sentences, tokens and words stand in the text, in characters: first and one behind the last.

    A token is a multiword token or a word that is in none; the words of a multiword token have its span.

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


class Words(NamedTuple):
    """The words of one side; codes are common to both sides.

    text      the tokens' characters, without spaces, as Unicode's numbers of them, shape ``(characters,)``
    offsets   which words belong to which sentence, shape ``(sentences + 1,)``
    head      the word's head, counted through the file, or ``NO_HEAD``; shape ``(words,)`` as the rest
    form      lower case; all 0 where neither side has multiword tokens
    content, functional  the kind of its relation
    no_lemma  the code of ``_`` as a lemma, which in gold is right whatever the system says
    """

    text: NDArray[np.uint32]
    spans: Spans
    offsets: Int64Array
    head: Int64Array
    form: Int32Array
    upos: Int32Array
    xpos: Int32Array
    feats: Int32Array
    lemma: Int32Array
    relation: Int32Array
    content: BoolArray
    functional: BoolArray
    no_lemma: int


def words_of(gold: Treebank, system: Treebank) -> tuple[Words, Words]:
    """Both sides with their strings in common codes; all words have a head or are roots."""
    codes = _Codes()
    by_form = len(gold.multiword) + len(system.multiword) > 0
    first, second = (_words(bank, codes, by_form) for bank in (gold, system))
    return first, second


def _words(bank: Treebank, codes: _Codes, by_form: bool) -> Words:
    tokens, vocabulary = bank.tokens, bank.vocabulary
    used = np.zeros(len(vocabulary), np.bool_)
    used[tokens.form] = used[bank.multiword.form] = True
    stripped = [without_spaces(s) if has else "" for s, has in zip(vocabulary, used.tolist(), strict=True)]
    length = np.array([len(form) for form in stripped], np.int32)
    spans, surface = _spans(
        tokens.offsets,
        tokens.form,
        bank.multiword.offsets,
        bank.multiword.first,
        bank.multiword.last,
        bank.multiword.form,
        length,
    )
    form = np.zeros(len(tokens), np.int32)
    if by_form:
        form = codes.column(bank, tokens.form, str.lower)
        if any(has and s != own for s, own, has in zip(stripped, vocabulary, used.tolist(), strict=True)):
            # Within a multiword token the spaces of a form stay.
            other = codes.column(bank, tokens.form, lambda string: without_spaces(string).lower())
            form = np.where(spans.multiword, form, other)
    relation = codes.column(bank, tokens.relation, _without_subtype)
    first_word = tokens.begins(tokens)
    return Words(
        _laid_out("".join(stripped), length, surface),
        spans,
        tokens.offsets,
        np.where(tokens.head >= 0, tokens.head + first_word, NO_HEAD),
        form,
        codes.column(bank, tokens.pos, str),
        codes.column(bank, tokens.xpos, str),
        codes.column(bank, tokens.morph, _universal),
        codes.column(bank, tokens.lemma, lambda lemma: lemma or "_"),
        relation,
        codes.among(CONTENT, relation),
        codes.among(FUNCTIONAL, relation),
        codes["_"],
    )


def _laid_out(characters: str, length: Int32Array, surface: Int32Array) -> NDArray[np.uint32]:
    """The characters of the tokens' forms; ``characters`` are those of all forms by code, one by one."""
    numbers = np.frombuffer(characters.encode("utf-32-le"), np.uint32)
    text = np.empty(int(length[surface].sum()), np.uint32)
    _copy(numbers, offsets_of(length), surface, text)
    return text


@njit(cache=True, nogil=True)
def _copy(
    numbers: NDArray[np.uint32], begins: Int64Array, surface: Int32Array, text: NDArray[np.uint32]
) -> None:
    place = 0
    for code in surface:
        for character in range(begins[code], begins[code + 1]):
            text[place] = numbers[character]
            place += 1


class _Codes(dict[str, int]):
    """Codes by string, for both sides; a string that is asked for the first time gets the next code."""

    def __missing__(self, string: str) -> int:
        self[string] = code = len(self)
        return code

    def column(self, bank: Treebank, column: Int32Array, change: Callable[[str], str]) -> Int32Array:
        """A column of a treebank in these codes, each string as ``change`` gives it."""
        used = np.flatnonzero(np.bincount(column, minlength=len(bank.vocabulary)))
        table = np.zeros(len(bank.vocabulary), np.int32)
        table[used] = [self[change(bank.vocabulary[code])] for code in used.tolist()]
        return table[column]

    def among(self, strings: frozenset[str], column: Int32Array) -> BoolArray:
        """Which rows of a column in these codes have one of the strings."""
        wanted = np.zeros(int(column.max(initial=0)) + 1, np.bool_)
        for string in strings:
            code = self.get(string, len(wanted))
            wanted[code : code + 1] = True
        return wanted[column]


def without_spaces(form: str) -> str:
    """A form without characters of the Unicode category Zs."""
    if form.isascii():
        return form.replace(" ", "")
    return "".join(character for character in form if unicodedata.category(character) != "Zs")


def _universal(features: str) -> str:
    return "|".join(sorted(f for f in features.split("|") if f.partition("=")[0] in UNIVERSAL_FEATURES))


def _without_subtype(relation: str) -> str:
    return relation.partition(":")[0]


@njit(cache=True, nogil=True)
def _spans(
    offsets: Int64Array,
    form: Int32Array,
    multiword_offsets: Int64Array,
    multiword_first: Int32Array,
    multiword_last: Int32Array,
    multiword_form: Int32Array,
    length: Int32Array,
) -> tuple[Spans, Int32Array]:
    """The spans of a side, and the form of each token; ``length`` is that of each form, in characters."""
    sentences, words = len(offsets) - 1, len(form)
    sentence_start, sentence_end = np.zeros(sentences, np.int64), np.zeros(sentences, np.int64)
    token_start, token_end = np.zeros(words, np.int64), np.zeros(words, np.int64)
    token_word, surface = np.zeros(words, np.int64), np.zeros(words, np.int32)
    start, end, multiword = np.zeros(words, np.int64), np.zeros(words, np.int64), np.zeros(words, np.bool_)
    place = token = 0
    for sentence in range(sentences):
        sentence_start[sentence] = place
        begin = offsets[sentence]
        word, row = begin, multiword_offsets[sentence]
        while word < offsets[sentence + 1]:
            stop, code = word + 1, form[word]
            within = row < multiword_offsets[sentence + 1] and begin + multiword_first[row] == word
            if within:
                stop, code = begin + multiword_last[row] + 1, multiword_form[row]
                row += 1
            token_start[token], token_word[token], surface[token] = place, word, code
            for covered in range(word, stop):
                start[covered], end[covered] = place, place + length[code]
                multiword[covered] = within
            place += length[code]
            token_end[token] = place
            token += 1
            word = stop
        sentence_end[sentence] = place
    return (
        Spans(
            sentence_start,
            sentence_end,
            token_start[:token].copy(),
            token_end[:token].copy(),
            token_word[:token].copy(),
            start,
            end,
            multiword,
        ),
        surface[:token].copy(),
    )
