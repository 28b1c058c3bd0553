r"""Derivation trees in the Unified Derivation Format, and labelled phrase trees, as profiles hold them.

A derivation is ``(root (id rule score start end daughter ...))``; above a word stands its lexical entry,
``(id entry score start end ("form" id "token [...]" ...))``. With types (UDX) an entry is ``entry@type`` and
the head daughter is marked with ``^``. A phrase tree is ``(S (NP (N (it))) ...)``.

Source: github.com/delph-in/docs/wiki/ItsdbDerivations.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from crossbank.treebanks.formats.tokenizer import END, Piece, Pieces, split
from crossbank.treebanks.tables import NO_PARENT

PIECE = re.compile(
    r'\s*(?:(?P<open>\()|(?P<close>\))|(?P<string>"[^"\\]*(?:\\.[^"\\]*)*")|(?P<atom>[^\s()"][^\s()]*))', re.S
)

HEAD = "^"
"""The mark of a head daughter in UDX."""


class DerivationError(ValueError):
    """A derivation or a phrase tree that does not read: what was found, where, and what was expected."""

    def __init__(self, found: str, place: int, expected: str) -> None:
        super().__init__(found, expected)
        self.found, self.expected = f"{found} at character {place + 1}", expected


class Rule(NamedTuple):
    """A node: a rule, an entry of the lexicon, which has words alone below it, or the label of a phrase tree.

    start, end  the vertices of the chart between which it stands; -1 where unknown
    parent      the node above it, or ``NO_PARENT``
    """

    name: str
    type: str
    is_head: bool
    start: int
    end: int
    parent: int


class Terminal(NamedTuple):
    """A form, the feature structures of its tokens with the escapes of the file, and the node above it."""

    form: str
    tokens: list[str]
    entry: int


class Derivation(NamedTuple):
    """Nodes, each after the one above it, and the forms from left to right."""

    rules: list[Rule]
    terminals: list[Terminal]


def derivation(text: str) -> Derivation:
    """Read a derivation. Raises DerivationError where it is damaged."""
    return _read(text, "derivation", _daughter)


def phrase_tree(text: str) -> Derivation:
    """Read a labelled phrase tree. Raises DerivationError where it is damaged."""
    return _read(text, "tree", _phrase)


def _read(text: str, kind: str, daughter: Callable[[Pieces, Derivation, int], int]) -> Derivation:
    """Read nested brackets.

    daughter  takes in what follows a bracket that opens, adds it below a node, and returns the node whose
              daughters come next: the same one where the bracket holds no further ones
    """
    pieces = Pieces(split(PIECE, text), len(text), "a bracket, a string with its end, or a name", _error)
    tree = Derivation([], [])
    parent = NO_PARENT
    pieces.expect("'('", "open")
    while True:
        inner = daughter(pieces, tree, parent)
        if inner != parent:
            parent = inner
            continue
        while parent != NO_PARENT and pieces.next.kind == "close":
            pieces.take()
            parent = tree.rules[parent].parent
        if parent == NO_PARENT:
            break
        pieces.expect("'(' or ')'", "open")
    pieces.expect(f"the end of the {kind}", "end")
    return tree


def _daughter(pieces: Pieces, tree: Derivation, parent: int) -> int:
    has_terminal = bool(tree.terminals) and tree.terminals[-1].entry == parent
    if pieces.next.kind != "string":
        if has_terminal:
            raise DerivationError("a node", pieces.next.place, "none beside a form")
        tree.rules.append(_rule(pieces, parent))
        pieces.expect("'(' and a daughter", "open")
        return len(tree.rules) - 1
    if parent == NO_PARENT or has_terminal or parent < len(tree.rules) - 1:
        raise DerivationError("a form", pieces.next.place, "it alone under a lexical entry")
    tree.terminals.append(_terminal(pieces, parent))
    return parent


def _rule(pieces: Pieces, parent: int) -> Rule:
    """Read a node to its last number; a root is a name alone."""
    first = pieces.expect("a node", "atom")
    if pieces.next.kind == "open":
        if parent != NO_PARENT:
            raise DerivationError(repr(first.text), first.place, "a number and a rule")
        return Rule(first.text, "", False, -1, -1, parent)
    _number(first)
    name = pieces.take()
    if name.kind not in ("atom", "string"):
        raise _error(name, "a rule or a lexical entry")
    pieces.expect("a score", "atom")
    start, end = (_number(pieces.expect("a vertex of the chart", "atom")) for _ in range(2))
    written = _written(name)
    entity, _, type = written.partition("@")
    return Rule(entity.removeprefix(HEAD), type, entity.startswith(HEAD), start, end, parent)


def _terminal(pieces: Pieces, entry: int) -> Terminal:
    """Read a form and its tokens: numbers with feature structures, or LKB's two numbers alone."""
    form = _written(pieces.take())
    tokens = []
    while pieces.next.kind == "atom":
        _number(pieces.take())
        if pieces.next.kind == "string":
            tokens.append(pieces.take().text[1:-1])
    pieces.expect("')' after a form", "close")
    return Terminal(form, tokens, entry)


def _phrase(pieces: Pieces, tree: Derivation, parent: int) -> int:
    name = pieces.take()
    if name.kind not in ("atom", "string"):
        raise _error(name, "a label or a word")
    label, words = Rule(_written(name), "", False, -1, -1, parent), []
    if pieces.next.kind == "open":
        pieces.take()
        tree.rules.append(label)
        return len(tree.rules) - 1
    while pieces.next.kind in ("atom", "string"):  # (N "cat")
        words.append(_written(pieces.take()))
    if words:
        tree.rules.append(label)
        tree.terminals.extend(Terminal(word, [], len(tree.rules) - 1) for word in words)
    elif parent == NO_PARENT:
        raise _error(pieces.next, "a daughter")
    else:
        tree.terminals.append(Terminal(label.name, [], parent))
    pieces.expect("')'", "close")
    return parent


def _error(piece: Piece, expected: str) -> DerivationError:
    found = "the end" if piece.kind == END else repr(piece.text.strip()[:20])
    return DerivationError(found, piece.place, expected)


def _number(piece: Piece) -> int:
    try:
        return int(piece.text)
    except ValueError:
        raise _error(piece, "a number") from None


def _written(piece: Piece) -> str:
    return re.sub(r"\\(.)", r"\1", piece.text[1:-1], flags=re.S) if piece.kind == "string" else piece.text
