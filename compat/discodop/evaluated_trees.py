"""Trees as disco-dop evaluates them: with one root each, separate function tags, and nothing deleted left."""

from __future__ import annotations

from os import PathLike

import numpy as np

from crossbank.compat.discodop.discodop_parameters import DiscodopParameters, Functions, Version
from crossbank.converters.deletions import without_nodes
from crossbank.metrics.modes.protocol import read_trees
from crossbank.treebanks import NO_PARENT, CrossbankError, Treebank
from crossbank.treebanks.arrays import BoolArray

ROOT_LABEL = "ROOT"
"""The root that every tree of an export file gets, and other trees that have several roots."""

NO_FUNCTION = ("", "--")


def load_trees(
    path: str | PathLike[str], format: str, encoding: str | None, functions: Functions, version: Version
) -> Treebank:
    """Read a file; labels and functions are then as ``functions`` says.

    In brackets a function is what follows a label's first hyphen. In discontinuous brackets there are none
    in version 0.5.2, and labels are unchanged. Raises CrossbankError if the file cannot be read, or
    where a sentence has no tree.
    """
    bank = rooted(read_trees(path, format, encoding), always=format == "export")
    for sentence in np.flatnonzero(bank.tokens.lengths() == 0).tolist():
        where = f"{bank.where(sentence)}: sentence {bank.sentence_id(sentence)}"
        raise CrossbankError(f"{where}: the tree is missing, at which discodop stops")
    if format == "discbracket" and version == "0.5.2":
        return bank
    from_label = format in ("bracket", "discbracket")
    if not from_label:  # ``$(`` is ``$[`` in parameter files
        square = str.maketrans("()", "[]")
        bank = bank.with_strings("tokens", "pos", lambda tag: tag.translate(square))
    if format == "export":
        # Export files write ``--`` for a tag or a label that is missing, and disco-dop takes it for one.
        bank = bank.with_strings("tokens", "pos", lambda tag: tag or "--")
        bank = bank.with_strings("nodes", "label", lambda label: label or "--")
    for table in ("nodes", "tokens"):
        bank = _with_functions(bank, table, functions, from_label=from_label)
    return bank


def rooted(bank: Treebank, *, always: bool) -> Treebank:
    """Treebank with a node over each sentence that has several roots, or (``always``) over each one."""
    tokens, nodes, count = bank.tokens, bank.nodes, len(bank)
    added = np.flatnonzero((tokens.lengths() > 0) & ((bank.roots() > 1) | always))
    vocabulary, (code,) = bank.vocabulary.extended([ROOT_LABEL])
    more, _, new = nodes.extended(added, label=np.full(len(added), code, np.int32))
    root_of = np.full(count, NO_PARENT, np.int32)
    root_of[added] = new - more.offsets[added]
    node_parent = np.where(more.parent == NO_PARENT, root_of[more.sentence_of_row()], more.parent)
    node_parent[new] = NO_PARENT
    token_parent = np.where(tokens.parent == NO_PARENT, root_of[tokens.sentence_of_row()], tokens.parent)
    return bank.replace(vocabulary=vocabulary).with_structure(
        token_parent=token_parent.astype(np.int32),
        node_parent=node_parent.astype(np.int32),
        nodes=more.replace(parent=node_parent.astype(np.int32)),
    )


def _with_functions(bank: Treebank, name: str, functions: Functions, *, from_label: bool) -> Treebank:
    """Return the treebank with new labels or tags, and functions, of one table."""
    table = bank.nodes if name == "nodes" else bank.tokens
    column = "label" if name == "nodes" else "pos"
    is_root = np.zeros(len(table), np.bool_)
    if name == "nodes":
        is_root = table.parent == NO_PARENT
    kinds, kind = np.unique(
        np.stack([getattr(table, column), table.function, is_root]), axis=1, return_inverse=True
    )
    labels, new_functions = [], []
    for label_code, function_code, root in kinds.T.tolist():
        label, function = bank.vocabulary[label_code], bank.vocabulary[function_code]
        if from_label:
            function = function_in(label)
        labels.append(_label(label, function, functions, written_apart=not from_label and not root))
        new_functions.append("" if function in NO_FUNCTION else function)
    vocabulary, label_codes = bank.vocabulary.extended(labels)
    vocabulary, function_codes = vocabulary.extended(new_functions)
    kind = kind.reshape(-1)
    changed = table.replace(**{column: label_codes[kind], "function": function_codes[kind]})
    return bank.replace(vocabulary=vocabulary, **{name: changed})


