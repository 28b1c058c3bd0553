r"""Derivation trees in the Unified Derivation Format, and labelled phrase trees, as profiles hold them.

A derivation is ``(root (id rule score start end daughter ...))``; above a word stands its lexical entry,
``(id entry score start end ("form" id "token [...]" ...))``. With types (UDX) an entry is ``entry@type`` and
the head daughter is marked with ``^``. A phrase tree is ``(S (NP (N (it))) ...)``.

Source: github.com/delph-in/docs/wiki/ItsdbDerivations.
"""

from __future__ import annotations

import re
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
    """A node: a rule, or an entry of the lexicon, which has words alone below it.

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
    """A form, the feature structures of its tokens with the escapes of the file, and the entry above it."""

    form: str
    tokens: list[str]
    entry: int


class Derivation(NamedTuple):
    """Nodes, each after the one above it, and the forms from left to right."""

    rules: list[Rule]
    terminals: list[Terminal]


class PhraseTree(NamedTuple):
    """Labels, each after the one above it, with their parents; the words, with the node above each."""

    labels: list[tuple[str, int]]
    words: list[tuple[str, int]]


def derivation(text: str) -> Derivation:
    """Read a derivation. Raises DerivationError where it is damaged."""
    pieces = _pieces(text)
    rules: list[Rule] = []
    terminals: list[Terminal] = []
    parent = NO_PARENT
    has_terminal: set[int] = set()
    has_daughter: set[int] = set()
    pieces.expect("'('", "open")
    while True:
        if pieces.next.kind == "string":
            if parent == NO_PARENT or parent in has_daughter:
                raise DerivationError("a form", pieces.next.place, "it alone under a lexical entry")
            terminals.append(_terminal(pieces, parent))
            has_daughter.add(parent)
            has_terminal.add(parent)
        else:
            if parent in has_terminal:
                raise DerivationError("a node", pieces.next.place, "none beside a form")
            has_daughter.add(parent)
            rules.append(_rule(pieces, parent))
            parent = len(rules) - 1
            pieces.expect("'(' and a daughter", "open")
            continue
        while parent != NO_PARENT and pieces.next.kind == "close":
            pieces.take()
            parent = rules[parent].parent
        if parent == NO_PARENT:
            break
        pieces.expect("'(' or ')'", "open")
    pieces.expect("the end of the derivation", "end")
    return Derivation(rules, terminals)


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


def phrase_tree(text: str) -> PhraseTree:
    """Read a labelled phrase tree. Raises DerivationError where it is damaged."""
    pieces = _pieces(text)
    labels: list[tuple[str, int]] = []
    words: list[tuple[str, int]] = []
    parent = NO_PARENT
    pieces.expect("'('", "open")
    while True:
        name = pieces.take()
        if name.kind not in ("atom", "string"):
            raise _error(name, "a label or a word")
        written = _written(name)
        if pieces.next.kind == "open":
            labels.append((written, parent))
            parent = len(labels) - 1
            pieces.take()
            continue
        if pieces.next.kind in ("atom", "string"):  # (N "cat")
            labels.append((written, parent))
            below = len(labels) - 1
            while pieces.next.kind in ("atom", "string"):
                words.append((_written(pieces.take()), below))
        elif parent == NO_PARENT:
            raise _error(pieces.next, "a daughter")
        else:
            words.append((written, parent))
        pieces.expect("')'", "close")
        while parent != NO_PARENT and pieces.next.kind == "close":
            pieces.take()
            parent = labels[parent][1]
        if parent == NO_PARENT:
            break
        pieces.expect("'(' or ')'", "open")
    pieces.expect("the end of the tree", "end")
    return PhraseTree(labels, words)


def _pieces(text: str) -> Pieces:
    return Pieces(split(PIECE, text), len(text), "a bracket, a string with its end, or a name", _error)


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
