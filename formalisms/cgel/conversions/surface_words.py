"""Replace the lexemes of the Cambridge Grammar by the words of the text."""

from __future__ import annotations

import re

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import Scheme
from crossbank.formalisms.cgel.formats.cgel import INTENDED, PUNCTUATION_TAG, attributes_of
from crossbank.formalisms.cgel.formats.cgel_trees import GAP, PARTS
from crossbank.treebanks import Treebank

NAME = "surface_words"

FUNCTION = "Flat"
"""Function of the words of a lexeme after the first, as in fixed expressions."""

TEXT = re.compile(r"^#?\s*text\s*=\s*(.*)$", re.MULTILINE)
"""The text of a sentence among its comments."""


@transformation(position=90)
def surface_words(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Split lexemes into words, and restore the capitals of the text.

    A negated auxiliary (*don't*), a genitive (*Google's*), and an expression such as *no one* or *as if*
    are one lexeme in the Cambridge Grammar and several words in Universal Dependencies, which the
    attributes ``:subt`` and ``:subp`` of ``.cgel`` list. The first word keeps index, lemma and function
    of the lexeme. The others are its sisters with the same category; words in ``:subp`` are punctuation.

    Sentences begin with a small letter in the files. Their capitals come from the comment ``text``, as far as
    its letters are those of the words; the diagnosis counts the sentences in which they are not.
    """
    return _with_capitals(_split(bank))


def _split(bank: Treebank) -> Treebank:
    tokens = bank.tokens
    attributes = {code: attributes_of(bank.vocabulary[code])[1] for code in np.unique(tokens.misc).tolist()}
    lists = {code: [one for one in of if one[0] in PARTS] for code, of in attributes.items()}
    rows = [row for row, code in enumerate(tokens.misc.tolist()) if len(lists[code]) > 1]
    times = np.ones(len(tokens), np.int64)
    times[rows] = [len(lists[code]) for code in tokens.misc[rows].tolist()]
    longer = bank.with_repeated_tokens(times, NAME)
    vocabulary, (flat, mark) = longer.vocabulary.extended((FUNCTION, PUNCTUATION_TAG))
    first = np.cumsum(times) - times
    changed = ("form", "lemma", "pos", "xpos", "misc", "function")
    columns = {name: getattr(longer.tokens, name).copy() for name in changed}
    forms: list[str] = []
    for row in rows:
        entries, begin = lists[int(tokens.misc[row])], int(first[row])
        forms += [form for _, form in entries]
        for name in ("lemma", "xpos", "misc"):
            columns[name][begin + 1 : begin + len(entries)] = 0
        columns["function"][begin + 1 : begin + len(entries)] = flat
        for row_of_form, (attribute, _) in enumerate(entries, begin):
            if attribute == PARTS[1]:
                columns["pos"][row_of_form], columns["function"][row_of_form] = mark, 0
    vocabulary, codes = vocabulary.extended(forms)
    columns["form"][np.repeat(times > 1, times)] = codes
    bank = longer.replace(vocabulary=vocabulary, tokens=longer.tokens.replace(**columns))
    return bank.with_events(NAME, {"lexemes split": tokens.sentence_of_row()[rows]})


def _with_capitals(bank: Treebank) -> Treebank:
    """Return the treebank with the capitals of each sentence's text."""
    tokens, vocabulary = bank.tokens, bank.vocabulary
    forms, tags = vocabulary.decode(tokens.form), vocabulary.decode(tokens.pos)
    other: list[int] = []
    for sentence in range(len(bank)):
        match = TEXT.search(vocabulary[int(bank.sentences.comments[sentence])])
        text = "".join(match[1].split()) if match else ""
        rows = tokens.rows(sentence)
        start = 0
        for row in range(rows.start, rows.stop):
            if tags[row] == GAP or INTENDED.fullmatch(forms[row]):
                continue
            letters = "".join(forms[row].split())
            end = start + len(letters)
            if text[start:end].lower() != letters.lower():
                other.append(sentence)
                break
            if letters == forms[row]:
                forms[row] = text[start:end]
            start = end
    events = {"sentences whose letters differ from their text": other}
    return bank.with_columns("tokens", form=forms).with_events(NAME, events)
