"""Constituents as ``nltk.Tree`` and back, for your own transformations and for NLTK's tools.

A tag is a tree with one leaf, ``Tree("NN", ["dog"])``; labels are categories, functions are not
written. Siblings are ordered by their first word. A sentence with several roots, or with none, is put
under one node with the empty label.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import ConversionError
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.tables import NO_PARENT
from crossbank.treebanks.treebank import Treebank

if TYPE_CHECKING:
    from nltk import Tree


def to_tree(bank: Treebank, sentence: int, *, indices: bool = False) -> Tree:
    """The constituents of a sentence as a tree whose leaves are forms.

    With ``indices`` the leaves are the positions of the words from 0, and constituents may be
    discontinuous, as NLTK's ``TreePrettyPrinter`` and disco-dop have it; without, a discontinuous
    constituent raises ConversionError.
    """
    from nltk import Tree

    token_rows, node_rows = bank.tokens.rows(sentence), bank.nodes.rows(sentence)
    if not indices and bank.spans.discontinuous[node_rows].any():
        raise ConversionError(
            f"{bank.where(sentence)}: sentence {bank.sentence_id(sentence)}: found a discontinuous "
            "constituent, expected continuous ones (resolve crossing branches, or ask for indices=True)"
        )
    decode = bank.vocabulary.decode
    forms, tags = decode(bank.tokens.form[token_rows]), decode(bank.tokens.pos[token_rows])
    trees = [Tree(label, []) for label in decode(bank.nodes.label[node_rows])]
    parents = bank.nodes.parent[node_rows].tolist()
    starts = bank.spans.start[node_rows].tolist()
    roots: list[Tree] = []
    node = 0
    for token, parent in enumerate(bank.tokens.parent[token_rows].tolist()):
        while node < len(trees) and starts[node] == token:  # the nodes that begin here, from the top down
            (trees[parents[node]] if parents[node] != NO_PARENT else roots).append(trees[node])
            node += 1
        leaf = Tree(tags[token], [token if indices else forms[token]])
        (trees[parent] if parent != NO_PARENT else roots).append(leaf)
    return roots[0] if len(roots) == 1 else Tree("", roots)


def from_trees(trees: Sequence[Tree], words: Sequence[Sequence[str]] | None = None) -> Treebank:
    """A treebank of trees, ``ParentedTree`` and other kinds too.

    Leaves are words, or pairs of word and tag as NLTK's chunkers have them, or, with ``words`` (the
    words of each sentence), positions in the sentence from 0, each of them once; then constituents
    may be discontinuous. A leaf that is not alone under its label is a word without a tag. Subtrees
    without leaves are left out and counted in the diagnosis.

    Raises ConversionError where ``words`` are missing or do not fit the leaves.
    """
    if words is not None and len(words) != len(trees):
        raise ConversionError(
            f"words: found {quantity(len(words), 'sentence')}, expected {len(trees)}, one for each tree"
        )
    builder = TreebankBuilder(source="nltk")
    for number, tree in enumerate(trees, 1):
        builder.sentence()
        leaves = _add_nodes(builder, tree)
        if words is not None:
            leaves = _in_order_of_words(leaves, words[number - 1], number)
        for leaf, tag, parent in leaves:
            if isinstance(leaf, int):
                raise ConversionError(
                    f"tree {number}: found the leaf {leaf}, a position, expected words= with it"
                )
            form, pos = leaf if isinstance(leaf, tuple) else (leaf, tag)
            builder.token(form=str(form), pos=str(pos), parent=parent)
    return builder.build()


def _add_nodes(builder: TreebankBuilder, tree: Tree) -> list[tuple[Any, str, int]]:
    """Add the nodes of a tree in pre-order; returns its leaves with their tags and parents."""
    leaves: list[tuple[Any, str, int]] = []
    waiting: list[tuple[Any, int]] = [(tree, NO_PARENT)]
    while waiting:
        item, parent = waiting.pop()
        if not hasattr(item, "label"):
            leaves.append((item, "", parent))
        elif len(item) == 1 and not hasattr(item[0], "label") and not isinstance(item[0], tuple):
            leaves.append((item[0], item.label(), parent))
        elif item.label() or len(item):
            node = builder.node(label=str(item.label()), parent=parent)
            waiting.extend((child, node) for child in reversed(list(item)))
    return leaves


def _in_order_of_words(
    leaves: list[tuple[Any, str, int]], words: Sequence[str], number: int
) -> list[tuple[Any, str, int]]:
    positions = [leaf for leaf, _, _ in leaves]
    if any(type(p) is not int for p in positions) or sorted(positions) != list(range(len(words))):
        raise ConversionError(
            f"tree {number}: the numbers of its leaves are not the positions of "
            f"{quantity(len(words), 'word')}, "
            "expected each position from 0 once"
        )
    return [(words[p], tag, parent) for p, tag, parent in sorted(leaves, key=lambda leaf: leaf[0])]
