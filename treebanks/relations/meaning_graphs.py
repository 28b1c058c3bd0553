"""Meaning graphs: elementary dependencies (EDS), DMRS and f-structures.

Nodes are predications or f-structures. An edge leads to a node, or says something of its source alone, and
then its target is an atom. Each edge is a relation (``treebanks.relations.relation``) with its source as
head and its target as dependent. A node's word is its predicate, empty if it has none; its tag is its name
and, as MRS writes them, the characters that it stands for: ``e3<3:9>``. An atom has no tag. What edges are
called is in ``formats.elementary_dependencies`` and ``formalisms.lfg.fstructures``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from crossbank.treebanks.arrays import BoolArray, Int32Array, Int64Array, offsets_of
from crossbank.treebanks.errors import ConversionError, excerpt
from crossbank.treebanks.tables import whole_number
from crossbank.treebanks.treebank import Treebank
from crossbank.treebanks.vocabulary import Vocabulary

PREDICATE, TOP, CONSTANT = "predicate", "top", "carg"
"""The edges of EDS and DMRS that are neither roles nor properties: a node's name, the top, a constant."""

LABEL_EQUALITY = "MOD"
"""DMRS's role of nodes that share a label and nothing else; it is not an argument."""

NO_VARIABLE = "_"
"""The first sign of a quantifier's name in EDS: quantifiers have no variable of their own."""

NO_NODE = -1
"""The sign for a target that is an atom."""

NO_SPAN = (-1, -1)
"""The span of a node without one."""

SPAN = re.compile(r"<(-?\d+):(-?\d+)>$")


def link_of(tag: str) -> str:
    """Return the characters (in some grammars the tokens) that a node stands for, as MRS writes them.

    >>> link_of("e3<3:9>")
    '<3:9>'
    """
    return "".join(tag.partition("<")[1:])


def span_of(tag: str) -> tuple[int, int]:
    """Return the characters that a node stands for, or ``NO_SPAN``.

    >>> span_of("e3<3:9>")
    (3, 9)
    """
    match = SPAN.search(tag)
    return (whole_number(match[1]), whole_number(match[2])) if match else NO_SPAN


@dataclass(frozen=True, eq=False)
class MeaningGraphs:
    """Graphs of all sentences; the nodes of a sentence are in the order of their first edges.

    offsets         which nodes belong to which sentence, shape ``(sentences + 1,)``
    word            the code of each node's predicate, 0 if it has none, shape ``(nodes,)``
    tag             the code of its name and link, shape ``(nodes,)``
    token           the token of its predicate, or ``NO_TOKEN``, shape ``(nodes,)``
    source          the node of each edge, shape ``(relations,)``
    target          the node that it leads to, or ``NO_NODE``, shape ``(relations,)``
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
        """Return the graphs in a treebank's relations.

        Raises ConversionError for a relation whose head has no name: it is not an edge of a graph.
        """
        table = bank.relations
        rows = len(table)
        if not table.head_tag.all():
            raise _without_source(bank, int(np.flatnonzero(table.head_tag == 0)[0]))
        sentence = np.tile(table.sentence_of_row(), 2).astype(np.int64)
        tag = np.concatenate((table.head_tag, table.dependent_tag))
        key = sentence * len(bank.vocabulary) + tag
        ends = np.flatnonzero(tag)
        # Of one edge the source comes first.
        order = np.concatenate((np.arange(rows) * 2, np.arange(rows) * 2 + 1))
        ends = ends[np.argsort(order[ends], kind="stable")]
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
        tags, inverse = np.unique(self.tag, return_inverse=True)
        spans = [span_of(self.vocabulary[tag]) for tag in tags.tolist()]
        return np.array(spans, np.int64).reshape(-1, 2)[inverse.reshape(-1)]

    @property
    def without_variable(self) -> BoolArray:
        """Nodes that have no variable of their own: in EDS the quantifiers; shape ``(nodes,)``."""
        quantifiers = self.vocabulary.matching(lambda tag: tag.startswith(NO_VARIABLE))
        return quantifiers[self.tag]


def _without_source(bank: Treebank, row: int) -> ConversionError:
    """Return the error of a relation whose head has no name."""
    table = bank.relations
    name, head, dependent = (
        bank.vocabulary[int(column[row])] for column in (table.name, table.head_word, table.dependent_word)
    )
    relation = excerpt(f"{name}({head or '_'}, {dependent or '_'})")
    why = f"the head of {relation} has no node name, which f-structures and meaning graphs need"
    return bank.refused(int(table.sentence_of_row()[row]), f"{why} (in triples saw~1)")
