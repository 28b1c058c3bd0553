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

from crossbank.treebanks.builder import TreebankBuilder
from crossbank.treebanks.errors import FormatError
from crossbank.treebanks.formats.format import Format
from crossbank.treebanks.formats.symbolic_expressions import (
    Expression,
    ExpressionError,
    ExpressionNotation,
    Item,
    without_quotes,
)
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

DAMAGE = "crossbank.treebanks.formats.damaged_lists:RASP"

HEADER = "%LB (\n%RB )\n"

PLAIN = re.compile(r"[^\W\d_][^\W_]*")
"""Words that are written without quotes, as in the SUSANNE skeletons."""

NUMBER = re.compile(r"[^\s()|\\%]+")
"""A sentence's number, alone on a line."""

BRACKETS = re.compile(r"\s*%(LB|RB)[ \t]+(\S)[ \t]*(?=\n|$)")


def dumps(bank: Treebank) -> str:
    """Return numbered trees, one on each line, all words but plain ones quoted; tags are not written.

    Several roots follow each other. Raises ConversionError if a constituent is
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

DERIVATIONS = ExpressionNotation(
    r'(?:\|[^|]*\||\\[\s\S]|[^\s|\\()"])+|(?<=\()"[^"]*"', "a list of words or a tree in brackets"
)


def _read(text: str, path: str) -> Treebank:
    is_derivation = DERIVATION.match(text) is not None
    notation, text = (DERIVATIONS, text) if is_derivation else _numbered(text)
    builder = TreebankBuilder(source=path)
    is_begun = False
    try:
        with notation.reading(text) as items:
            lines = [0, *notation.lines(text), 0]
            for index, (item, token) in enumerate(zip(items, items.tokens(), strict=False)):
                before, line, after = lines[token : token + 3]
                if isinstance(item, str):
                    if is_derivation or line in (before, after) or not NUMBER.fullmatch(item):
                        raise notation.error(text, items, index, "a tree", f"{item!r} outside brackets")
                    builder.sentence(id=item, line=line)
                elif is_derivation:
                    if not _label(item).startswith('"'):
                        continue
                    builder.sentence(line=line)
                elif not is_begun:
                    raise notation.error(
                        text, items, index, "a sentence's number", "a tree before any number"
                    )
                is_begun = True
                if not isinstance(item, str):
                    _add(builder, item, is_derivation)
    except ExpressionError as error:
        before_it = map(str.strip, text[: error.offset].split("\n")[-2::-1])
        number = None if is_derivation else next(filter(NUMBER.fullmatch, before_it), None)
        raise error.in_file(path, text, sentence=number) from None
    if not is_begun:
        raise FormatError(path, "no sentence", "at least one")
    return builder.build()


def _numbered(text: str) -> tuple[ExpressionNotation, str]:
    """Return the notation of numbered trees, and the text with empty lines in place of the first ones."""
    signs, begin = {"LB": "(", "RB": ")"}, 0
    while header := BRACKETS.match(text, begin):
        signs[header[1]], begin = header[2], header.end()
    brackets = signs["LB"] + signs["RB"]
    word = rf"(?:\|(?:[^|\\]|\\[\s\S])*\||\\[\s\S]|[^\s|\\{re.escape(brackets)}])+"
    notation = ExpressionNotation(word, "a word whose quotes are closed", brackets)
    return notation, "\n" * text.count("\n", 0, begin) + text[begin:]


def _label(tree: Expression) -> str:
    return tree[0] if tree and isinstance(tree[0], str) else ""


def _add(builder: TreebankBuilder, tree: Expression, is_derivation: bool) -> None:
    """Add the nodes and words of a tree; lists of a derivation that are not nodes are passed over."""
    waiting: list[tuple[Item, int]] = [(tree, NO_PARENT)]
    while waiting:
        item, parent = waiting.pop()
        if isinstance(item, str):
            word = without_quotes(item)
            form, _, tag = word.rpartition("_") if is_derivation else (word, "", "")
            builder.token(form=form, pos=tag, parent=parent)
            continue
        label = _label(item)
        if is_derivation and not label.startswith('"'):
            continue
        node = builder.node(label=label[1:-1] if is_derivation else without_quotes(label), parent=parent)
        waiting += [(one, node) for one in reversed(item[1:] if label else item)]


# Writing


def _tree(bank: Treebank, sentence: int) -> str:
    """Return the trees of a sentence on a line; nothing if it has no words."""
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


load, loads = reading_text(_read)
dump = writing(dumps)
