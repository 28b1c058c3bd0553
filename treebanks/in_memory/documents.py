"""Treebanks of the documents of spaCy and Stanza: dependencies, and constituents where there are any.

An element is one unit of comparison, whatever its sentence boundaries: if a parser splits a text into other
sentences than gold, the words of the text are still compared one by one. To compare sentence by sentence,
pass the sentences of both: ``Span`` of spaCy, ``Sentence`` of Stanza. Constituents of spaCy are read from
``span._.parse_string`` (benepar).
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
    """Return a treebank with a sentence for each ``Doc`` or ``Span``; None and "" have no parse.

    Tokens that are white space are omitted: they are not words. Raises ElementError, with the index, where
    benepar's tree has other words.
    """
    builder = TreebankBuilder(name)
    strings: list[str | None] = []
    for document in documents:
        builder.sentence()
        unparsed = document is None or isinstance(document, str)
        strings.append(None if unparsed else _tree_of_spacy(document))
        words = [] if unparsed else [token for token in document if not token.is_space]
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
    return _with_constituents(builder.build(), strings, name, first)


def _tree_of_spacy(document: Any) -> str | None:
    """Return benepar's trees of a ``Doc`` or a ``Span``; None if there are none."""
    spans = [document]
    if not _is_span(document):
        spans = list(document.sents) if document.has_annotation("SENT_START") else [document[:]]
    trees = [span._.parse_string for span in spans if type(span).has_extension("parse_string")]
    return " ".join(tree for tree in trees if tree) or None


def _is_span(document: Any) -> bool:
    return any(one.__name__ == "Span" for one in type(document).__mro__)


def _head(token: Any, number: dict[int, int]) -> int:
    """Return the position of a token's head in its sentence. A token without a relation is not parsed."""
    if token.head.i == token.i or token.head.i not in number:
        return ROOT if token.dep_ else UNATTACHED
    return number[token.head.i]


def of_stanza(documents: Sequence[Any], name: str, first: int = 0) -> Treebank:
    """Return a treebank with a sentence for each ``Document`` or ``Sentence``; None and "" have no parse.

    Raises ElementError, with the index, for a head that is not there and for a tree with other words.
    """
    builder = TreebankBuilder(name)
    strings: list[str | None] = []
    for index, document in enumerate(documents, first):
        builder.sentence()
        sentences = getattr(document, "sentences", [document])
        trees = [str(tree) for one in sentences if (tree := getattr(one, "constituency", None)) is not None]
        strings.append(" ".join(trees) or None)
        before = 0
        for sentence in sentences:
            words = getattr(sentence, "words", ())
            parsed = [word.head is not None for word in words]
            heads = iter(
                heads_of([word.head for word in words if word.head is not None], len(words), name, index)
            )
            builder.tokens(
                form=[word.text for word in words],
                lemma=[word.lemma or "" for word in words],
                pos=[word.upos or "" for word in words],
                xpos=[word.xpos or "" for word in words],
                morph=[word.feats or "" for word in words],
                head=[_moved(next(heads), before) if known else UNATTACHED for known in parsed],
                relation=[word.deprel or "" for word in words],
            )
            for token in getattr(sentence, "tokens", ()):
                if len(token.id) > 1:
                    ends = {"first": before + token.id[0] - 1, "last": before + token.id[-1] - 1}
                    builder.multiword(**ends, form=token.text)
            before += len(words)
    return _with_constituents(builder.build(), strings, name, first)


def _moved(head: int, before: int) -> int:
    """Return the head's index in the document, given the number of words before its sentence."""
    return head + before if head >= 0 else head


def _with_constituents(bank: Treebank, strings: Sequence[str | None], name: str, first: int) -> Treebank:
    """Add the trees in a string to each sentence that has one. Raises ElementError for other words."""
    if not any(strings):
        return bank
    trees = bracketed_strings.treebank_of(strings, name, first, several_trees=True)
    words, tree_words = bank.tokens.lengths(), trees.tokens.lengths()
    wrong = np.flatnonzero((tree_words != words) & (tree_words > 0))
    if len(wrong):
        sentence = int(wrong[0])
        expected = f"{words[sentence]} as in the sentence"
        raise ElementError(name, first + sentence, f"a tree of {tree_words[sentence]} words", expected)
    vocabulary, codes = bank.vocabulary.extended(trees.vocabulary)
    parent, tags = bank.tokens.parent.copy(), bank.tokens.pos.copy()
    with_tree = np.repeat(tree_words > 0, words)
    parent[with_tree] = trees.tokens.parent
    tags[with_tree & (tags == 0)] = codes[trees.tokens.pos][tags[with_tree] == 0]
    return bank.replace(
        vocabulary=vocabulary,
        tokens=bank.tokens.replace(parent=parent, pos=tags),
        nodes=trees.nodes.recoded(codes),
    )
