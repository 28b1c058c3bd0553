r"""Trees of the Cambridge Grammar as they are in ``.cgel`` files, constituent by constituent.

A sentence begins with header lines, ``# name = value``, and one tree follows, up to a blank line::

    # sent_id = s1
    (Clause
        :Prenucleus (x / NP
            :Head (N_pro :t "what"))
        :Head (Clause
            :Subj (NP :Head (N_pro :t "we"))
            :Head (VP
                :Head (V :t "saw" :l "see")
                :Obj (x / GAP))))

A constituent is ``(category attributes children)``, before it its function, ``:Subj``. Before the category
may stand an index: a gap and its antecedent share it. ``"`` and ``\`` are escaped by ``\`` in strings.

Source: Reynolds, Brett, Aryaman Arora and Nathan Schneider (2023): Unified Syntactic Annotation of English in
the CGEL Framework. LAW. The files of github.com/nert-nlp/cgel show the form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from os import PathLike

from crossbank.treebanks.errors import FormatError, excerpt
from crossbank.treebanks.files import lines as lines_of

GAP = "GAP"
"""The category of a gap."""

TEXT, CORRECTION, LEMMA, TAG, PUNCTUATION, NOTE = "t", "correct", "l", "xpos", "p", "note"
"""The word, the word that was meant, its lemma and Penn tag, punctuation beside it, and a remark."""

PARTS = ("subt", "subp")
"""The words and punctuation of the Universal Dependencies treebank that are one word in CGEL."""

ATTRIBUTES = (TEXT, CORRECTION, LEMMA, TAG, *PARTS, PUNCTUATION, NOTE)
"""The fields of a constituent besides children."""

SEVERAL = (PUNCTUATION, *PARTS)
"""The attributes that may be in a constituent more than once."""

PIECE = re.compile(
    r'(?P<blank>[ \t\r\f\v]+)|(?P<string>"(?:[^"\\]|\\["\\])*")|(?P<bracket>[()])|(?P<name>:[^\s()":]+)'
    r'|(?P<word>[^\s()":]+)'
)

ROOT = -1
"""The parent of the root."""


@dataclass
class Constituent:
    """A constituent, a word or a gap.

    function, category, index  as written; empty where there is none
    parent      the place of the constituent above among those of the tree, or ``ROOT``
    attributes  names and values in the order of the file
    line        where it begins, from 1
    """

    function: str
    parent: int
    line: int
    category: str = ""
    index: str = ""
    attributes: list[tuple[str, str]] = field(default_factory=list)

    def value(self, name: str) -> str | None:
        """Return the value of an attribute; None where it is not there."""
        return next((value for known, value in self.attributes if known == name), None)

    @property
    def lexeme(self) -> str | None:
        """Word that is meant: the correction where there is one; None for phrases and gaps."""
        corrected = self.value(CORRECTION)
        return self.value(TEXT) if corrected is None else corrected

    @property
    def is_word(self) -> bool:
        """True if it is a word, written in the text or only meant."""
        return self.lexeme is not None


@dataclass
class Tree:
    """A sentence: its header lines and its constituents, each before those below it."""

    line: int
    headers: list[str]
    constituents: list[Constituent] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Identifier in the headers, else an empty string."""
        matches = (re.fullmatch(r"#\s*sent_id\s*=\s*(.*)", line) for line in self.headers)
        return next((match[1].strip() for match in matches if match), "")


def load_trees(path: str | PathLike[str], encoding: str | None = None) -> Iterator[Tree]:
    """Yield the trees of a file. Raises FormatError, with line and sentence, where one does not read."""
    return read_trees(lines_of(path, encoding), str(path))


def read_trees(lines: Iterable[tuple[int, str]], source: str) -> Iterator[Tree]:
    """Yield the trees of numbered lines. Raises FormatError where one does not read or there is none."""
    reader: _Reader | None = None
    headers: list[str] = []
    begun, number, any_tree = 0, 0, False
    for number, line in lines:
        if not line.strip():
            if reader is not None:
                yield reader.finished(number)
                reader, headers, any_tree = None, [], True
        elif line.startswith("#"):
            if reader is not None:
                actual = f"the header {excerpt(line)}"
                raise FormatError(source, actual, "a blank line before it", line=number)
            begun = number if not headers else begun
            headers.append(line.rstrip())
        else:
            reader = reader or _Reader(Tree(begun if headers else number, headers), source)
            reader.read(number, line)
    if reader is not None:
        yield reader.finished(number)
    elif headers:
        raise FormatError(source, "headers without a tree", "a tree after them", line=begun)
    elif not any_tree:
        raise FormatError(source, "no tree", "at least one")


