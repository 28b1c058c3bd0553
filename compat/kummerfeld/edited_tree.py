"""Tree whose constituents can be relabelled, added, removed and moved by the search for repairs.

Nodes are numbers, which a copy keeps. A node that an edit has detached keeps its last span, as in the program
that the search reproduces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from crossbank.treebanks.tables import NO_PARENT

TRACE = "-NONE-"

DELETED = frozenset((TRACE, ",", ":", "``", "''", "."))
"""Labels of punctuation and traces, which are deleted."""

ESCAPES = {"{": "-LCB-", "}": "-RCB-"}
"""Replacements of words."""

TAGS_OF_WORDS = {
    "--": ":", "-": ":", ";": ":", ":": ":",
    "-LRB-": "-LRB-", "-RRB-": "-RRB-", "-LCB-": "-LRB-", "-RCB-": "-RRB-",
    "Wa": "NNP",
}  # fmt: skip
"""The only possible tag of some words; the last one is an error of the treebank."""

RENAMED = {"PRT": "ADVP"}

PHRASES_OF_TREEBANK = frozenset(
    {
        "S", "SBAR", "SBARQ", "SINV", "SQ", "ADJP", "ADVP", "CONJP", "FRAG", "INTJ", "LST", "NAC", "NP",
        "NX", "PP", "PRN", "PRT", "QP", "RRC", "UCP", "VP", "WHADJP", "WHADVP", "WHNP", "WHPP", "X", "NML",
    }
)  # fmt: skip
"""Labels below the top of a tree: another one above several nodes becomes ``ROOT``."""

TOP = "ROOT"


class Bracket(NamedTuple):
    """A constituent: the words before it, the words before its end, and its label."""

    start: int
    end: int
    label: str


class EditedTree:
    """Tree of words and constituents by number.

    Parameters
    ----------
    labels
        Label or tag of each node.
    parents
        Parent of each node; ``NO_PARENT`` for the top alone.
    children
        Children of each node, in the order of the words; a node without children is a word.

    """

    def __init__(self, labels: list[str], parents: list[int], children: list[list[int]]) -> None:
        self.labels, self.parents, self.children = labels, parents, children
        self.top = parents.index(NO_PARENT)
        self.start = [0] * len(labels)
        self.end = [0] * len(labels)
        self.compute_spans()

    def copy(self) -> EditedTree:
        """Return a copy that can be edited independently."""
        other = EditedTree.__new__(EditedTree)
        other.labels, other.parents = self.labels.copy(), self.parents.copy()
        other.children = [children.copy() for children in self.children]
        other.top, other.start, other.end = self.top, self.start.copy(), self.end.copy()
        return other

    def nodes(self) -> Iterator[int]:
        """Yield the nodes in pre-order."""
        waiting = [self.top]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(self.children[node])

    def constituents(self) -> Iterator[int]:
        """Yield the nodes with children in pre-order."""
        return (node for node in self.nodes() if self.children[node])

    def compute_spans(self) -> None:
        """Compute the words that each node of the tree covers."""
        order, words = list(self.nodes()), 0
        for node in order:
            if not self.children[node]:
                self.start[node], words = words, words + 1
                self.end[node] = words
        for node in reversed(order):
            if children := self.children[node]:
                self.start[node], self.end[node] = self.start[children[0]], self.end[children[-1]]

    def bracket(self, node: int) -> Bracket:
        """Return the span and label of a node."""
        return Bracket(self.start[node], self.end[node], self.labels[node])

    def labels_of(self, nodes: Sequence[int]) -> list[str]:
        """Return the labels of nodes."""
        return [self.labels[node] for node in nodes]

    def nodes_with(self, *, start: int | None = None, end: int | None = None) -> list[int]:
        """Return the nodes that begin before a word, end before one, or both, the highest first."""
        return [
            node
            for node in self.nodes()
            if (start is None or self.start[node] == start) and (end is None or self.end[node] == end)
        ]

    # Edits

    def add(self, bracket: Bracket) -> int:
        """Add a constituent above the highest nodes in its span, and return it.

        The top stays the highest node. Raises ValueError where the nodes of the span have several parents.
        """
        nodes = self._highest_within(bracket.start, bracket.end)
        if nodes == [self.top]:
            nodes = self.children[self.top].copy()
        parent = self.parents[nodes[0]] if nodes else NO_PARENT
        if parent == NO_PARENT or any(self.parents[node] != parent for node in nodes):
            raise ValueError(f"{bracket}: the nodes of the span have no common parent")
        new = len(self.labels)
        self.labels.append(bracket.label)
        self.parents.append(parent)
        self.children.append(nodes)
        self.start.append(bracket.start)
        self.end.append(bracket.end)
        siblings = self.children[parent]
        first = siblings.index(nodes[0])
        siblings[first : first + len(nodes)] = [new]
        for node in nodes:
            self.parents[node] = new
        return new

    def _highest_within(self, start: int, end: int) -> list[int]:
        nodes, waiting = [], [self.top]
        while waiting:
            node = waiting.pop()
            if start <= self.start[node] and self.end[node] <= end:
                nodes.append(node)
            elif self.start[node] < end and start < self.end[node]:
                waiting += reversed(self.children[node])
        return nodes

    def remove(self, node: int) -> int:
        """Give a constituent's children to its parent, and return the index of the first one there."""
        parent = self.parents[node]
        siblings = self.children[parent]
        index = siblings.index(node)
        siblings[index : index + 1] = self.children[node]
        for child in self.children[node]:
            self.parents[child] = parent
        return index

    def move(self, nodes: Sequence[int], new_parent: int) -> None:
        """Move adjacent siblings, but not all of them, to another parent that begins or ends beside them.

        A remaining only child is merged with its parent, if both have the same label.
        """
        old_parent = self.parents[nodes[0]]
        index = self._insertion(self.start[nodes[0]], self.end[nodes[-1]], new_parent)
        for node in nodes:
            self.children[old_parent].remove(node)
            self.children[new_parent].insert(index, node)
            self.parents[node] = new_parent
            index += 1
        if len(self.children[old_parent]) == 1:
            (child,) = self.children[old_parent]
            if self.labels[child] == self.labels[old_parent]:
                # The list is the merged child's, so that nodes moved into it stay in the tree.
                self.children[old_parent] = self.children[child]
                for grandchild in self.children[child]:
                    self.parents[grandchild] = old_parent
        self.compute_spans()

    def _insertion(self, start: int, end: int, new_parent: int) -> int:
        children = self.children[new_parent]
        if self.start[children[0]] in (start, end):
            return 0
        for index, child in enumerate(children):
            if self.start[child] == end:
                return index
            if self.end[child] == start:
                return index + 1
        return len(children)