def function_in(label: str) -> str:
    """Return the function that a label in brackets bears, its indices cut off.

    >>> function_in("NP-SBJ=2"), function_in("NP-2"), function_in("-NONE-"), function_in("NP-SBJ-1")
    ('SBJ', '', '', 'SBJ-')
    """
    hyphen = label.find("-")
    if hyphen <= 0 or label[hyphen + 1 :].isdigit():
        return ""
    return label[hyphen + 1 :].rstrip("=0123456789")


def _label(label: str, function: str, functions: Functions, *, written_apart: bool) -> str:
    """A label with or without its function; ``add`` and ``replace`` want functions written apart."""
    if functions == "remove":
        return category(label)
    if functions == "add" and written_apart and function not in NO_FUNCTION:
        return f"{label}-{function}"
    if functions == "replace" and written_apart:
        return function or "--"
    return label


def category(label: str) -> str:
    """A label cut at ``-`` and ``=``, unless they come first: ``NP-SBJ=2`` is ``NP``.

    >>> category("NP=2"), category("-NONE-")
    ('NP', '-NONE-')
    """
    for sign in "-=":
        index = label.find(sign)
        if index > 0:
            label = label[:index]
    return label


def deleted_tokens(gold: Treebank, parameters: DiscodopParameters) -> BoolArray:
    """Return the words of gold that do not count: by tag, by form, and those right below the root."""
    vocabulary, tokens = gold.vocabulary, gold.tokens
    deleted: BoolArray = vocabulary.matching(parameters.delete_label.__contains__)[tokens.pos]
    deleted |= vocabulary.matching(parameters.delete_word.__contains__)[tokens.form]
    if parameters.delete_root_preterms:
        deleted |= below_root(gold)
    return deleted


def below_root(bank: Treebank) -> BoolArray:
    """Return the words right below the root of their sentence, which in pre-order is its first node."""
    return np.asarray(bank.tokens.parent == 0)


def transformed(bank: Treebank, deleted: BoolArray, parameters: DiscodopParameters) -> Treebank:
    """Return the trees without deleted words and phrases, with the labels that stand for others.

    Tags are unchanged; the root keeps its label and is kept.
    """
    bank = bank.without_tokens(deleted, "discodop")
    nodes = bank.nodes
    inner = nodes.parent != NO_PARENT
    vocabulary, label = bank.vocabulary.mapped(nodes.label, lambda name: parameters.eq_label.get(name, name))
    label = np.where(inner, label, nodes.label).astype(np.int32)
    vocabulary, form = vocabulary.mapped(bank.tokens.form, lambda word: parameters.eq_word.get(word, word))
    bank = bank.replace(
        vocabulary=vocabulary, nodes=nodes.replace(label=label), tokens=bank.tokens.replace(form=form)
    )
    gone = vocabulary.matching(parameters.delete_label.__contains__)[label] & inner
    return without_nodes(bank, gone, "discodop", "nodes deleted")


def aligned(gold_words: list[str], words: list[str]) -> list[int] | None:
    """Return the word of gold for each word of the candidate, or None if one has no counterpart.

    Words of gold that the candidate lacks are passed over: it may come without punctuation.

    >>> aligned(["``", "No", ".", "''"], ["No"])
    [1]
    """
    indices: list[int] = []
    for word in words:
        try:
            indices.append(gold_words.index(word, indices[-1] + 1 if indices else 0))
        except ValueError:
            return None
    return indices
