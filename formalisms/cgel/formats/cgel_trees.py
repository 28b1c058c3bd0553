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
from itertools import takewhile
from os import PathLike

from crossbank.treebanks.errors import FormatError, excerpt
from crossbank.treebanks.files import lines as lines_of
from crossbank.treebanks.formats.symbolic_expressions import (
    Expression,
    ExpressionError,
    ExpressionNotation,
    Item,
)

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

NOTATION = ExpressionNotation(
    r'"(?:[^"\\\n]|\\["\\])*"|:[^\s()":]+|[^\s()":]+', "a bracket, a name or a string in quotes"
)

ROOT = -1
"""The parent of the root."""


@dataclass
class Constituent:
    """A constituent, a word or a gap.

    function, category, index  as written; empty if there is none
    parent      the index of the constituent above among those of the tree, or ``ROOT``
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
        """Return the value of an attribute; None if it is not there."""
        return next((value for known, value in self.attributes if known == name), None)

    @property
    def lexeme(self) -> str | None:
        """Word that is meant: the correction where there is one; None for phrases and gaps."""
        corrected = self.value(CORRECTION)
        return self.value(TEXT) if corrected is None else corrected

    @property
    def is_word(self) -> bool:
        """Return whether it is a word, written in the text or only meant."""
        return self.lexeme is not None


@dataclass
class CgelSentence:
    """A sentence: its header lines and its constituents, each before those below it."""

    line: int
    headers: list[str]
    constituents: list[Constituent] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Identifier in the headers, else an empty string."""
        matches = (re.fullmatch(r"#\s*sent_id\s*=\s*(.*)", line) for line in self.headers)
        return next((match[1].strip() for match in matches if match), "")


def load_trees(path: str | PathLike[str], encoding: str | None = None) -> Iterator[CgelSentence]:
    """Yield the trees of a file. Raises FormatError, with line and sentence, where one does not read."""
    return read_trees(lines_of(path, encoding), str(path))


def read_trees(lines: Iterable[tuple[int, str]], source: str) -> Iterator[CgelSentence]:
    """Yield the trees of numbered lines. Raises FormatError if one does not read or there is none."""
    block: list[tuple[int, str]] = []
    any_tree = False
    for number, line in lines:
        if line.strip():
            block.append((number, line))
        elif any(not line.startswith("#") for _, line in block):
            yield _tree(block, source)
            block, any_tree = [], True
    if any(not line.startswith("#") for _, line in block):
        yield _tree(block, source)
    elif block:
        raise FormatError(source, "headers without a tree", "a tree after them", line=block[0][0])
    elif not any_tree:
        raise FormatError(source, "no tree", "at least one")


def _tree(block: list[tuple[int, str]], source: str) -> CgelSentence:
    """Read the lines of a sentence. Raises FormatError if its tree is damaged."""
    headers = list(takewhile(lambda line: line[1].startswith("#"), block))
    written = block[len(headers) :]
    tree = CgelSentence(block[0][0], [line.rstrip() for _, line in headers])
    text = "\n".join(line for _, line in written)
    try:
        if (header := re.search("^#.*", text, re.MULTILINE)) is not None:
            actual = f"the header {excerpt(header[0])}"
            raise ExpressionError(actual, header.start(), "a blank line before it")
        with NOTATION.reading(text) as items:
            if not items or isinstance(items[0], str):
                raise NOTATION.error(text, items, 0, "a tree in brackets")
            if len(items) > 1:
                raise NOTATION.error(text, items, 1, "a blank line after the tree")
            _add_constituents(tree, items[0], text, NOTATION.lines(text, written[0][0]))
    except ExpressionError as error:
        raise error.in_file(source, text, line=written[0][0], sentence=tree.id or None) from None
    return tree


def _add_constituents(tree: CgelSentence, root: Expression, text: str, lines: list[int]) -> None:
    """Add constituents, each before those below it; ``lines`` has the line of each token."""
    waiting = [(root, "", ROOT)]
    while waiting:
        items, function, parent = waiting.pop()
        begin = 2 if items[1:2] == ["/"] else 0
        category = items[begin] if begin < len(items) else ")"
        if not isinstance(category, str) or category[0] in '":)' or category == "/":
            raise NOTATION.error(text, items, begin, "the category of a constituent, such as NP or x / NP")
        index = str(items[0]) if begin else ""
        one = Constituent(function, parent, lines[items.first], category, index)
        daughters: list[tuple[Expression, str, int]] = []
        for name_at in range(begin + 1, len(items), 2):
            name, value = items[name_at], items[name_at + 1] if name_at + 1 < len(items) else ")"
            if problem := _damage(one, name, value, bool(daughters)):
                raise NOTATION.error(text, items, name_at, problem[1], problem[0])
            if isinstance(value, str):
                one.attributes.append((str(name)[1:], re.sub(r"\\(.)", r"\1", value[1:-1])))
            else:
                daughters.append((value, str(name)[1:], len(tree.constituents)))
        tree.constituents.append(one)
        waiting += reversed(daughters)


def _damage(one: Constituent, name: Item, value: Item, is_phrase: bool) -> tuple[str, str] | None:
    """Return what is wrong with a function or attribute and its value, and what is expected."""
    if not isinstance(name, str):
        return "a constituent without a function", "its function before it, such as :Head"
    if name[0] not in '":':
        return excerpt(name), "a function or an attribute"
    key = name[1:]
    if isinstance(value, str) and value[0] in ":)":
        return f"{excerpt(value)} after {name}", "a constituent or a string after it"
    if isinstance(value, str) and value[0] != '"':
        return excerpt(value), "a string in quotes or a bracket"
    if not isinstance(value, str):
        if key in ATTRIBUTES:
            return f"{name} before a bracket", "a string in quotes"
        if one.category == GAP or one.is_word:
            leaf = "a gap" if one.category == GAP else "a word"
            return f"a constituent below {leaf}", f"{leaf} without children"
        return None
    if name[0] == '"' or key not in ATTRIBUTES:
        written = excerpt(name) if name[0] == '"' else f"{name} {excerpt(value)}"
        return written, f"one of :{', :'.join(ATTRIBUTES)} before a string"
    if key not in SEVERAL and one.value(key) is not None:
        return f"a second {name}", "one at most in a constituent"
    if key in (TEXT, PUNCTUATION) and not value[1:-1].strip(" "):
        expected = "a word (one that is only meant has :correct alone)" if key == TEXT else "a character"
        return f"an empty {name}", expected
    if key in (TEXT, CORRECTION) and is_phrase:
        return f"the word {excerpt(value)} in a phrase", "words without children"
    if key in (TEXT, CORRECTION) and one.category == GAP:
        return f"the word {excerpt(value)} in a gap", "gaps without words"
    return None
