"""Errors of known type, number and depth, planted into trees to compare how measures count them.

An error is of one of five types: an attachment that is too high or too low, a missing or an additional
constituent, and a wrong label. The errors of a sentence are in different
constituents: no constituent and none of its children take part in two of them, so that none repairs another.

After Rehbein and van Genabith (2007), section 5, where sentences with one error each are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from crossbank.treebanks.arrays import Int32Array, offsets_of
from crossbank.treebanks.errors import ConversionError
from crossbank.treebanks.tables import NO_PARENT, Nodes, node_end
from crossbank.treebanks.treebank import Treebank


@dataclass(frozen=True)
class PlantedError:
    """An error of a sentence; nodes are indices within the sentence, items as in secondary edges.

    type      a name of ``TYPES``
    depth     the depth of the constituent that is wrong, or under which the item is in gold: 1 for roots
    node      that constituent
    items     the items that are attached elsewhere or put under an additional node; empty for other types
    target    the new parent of the items that are attached elsewhere
    label     the code of the label of a relabelled or additional node
    nodes     the nodes that take part
    """

    type: str
    depth: int
    node: int
    items: tuple[int, ...] = ()
    target: int = NO_PARENT
    label: int = 0
    nodes: frozenset[int] = frozenset()


class _SentenceTree:
    """Tree of a sentence: parents and depths of its nodes, and children in the order of the words."""

    def __init__(self, bank: Treebank, sentence: int) -> None:
        node_rows, token_rows = bank.nodes.rows(sentence), bank.tokens.rows(sentence)
        self.parents: list[int] = bank.nodes.parent[node_rows].tolist()
        self.depths: list[int] = []
        for parent in self.parents:
            self.depths.append(1 if parent == NO_PARENT else self.depths[parent] + 1)
        self.children: list[list[int]] = [[] for _ in self.parents]
        start = bank.spans.start[node_rows].tolist()
        items = [(start[node], node_end(node), parent) for node, parent in enumerate(self.parents)]
        items += [
            (token, token, parent) for token, parent in enumerate(bank.tokens.parent[token_rows].tolist())
        ]
        for _, item, parent in sorted(items):
            if parent != NO_PARENT:
                self.children[parent].append(item)

    def error(
        self, type: str, node: int, items: tuple[int, ...] = (), target: int = NO_PARENT
    ) -> PlantedError:
        """Return an error at a node."""
        nodes = {node_end(item) for item in self.children[node] if item < 0} | {node, target} - {NO_PARENT}
        return PlantedError(type, self.depths[node], node, items, target, nodes=frozenset(nodes))


def _find_labels(tree: _SentenceTree) -> Iterator[PlantedError]:
    for node, parent in enumerate(tree.parents):
        if parent != NO_PARENT:
            yield tree.error("label", node)


def _find_missing_nodes(tree: _SentenceTree) -> Iterator[PlantedError]:
    for node, parent in enumerate(tree.parents):
        if parent != NO_PARENT:
            yield tree.error("missing node", node)


def _find_additional_nodes(tree: _SentenceTree) -> Iterator[PlantedError]:
    """Yield two neighbouring children of a constituent with at least three."""
    for node, children in enumerate(tree.children):
        if len(children) > 2:
            for pair in pairwise(children):
                yield tree.error("additional node", node, pair)


def _find_high_attachments(tree: _SentenceTree) -> Iterator[PlantedError]:
    """Yield the first or last child of a constituent, attached to the one above."""
    for node, children in enumerate(tree.children):
        if tree.parents[node] != NO_PARENT and len(children) > 1:
            for item in (children[0], children[-1]):
                target = tree.parents[node]
                yield tree.error("too high", node, (item,), target)


def _find_low_attachments(tree: _SentenceTree) -> Iterator[PlantedError]:
    """Yield a child of a constituent, attached to the sibling before it."""
    for node, children in enumerate(tree.children):
        for before, item in pairwise(children):
            if before < 0 and len(children) > 2:
                yield tree.error("too low", node, (item,), node_end(before))


SITES: Mapping[str, Callable[[_SentenceTree], Iterator[PlantedError]]] = {
    "too high": _find_high_attachments,
    "too low": _find_low_attachments,
    "missing node": _find_missing_nodes,
    "additional node": _find_additional_nodes,
    "label": _find_labels,
}

TYPES = tuple(SITES)


def draw_errors(bank: Treebank, types: Collection[str], number: int, seed: int) -> list[list[PlantedError]]:
    """Draw up to a number of errors for each sentence, in the order in which they are planted.

    Types are drawn with equal probability from those that are possible in a sentence, labels of relabelled
    and additional nodes from those of the treebank by their frequency. Raises ConversionError for
    discontinuous constituents.
    """
    if bank.spans.discontinuous.any():
        sentence = bank.nodes.sentence_of(int(bank.spans.discontinuous.argmax()))
        expected = "continuous ones (the transformation raise_crossing makes them continuous)"
        raise ConversionError(
            f"{bank.where(sentence)}: found a discontinuous constituent, expected {expected}"
        )
    random = np.random.default_rng(seed)
    errors = [_draw(_SentenceTree(bank, sentence), types, number, random) for sentence in range(len(bank))]
    labels = _Labels(bank.nodes.label, random)
    return [
        [labels.complete(error, int(base) + error.node) for error in of_sentence]
        for base, of_sentence in zip(bank.nodes.offsets, errors, strict=False)
    ]


def _draw(
    tree: _SentenceTree, types: Collection[str], number: int, random: np.random.Generator
) -> list[PlantedError]:
    sites = {type: list(SITES[type](tree)) for type in types}
    errors: list[PlantedError] = []
    used: set[int] = set()
    while len(errors) < number:
        sites = {
            type: remaining
            for type, of_type in sites.items()
            if (remaining := [site for site in of_type if used.isdisjoint(site.nodes)])
        }
        if not sites:
            break
        of_type = list(sites.values())[random.integers(len(sites))]
        error = of_type[random.integers(len(of_type))]
        errors.append(error)
        used |= error.nodes
    return errors


class _Labels:
    """Labels of a treebank, drawn by their frequency."""

    def __init__(self, labels: Int32Array, random: np.random.Generator) -> None:
        self.labels, self._random = labels, random
        self._others: dict[int, Int32Array] = {}

    def complete(self, error: PlantedError, row: int) -> PlantedError:
        """Return an error with a drawn label, if its type has one; it differs from gold's if possible."""
        if error.type not in ("label", "additional node"):
            return error
        choices = self.labels
        if error.type == "label":
            label = int(self.labels[row])
            if label not in self._others:
                self._others[label] = self.labels[self.labels != label]
            choices = self._others[label] if len(self._others[label]) else self.labels
        return replace(error, label=int(choices[self._random.integers(len(choices))]))


