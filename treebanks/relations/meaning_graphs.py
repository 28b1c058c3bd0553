"""Meaning graphs: elementary dependencies (EDS), DMRS and f-structures.

Nodes are predications or f-structures. An edge leads to a node, or says something of its source alone, and
then its target is an atom. ``Treebank.relations`` has a row for each edge, in which a node's tag is its name
and, as MRS writes them, the characters that it stands for: ``e3<3:9>``. What edges are called is in
``formats.elementary_dependencies`` and ``treebanks.fstructures``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.tables import NO_TOKEN, whole_number
from crossbank.treebanks.treebank import Treebank
from crossbank.treebanks.vocabulary import Vocabulary

PREDICATE, TOP, CONSTANT = "predicate", "top", "carg"
"""The edges of EDS and DMRS that are no role and no property: a node's own, that of the top, its constant."""

LABEL_EQUALITY = "MOD"
"""DMRS's role of nodes that share a label and nothing else; it is no argument."""

NO_VARIABLE = "_"
"""The first sign of a quantifier's name in EDS: quantifiers have no variable of their own."""

NO_NODE = -1
"""The sign for a target that is an atom."""

NO_SPAN = (-1, -1)
"""The span of a node without one."""

SPAN = re.compile(r"<(-?\d+):(-?\d+)>$")


class Node(NamedTuple):
    """A node, or an atom, which has no name.

    word   the predicate, empty where the node has none; or the atom
    name   what tells the node from the others of its graph: ``e3``
    link   the characters (in some grammars the tokens) that it stands for, as MRS writes them: ``<3:9>``
    token  the token of the predicate, or ``NO_TOKEN``
    """

    word: str = ""
    name: str = ""
    link: str = ""
    token: int = NO_TOKEN

    @property
    def tag(self) -> str:
        """Name and link, as relations have them."""
        return self.name + self.link

    @property
    def span(self) -> tuple[int, int]:
        """Characters of the link, or ``NO_SPAN``."""
        found = SPAN.search(self.link)
        return (whole_number(found[1]), whole_number(found[2])) if found else NO_SPAN

    @classmethod
    def of(cls, tag: str, word: str = "") -> Node:
        """Return the node of a tag.

        >>> Node.of("e3<3:9>", "_rain_v_1").span
        (3, 9)
        """
        name, link, rest = tag.partition("<")
        return cls(word, name, link + rest)


class Edge(NamedTuple):
    """An edge; ``type`` is what comes after the slash of a role of DMRS, or a semantic form's arguments."""

    name: str
    source: Node
    target: Node = Node()
    type: str = ""


ENDS = ("head_index", "head_word", "head_tag", "dependent_index", "dependent_word", "dependent_tag")
COLUMNS = ("name", "type", *ENDS)
"""The columns of relations that edges fill."""


def add_graph(builder: TreebankBuilder, edges: Iterable[Edge]) -> None:
    """Add the edges of a graph to the sentence that was begun last."""
    rows = [
        (name, type, *(part for node in ends for part in (node.token, node.word, node.tag)))
        for name, *ends, type in edges
    ]
    if rows:
        builder.relations(**dict(zip(COLUMNS, zip(*rows, strict=True), strict=True)))


@dataclass(frozen=True, eq=False)
class MeaningGraphs:
    """Graphs of all sentences; the nodes of a sentence are in the order of their first edges.

    offsets         which nodes belong to which sentence, shape ``(sentences + 1,)``
    word            the code of each node's predicate, 0 where it has none, shape ``(nodes,)``
    tag             the code of its name and link, shape ``(nodes,)``
    token           the token of its predicate, or ``NO_TOKEN``, shape ``(nodes,)``
    source, target  the nodes of each edge, or ``NO_NODE``, shape ``(relations,)``
    """

    vocabulary: Vocabulary
    offsets: Int64Array
    word: Int32Array
    tag: Int32Array
    token: Int32Array
    source: Int64Array
    target: Int64Array

    @classmethod
    def of(cls, bank: Treebank) -> MeaningGraphs:
        """Return the graphs in a treebank's relations."""
        table = bank.relations
        rows = len(table)
        sentence = np.tile(table.sentence_of_row(), 2).astype(np.int64)
        tag = np.concatenate((table.head_tag, table.dependent_tag))
        key = sentence * len(bank.vocabulary) + tag
        ends = np.flatnonzero(tag)
        # Of one edge the source comes first.
        place = np.concatenate((np.arange(rows) * 2, np.arange(rows) * 2 + 1))
        ends = ends[np.argsort(place[ends], kind="stable")]
        _, first, which = np.unique(key[ends], return_index=True, return_inverse=True)
        rank = np.empty(len(first), np.int64)
        rank[np.argsort(first, kind="stable")] = np.arange(len(first))
        node = np.full(2 * rows, NO_NODE, np.int64)
        node[ends] = rank[which.reshape(-1)]
        end = ends[np.sort(first)]
        return cls(
            bank.vocabulary,
            offsets_of(np.bincount(sentence[end], minlength=len(bank))),
            np.concatenate((table.head_word, table.dependent_word))[end],
            tag[end],
            np.concatenate((table.head_index, table.dependent_index))[end],
            node[:rows],
            node[rows:],
        )

    @cached_property
    def spans(self) -> Int64Array:
        """First character of each node, and that after its last; shape ``(nodes, 2)``."""
        tags, place = np.unique(self.tag, return_inverse=True)
        spans = [Node.of(self.vocabulary[tag]).span for tag in tags.tolist()]
        return np.array(spans, np.int64).reshape(-1, 2)[place.reshape(-1)]

    @property
    def without_variable(self) -> BoolArray:
        """Nodes that have no variable of their own: in EDS the quantifiers; shape ``(nodes,)``."""
        quantifiers = self.vocabulary.matching(lambda tag: tag.startswith(NO_VARIABLE))
        return quantifiers[self.tag]
