"""Treebanks of Stanza's ``Document`` and ``Sentence``: dependencies, and constituents where there are any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.in_memory.both_layers import with_constituents
from crossbank.treebanks.in_memory.heads import heads_of
from crossbank.treebanks.tables import UNATTACHED
from crossbank.treebanks.treebank import Treebank


def treebank_of(documents: Sequence[Any], name: str, first: int = 0) -> Treebank:
    """A treebank with the sentences of each ``Document`` or ``Sentence``; None and "" have no parse.

    Raises ElementError, with the place, for a head that is not there and for a tree with other words.
    """
    builder = TreebankBuilder(name)
    strings: list[str | None] = []
    places: list[int] = []
    for place, document in enumerate(documents, first):
        for sentence in getattr(document, "sentences", [document]):
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
            _add_multiword_tokens(builder, sentence)
    return with_constituents(builder.build(), strings, places, name)


def _add_multiword_tokens(builder: TreebankBuilder, sentence: Any) -> None:
    for token in getattr(sentence, "tokens", ()):
        if len(token.id) > 1:
            builder.multiword(first=token.id[0] - 1, last=token.id[-1] - 1, form=token.text)
