"""Treebanks of the documents of spaCy and Stanza: dependencies, and constituents where there are any.

A ``Doc`` of spaCy is as many sentences as it has been cut into, one where it has not; a ``Span`` is one.
Its constituents are read from ``span._.parse_string`` (benepar).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.in_memory import bracketed_strings
from crossbank.treebanks.in_memory.elements import ElementError
from crossbank.treebanks.in_memory.lists import heads_of
from crossbank.treebanks.tables import ROOT, UNATTACHED
from crossbank.treebanks.treebank import Treebank


def of_spacy(documents: Sequence[Any], name: str, first: int = 0) -> Treebank:
    """A treebank with the sentences of each ``Doc`` or ``Span``; None and "" have no parse.

    Tokens that are white space are left out: they are no words. Raises ElementError, with the place, where
    benepar's tree has other words.
    """
    builder = TreebankBuilder(name)
    strings: list[str | None] = []
    places: list[int] = []
    for place, document in enumerate(documents, first):
        for span in _sentences(document):
            builder.sentence()
            places.append(place)
            # Benepar's tree
            parsed = span is not None and type(span).has_extension("parse_string")
            strings.append(span._.parse_string if parsed else None)
            words = [token for token in span if not token.is_space] if span is not None else []
            number = {token.i: at for at, token in enumerate(words)}
            builder.tokens(
                form=[token.text for token in words],
                lemma=[token.lemma_ for token in words],
                pos=[token.pos_ for token in words],
                xpos=[token.tag_ for token in words],
                morph=[str(token.morph) for token in words],
                head=[_head(token, number) for token in words],
                relation=[token.dep_ for token in words],
            )
    return _with_constituents(builder.build(), strings, places, name)


def _sentences(document: Any) -> list[Any]:
    """Return the sentences of a ``Doc`` or a ``Span``; None for one without a parse or without words."""
    if document is None or isinstance(document, str):
        return [None]
    if any(one.__name__ == "Span" for one in type(document).__mro__):
        return [document]
    return (list(document.sents) or [None]) if document.has_annotation("SENT_START") else [document[:]]


def _head(token: Any, number: dict[int, int]) -> int:
    """Return the place of a token's head in its sentence. A token without a relation is not parsed."""
    if token.head.i == token.i or token.head.i not in number:
        return ROOT if token.dep_ else UNATTACHED
    return number[token.head.i]


def of_stanza(documents: Sequence[Any], name: str, first: int = 0) -> Treebank:
    """A treebank with the sentences of each ``Document`` or ``Sentence``; None and "" have no parse.

    Raises ElementError, with the place, for a head that is not there and for a tree with other words.
    """
    builder = TreebankBuilder(name)
    strings: list[str | None] = []
    places: list[int] = []
    for place, document in enumerate(documents, first):
        for sentence in getattr(document, "sentences", [document]) or [None]:
            builder.sentence()
            places.append(place)
            tree = getattr(sentence, "constituency", None)
            strings.append(str(tree) if tree is not None else None)
            words = getattr(sentence, "words", ())
            parsed = [word.head is not None for word in words]
            heads = iter(
                heads_of([word.head for word in words if word.head is not None], len(words), name, place)
            )
            builder.tokens(
                form=[word.text for word in words],
                lemma=[word.lemma or "" for word in words],
                pos=[word.upos or "" for word in words],
                xpos=[word.xpos or "" for word in words],
                morph=[word.feats or "" for word in words],
                head=[next(heads) if known else UNATTACHED for known in parsed],
                relation=[word.deprel or "" for word in words],
            )
            for token in getattr(sentence, "tokens", ()):
                if len(token.id) > 1:
                    builder.multiword(first=token.id[0] - 1, last=token.id[-1] - 1, form=token.text)
    return _with_constituents(builder.build(), strings, places, name)


def _with_constituents(
    bank: Treebank, strings: Sequence[str | None], places: Sequence[int], name: str
) -> Treebank:
    """Add the constituents of a string to each sentence that has one. Raises ElementError for other words."""
    if not any(strings):
        return bank
    trees = bracketed_strings.treebank_of(strings, name)
    words, found = bank.tokens.lengths(), trees.tokens.lengths()
    wrong = np.flatnonzero((found != words) & (found > 0))
    if len(wrong):
        sentence = int(wrong[0])
        expected = f"{words[sentence]} as in the sentence"
        raise ElementError(name, places[sentence], f"a tree of {found[sentence]} words", expected)
    vocabulary, codes = bank.vocabulary.extended(trees.vocabulary)
    parent, tags = bank.tokens.parent.copy(), bank.tokens.pos.copy()
    with_tree = np.repeat(found > 0, words)
    parent[with_tree] = trees.tokens.parent
    tags[with_tree & (tags == 0)] = codes[trees.tokens.pos][tags[with_tree] == 0]
    return bank.replace(
        vocabulary=vocabulary,
        tokens=bank.tokens.replace(parent=parent, pos=tags),
        nodes=trees.nodes.recoded(codes),
    )
