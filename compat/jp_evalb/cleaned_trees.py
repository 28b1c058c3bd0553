"""Trees as jp-evalb reads them: one line, one tree, without the labels that its parameters delete."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from crossbank.compat.jp_evalb.jp_parameters import JpParameters
from crossbank.metrics.modes.protocol import Path
from crossbank.treebanks.errors import FormatError

TOKENS = re.compile(r"\(\s*([^\s()]+)?|\)|([^\s()]+)")
"""Brackets with their labels, and leaves, as ``nltk.Tree.fromstring`` splits a string."""

QUOTES = frozenset("'\"/")
"""The words that QUOTE_LABEL deletes."""

Constituent: TypeAlias = tuple[str, int, int]
"""Label, first leaf and one past the last; these are the same if all leaves are deleted."""


@dataclass
class JpTree:
    """A tree, before and after labels are deleted.

    text          its words in small letters, joined by spaces; of a tree as it was read
    leaves        the words that remain
    tags          the tag and the word of each preterminal that remains
    constituents  in pre-order: nodes with at least two levels below them
    deleted       the number of subtrees deleted whose label is not one of DELETE_LABEL_FOR_LENGTH
    """

    text: str
    leaves: list[str] = field(default_factory=list)
    tags: list[tuple[str, str]] = field(default_factory=list)
    constituents: list[Constituent] = field(default_factory=list)
    deleted: int = 0


@dataclass
class _Node:
    """A node that is being read.

    position  its position in the list of constituents
    start     the number of leaves before it
    """

    label: str
    is_deleted: bool
    position: int
    start: int
    words: list[str] = field(default_factory=list)
    children: int = 0
    height: int = 1


def read_jp_tree(line: str, parameters: JpParameters, path: Path, number: int) -> JpTree:
    """Return the tree of a line. Raises FormatError for what ends jp-evalb with a traceback."""

    def refused(actual: str, expected: str) -> FormatError:
        return FormatError(path, actual, expected, line=number)

    tree = JpTree("")
    words: list[str] = []
    places: list[Constituent | None] = []
    stack: list[_Node] = []
    roots = 0
    root_children = 0
    for match in TOKENS.finditer(line):
        token = match.group()
        if token[0] == "(":
            if not stack:
                roots += 1
            if roots > 1:
                raise refused("more than one tree", "one tree on each line")
            if stack and stack[-1].words:
                raise refused("a word beside a node", "a word under a tag of its own")
            label = match.group(1) or ""
            above = stack[-1] if stack else None
            if above is not None:
                above.children += 1
            is_deleted = above is not None and (above.is_deleted or label in parameters.deleted)
            if above is not None and is_deleted and not above.is_deleted:
                tree.deleted += label not in parameters.deleted_for_length
            stack.append(_Node(label, is_deleted, len(places), len(tree.leaves)))
            places.append(None)
        elif token == ")":
            if not stack:
                raise refused("a closing bracket too many", "balanced brackets")
            node = stack.pop()
            above = stack[-1] if stack else None
            if not stack:
                root_children = node.children + len(node.words)
            if node.words:
                word = node.words[0]
                is_quote = above is not None and node.label in parameters.quotes and word in QUOTES
                if is_quote and not node.is_deleted:
                    node.is_deleted = True
                    tree.deleted += node.label not in parameters.deleted_for_length
                node.height = 2
                if not node.is_deleted:
                    tree.leaves.append(word)
                    if node.label not in parameters.deleted:
                        tree.tags.append((node.label, word))
            elif node.label in parameters.quotes and not node.is_deleted and above is not None:
                raise refused(f"{node.label} over no word", "a word")
            if node.height > 2 and not node.is_deleted:
                places[node.position] = (node.label, node.start, len(tree.leaves))
            if above is not None and not node.is_deleted:
                above.height = max(above.height, node.height + 1)
        else:
            if not stack:
                raise refused(f"the word {token!r} outside of brackets", "a tree")
            if stack[-1].words or stack[-1].children:
                raise refused(
                    f"the word {token!r} beside another word or node", "a word under a tag of its own"
                )
            stack[-1].words.append(token)
            words.append(token)
    if stack or not roots:
        raise refused("an unfinished tree" if stack else "an empty line", "one tree on each line")
    tree.text = " ".join(words).lower()
    tree.constituents = [one for one in places if one is not None]
    if root_children > 1:
        # A root with several children gets another root, TOP, which deletes nothing of its own.
        label = match_label(line)
        if label in parameters.deleted:
            return JpTree(tree.text, deleted=int(label not in parameters.deleted_for_length))
    return tree


def match_label(line: str) -> str:
    """Return the label of the root of a line."""
    match = TOKENS.search(line)
    assert match is not None
    return match.group(1) or ""


def joined_trees(trees: Sequence[JpTree]) -> JpTree:
    """Return trees side by side under one root, which is no constituent (TOP)."""
    joined = JpTree("")
    for tree in trees:
        before = len(joined.leaves)
        joined.constituents += [(label, one + before, end + before) for label, one, end in tree.constituents]
        joined.leaves += tree.leaves
        joined.tags += tree.tags
    return joined


def counted_constituents(tree: JpTree, empty: frozenset[str]) -> Iterator[Constituent]:
    """Yield the constituents that count: not TOP, labels cut at the first hyphen, not those of a set."""
    for label, start, end in tree.constituents:
        if label != "TOP":
            label = label.partition("-")[0]
            if label not in empty:
                yield label, start, end
