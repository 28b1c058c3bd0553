"""Edges that gold and candidate share, and whose functions differ: a subject taken as an object.

An edge is shared if both trees have its two brackets, or the word and its bracket. Where a constituent is
attached elsewhere, its function follows from the attachment, which is an error of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np

from crossbank.metrics.pairing.pair import Pair
from crossbank.metrics.parseval import NO_FUNCTION
from crossbank.treebanks import Treebank

Edges: TypeAlias = dict[tuple[str, int, str, int], list[str]]
"""Functions by label and yield of a child, and by label and yield of its parent; words have no label here."""


def both_have_functions(pair: Pair) -> bool:
    """Return whether gold and candidate have functions: a parser that prints none makes no error in them."""
    return all(_has_functions(bank) for bank in (pair.gold, pair.candidate))


def _has_functions(bank: Treebank) -> bool:
    used = np.unique(np.concatenate([bank.nodes.function, bank.tokens.function])).astype(np.int32)
    return not set(bank.vocabulary.decode(used)) <= {"", NO_FUNCTION}


def collect_edges(bank: Treebank, sentence: int, labels: Sequence[str], yields: Sequence[int]) -> Edges:
    """Return the edges of a sentence that have a parent, with their functions.

    labels, yields  those of the sentence's nodes; a yield is a set of words as the bits of a number
    """
    edges: Edges = {}
    nodes, tokens = bank.nodes.rows(sentence), bank.tokens.rows(sentence)
    decode = bank.vocabulary.decode
    of_words = [("", 1 << word) for word in range(tokens.stop - tokens.start)]
    for table, rows, children in (
        (bank.nodes, nodes, list(zip(labels, yields, strict=True))),
        (bank.tokens, tokens, of_words),
    ):
        functions = decode(table.function[rows])
        for child, parent, function in zip(children, table.parent[rows].tolist(), functions, strict=True):
            if parent >= 0:
                own = "" if function == NO_FUNCTION else function
                edges.setdefault((*child, labels[parent], yields[parent]), []).append(own)
    return edges


def differing_functions(gold: Edges, candidate: Edges) -> Iterator[tuple[int, str, str]]:
    """Yield the yield of each shared edge whose functions differ, gold's function and the candidate's."""
    for edge, functions in gold.items():
        for function, other in zip(functions, candidate.get(edge, ()), strict=False):
            if function != other:
                yield edge[1], function, other
