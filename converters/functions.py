"""Strip the functions of labels, or move them to the edges."""

from __future__ import annotations

import numpy as np

from crossbank.converters.schemes.label_syntax import LabelSyntax
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import Int32Array
from crossbank.treebanks.diagnosis import finding


def strip_functions(bank: Treebank, scheme: Scheme | None = None, *, tags: bool | None = None) -> Treebank:
    """Reduce labels to categories: ``NP-SBJ-1`` becomes ``NP``, and edges lose their functions.

    tags  whether the tags of tokens are cut as well; by default the scheme decides

    ``-NONE-``, ``-LRB-`` and other labels that begin with a separator stay as they are. Without a
    scheme, labels are cut at ``-``, ``=`` and ``|``, as in the Penn Treebank.

    >>> strip_functions(bank, load_scheme("ptb"))  # doctest: +SKIP
    """
    labels = _syntax(scheme)
    bank = bank.with_strings("nodes", "label", labels.category)
    if labels.tags if tags is None else tags:
        bank = bank.with_strings("tokens", "pos", labels.category)
    return bank.replace(
        tokens=bank.tokens.replace(function=np.zeros_like(bank.tokens.function)),
        nodes=bank.nodes.replace(function=np.zeros_like(bank.nodes.function)),
    )


def split_functions(bank: Treebank, scheme: Scheme | None = None, *, tags: bool | None = None) -> Treebank:
    """Move functions out of labels: ``NP-SBJ-1`` becomes the label ``NP`` and the function ``SBJ``.

    tags  whether the tags of tokens are split as well; by default the scheme decides

    Where an edge already has a function, the function in the label is dropped. Co-indices are dropped
    too. The diagnosis counts both.
    """
    labels = _syntax(scheme)
    bank = _split(bank, "nodes", "label", labels)
    return _split(bank, "tokens", "pos", labels) if (labels.tags if tags is None else tags) else bank


def functions_of_nodes(bank: Treebank, scheme: Scheme) -> tuple[Treebank, Int32Array]:
    """Every node's function, from its edge or else its label, and the treebank whose codes these are."""
    function, label = bank.nodes.function, bank.nodes.label
    if not scheme.labels.function or not (function == 0).any():
        return bank, function
    vocabulary, from_label = bank.vocabulary.mapped(label, lambda text: scheme.labels.parts(text).function)
    return bank.replace(vocabulary=vocabulary), np.where(function == 0, from_label, function)


def _split(bank: Treebank, table: str, column: str, labels: LabelSyntax) -> Treebank:
    rows = getattr(bank, table)
    old = getattr(rows, column)
    vocabulary, category = bank.vocabulary.mapped(old, labels.category)
    vocabulary, function = vocabulary.mapped(old, lambda label: labels.parts(label).function)
    vocabulary, index = vocabulary.mapped(old, lambda label: (p := labels.parts(label)).index or p.gap)
    sentence = rows.sentence_of_row()
    name, total = "split_functions", len(bank)
    second = (function != 0) & (rows.function != 0) & (function != rows.function)
    bank = bank.diagnosed(
        finding(name, "functions in labels dropped where the edge has one", sentence[second], total),
        finding(name, "co-indices dropped", sentence[index != 0], total),
    )
    function = np.where(rows.function != 0, rows.function, function).astype(np.int32)
    changed = rows.replace(**{column: category, "function": function})
    return bank.replace(vocabulary=vocabulary, **{table: changed})


def _syntax(scheme: Scheme | None) -> LabelSyntax:
    return scheme.labels if scheme is not None else LabelSyntax()
