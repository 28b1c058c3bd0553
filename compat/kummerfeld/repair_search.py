"""Greedy search for the edits that turn a candidate's tree into gold's.

In each step the edit that removes most wrong brackets is applied; of equal ones the first: a node relabelled,
added, removed, or siblings moved together, perhaps with a missing node around them.

Source: Kummerfeld, Hall, Curran and Klein (2012), Parser Showdown at the Wall Street Corral. EMNLP, section
3. The order of edits is that of ``transform_search.py`` of berkeley-parser-analyser.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from crossbank.compat.kummerfeld.edited_tree import Bracket, EditedTree, with_top
from crossbank.treebanks.tables import NO_PARENT

MAX_STEPS = 100
"""Number of edits after which berkeley-parser-analyser gives up a sentence."""


@dataclass(frozen=True)
class Repair:
    """An edit, with the labels by which it is classified.

    name            relabel, add, remove or move
    change          number of wrong brackets that the edit repairs
    label           label of the added or removed node
    parent          label of the parent of the added or removed node
    subtrees        labels of the children of the added or removed node, in order
    is_only_child   whether the removed node was an only child
    is_over_word    whether the edited node has one word as its only child
    right_siblings  labels of the siblings after the removed node, in order
    movers          labels of the moved nodes, in order
    old_parent, new_parent  labels of the moved nodes' parents before and after the move
    beside          labels of the siblings next to the moved nodes: before and after them, first under the old
                    parent, then under the new one
    """

    name: str
    change: int
    label: str = ""
    parent: str = ""
    subtrees: Sequence[str] = ()
    is_only_child: bool = False
    is_over_word: bool = False
    right_siblings: Sequence[str] = ()
    movers: Sequence[str] = ()
    old_parent: str = ""
    new_parent: str = ""
    beside: Sequence[str] = ()


class WrongBrackets(NamedTuple):
    """Brackets of two trees that differ, in the order of their spans.

    extra    brackets that the candidate has more often than gold
    missing  brackets that gold has more often and that cross no bracket of the candidate
    size     number of all wrong brackets, including crossing ones
    """

    extra: list[Bracket]
    missing: list[Bracket]
    size: int


def find_repairs(gold: EditedTree, candidate: EditedTree) -> list[Repair] | None:
    """Return the edits from a candidate's tree to gold's, or None after ``MAX_STEPS`` of them.

    Where the candidate's top is wrong, which ends the program with a traceback, both trees get a further top.
    """
    top = candidate.bracket(candidate.top)
    if _brackets(candidate).count(top) > _brackets(gold).count(top):
        gold, candidate = with_top(gold), with_top(candidate)
    tree, gold_brackets = candidate, _brackets(gold)
    repairs: list[Repair] = []
    while len(repairs) <= MAX_STEPS:
        wrong = _wrong_brackets(gold_brackets, _brackets(tree))
        if not wrong.size:
            return repairs
        tree, repair = _best_repair(tree, wrong, gold_brackets)
        repairs.append(repair)
    return None


def _brackets(tree: EditedTree) -> list[Bracket]:
    """Return the brackets of a tree in the order of their spans, then in pre-order."""
    brackets = [tree.bracket(node) for node in tree.constituents()]
    return sorted(brackets, key=lambda bracket: bracket[:2])


def _wrong_brackets(gold: list[Bracket], candidate: list[Bracket]) -> WrongBrackets:
    extra, gold_only = _unmatched(candidate, gold), _unmatched(gold, candidate)
    spans = {bracket[:2] for bracket in candidate} if gold_only else set()
    missing = [bracket for bracket in gold_only if not _crosses_any(bracket, spans)]
    return WrongBrackets(extra, missing, len(extra) + len(gold_only))


def _unmatched(brackets: list[Bracket], others: list[Bracket]) -> list[Bracket]:
    """Return the brackets without a match among ``others``, each of which matches one bracket only."""
    remaining, unmatched = Counter(others), []
    for bracket in brackets:
        if remaining[bracket] > 0:
            remaining[bracket] -= 1
        else:
            unmatched.append(bracket)
    return unmatched


def _crosses_any(bracket: Bracket, spans: set[tuple[int, int]]) -> bool:
    start, end, _ = bracket
    return any(left < start < right < end or start < left < end < right for left, right in spans)


def _best_repair(tree: EditedTree, wrong: WrongBrackets, gold: list[Bracket]) -> tuple[EditedTree, Repair]:
    """Return the tree after the best edit, and the edit.

    A relabelled node repairs two brackets, an added or removed one repairs one: only moves must be tried.
    """
    best = _relabel(tree, wrong) or _add(tree, wrong) or _remove(tree, wrong)
    for nodes, new_parent in _list_moves(tree, set(wrong.extra)):
        moved, added = _apply_move(tree, nodes, new_parent, gold)
        change = wrong.size - _wrong_brackets(gold, _brackets(moved)).size + (added is not None)
        if change > best[1].change:
            repair = _describe_move(tree, moved, nodes, new_parent, change)
            if added is not None:
                moved.add(added)
            best = moved, repair
    return best


def _relabel(tree: EditedTree, wrong: WrongBrackets) -> tuple[EditedTree, Repair] | None:
    for missing in wrong.missing:
        for extra in wrong.extra:
            if extra[:2] == missing[:2]:
                node = next(node for node in tree.nodes() if tree.bracket(node) == extra)
                edited = tree.copy()
                edited.labels[node] = missing.label
                return edited, Repair("relabel", 2, is_over_word=_is_over_word(edited, node))
    return None


def _add(tree: EditedTree, wrong: WrongBrackets) -> tuple[EditedTree, Repair] | None:
    if not wrong.missing:
        return None
    edited = tree.copy()
    node = edited.add(wrong.missing[0])
    return edited, Repair(
        "add",
        1,
        label=edited.labels[node],
        parent=edited.labels[edited.parents[node]],
        subtrees=edited.labels_of(edited.children[node]),
        is_over_word=_is_over_word(edited, node),
    )


def _remove(tree: EditedTree, wrong: WrongBrackets) -> tuple[EditedTree, Repair]:
    node = next(node for node in tree.nodes() if tree.bracket(node) == wrong.extra[0])
    edited, parent = tree.copy(), tree.parents[node]
    edited.remove(node)
    siblings = tree.children[parent]
    return edited, Repair(
        "remove",
        1,
        label=tree.labels[node],
        parent=tree.labels[parent],
        subtrees=tree.labels_of(tree.children[node]),
        is_only_child=len(siblings) == 1,
        is_over_word=_is_over_word(tree, node),
        right_siblings=tree.labels_of(siblings[siblings.index(node) + 1 :]),
    )


def _is_over_word(tree: EditedTree, node: int) -> bool:
    children = tree.children[node]
    return len(children) == 1 and not tree.children[children[0]]


def _list_moves(tree: EditedTree, extra: set[Bracket]) -> Iterator[tuple[list[int], int]]:
    """Yield adjacent siblings, and the constituents to which they can move, in the program's order."""

    def extra_among(nodes: Iterable[int]) -> list[int]:
        return [node for node in nodes if tree.children[node] and tree.bracket(node) in extra]

    for node in tree.constituents():
        children = tree.children[node]
        last = len(children) - 1
        if not last:  # an only child moves with its parent
            continue
        before = [extra_among(_edge(tree, child, -1)) for child in children]
        after = [extra_among(_edge(tree, child, 0)) for child in children]
        outside: list[list[int]] = [[], []]
        above: list[list[int]] = [[], []]
        if extra_among([node]):
            outside = [
                extra_among(tree.nodes_with(end=tree.start[node])),
                extra_among(tree.nodes_with(start=tree.end[node])),
            ]
            above = [_above(tree, node, tree.start), _above(tree, node, tree.end)]
        for left in range(last + 1):
            for right in range(left, last + 1):
                if (left, right) == (0, last):
                    continue
                parents: list[int] = []
                if left > 0:
                    parents += before[left - 1]
                if right < last:
                    parents += after[right + 1]
                ends = [end for end, is_end in enumerate((left == 0, right == last)) if is_end]
                parents += [one for end in ends for one in outside[end]]
                parents += [one for end in ends for one in above[end]]
                for parent in parents:
                    yield children[left : right + 1], parent


