"""Traces as functions: what an empty element says of the node above it, for trees that have them.

Bies, Ann, et al. (1995): Bracketing Guidelines for Treebank II Style, chapter 4. A node above a phrase that
is empty gets a further part of its function, ``CATEGORY.KIND``: ``NP.moved`` (``*``) for a passive or a
controlled subject, ``NP.T`` (``*T*``) for a gap, ``WHNP.0`` for a silent relative pronoun, ``SBAR.EXP`` for
an expletive. An empty element without a phrase is a ``WORD``: ``WORD.0`` is a silent *that*.
"""

from __future__ import annotations

import re

import numpy as np

from crossbank.converters.labels import functions_of_nodes
from crossbank.converters.resolve_traces import over_words
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import Treebank

WORD = "WORD"
_INDEX = re.compile(r"-\d+$")


def with_traces_as_functions(bank: Treebank, scheme: Scheme) -> Treebank:
    """Return the treebank with the empty elements named in the functions of the nodes above them.

    It is unchanged where there are no nodes, and where the scheme's functions have no parts.
    """
    rows = np.flatnonzero(scheme.is_empty(bank))
    separator = scheme.labels.function
    if not len(rows) or not len(bank.nodes) or not separator:
        return bank
    bank, function = functions_of_nodes(bank, scheme)
    nodes, vocabulary = bank.nodes, bank.vocabulary
    above = nodes.parent_rows(nodes)
    spoken = over_words(bank, scheme)
    node = nodes.parent_rows(bank.tokens)[rows]
    label = np.zeros(len(rows), np.int32)
    while (silent := (node >= 0) & ~spoken[node]).any():
        label[silent] = nodes.label[node[silent]]
        node[silent] = above[node[silent]]
    parts: dict[int, list[str]] = {}
    for node_index, code, form in zip(
        node.tolist(), label.tolist(), bank.tokens.form[rows].tolist(), strict=True
    ):
        if node_index >= 0:
            category = scheme.labels.main_category(vocabulary[code]) if code else WORD
            kind = _INDEX.sub("", vocabulary[form]).strip("*") or "moved"
            parts.setdefault(node_index, [vocabulary[int(function[node_index])]]).append(f"{category}.{kind}")
    vocabulary, codes = vocabulary.extended(separator.join(filter(None, names)) for names in parts.values())
    function = function.copy()
    function[list(parts)] = codes
    return bank.replace(vocabulary=vocabulary, nodes=nodes.replace(function=function.astype(np.int32)))
