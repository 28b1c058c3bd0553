"""Damage of f-structures: where sentences begin, and how they are repaired."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher

from crossbank.formalisms.lfg.formats import triples, xle
from crossbank.treebanks.damage.delimited import (
    LINES,
    close_brackets,
    close_term,
    keep_readable,
    split_at,
    split_at_lines,
    split_lines,
    split_paragraphs,
)
from crossbank.treebanks.damage.rules import DamageRules, Repaired
from crossbank.treebanks.errors import CrossbankError

_TERM_TOKEN = re.compile(r"'(?:[^'\\]|\\.|'')*'|%[^\n]*|[()\[\]]", re.DOTALL)

# The files of XLE


def _repair_xle(block: str) -> Repaired:
    """Return a term whose brackets are closed, with its full stop."""
    return Repaired(*close_term(block, _TERM_TOKEN))


def _no_structure(block: str) -> str:
    return "fstructure('', [], [], [], [], []).\n"


XLE = DamageRules(
    split_at(r"^fstructure\(|(?<=\)\.\n)(?=[^\s%])"),
    _repair_xle,
    _no_structure,
    has_marks=True,
    declared_encoding=xle.declared_encoding,
)

# Triples

_TRIPLE_TOKEN = re.compile(r"'(?:[^'\\\n]|\\.)*'|[()\[\]]")
_PROPERTY = re.compile(r"\s*(id|sentence_form)\((.*)\)\s*")

MIN_LIKENESS = 0.6
"""Minimal similarity with which a line counts as a damaged ``sentence(``: two thirds of its characters."""


def _split_triples(text: str) -> list[str]:
    """Return the sentences of a text, each with all its analyses."""
    lines = split_lines(text)
    if not any(triples.BEGIN.fullmatch(line.strip()) for line in lines):
        return split_paragraphs(text)
    blocks = split_at_lines(_is_begin, lambda line: False)(text)
    sentences: list[str] = []
    for block in blocks:
        if sentences and re.search(r"^\s*analysis\((?!1\))\d+\)", block, re.MULTILINE):
            sentences[-1] += block
        else:
            sentences.append(block)
    return sentences


def _is_begin(line: str) -> bool:
    written = line.strip()
    if triples.BEGIN.fullmatch(written) or not written.endswith("("):
        return triples.BEGIN.fullmatch(written) is not None
    # The line is the more similar of the two words, damaged, or a damaged property.
    likeness = [SequenceMatcher(None, written, word).ratio() for word in ("sentence(", "structure(")]
    return likeness[0] > max(likeness[1], MIN_LIKENESS)


def _is_triple(line: str) -> bool:
    try:
        triples.loads(line)
    except CrossbankError:
        return False
    return True


def _repair_triples(block: str) -> Repaired:
    """Return a sentence with its readable triples, if it has one analysis."""
    lines = split_lines(block)
    is_enclosed = triples.BEGIN.fullmatch(lines[0].strip()) is not None
    if not is_enclosed:
        kept, kinds = keep_readable(lines, _is_triple)
        return Repaired("".join(kept).rstrip("\n") + "\n\n", kinds)
    if sum(triples.BEGIN.fullmatch(line.strip()) is not None for line in lines) > 1:
        return Repaired("", Counter())
    kinds = Counter()
    begin = next((index for index, line in enumerate(lines) if line.strip().startswith("structure(")), 0)
    if not begin:
        return Repaired("", Counter())
    head = [line for line in lines[1:begin] if triples.PROPERTY.fullmatch(line.rstrip("\n"))]
    kinds[LINES] += begin - 1 - len(head)
    body = []
    for line in "".join(lines[begin:]).strip().removeprefix("structure(").split("\n"):
        written = line.strip()
        if written in ("", ")", "))"):
            continue
        if not _is_triple(written):
            written, repairs = close_brackets(written, _TRIPLE_TOKEN)
            if not _is_triple(written):
                kinds[LINES] += 1
                continue
            kinds += repairs
        body.append(f"{written}\n")
    text = "".join(["sentence(\n", *head, "structure(\n", *body, "))\n"])
    return Repaired(text, +kinds)


def _no_triples(block: str) -> str:
    known = [match[0].strip() for line in split_lines(block) if (match := _PROPERTY.fullmatch(line))]
    return "".join(["sentence(\n", *(f"{line}\n" for line in known), "structure(\n", "))\n"])


TRIPLES = DamageRules(_split_triples, _repair_triples, _no_triples)
