r"""Read derivation trees in the Unified Derivation Format and labelled phrase trees, as in profiles.

A derivation is ``(root (id rule score start end daughter ...))``; above a word is its lexical entry,
``(id entry score start end ("form" id "token [...]" ...))``. With types (UDX) an entry is ``entry@type`` and
the head daughter is marked with ``^``. A phrase tree is ``(S (NP (N (it))) ...)``.

Source: github.com/delph-in/docs/wiki/ItsdbDerivations.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from crossbank.treebanks.formats.symbolic_expressions import Expression, ExpressionNotation, Item
from crossbank.treebanks.tables import NO_PARENT

NOTATION = ExpressionNotation(
    r'"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[^\s()"][^\s()]*', "a bracket, a string with its end, or a name"
)

HEAD_MARK = "^"
"""The mark of a head daughter in UDX."""

FIELD_NAMES = (
    "a number",
    "a rule or a lexical entry",
    "a score",
    "a vertex of the chart",
    "a vertex of the chart",
)
"""Names, for errors, of a node's items before its daughters."""

NUMBER_INDICES = (0, 3, 4)
"""The indices of the fields that are whole numbers."""


class DerivationNode(NamedTuple):
    """A node: a rule, a lexical entry (which has only words below it), or the label of a phrase tree.

    start, end  the vertices of the chart between which it is; -1 if unknown
    parent      the node above it, or ``NO_PARENT``
    """

    name: str
    type: str
    is_head: bool
    start: int
    end: int
    parent: int


class DerivationTerminal(NamedTuple):
    """A form, its tokens' feature structures with the file's escapes, and the index of its entry's node."""

    form: str
    tokens: list[str]
    entry: int


class Derivation(NamedTuple):
    """Nodes, each after its parent, and the forms from left to right."""

    rules: list[DerivationNode]
    terminals: list[DerivationTerminal]


def derivation(text: str) -> Derivation:
    """Read a derivation. Raises ExpressionError if it is damaged."""
    with NOTATION.reading(text) as items:
        return _derivation(text, _only_list(text, items, "derivation"))


def _derivation(text: str, root: Expression) -> Derivation:
    read = Derivation([], [])
    waiting = [(root, NO_PARENT)]
    while waiting:
        node, parent = waiting.pop()
        if node and _is_string(node[0]):
            if parent == NO_PARENT:
                raise NOTATION.error(text, node, 0, "it alone under a lexical entry", "a form")
            read.terminals.append(_terminal(text, node, parent))
            continue
        is_root_name = parent == NO_PARENT and len(node) > 1 and not isinstance(node[1], str)
        read.rules.append(_root(text, node) if is_root_name else _rule(text, node, parent))
        daughters = node[1 if is_root_name else len(FIELD_NAMES) :]
        for index, daughter in enumerate(daughters, len(node) - len(daughters)):
            if isinstance(daughter, str):
                raise NOTATION.error(text, node, index, "'(' or ')'")
            if len(daughters) > 1 and daughter and _is_string(daughter[0]):
                raise NOTATION.error(text, daughter, 0, "it alone under a lexical entry", "a form")
        if not daughters:
            raise NOTATION.error(text, node, len(node), "'(' and a daughter")
        waiting += [(one, len(read.rules) - 1) for one in reversed(daughters) if not isinstance(one, str)]
    return read


def phrase_tree(text: str) -> Derivation:
    """Read a labelled phrase tree. Raises ExpressionError if it is damaged."""
    with NOTATION.reading(text) as items:
        return _phrase_tree(text, _only_list(text, items, "tree"))


def _phrase_tree(text: str, root: Expression) -> Derivation:
    read = Derivation([], [])
    waiting = [(root, NO_PARENT)]
    while waiting:
        node, parent = waiting.pop()
        label = node[0] if node else None
        if not isinstance(label, str):
            raise NOTATION.error(text, node, 0, "a label or a word")
        below = node[1:]
        words = [_unquoted(item) for item in below if isinstance(item, str)]
        if not below:
            if parent == NO_PARENT:
                raise NOTATION.error(text, node, 1, "a daughter")
            read.terminals.append(DerivationTerminal(_unquoted(label), [], parent))
            continue
        if words and len(words) < len(below):
            first = isinstance(below[0], str)
            index = next(i for i, one in enumerate(node[1:], 1) if isinstance(one, str) != first)
            raise NOTATION.error(text, node, index, "')'" if first else "'(' or ')'")
        read.rules.append(DerivationNode(_unquoted(label), "", False, -1, -1, parent))
        read.terminals.extend(DerivationTerminal(word, [], len(read.rules) - 1) for word in words)
        waiting += [(one, len(read.rules) - 1) for one in reversed(below) if not isinstance(one, str)]
    return read


def _only_list(text: str, items: Expression, name: str) -> Expression:
    if not items or isinstance(items[0], str):
        raise NOTATION.error(text, items, 0, "'('")
    if len(items) > 1:
        raise NOTATION.error(text, items, 1, f"the end of the {name}")
    return items[0]


def _root(text: str, node: Expression) -> DerivationNode:
    if not isinstance(node[0], str):
        raise NOTATION.error(text, node, 0, "a node")
    return DerivationNode(node[0], "", False, -1, -1, NO_PARENT)


def _rule(text: str, node: Expression, parent: int) -> DerivationNode:
    """Read the fields of a node."""
    match node[: len(FIELD_NAMES)]:
        case [str(), str() as name, str() as score, str(), str()] if not _is_string(score):
            _, start, end = (_number(text, node, index) for index in NUMBER_INDICES)
            entity, _, type = _unquoted(name).partition("@")
            return DerivationNode(
                entity.removeprefix(HEAD_MARK), type, entity.startswith(HEAD_MARK), start, end, parent
            )
    atoms = [
        isinstance(item, str) and (index == 1 or not _is_string(item)) for index, item in enumerate(node)
    ]
    index = next((i for i, is_atom in enumerate(atoms[: len(FIELD_NAMES)]) if not is_atom), len(node))
    raise NOTATION.error(text, node, index, FIELD_NAMES[index])


def _terminal(text: str, node: Expression, entry: int) -> DerivationTerminal:
    """Read a form and its tokens: numbers with feature structures, or LKB's two numbers alone."""
    form, *_ = node
    tokens = []
    for index, item in enumerate(node[1:], 1):
        if not isinstance(item, str):
            raise NOTATION.error(text, node, index, "')' after a form")
        if _is_string(item) and index > 1 and not _is_string(node[index - 1]):
            tokens.append(item[1:-1])
        else:
            _number(text, node, index)
    return DerivationTerminal(_unquoted(str(form)), tokens, entry)


def _number(text: str, node: Expression, index: int) -> int:
    try:
        return int(str(node[index]))
    except ValueError:
        raise NOTATION.error(text, node, index, "a number") from None


def _is_string(item: Item) -> bool:
    return item[:1] == '"'


def _unquoted(atom: str) -> str:
    """Return a name, or a string without its quotation marks and escapes."""
    if not _is_string(atom):
        return atom
    return re.sub(r"\\(.)", r"\1", atom[1:-1], flags=re.S) if "\\" in atom else atom[1:-1]
