"""Read c-structures of XLE: the tokens and phrases of a solution.

XLE writes trees in binary steps: ``subtree(1886,'IP',1983,2128)`` adds the child 2128 to those that 1983 has
so far, so 1983 is no node of its own. Below words it has their morphemes (``jage +Verb +Past``) as terminals
of one ``surfaceform``. A token is a surface form. The lowest node over all its terminals is its part of
speech, as in brackets; the first morphemes are its lemma, those with a plus its morphological features.
"""

from __future__ import annotations

from typing import NamedTuple

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.tables import NO_PARENT


class Subtree(NamedTuple):
    """A step of a c-structure: the node of all children but the last (empty: none), and the last child."""

    label: str
    left: str
    right: str


class XleTerminal(NamedTuple):
    """A morpheme or word, and the surface forms that it belongs to."""

    form: str
    surface: tuple[str, ...]


class SurfaceForm(NamedTuple):
    """A word as it is in the text, with the offsets of its first character and after its last one."""

    form: str
    begin: int
    end: int


class CStructure(NamedTuple):
    """The c-structure of one solution; the keys are numbers of nodes."""

    subtrees: dict[str, Subtree]
    terminals: dict[str, XleTerminal]
    surface: dict[str, SurfaceForm]


class _Node(NamedTuple):
    """A node or terminal of the tree: its number in the facts, the index of its parent, and its depth."""

    number: str
    parent: int
    depth: int


def add_tree(builder: TreebankBuilder, facts: CStructure) -> list[int]:
    """Add the tokens and nodes of a c-structure; return the offset of each token in the text.

    Raises ValueError, with its number, for a node under two parents.
    """
    placed = _placed(facts)
    if not facts.surface:
        facts = _with_surface_forms(facts, placed)
    surface = facts.surface
    order = sorted(surface, key=lambda number: (surface[number].begin, surface[number].end))
    token_of = {number: token for token, number in enumerate(order)}
    above: list[set[int]] = [set() for _ in placed]
    terminals: list[list[int]] = [[] for _ in order]
    lost = 0
    for index, node in enumerate(placed):
        terminal = facts.terminals.get(node.number) if node.number not in facts.subtrees else None
        if terminal is None:
            continue
        own = [token_of[number] for number in terminal.surface if number in token_of]
        lost += not own
        for token in own:
            terminals[token].append(index)
        while node.parent != NO_PARENT:
            above[node.parent].update(own)
            node = placed[node.parent]
    if lost:
        builder.count_event("terminals that belong to no surface form", lost)
    words = [surface[number] for number in order]
    _add_columns(builder, facts, placed, above, terminals, [word.form for word in words])
    return [word.begin for word in words]


def _with_surface_forms(facts: CStructure, placed: list[_Node]) -> CStructure:
    """Return the c-structure with each terminal as a word, in the order of the tree."""
    terminals = [node.number for node in placed if node.number in facts.terminals]
    forms = {number: facts.terminals[number].form for number in terminals}
    return facts._replace(
        terminals={number: XleTerminal(form, (number,)) for number, form in forms.items()},
        surface={
            number: SurfaceForm(form, index, index) for index, (number, form) in enumerate(forms.items())
        },
    )


def _placed(facts: CStructure) -> list[_Node]:
    """Return the nodes and terminals from the root down, each before its children, from left to right."""
    subtrees = facts.subtrees
    steps = {subtree.left for subtree in subtrees.values()}
    below = {subtree.right for subtree in subtrees.values()}
    roots = [number for number in subtrees if number not in below and number not in steps]
    placed: list[_Node] = []
    seen: set[str] = set()
    todo = [_Node(number, NO_PARENT, 0) for number in reversed(roots)]
    while todo:
        node = todo.pop()
        if node.number in seen:
            raise ValueError(node.number)
        seen.add(node.number)
        index = len(placed)
        placed.append(node)
        step = subtrees.get(node.number)
        while step is not None:
            todo.append(_Node(step.right, index, node.depth + 1))
            if step.left in seen:
                raise ValueError(step.left)
            if step.left:
                seen.add(step.left)
            step = subtrees.get(step.left)
    return placed


def _add_columns(
    builder: TreebankBuilder,
    facts: CStructure,
    placed: list[_Node],
    above: list[set[int]],
    terminals: list[list[int]],
    words: list[str],
) -> None:
    parts_of_speech, parents = [""] * len(words), [NO_PARENT] * len(words)
    lemmas, morphs = [""] * len(words), [""] * len(words)
    inside = [False] * len(placed)  # parts of speech and the nodes below them
    for token, indices in enumerate(terminals):
        if not indices:
            continue
        lowest = placed[indices[0]].parent
        for index in indices[1:]:
            lowest = _lowest_common_ancestor(placed, lowest, placed[index].parent)
        forms = [facts.terminals[placed[index].number].form for index in indices]
        lemmas[token] = " ".join(form for form in forms if not form.startswith("+") or form == "+")
        morphs[token] = "|".join(form[1:] for form in forms if form.startswith("+") and form != "+")
        if lowest == NO_PARENT:
            continue
        alone = len(above[lowest]) == 1
        tagged = lowest if alone else placed[indices[0]].parent
        parts_of_speech[token] = facts.subtrees[placed[tagged].number].label
        inside[lowest] |= alone
        parents[token] = placed[lowest].parent if alone else lowest
    number = [NO_PARENT] * len(placed)
    labels: list[str] = []
    names: list[str] = []
    node_parents: list[int] = []
    for index, node in enumerate(placed):
        inside[index] |= node.parent != NO_PARENT and inside[node.parent]
        if inside[index] or node.number not in facts.subtrees:
            continue
        number[index] = len(labels)
        labels.append(facts.subtrees[node.number].label)
        names.append(node.number)
        node_parents.append(NO_PARENT if node.parent == NO_PARENT else number[node.parent])
    builder.tokens(
        form=words,
        lemma=lemmas,
        pos=parts_of_speech,
        morph=morphs,
        parent=[parent if parent == NO_PARENT else number[parent] for parent in parents],
    )
    builder.nodes(label=labels, name=names, parent=node_parents)


def _lowest_common_ancestor(placed: list[_Node], one: int, other: int) -> int:
    while one != other and NO_PARENT not in (one, other):
        if placed[one].depth >= placed[other].depth:
            one = placed[one].parent
        else:
            other = placed[other].parent
    return one if one == other else NO_PARENT