def plant(bank: Treebank, errors: Sequence[Sequence[PlantedError]]) -> Treebank:
    """Return a treebank with the errors of each sentence."""
    nodes, tokens = bank.nodes, bank.tokens
    label, node_parent, token_parent = nodes.label.copy(), nodes.parent.copy(), tokens.parent.copy()
    sizes = nodes.lengths()
    added = np.zeros(len(bank), np.int64)
    rows: list[int] = []
    additional: list[PlantedError] = []
    for sentence, of_sentence in enumerate(errors):
        node_rows, token_rows = nodes.rows(sentence), tokens.rows(sentence)
        parents_of_nodes, parents_of_tokens = node_parent[node_rows], token_parent[token_rows]
        for error in of_sentence:
            target = error.target
            if error.type == "label":
                label[node_rows][error.node] = error.label
            elif error.type == "additional node":
                target = int(sizes[sentence] + added[sentence])
                added[sentence] += 1
                rows.append(node_rows.stop)
                additional.append(error)
            for item in error.items:
                if item < 0:
                    parents_of_nodes[node_end(item)] = target
                else:
                    parents_of_tokens[item] = target
        for error in of_sentence:
            if error.type == "missing node":
                above = parents_of_nodes[error.node]
                parents_of_nodes[parents_of_nodes == error.node] = above
                parents_of_tokens[parents_of_tokens == error.node] = above
    columns = {name: np.insert(getattr(nodes, name), rows, 0) for name in nodes.known()}
    columns["label"] = np.insert(label, rows, [error.label for error in additional])
    columns["parent"] = np.insert(node_parent, rows, [error.node for error in additional])
    table = Nodes.of(offsets_of(sizes + added), **columns)
    return bank.with_structure(token_parent=token_parent, node_parent=table.parent, nodes=table)