def _edge(tree: EditedTree, node: int, index: int) -> Iterator[int]:
    """Yield a node, its first or last child, and so on."""
    while tree.children[node]:
        yield node
        node = tree.children[node][index]


def _above(tree: EditedTree, node: int, edges: list[int]) -> list[int]:
    """Return the ancestors of a node up to the first whose parent has another edge; never the top."""
    nodes: list[int] = []
    above = tree.parents[node]
    while above != NO_PARENT and tree.parents[above] != NO_PARENT:
        nodes.append(above)
        above = tree.parents[above]
        if edges[above] != edges[node]:
            break
    return nodes


def _apply_move(
    tree: EditedTree, nodes: Sequence[int], new_parent: int, gold: list[Bracket]
) -> tuple[EditedTree, Bracket | None]:
    """Return the tree after a move, and the smallest missing bracket around the moved nodes."""
    moved = tree.copy()
    moved.move(nodes, new_parent)
    span = moved.start[nodes[0]], moved.end[nodes[-1]]
    added: Bracket | None = None
    for bracket in _wrong_brackets(gold, _brackets(moved)).missing:
        is_around = bracket.start <= span[0] and span[1] <= bracket.end and bracket[:2] != span
        if not is_around or bracket.start < moved.start[new_parent] or bracket.end > moved.end[new_parent]:
            continue
        if added is None or added.start < bracket.start or bracket.end < added.end:
            added = bracket
    return moved, added


def _describe_move(
    tree: EditedTree, moved: EditedTree, nodes: Sequence[int], new_parent: int, change: int
) -> Repair:
    """Return a move; ``moved`` is the tree after it, before a missing node is added."""
    old = tree.children[tree.parents[nodes[0]]]
    new = moved.children[new_parent]
    beside: list[str] = []
    for labels_of, siblings in ((tree.labels_of, old), (moved.labels_of, new)):
        first, last = siblings.index(nodes[0]), siblings.index(nodes[-1])
        beside += labels_of(siblings[max(first - 1, 0) : first]) + labels_of(siblings[last + 1 : last + 2])
    return Repair(
        "move",
        change,
        movers=tree.labels_of(nodes),
        old_parent=tree.labels[tree.parents[nodes[0]]],
        new_parent=tree.labels[new_parent],
        beside=beside,
    )
