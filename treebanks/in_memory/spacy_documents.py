"""Treebanks of spaCy's ``Doc`` and ``Span``: dependencies, and constituents where benepar has added them.

A ``Doc`` is as many sentences as it has been cut into, one where it has not; a ``Span`` is one.
Constituents are read from ``span._.parse_string`` (benepar).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.in_memory.both_layers import with_constituents
from crossbank.treebanks.tables import ROOT, UNATTACHED
from crossbank.treebanks.treebank import Treebank


def treebank_of(documents: Sequence[Any], name: str, first: int = 0) -> Treebank:
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
            strings.append(_parse_string(span) if span is not None else None)
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
    return with_constituents(builder.build(), strings, places, name)


def _sentences(document: Any) -> list[Any]:
    """Return the sentences of a ``Doc`` or a ``Span``; None for one without a parse."""
    if document is None or isinstance(document, str):
        return [None]
    if any(one.__name__ == "Span" for one in type(document).__mro__):
        return [document]
    return list(document.sents) if document.has_annotation("SENT_START") else [document[:]]


def _head(token: Any, number: dict[int, int]) -> int:
    """Return the place of a token's head in its sentence. A token without a relation is not parsed."""
    if token.head.i == token.i or token.head.i not in number:
        return ROOT if token.dep_ else UNATTACHED
    return number[token.head.i]


def _parse_string(span: Any) -> str | None:
    """Benepar's tree of a sentence, if it has been parsed by it."""
    if not type(span).has_extension("parse_string"):
        return None
    found: str | None = span._.parse_string
    return found
