"""Delete tokens, with the nodes over them alone, or nodes, whose children are attached to their parent."""

from __future__ import annotations

import re
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import PLAIN_LABELS, Scheme, TokenClass
from crossbank.treebanks import NO_PARENT, OptionError, Treebank
from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.code_columns import flags_of_codes
from crossbank.treebanks.errors import RequirementError

ROOT_LABELS = ("", "ROOT", "TOP", "VROOT")
"""The labels of roots without a scheme."""


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
        raise RequirementError(name, "a scheme that says which tokens are meant")
    return scheme


def _without(bank: Treebank, deleted: BoolArray, name: str, event: str) -> Treebank:
    shorter = bank.without_tokens(deleted, name)
    if shorter is bank:
        return bank
    pairs = ((bank.tokens, shorter.tokens, event), (bank.nodes, shorter.nodes, "nodes left without a word"))
    counts = {what: (whole.lengths() - rest.lengths()).astype(np.int32) for whole, rest, what in pairs}
    return shorter.with_counts(name, counts)


@transformation(position=150)
def delete_nodes(
    bank: Treebank,
    scheme: Scheme | None = None,
    *,
    labels: tuple[str, ...] = (),
    functions: tuple[str, ...] = (),
) -> Treebank:
    """Delete the nodes with one of some labels or functions: ``delete_nodes:labels=NX+ADJX``.

    Raises OptionError if neither labels nor functions are named.
    """
    if not (labels or functions):
        raise OptionError("options of delete_nodes", "none", "labels=LABEL+LABEL or functions=FUNCTION")
    codes = [code for code in map(bank.vocabulary.code, labels) if code >= 0]
    deleted = np.isin(bank.nodes.label, codes)
    codes = [code for code in map(bank.vocabulary.code, functions) if code > 0]
    return without_nodes(bank, deleted | np.isin(bank.nodes.function, codes), "delete_nodes", "nodes deleted")


@transformation(position=160)
def delete_roots(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Delete roots that only mark the beginning: ``TOP``, ``VROOT``, the empty label of ``( (S ...))``.

    Every parser finds these roots, so scores without them are more informative.
    """
    return without_nodes(bank, roots(bank, scheme), "delete_roots", "roots deleted")


@transformation(position=170)
def collapse_unary(
    bank: Treebank, scheme: Scheme | None = None, *, keep: Literal["top", "bottom"] = "top"
) -> Treebank:
    """Keep one node of each unary chain: of nodes that dominate each other and have no other children.

    keep  whether the ``top`` or the ``bottom`` node is kept

    A node over a single token is kept.
    """
    nodes = bank.nodes
    inner = np.flatnonzero(nodes.parent >= 0)
    above = nodes.parent_rows(nodes)[inner]
    deleted = np.zeros(len(nodes), np.bool_)
    deleted[(inner if keep == "top" else above)[children_of_nodes(bank)[above] == 1]] = True
    return without_nodes(bank, deleted, "collapse_unary", "unary nodes collapsed")


def children_of_nodes(
    bank: Treebank, of_tokens: BoolArray | bool = True, of_nodes: BoolArray | bool = True
) -> NDArray[np.intp]:
    """Return the number of children of each node, shape ``(nodes,)``: all, or those of two masks."""
    nodes = bank.nodes
    count = np.zeros(len(nodes), np.intp)
    for table, counted in ((bank.tokens, of_tokens), (nodes, of_nodes)):
        above = nodes.parent_rows(table)[(table.parent >= 0) & counted]
        count += np.bincount(above, minlength=len(nodes))
    return count


def without_nodes(bank: Treebank, deleted: BoolArray, name: str, event: str) -> Treebank:
    """Delete the nodes of a mask, shape ``(nodes,)``, and count them in the diagnosis under ``name``."""
    remaining = bank.without_nodes(deleted)
    return bank if remaining is bank else remaining.with_counts(name, {event: bank.nodes.counted(deleted)})


def roots(bank: Treebank, scheme: Scheme | None) -> BoolArray:
    """Return a mask of the nodes that are roots with a root label, shape ``(nodes,)``."""
    labels = scheme.root_labels if scheme is not None else ROOT_LABELS
    is_root: BoolArray = bank.nodes.parent == NO_PARENT
    codes = {bank.vocabulary.code(label) for label in labels}
    has_root_label = np.zeros(len(bank.vocabulary) + 1, np.bool_)  # the last one is for -1
    has_root_label[list(codes)] = True
    return is_root & flags_of_codes(bank.nodes.label, has_root_label)
