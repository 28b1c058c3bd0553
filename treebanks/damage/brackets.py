"""Damage of bracketed trees: where trees begin, and which brackets are missing or surplus.

Trees are cut by the first of these rules by which at least half of the parts are trees with balanced
brackets: each line is a tree; a line without indentation begins a tree; trees are between blank lines. Else
a bracket without indentation begins a tree.

A missing bracket is closed before a line that is indented no more than the line of the open one, before a
bracket after a tag and its word, and at the end of the tree. A surplus bracket is dropped where it would end
the tree before its last word, and at the end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from crossbank.treebanks.arrays import BoolArray
from crossbank.treebanks.damage.rules import DamageRules, Repaired
from crossbank.treebanks.failed_parses import FAILED_PARSE

ADDED = "closing brackets added"
DROPPED = "closing brackets dropped"
JOINED = "several trees put under one root"
OUTSIDE = "text outside of brackets dropped"

NO_PARSE = "(())\n"

_TOKEN = re.compile(r"\n[ \t]*|[()]|[^\s()]+|[^\S\n]+|\s")
_BEGINS_BLOCK = re.compile(r"\(|[^\s()][^()]*$")


def split(text: str) -> list[str]:
    """Return the blocks of a text: trees, or text that is not a tree."""
    lines = _split_lines(text)
    for layout in (list, _by_margin, _by_paragraph):
        blocks = layout(lines)
        sentences = [block for block in blocks if block.strip()]
        trees = are_balanced(sentences) & np.array([block[0] == "(" for block in sentences], np.bool_)
        if 2 * np.count_nonzero(trees) >= max(len(sentences), 1):
            return blocks
    return _by_margin(lines)


def _by_margin(lines: Sequence[str]) -> list[str]:
    """Return blocks that begin with a line without indentation that is a bracket or has none."""
    blocks: list[list[str]] = []
    for line in lines:
        is_text = not line.startswith("(") and _BEGINS_BLOCK.match(line.rstrip("\n")) is not None
        follows_text = is_text and bool(blocks) and not any("(" in one for one in blocks[-1])
        if not blocks or ((line.startswith("(") or is_text) and not follows_text):
            blocks.append([])
        blocks[-1].append(line)
    return ["".join(block) for block in blocks]


def _by_paragraph(lines: Sequence[str]) -> list[str]:
    """Return blocks that end with blank lines."""
    blocks: list[list[str]] = [[]]
    for line in lines:
        if blocks[-1] and not blocks[-1][-1].strip() and line.strip():
            blocks.append([])
        blocks[-1].append(line)
    return ["".join(block) for block in blocks]


def are_balanced(blocks: Sequence[str]) -> BoolArray:
    """Return for each block whether it is one tree or several, with nothing outside of brackets."""
    if not blocks:
        return np.zeros(0, np.bool_)
    encoded = [block.encode("utf-8", "surrogatepass") for block in blocks]
    text = np.frombuffer(b"".join(encoded), np.uint8)
    lengths = np.array([len(block) for block in encoded])
    first = np.append(0, np.cumsum(lengths)[:-1])
    steps = (text == ord("(")).astype(np.int32)
    steps -= text == ord(")")
    depth = np.cumsum(steps, dtype=np.int32)
    before = depth[first] - steps[first]
    depth -= np.repeat(before, lengths)
    outside = (depth == 0) & (text > ord(" ")) & (text != ord(")"))
    last = depth[first + lengths - 1]
    result: BoolArray = (
        (last == 0) & (np.minimum.reduceat(depth, first) >= 0) & ~np.logical_or.reduceat(outside, first)
    )
    return result


def find_damaged(blocks: Sequence[str]) -> Iterable[int]:
    """Yield the indices of blocks that are not trees, or signs that a parser failed."""
    filled = [index for index, block in enumerate(blocks) if block.strip()]
    balanced = are_balanced([blocks[index] for index in filled])
    for index, is_tree in zip(filled, balanced.tolist(), strict=True):
        if not is_tree and not FAILED_PARSE.fullmatch(blocks[index].strip().encode(errors="replace")):
            yield index


@dataclass
class _OpenBracket:
    """A bracket that is not closed: its column if it begins a line, and whether only words are in it."""

    column: int
    words: int = 0
    has_brackets: bool = False


class _BracketRepair:
    """State of the repair of one tree.

    missing, surplus  the numbers of closing brackets that the text lacks, or has too many of
    """

    def __init__(self, text: str, *, has_tags: bool) -> None:
        self.has_tags = has_tags
        self.tokens = [match.group() for match in _TOKEN.finditer(text)]
        difference = text.count("(") - text.count(")")
        self.missing, self.surplus = max(difference, 0), max(-difference, 0)
        significant = (i for i, token in enumerate(self.tokens) if token != ")" and not token.isspace())
        self.last = max(significant, default=-1)
        self.open: list[_OpenBracket] = []
        self.output: list[str] = []
        self.kinds: Counter[str] = Counter()
        self.trees = 0

    def run(self) -> Repaired:
        """Return the repaired tree."""
        column = 0
        for index, token in enumerate(self.tokens):
            if token == "(":
                self._begin(column)
            elif token == ")":
                self._end(index)
            elif token.isspace():
                self.output.append(token)
            elif self.open:
                self.open[-1].words += 1
                self.output.append(token)
            else:
                self.kinds[OUTSIDE] += 1
            if token[0] == "\n":
                column = len(token) - 1
            elif not token.isspace():
                column = -1
        self._close(len(self.open))
        text = "".join(self.output).strip()
        if self.trees > 1:
            # One sentence is replaced by one tree.
            text = f"( {text})"
            self.kinds[JOINED] += 1
        return Repaired(f"{text}\n" if text else "", self.kinds)

    def _begin(self, column: int) -> None:
        if self.missing:
            self._close_before(column)
        if self.open:
            self.open[-1].has_brackets = True
        self.trees += not self.open
        self.open.append(_OpenBracket(column))
        self.output.append("(")

    def _close_before(self, column: int) -> None:
        """Close what cannot contain a bracket that begins a line in a column, or comes after a word."""
        number = 0
        if column >= 0:
            outer = (i for i, bracket in enumerate(self.open) if bracket.column >= column)
            number = len(self.open) - next(outer, len(self.open))
        is_leaf = self.has_tags and bool(self.open) and self.open[-1].words == 2
        if not number and is_leaf and not self.open[-1].has_brackets:
            number = 1
        if number <= self.missing:
            self._close(number)

    def _close(self, number: int) -> None:
        if number:
            # Before the white space that precedes the next bracket.
            end = len(self.output)
            while end and self.output[end - 1].isspace():
                end -= 1
            self.output.insert(end, ")" * number)
            del self.open[len(self.open) - number :]
            self.missing -= number
            self.kinds[ADDED] += number

    def _end(self, index: int) -> None:
        ends_early = len(self.open) == 1 and self.surplus > 0 and index < self.last
        if not self.open or ends_early:
            self.surplus -= 1
            self.kinds[DROPPED] += 1
            return
        self.open.pop()
        self.output.append(")")


def repair(block: str, *, has_tags: bool = True) -> Repaired:
    """Return a tree with balanced brackets; nothing for text without a bracket.

    has_tags  whether two words alone in a bracket are a tag and a word
    """
    if "(" not in block:
        return Repaired("", Counter({OUTSIDE: len(block.split())}))
    return _BracketRepair(block, has_tags=has_tags).run()


def without_parse(block: str) -> str:
    """Return the sentence that replaces a tree."""
    return NO_PARSE


def _split_lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+$", text)


def _find_damaged_lines(blocks: Sequence[str]) -> Iterable[int]:
    """Yield the indices of lines whose tree, before a tab and a comment, is damaged or missing."""
    yield from find_damaged([block.partition("\t")[0] for block in blocks])
    for index, block in enumerate(blocks):
        if block.lstrip(" \r\v\f")[:1] == "\t" and block.strip():
            yield index


def _repair_line(block: str) -> Repaired:
    """Return a line with a repaired tree, and its comment."""
    tree, tab, comment = block.partition("\t")
    repaired = repair(tree)
    if not repaired.text or not tab:
        return repaired
    return Repaired(repaired.text.rstrip("\n") + tab + comment, repaired.kinds)


RULES = DamageRules(split, repair, without_parse, find_damaged, finds_all=True)
"""The rules of Penn brackets."""

DISCONTINUOUS = DamageRules(_split_lines, _repair_line, without_parse, _find_damaged_lines, finds_all=True)
"""The rules of discontinuous brackets: each line is a tree."""
