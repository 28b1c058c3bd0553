"""Tree of one sentence, with its children in order, for transformations of constructions."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from crossbank.converters.labels import functions_of_nodes
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.arrays import Int32Array


class LocalTree:
    """A sentence that can be changed.

    An item is a word or a node, as in ``treebanks.forest``: the words come first, then the nodes, those
    that were not read last.

    forms      of the words
    labels     tags of words and categories of nodes, without indices and subclasses
    functions  of the items; words have none here
    parents    of the items: a node, or ``NO_PARENT``
    children   of the items, in order of their first words
    starts     the first word of each item
    """

    def __init__(
        self, forms: list[str], labels: list[str], functions: list[str], parents: list[int], starts: list[int]
    ) -> None:
        self.forms, self.labels, self.functions, self.parents = forms, labels, functions, parents
        self.starts = starts
        self.words = len(forms)
        self.children: list[list[int]] = [[] for _ in labels]
        node = self.words
        for word, parent in enumerate(parents[: self.words]):
            while node < len(starts) and starts[node] == word:  # the nodes that begin here, from the top down
                if parents[node] != NO_PARENT:
                    self.children[parents[node]].append(node)
                node += 1
            if parent != NO_PARENT:
                self.children[parent].append(word)
        self.read = len(labels)

    @property
    def nodes(self) -> range:
        """Items that are nodes."""
        return range(self.words, len(self.labels))

    @property
    def added(self) -> range:
        """Nodes that were not read."""
        return range(self.read, len(self.labels))

    def is_word(self, item: int) -> bool:
        """Return whether an item is a word."""
        return item < self.words

    def move(self, item: int, parent: int) -> None:
        """Hang an item on another node, at its position among the children there."""
        if self.parents[item] != NO_PARENT:
            self.children[self.parents[item]].remove(item)
        self.parents[item] = parent
        if parent != NO_PARENT:
            insort(self.children[parent], item, key=self.starts.__getitem__)
        start = self.starts[item]
        while parent != NO_PARENT and self.starts[parent] > start:
            self.starts[parent] = start
            parent = self.parents[parent]

    def dissolve(self, node: int) -> None:
        """Hang all children of a node on its parent; the node is left without any."""
        above = self.parents[node]
        for child in list(self.children[node]):
            self.move(child, above)
        if above != NO_PARENT:
            self.children[above].remove(node)

    def insert(self, label: str, parent: int, items: Sequence[int]) -> None:
        """Put a new node over some children of a node."""
        new = len(self.labels)
        self.labels.append(label)
        self.functions.append("")
        self.parents.append(parent)
        self.children.append([])
        self.starts.append(min(self.starts[item] for item in items))
        for item in items:
            self.move(item, new)
        insort(self.children[parent], new, key=self.starts.__getitem__)


Rewrite = Callable[[int, LocalTree], Counter[str]]
"""Changes the tree of a sentence, whose number comes first, and returns how often it did what."""


def rewritten(
    bank: Treebank, scheme: Scheme, sentences: Iterable[int], rewrite: Rewrite, name: str
) -> Treebank:
    """Return a treebank after the trees of some sentences were rewritten; its diagnosis lists the changes."""
    named, function = functions_of_nodes(bank, scheme)
    category_of = [""] * len(bank.vocabulary)
    for code in np.unique(np.concatenate((bank.tokens.pos, bank.nodes.label))).tolist():
        category_of[code] = scheme.labels.main_category(bank.vocabulary[code])
    tokens, nodes = bank.tokens, bank.nodes
    token_parent, node_parent = tokens.parent.copy(), nodes.parent.copy()
    added: list[tuple[int, str, int]] = []
    events: dict[str, list[int]] = {}
    for sentence in sentences:
        token_rows, node_rows = tokens.rows(sentence), nodes.rows(sentence)
        words = token_rows.stop - token_rows.start
        tree = LocalTree(
            bank.vocabulary.decode(tokens.form[token_rows]),
            [category_of[c] for c in [*tokens.pos[token_rows].tolist(), *nodes.label[node_rows].tolist()]],
            [""] * words + named.vocabulary.decode(function[node_rows]),
            _as_items(tokens.parent[token_rows], words) + _as_items(nodes.parent[node_rows], words),
            [*range(words), *bank.spans.start[node_rows].tolist()],
        )
        happened = rewrite(sentence, tree)
        if not happened:
            continue
        parents = [parent - words if parent != NO_PARENT else NO_PARENT for parent in tree.parents]
        token_parent[token_rows], node_parent[node_rows] = parents[:words], parents[words : tree.read]
        added += ((sentence, tree.labels[node], parents[node]) for node in tree.added)
        for event, times in happened.items():
            events.setdefault(event, []).extend([sentence] * times)
    if not events:
        return bank
    vocabulary, labels = bank.vocabulary.extended(label for _, label, _ in added)
    more, old, _ = nodes.extended(
        np.array([sentence for sentence, _, _ in added], np.intp),
        label=labels,
        parent=np.array([parent for _, _, parent in added], np.int32),
    )
    parent_of = more.parent.copy()
    parent_of[old] = node_parent
    changed = bank.replace(vocabulary=vocabulary).with_structure(
        token_parent=token_parent, nodes=more, node_parent=parent_of
    )
    return changed.with_events(name, events)


def _as_items(parents: Int32Array, words: int) -> list[int]:
    items: list[int] = np.where(parents == NO_PARENT, NO_PARENT, parents + words).tolist()
    return items
