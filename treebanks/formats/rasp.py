"""Bracketed trees that come with RASP: numbered sentences, words without tags, Lisp's quoting.

::

    %LB (
    %RB )

    12
    (S (PP despite (NP the warning)) |,| there (VP be (NP a vote)))

Lines at the beginning say which signs are the brackets. A line with one word, outside of any tree,
is a sentence's number; the tree after it may go over several lines, and a number without a tree is a
sentence without a parse. The first word after an opening bracket is the node's label, all others are
words of the sentence. Words may be quoted, ``|Jan.|`` or ``|(|``, and any single sign may be escaped,
``\\(``: both stand for the signs alone.

Derivations, as the parser's treebank has them, are read as well: the tagged words, then the tree, whose
nodes are the grammar's rules and whose leaves are words with their tags::

    (|Kim_NP1| |sings_VVZ|)
    ("T/txt-sc1/--" ("S/np_vp" |Kim_NP1| ("V1/v" |sings_VVZ|)))

Source: Briscoe, Ted, John Carroll, and Rebecca Watson (2006): The Second Release of the RASP System.
COLING/ACL; the files ``teval/suste-trees-susanne`` and ``suste-trees-sparkle`` of its distribution.
"""

from __future__ import annotations

import re
from os import PathLike

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.text_files import reading_text, writing
from crossbank.treebanks.formats.unwritable_strings import refuse_strings
from crossbank.treebanks.tables import NO_PARENT
from crossbank.treebanks.treebank import Treebank

FORMAT = Format(
    position=100,
    holds={"constituents", "identifiers"},
    refuses=("words outside nodes", "discontinuous constituents"),
    begins=(r"%(LB|RB) |\s*\((\||\")",),
    rank=1,
)

HEADER = "%LB (\n%RB )\n"

PLAIN = re.compile(r"[^\W\d_][^\W_]*")
"""Words that are written without quotes, as in the SUSANNE skeletons."""

NUMBER = re.compile(r"[^\s()|\\%]+")
"""A sentence's number, alone on a line."""

BRACKETS = re.compile(r"\s*%(LB|RB)[ \t]+(\S)[ \t]*(?=\n|$)")

BALANCED = "as many closing brackets as opening ones"
ESCAPED = re.compile(r"\\(.)|\|", re.DOTALL)


def dumps(bank: Treebank) -> str:
    """Numbered trees, one on each line, all words but plain ones quoted; tags are not written.

    Several roots stand one after the other. Raises ConversionError where a constituent is
    discontinuous or a word is outside of all of them.
    """
    refuse_strings(bank, "rasp", {"tokens.form": r"\r", "nodes.label": r"\r"})
    parts = [HEADER]
    for sentence in range(len(bank)):
        name, tree = bank.sentence_id(sentence), _tree(bank, sentence)
        parts.append(f"\n{name if NUMBER.fullmatch(name) else sentence + 1}\n{tree}")
    return "".join(parts)


# Reading


DERIVATION = re.compile(r'\s*\((?:\|[^|]*\||\\.|[^()|"\\])+\)\s*\("')
"""The beginning of a file of derivations: a list of words, and a node whose label is in quotes."""

DERIVED = re.compile(
    r'(?P<opening>\()\s*(?:"(?P<label>[^"]*)")?|(?P<word>(?:\|[^|]*\||\\.|[^\s|\\()"])+)|(?P<rest>\S)'
)
"""A node with its label, or a list without; a word; what is left is a closing bracket or a mistake."""


def _derivations(text: str, path: str | PathLike[str]) -> Treebank:
    builder = TreebankBuilder(source=str(path))
    opened: list[int] = []  # the nodes that are open; OUTSIDE for a list that is no node
    line, begin = 1, 0
    for piece in DERIVED.finditer(text):
        line += text.count("\n", begin, piece.start())
        begin = piece.start()
        if piece["opening"] and piece["label"] is not None:
            if not opened:
                builder.sentence(line=line)
            opened.append(builder.node(label=piece["label"], parent=opened[-1] if opened else NO_PARENT))
        elif piece["opening"]:
            opened.append(OUTSIDE)
        elif piece["word"] and opened:
            if opened[-1] != OUTSIDE:
                form, _, tag = _unquoted(piece["word"]).rpartition("_")
                builder.token(form=form, pos=tag, parent=opened[-1])
        elif piece["rest"] == ")" and opened:
            opened.pop()
        else:
            raise FormatError(path, f"{piece[0]!r} outside brackets", "a list of words or a tree", line=line)
    if opened:
        raise FormatError(path, "the end of the file", BALANCED, line=line)
    return builder.build()


