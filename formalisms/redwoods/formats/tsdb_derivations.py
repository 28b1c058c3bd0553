r"""Derivation trees in the Unified Derivation Format, and labelled phrase trees, as profiles hold them.

A derivation is ``(root (id rule score start end daughter ...))``; above a word stands its lexical entry,
``(id entry score start end ("form" id "token [...]" ...))``. With types (UDX) an entry is ``entry@type`` and
the head daughter is marked with ``^``. A phrase tree is ``(S (NP (N (it))) ...)``.

Source: github.com/delph-in/docs/wiki/ItsdbDerivations.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from crossbank.treebanks.tables import NO_PARENT

PIECE = re.compile(r'[()]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s()"][^\s()]*|".*', re.S)
"""A bracket, a string, a name, or what follows a quotation mark that is not closed."""

STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.S)

END, UNKNOWN = " end", " unknown"
"""What stands for the end of the text, and for a string without an end."""

NO_NAMES = '()" '
"""The characters that no name begins with; nor do numbers."""

HEAD = "^"
"""The mark of a head daughter in UDX."""


class DerivationError(ValueError):
    """A derivation or a phrase tree that does not read: what was found, where, and what was expected."""

    def __init__(self, actual: str, offset: int, expected: str) -> None:
        super().__init__(actual, expected)
        self.found, self.expected = f"{actual} at character {offset + 1}", expected


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
    reader = _Reader(text)
    return reader.read("derivation", reader.daughter)


def phrase_tree(text: str) -> Derivation:
    """Read a labelled phrase tree. Raises DerivationError where it is damaged."""
    reader = _Reader(text)
    return reader.read("tree", reader.phrase)


class _Reader:
    """Reader of nested brackets, piece by piece: the first character of a piece tells its kind."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._pieces: list[str] = PIECE.findall(text)
        if self._pieces and self._pieces[-1][0] == '"' and not STRING.fullmatch(self._pieces[-1]):
            self._pieces[-1] = UNKNOWN
        self._pieces.append(END)
        self._at = 0
        self._rules: list[Rule] = []
        self._terminals: list[Terminal] = []

    def read(self, kind: str, daughter: Callable[[int], int]) -> Derivation:
        """Read the text.

        daughter  takes in what follows a bracket that opens, adds it below a node, and returns the node whose
                  daughters come next: the same one where the bracket holds no further ones
        """
        pieces, parent = self._pieces, NO_PARENT
        self._expect("(", "'('")
        while True:
            inner = daughter(parent)
            if inner != parent:
                parent = inner
                continue
            while parent != NO_PARENT and pieces[self._at] == ")":
                self._at += 1
                parent = self._rules[parent].parent
            if parent == NO_PARENT:
                break
            self._expect("(", "'(' or ')'")
        self._expect(END, f"the end of the {kind}")
        return Derivation(self._rules, self._terminals)

    def daughter(self, parent: int) -> int:
        """Take in a node or a form of a derivation."""
        has_terminal = bool(self._terminals) and self._terminals[-1].entry == parent
        if self._pieces[self._at][0] != '"':
            if has_terminal:
                raise DerivationError("a node", self._place(self._at), "none beside a form")
            self._rules.append(self._rule(parent))
            self._expect("(", "'(' and a daughter")
            return len(self._rules) - 1
        if parent == NO_PARENT or has_terminal or parent < len(self._rules) - 1:
            raise DerivationError("a form", self._place(self._at), "it alone under a lexical entry")
        self._terminals.append(self._terminal(parent))
        return parent

    def _rule(self, parent: int) -> Rule:
        """Read a node to its last number; a root is a name alone."""
        pieces, at = self._pieces, self._at
        self._require_name(at, "a node")
        if pieces[at + 1] == "(":
            if parent != NO_PARENT:
                raise DerivationError(repr(pieces[at]), self._place(at), "a number and a rule")
            self._at += 1
            return Rule(pieces[at], "", False, -1, -1, parent)
        self._number(at)
        name = pieces[at + 1]
        if name[0] in "() ":
            raise self._error(at + 1, "a rule or a lexical entry")
        self._require_name(at + 2, "a score")
        self._require_name(at + 3, "a vertex of the chart")
        start = self._number(at + 3)
        self._require_name(at + 4, "a vertex of the chart")
        end = self._number(at + 4)
        self._at += 5
        entity, _, type = _written(name).partition("@")
        return Rule(entity.removeprefix(HEAD), type, entity.startswith(HEAD), start, end, parent)

    def _terminal(self, entry: int) -> Terminal:
        """Read a form and its tokens: numbers with feature structures, or LKB's two numbers alone."""
        pieces, at = self._pieces, self._at + 1
        tokens = []
        while pieces[at][0] not in NO_NAMES:
            self._number(at)
            at += 1
            if pieces[at][0] == '"':
                tokens.append(pieces[at][1:-1])
                at += 1
        form, self._at = _written(pieces[self._at]), at
        self._expect(")", "')' after a form")
        return Terminal(form, tokens, entry)

    def phrase(self, parent: int) -> int:
        """Take in a node or a word of a phrase tree."""
        pieces, at = self._pieces, self._at
        if pieces[at][0] in "() ":
            raise self._error(at, "a label or a word")
        label, words = Rule(_written(pieces[at]), "", False, -1, -1, parent), []
        self._at += 1
        if pieces[self._at] == "(":
            self._at += 1
            self._rules.append(label)
            return len(self._rules) - 1
        while pieces[self._at][0] not in "() ":  # (N "cat")
            words.append(_written(pieces[self._at]))
            self._at += 1
        if words:
            self._rules.append(label)
            self._terminals += [Terminal(word, [], len(self._rules) - 1) for word in words]
        elif parent == NO_PARENT:
            raise self._error(self._at, "a daughter")
        else:
            self._terminals.append(Terminal(label.name, [], parent))
        self._expect(")", "')'")
        return parent

    def _expect(self, piece: str, expected: str) -> None:
        """Go on past a piece."""
        if self._pieces[self._at] != piece:
            raise self._error(self._at, expected)
        self._at += 1

    def _require_name(self, index: int, expected: str) -> None:
        if self._pieces[index][0] in NO_NAMES:
            raise self._error(index, expected)

    def _number(self, index: int) -> int:
        try:
            return int(self._pieces[index])
        except ValueError:
            raise self._error(index, "a number") from None

    def _error(self, index: int, expected: str) -> DerivationError:
        place = self._place(index)
        if self._pieces[index] == UNKNOWN:
            expected = "a bracket, a string with its end, or a name"
        elif self._pieces[index] == END:
            return DerivationError("the end", place, expected)
        return DerivationError(repr((PIECE.match(self._text, place) or [""])[0][:20]), place, expected)

    def _place(self, index: int) -> int:
        """Return the character at which a piece begins."""
        found = next(islice(PIECE.finditer(self._text), index, None), None)
        return len(self._text) if found is None else found.start()


def _written(piece: str) -> str:
    """Return a name, or a string without its quotation marks and escapes."""
    if piece[0] != '"':
        return piece
    return re.sub(r"\\(.)", r"\1", piece[1:-1], flags=re.S) if "\\" in piece else piece[1:-1]
