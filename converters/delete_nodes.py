"""Delete nodes: their children go to the node above."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from crossbank.converters.declaration import transformation
from crossbank.converters.schemes.scheme import Scheme
from crossbank.converters.virtual_root import roots
from crossbank.treebanks import Treebank
from crossbank.treebanks.arrays import BoolArray


@transformation(position=150)
def delete_nodes(
    bank: Treebank,
    scheme: Scheme | None = None,
    *,
    labels: tuple[str, ...] = (),
    functions: tuple[str, ...] = (),
) -> Treebank:
    """Delete the nodes with one of some labels or functions: ``delete_nodes:labels=NX+ADJX``."""
    codes = [code for code in map(bank.vocabulary.code, labels) if code >= 0]
    deleted = np.isin(bank.nodes.label, codes)
    codes = [code for code in map(bank.vocabulary.code, functions) if code > 0]
    return without_nodes(bank, deleted | np.isin(bank.nodes.function, codes), "delete_nodes", "nodes deleted")


@transformation(position=160)
def delete_roots(bank: Treebank, scheme: Scheme | None = None) -> Treebank:
    """Delete roots that only say that a tree begins: ``TOP``, ``VROOT``, the empty label of ``( (S ...))``.

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
    """Return the number of tokens and nodes, or of those of two masks, on each node, shape ``(nodes,)``."""
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