OUTSIDE = -2
"""In the place of a node: a list that is none."""


def _numbered(text: str, path: str | PathLike[str]) -> Treebank:
    signs, begin = {"LB": "(", "RB": ")"}, 0
    while header := BRACKETS.match(text, begin):
        signs[header[1]], begin = header[2], header.end()
    builder = TreebankBuilder(source=str(path))
    opened: list[tuple[int, int]] = []  # the nodes that are open: position, line
    sentence, line = "", 1 + text.count("\n", 0, begin)
    for piece in _pieces(signs["LB"], signs["RB"]).finditer(text, begin):
        line += text.count("\n", begin, piece.start())
        begin = piece.start()
        word = piece["word"] or (piece["number"] if opened else None)
        if piece["number"] and not opened:
            sentence = piece["number"]
            builder.sentence(id=sentence, line=line)
        elif not sentence:
            raise FormatError(path, f"{piece[0]!r} before any number", "a sentence's number", line=line)
        elif piece["opening"]:
            label = _unquoted(piece["label"] or "")
            opened.append((builder.node(label=label, parent=opened[-1][0] if opened else NO_PARENT), line))
        elif word and opened:
            builder.token(form=_unquoted(word), parent=opened[-1][0])
        elif word:
            raise FormatError(path, f"{word!r} outside brackets", "a tree", line=line, sentence=sentence)
        elif opened:
            opened.pop()
        else:
            raise FormatError(path, "a closing bracket too many", BALANCED, line=line, sentence=sentence)
    if opened:
        actual = f"{len(opened)} opening brackets without a closing one at the end of the file"
        raise FormatError(path, actual, BALANCED, line=opened[0][1], sentence=sentence)
    if not sentence:
        raise FormatError(path, "no sentence", "at least one")
    return builder.build()


def _pieces(opening: str, closing: str) -> re.Pattern[str]:
    """A number alone on its line, an opening bracket with its label, a closing one, or a word."""
    left, right = re.escape(opening), re.escape(closing)
    word = rf"(?:\|(?:[^|\\]|\\.)*\||\\.|[^\s|\\{left}{right}])+"
    number = rf"^[ \t]*(?P<number>[^\s|\\%{left}{right}]+)[ \t]*$"
    node = rf"(?P<opening>{left})\s*(?P<label>{word})?"
    return re.compile(rf"{number}|{node}|(?P<closing>{right})|(?P<word>{word}|\S)", re.MULTILINE | re.DOTALL)


def _unquoted(word: str) -> str:
    return ESCAPED.sub(lambda sign: sign[1] or "", word)


# Writing


def _tree(bank: Treebank, sentence: int) -> str:
    """Return the trees of a sentence on a line; nothing where it has no words."""
    if bank.spans.discontinuous[bank.nodes.rows(sentence)].any():
        raise bank.refused(sentence, "found a discontinuous constituent, expected continuous ones")
    opening = [f"({_quoted(label)}" for label in bank.labels(sentence)]
    parents = bank.tokens.parent[bank.tokens.rows(sentence)].tolist()
    written: list[str] = []
    for form, parent, (begun, ended) in zip(
        bank.words(sentence), parents, bank.edges_of_words(sentence), strict=True
    ):
        if parent == NO_PARENT:
            raise bank.refused(sentence, f"{form!r} is in no node")
        written += [*opening[begun], _quoted(form) + ")" * ended]
    return " ".join(written) + "\n" if written else ""


def _quoted(word: str) -> str:
    if PLAIN.fullmatch(word):
        return word
    return "|" + word.replace("\\", "\\\\").replace("|", "\\|") + "|"


load, loads = reading_text(
    lambda text, path: _derivations(text, path) if DERIVATION.match(text) else _numbered(text, path)
)
dump = writing(dumps)
