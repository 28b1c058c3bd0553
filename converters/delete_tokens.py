"""Delete tokens: punctuation, empty elements, metadata, or those that a tag or a form names.

Nodes that are left without a token are deleted with them.
"""

from __future__ import annotations

import re

import numpy as np

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import PLAIN_LABELS, Scheme, TokenClass
from crossbank.treebanks import ConversionError, OptionError, Treebank
from crossbank.treebanks.arrays import BoolArray


@transformation(position=100)
def delete_tokens(
    bank: Treebank, scheme: Scheme | None = None, *, tags: tuple[str, ...] = (), forms: tuple[str, ...] = ()
) -> Treebank:
    """Delete the tokens with one of some tags, and those whose form matches a regular expression.

    ``delete_tokens:tags=$,+$.`` deletes commas and full stops of an STTS treebank.
    """
    labels = scheme.labels if scheme is not None else PLAIN_LABELS
    for form in forms:
        try:
            re.compile(form)
        except re.error as error:
            expected = f"a regular expression ({error})"
            raise OptionError("option forms of delete_tokens", form, expected) from error
    deleted = TokenClass(frozenset(tags), forms).mask(bank, labels)
    return _without(bank, deleted, "delete_tokens", "tokens deleted")


@transformation(position=110)
def delete_punctuation(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Delete the tokens that have one of the scheme's punctuation tags."""
    name = "delete_punctuation"
    return _without(bank, _scheme(scheme, name).is_punctuation(bank), name, "punctuation deleted")


@transformation(position=120)
def delete_empty_elements(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Delete traces, silent subjects and other elements that are not spoken: ``*T*-1``, ``0``, ``*con*``."""
    name = "delete_empty_elements"
    return _without(bank, _scheme(scheme, name).is_empty(bank), name, "empty elements deleted")


@transformation(position=140)
def delete_metadata(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Delete leaves that are not words: ``(ID 1210.JARTEIN,.1)``, ``(CODE <heading>)``.

    Those that the scheme calls sentence identifiers become the identifiers of their sentences, the first of
    a sentence. Sentences that have one already keep it.
    """
    name = "delete_metadata"
    scheme = _scheme(scheme, name)
    return _without(_identified(bank, scheme), scheme.is_metadata(bank), name, "metadata deleted")


def _identified(bank: Treebank, scheme: Scheme) -> Treebank:
    """Return the treebank, with its sentences named by the tokens that hold their identifiers."""
    rows = np.flatnonzero(scheme.sentence_ids.mask(bank, scheme.labels))
    if not len(rows):
        return bank
    sentences, first = np.unique(bank.tokens.sentence_of_row()[rows], return_index=True)
    names = bank.sentences.id.copy()
    nameless = names[sentences] == 0
    names[sentences[nameless]] = bank.tokens.form[rows[first[nameless]]]
    return bank.replace(sentences=bank.sentences.replace(id=names))


def _scheme(scheme: Scheme | None, name: str) -> Scheme:
    if scheme is None:
        raise ConversionError(f"{name} needs a scheme that says which tokens are meant")
    return scheme


def _without(bank: Treebank, deleted: BoolArray, name: str, event: str) -> Treebank:
    shorter = bank.without_tokens(deleted, name)
    if shorter is bank:
        return bank
    pairs = ((bank.tokens, shorter.tokens, event), (bank.nodes, shorter.nodes, "nodes left without a word"))
    counts = {what: (whole.lengths() - rest.lengths()).astype(np.int32) for whole, rest, what in pairs}
    return shorter.with_counts(name, counts)
