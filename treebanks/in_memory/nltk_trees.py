"""Convert constituents to ``nltk.Tree`` and back, for custom transformations and NLTK's tools.

A tag is a tree with one leaf, ``Tree("NN", ["dog"])``; labels are categories, functions are not
written. Siblings are ordered by their first word. A sentence with several roots, or with none, is put
under one node with the empty label.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from crossbank.treebanks.builder import Codes, ordered
from crossbank.treebanks.errors import ConversionError
from crossbank.treebanks.extras import needing
from crossbank.treebanks.in_memory.elements import ElementError, ElementType, find_element_type, named
from crossbank.treebanks.quantities import quantity
from crossbank.treebanks.tables import NO_PARENT, Nodes, Sentences, Tokens
from crossbank.treebanks.treebank import Treebank
from crossbank.treebanks.vocabulary import Vocabulary

if TYPE_CHECKING:
    from nltk import Tree


def to_tree(bank: Treebank, sentence: int, *, indices: bool = False) -> Tree:
    """Return the constituents of a sentence as a tree whose leaves are forms.

    With ``indices`` the leaves are the positions of the words from 0, and constituents may be
    discontinuous, as NLTK's ``TreePrettyPrinter`` and disco-dop have it; without, a discontinuous
    constituent raises ConversionError.
    """
    with needing("a tree of NLTK"):
        from nltk import Tree

    token_rows, node_rows = bank.tokens.rows(sentence), bank.nodes.rows(sentence)
    if not indices and bank.spans.discontinuous[node_rows].any():
        expected = "continuous ones (resolve crossing branches, or ask for indices=True)"
        raise bank.refused(sentence, f"found a discontinuous constituent, expected {expected}")
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
    """Return a treebank of trees, including ``ParentedTree`` and other subclasses.

    Leaves are words, or pairs of word and tag as NLTK's chunkers have them, or, with ``words`` (the
    words of each sentence), positions in the sentence from 0, each of them once; then constituents
    may be discontinuous. A leaf that is not alone under its label is a word without a tag. Subtrees
    without leaves are omitted and counted in the diagnosis.

    Raises ConversionError where ``words`` are missing or do not fit the leaves, ElementError for an element
    that is not a tree or has a label that is not a string.
    """
    if words is not None and len(words) != len(trees):
        actual = quantity(len(words), "sentence")
        raise ConversionError(f"words: found {actual}, expected {len(trees)}, one for each tree")
    for index, tree in enumerate(trees):
        if find_element_type(tree) is not ElementType.NLTK:
            raise ElementError("trees", index, named(tree), ElementType.NLTK.value)
    return treebank_of(trees, "trees", words=words)


def treebank_of(
    trees: Sequence[Tree | str | None],
    name: str,
    first: int = 0,
    *,
    words: Sequence[Sequence[str]] | None = None,
) -> Treebank:
    """Return a treebank with a sentence for each tree, as ``from_trees`` makes it.

    None and "" have no parse.
    """
    codes = Codes({"": 0})
    tokens: dict[str, list[int]] = {"form": [], "pos": [], "parent": []}
    nodes: dict[str, list[int]] = {"label": [], "parent": []}
    token_ends, node_ends = [0], [0]
    forms, tags, parents = tokens["form"], tokens["pos"], tokens["parent"]
    for index, tree in enumerate(trees):
        if tree is not None and not isinstance(tree, str):
            leaves: list[Any] = []
            try:
                _add(tree, codes, leaves, (tags, parents), (nodes["label"], nodes["parent"]))
                if words is not None:
                    order, leaves = _in_order_of_words(leaves, words[index], index + 1)
                    for column in (tags, parents):
                        column[len(forms) :] = [column[len(forms) + leaf] for leaf in order]
                elif set(map(type, leaves)) != {str}:
                    leaves = _words(leaves, codes, tags)
                forms.extend(map(codes.__getitem__, leaves))
            except _WrongTreeError as error:
                raise ElementError(name, first + index, *error.args) from error
        token_ends.append(len(forms))
        node_ends.append(len(nodes["label"]))

    source = codes[name]
    columns = [{c: np.array(values, np.int32) for c, values in table.items()} for table in (tokens, nodes)]
    bank = Treebank.of_tables(
        Vocabulary(tuple(codes)),
        Sentences.numbered(len(trees), source),
        Tokens.of(np.array(token_ends, np.int64), **columns[0]),
        Nodes.of(np.array(node_ends, np.int64), **columns[1]),
    )
    return ordered(bank)


MAX_DEPTH = 100_000
"""The maximal depth of a tree: a deeper one contains itself."""


class _WrongTreeError(Exception):
    """A tree that cannot be read: what was found, and what was expected."""


def _add(
    tree: Tree,
    codes: Codes,
    leaves: list[Any],
    of_leaves: tuple[list[int], list[int]],
    of_nodes: tuple[list[int], list[int]],
) -> None:
    """Add a tree to the columns: leaves with tags and parents, nodes in pre-order with labels and parents."""
    (tags, parents), (labels, above) = of_leaves, of_nodes
    first = len(labels)
    waiting: list[Iterator[Any]] = [iter([tree])]
    nodes = [NO_PARENT]
    while waiting:
        for item in waiting[-1]:
            if not isinstance(item, list) or type(item) is list:
                leaves.append(item)
                tags.append(0)
                parents.append(nodes[-1])
                continue
            inner: Any = item
            label = inner.label()
            if type(label) is not str:
                label = _string(label)
            # NLTK's own item[0] is a function in Python.
            first_below = list.__getitem__(inner, 0) if len(inner) == 1 else inner
            if type(first_below) is str or not isinstance(first_below, (list, tuple)):
                leaves.append(first_below)
                tags.append(codes[label])
                parents.append(nodes[-1])
            elif len(nodes) > MAX_DEPTH:
                actual = f"a tree deeper than {MAX_DEPTH:,} nodes"
                raise _WrongTreeError(actual, "one that does not contain itself")
            elif label or len(inner):
                labels.append(codes[label])
                above.append(nodes[-1])
                nodes.append(len(labels) - first - 1)
                waiting.append(iter(inner))
                break
        else:
            waiting.pop()
            nodes.pop()


def _words(leaves: Sequence[Any], codes: Codes, tags: list[int]) -> list[str]:
    """Return the words of leaves of other types; the tags of pairs go to ``tags``."""
    forms = []
    for index, leaf in enumerate(leaves, len(tags) - len(leaves)):
        if isinstance(leaf, int):
            raise _WrongTreeError(f"the leaf {leaf}, a position", "a word, or words= of from_trees")
        if isinstance(leaf, tuple) and len(leaf) == 2:
            leaf, tag = leaf
            tags[index] = codes[_string(tag)]
        forms.append(_string(leaf))
    return forms


def _string(value: object) -> str:
    """Return a label or a word as a string: nonterminals of NLTK's grammars are labels, too."""
    if isinstance(value, str) or type(value).__module__ == "nltk.grammar":
        return str(value)
    raise _WrongTreeError(f"{named(value)} in a tree", "strings")


def _in_order_of_words(
    leaves: Sequence[Any], words: Sequence[str], number: int
) -> tuple[list[int], list[str]]:
    """Return the indices of the leaves in the order of their words, and the words."""
    if any(type(p) is not int for p in leaves) or sorted(leaves) != list(range(len(words))):
        problem = f"the numbers of its leaves are not the positions of {quantity(len(words), 'word')}"
        raise ConversionError(f"tree {number}: {problem}, expected each position from 0 once")
    return sorted(range(len(leaves)), key=leaves.__getitem__), list(words)
