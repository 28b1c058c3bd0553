"""One sentence's tree with its children in order, for conversions that rewrite constructions."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from crossbank.converters.functions import functions_of_nodes
from crossbank.converters.schemes.scheme import Scheme
from crossbank.treebanks import NO_PARENT, Treebank
from crossbank.treebanks.diagnosis import finding


class LocalTree:
    """A sentence that can be changed.

    An item is a word or a node: word ``i`` is written ``i``, node ``j`` is written ``~j``.

    forms, tags               of the words
    categories, functions     of the nodes, without indices and subclasses
    token_parent, node_parent positions of nodes, or ``NO_PARENT``
    children                  of each node, in order of their first words
    starts                    the first word of each node
    added                     label and parent of each node that was not read; they come last
    """

    def __init__(
        self,
        forms: list[str],
        tags: list[str],
        token_parent: list[int],
        categories: list[str],
        functions: list[str],
        node_parent: list[int],
        starts: list[int],
    ) -> None:
        self.forms, self.tags, self.token_parent = forms, tags, token_parent
        self.categories, self.functions, self.node_parent = categories, functions, node_parent
        self.starts = starts
        self.added: list[tuple[str, int]] = []
        self.children: list[list[int]] = [[] for _ in categories]
        node = 0
        for token, parent in enumerate(token_parent):
            while node < len(starts) and starts[node] == token:  # what begins here, from the top down
                if node_parent[node] != NO_PARENT:
                    self.children[node_parent[node]].append(~node)
                node += 1
            if parent != NO_PARENT:
                self.children[parent].append(token)

    def parent(self, item: int) -> int:
        """The node that a word or node hangs on."""
        return self.token_parent[item] if item >= 0 else self.node_parent[~item]

    def label(self, item: int) -> str:
        """The tag of a word, the category of a node."""
        return self.tags[item] if item >= 0 else self.categories[~item]

    def first(self, item: int) -> int:
        """The first word of an item."""
        return item if item >= 0 else self.starts[~item]

    def move(self, item: int, parent: int) -> None:
        """Hang a word or node on another node, in its place among the children there."""
        above = self.parent(item)
        if above != NO_PARENT:
            self.children[above].remove(item)
        if item >= 0:
            self.token_parent[item] = parent
        else:
            self.node_parent[~item] = parent
        if parent != NO_PARENT:
            insort(self.children[parent], item, key=self.first)
        node, start = parent, self.first(item)
        while node != NO_PARENT and self.starts[node] > start:
            self.starts[node] = start
            node = self.node_parent[node]

    def dissolve(self, node: int) -> None:
        """Hang all children of a node on its parent; the node is left without any."""
        for child in list(self.children[node]):
            self.move(child, self.node_parent[node])
        if self.node_parent[node] != NO_PARENT:
            self.children[self.node_parent[node]].remove(~node)

    def insert(self, label: str, parent: int, items: Sequence[int]) -> None:
        """Put a new node over some children of a node."""
        self.added.append((label, parent))
        self.categories.append(label)
        self.functions.append("")
        self.node_parent.append(parent)
        self.children.append([])
        self.starts.append(min(map(self.first, items)))
        new = len(self.categories) - 1
        for item in items:
            self.move(item, new)
        insort(self.children[parent], ~new, key=self.first)


Rewrite = Callable[[int, LocalTree], Counter[str]]
"""Changes the tree of a sentence (its number comes first) and says how often it did what."""


def rewritten(
    bank: Treebank, scheme: Scheme, sentences: Iterable[int], rewrite: Rewrite, step: str
) -> Treebank:
    """A treebank after the trees of some sentences were rewritten; what happened is in its diagnosis."""
    named, function = functions_of_nodes(bank, scheme)
    category_of = [""] * len(bank.vocabulary)
    for code in np.unique(np.concatenate((bank.tokens.pos, bank.nodes.label))).tolist():
        category_of[code] = scheme.labels.main_category(bank.vocabulary[code])
    tokens, nodes, spans = bank.tokens, bank.nodes, bank.spans
    token_parent, node_parent = tokens.parent.copy(), nodes.parent.copy()
    added: list[tuple[int, str, int]] = []
    events: dict[str, list[int]] = {}
    for sentence in sentences:
        token_rows, node_rows = tokens.rows(sentence), nodes.rows(sentence)
        tree = LocalTree(
            bank.vocabulary.decode(tokens.form[token_rows]),
            [category_of[code] for code in tokens.pos[token_rows].tolist()],
            tokens.parent[token_rows].tolist(),
            [category_of[code] for code in nodes.label[node_rows].tolist()],
            named.vocabulary.decode(function[node_rows]),
            nodes.parent[node_rows].tolist(),
            spans.start[node_rows].tolist(),
        )
        happened = rewrite(sentence, tree)
        if not happened:
            continue
        token_parent[token_rows] = tree.token_parent
        node_parent[node_rows] = tree.node_parent[: node_rows.stop - node_rows.start]
        added += ((sentence, label, parent) for label, parent in tree.added)
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
    parents = more.parent.copy()
    parents[old] = node_parent
    changed = bank.replace(vocabulary=vocabulary).with_structure(
        token_parent=token_parent, nodes=more, node_parent=parents
    )
    return changed.diagnosed(
        *(finding(step, event, np.array(found, np.intp), len(bank)) for event, found in events.items())
    )