def normalised(words: Mapping[int, str], tree: EditedTree) -> EditedTree | None:
    """Return a tree without traces, functions and punctuation, as under EVALB's standard parameters.

    words  the form of each node that is a word

    If all would be deleted, nothing is. Returns None for a tree without words.
    """
    if not words:
        return None
    forms = {node: ESCAPES.get(form, form) for node, form in words.items()}
    labels = [_without_alternatives(label) for label in tree.labels]
    labels = [TAGS_OF_WORDS.get(forms.get(node, ""), label) for node, label in enumerate(labels)]
    _rename_top(tree, labels)
    kept = _kept(tree, [label == TRACE for label in labels], range(len(labels)))
    labels = [_without_alternatives(_category(label)) for label in labels]
    labels = [TAGS_OF_WORDS.get(forms.get(node, ""), label) for node, label in enumerate(labels)]
    kept = _kept(tree, [label in DELETED for label in labels], kept)
    labels = [RENAMED.get(label, label) for label in labels]
    number = {node: index for index, node in enumerate(kept)}
    return EditedTree(
        [labels[node] for node in kept],
        [number.get(tree.parents[node], NO_PARENT) for node in kept],
        [[number[child] for child in tree.children[node] if child in number] for node in kept],
    )


def _rename_top(tree: EditedTree, labels: list[str]) -> None:
    """Rename the highest node with several children, unless a phrase of the treebank is above it or is it."""
    node = tree.top
    while labels[node] != TOP and _category(labels[node]) not in PHRASES_OF_TREEBANK and tree.children[node]:
        if len(tree.children[node]) > 1:
            labels[node] = TOP
        else:
            (node,) = tree.children[node]
    labels[tree.top] = labels[tree.top].strip() or TOP


def _without_alternatives(label: str) -> str:
    if "|" not in label:
        return label
    return "ADVP" if "ADVP" in label else label.partition("|")[0]


def _category(label: str) -> str:
    """Return a label without functions and indices; those of brackets, ``-LRB-``, are whole."""
    label = label.partition("=")[0]
    return label if label.startswith("-") else label.partition("-")[0]


def _kept(tree: EditedTree, is_deleted: Sequence[bool], nodes: Sequence[int]) -> list[int]:
    """Return the nodes that are not deleted, in pre-order; all nodes if none would remain."""
    remaining = set(nodes)
    order = [node for node in tree.nodes() if node in remaining]
    has_words: set[int] = set()
    for node in reversed(order):
        is_word = not tree.children[node]
        if not is_deleted[node] and (is_word or not has_words.isdisjoint(tree.children[node])):
            has_words.add(node)
    # A node in a deleted one is deleted with it.
    kept: list[int] = []
    within: set[int] = {NO_PARENT}
    for node in order:
        if node in has_words and tree.parents[node] in within:
            kept.append(node)
            within.add(node)
    return kept or order


def with_top(tree: EditedTree) -> EditedTree:
    """Return a tree below a further node, ``ROOT``."""
    new = len(tree.labels)
    parents = [*tree.parents, NO_PARENT]
    parents[tree.top] = new
    return EditedTree([*tree.labels, TOP], parents, [*map(list.copy, tree.children), [tree.top]])