class _Reader:
    """Reads one tree line by line. Open constituents are a list, so that trees may be deep."""

    def __init__(self, tree: Tree, source: str) -> None:
        self._tree, self._source = tree, source
        self._open: list[int] = []
        self._name = ""  # a function or an attribute that waits for its constituent or value
        self._has_children: set[int] = set()
        self._line = tree.line

    def read(self, line: int, text: str) -> None:
        """Read a line of the tree."""
        self._line = line
        offset = 0
        while offset < len(text):
            match = PIECE.match(text, offset)
            if match is None:
                raise self._error(excerpt(text[offset:]), "a bracket, a name or a string in quotes")
            offset = match.end()
            if match.lastgroup != "blank":
                self._take(match[0], match.lastgroup or "")

    def finished(self, line: int) -> Tree:
        """Return the tree, at its end. Raises FormatError where something is still open."""
        self._line = line
        if self._open:
            expected = f"a bracket that closes {excerpt(self._inner.category)} (line {self._inner.line})"
            raise self._error("the end of the sentence", expected)
        return self._tree

    def _take(self, piece: str, kind: str) -> None:
        if not self._open and (self._tree.constituents or piece != "("):
            expected = "a blank line after the tree" if self._tree.constituents else "a tree in brackets"
            raise self._error(excerpt(piece), expected)
        if self._open and self._inner.category in ("", "/") and (kind != "word" or piece == "/"):
            raise self._error(excerpt(piece), "the category of a constituent, such as NP or x / NP")
        if piece == "(":
            self._begin()
        elif piece == ")":
            self._refuse_waiting(")")
            self._open.pop()
        elif kind == "name":
            self._refuse_waiting(piece)
            self._name = piece[1:]
        elif kind == "string":
            self._attribute(piece)
        else:
            self._category(piece)

    @property
    def _inner(self) -> Constituent:
        return self._tree.constituents[self._open[-1]]

    def _begin(self) -> None:
        if self._open and not self._name:
            raise self._error("a constituent without a function", "its function before it, such as :Head")
        if self._name in ATTRIBUTES:
            raise self._error(f":{self._name} before a bracket", "a string in quotes")
        above = self._open[-1] if self._open else ROOT
        if self._open:
            inner = self._inner
            if inner.category == GAP or inner.is_word:
                leaf = "a gap" if inner.category == GAP else "a word"
                raise self._error(f"a constituent below {leaf}", f"{leaf} without children")
            self._has_children.add(above)
        self._open.append(len(self._tree.constituents))
        self._tree.constituents.append(Constituent(self._name, above, self._line))
        self._name = ""

    def _attribute(self, piece: str) -> None:
        name, value = self._name, re.sub(r"\\(.)", r"\1", piece[1:-1])
        inner = self._inner
        if name not in ATTRIBUTES:
            written = f":{name} {excerpt(piece)}" if name else excerpt(piece)
            raise self._error(written, f"one of :{', :'.join(ATTRIBUTES)} before a string")
        if name not in SEVERAL and inner.value(name) is not None:
            raise self._error(f"a second :{name}", "one at most in a constituent")
        if name in (TEXT, PUNCTUATION) and not value.strip(" "):
            expected = "a word (one that is only meant has :correct alone)" if name == TEXT else "a character"
            raise self._error(f"an empty :{name}", expected)
        if name in (TEXT, CORRECTION) and self._open[-1] in self._has_children:
            raise self._error(f"the word {excerpt(piece)} in a phrase", "words without children")
        if name in (TEXT, CORRECTION) and inner.category == GAP:
            raise self._error(f"the word {excerpt(piece)} in a gap", "gaps without words")
        inner.attributes.append((name, value))
        self._name = ""

    def _category(self, piece: str) -> None:
        inner = self._inner
        if self._name or inner.attributes or self._open[-1] in self._has_children:
            expected = "a string in quotes or a bracket" if self._name else "a function or an attribute"
            raise self._error(excerpt(piece), expected)
        if not inner.category:
            inner.category = piece
        elif piece == "/" and not inner.index:
            inner.category, inner.index = piece, inner.category
        elif inner.category == "/":
            inner.category = piece
        else:
            raise self._error(excerpt(piece), "a function, an attribute or a bracket")

    def _refuse_waiting(self, piece: str) -> None:
        if self._name:
            raise self._error(f"{excerpt(piece)} after :{self._name}", "a constituent or a string after it")

    def _error(self, actual: str, expected: str) -> FormatError:
        return FormatError(self._source, actual, expected, line=self._line, sentence=self._tree.id or None)
